import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS, rateOf, send } from './load.ts';
import { payInvoices } from './pay.ts';
import { runMonth, seedCompanies, seedHours, setPrices } from './runs.ts';
import type { Company, UnpaidInvoice } from './seed.ts';
import { ingest, makeEvents, seedCompanyIds } from './usage.ts';
import type { Version } from './versions.start.ts';
import { deliver, seedEndpoint } from './webhooks.ts';

/** `before` is not measured. `work` returns how many units it did. */
export type Prepared = { before?: () => Promise<unknown>; work: () => Promise<number> };

/** What is compared, and the unit that its cost is given for. */
export type Operation = { unit: string; prepare: (version: Version) => Promise<Prepared> };

export const OPERATIONS: Record<string, Operation> = {
  pay: { unit: 'a payment, 32 callers', prepare: preparePay },
  run: { unit: 'an invoice of a run of 500', prepare: (version) => prepareRun(version, 0) },
  burst: { unit: 'the same right after 42,000 events', prepare: (version) => prepareRun(version, 42) },
  event: { unit: 'a usage event a request', prepare: prepareEvent },
  batches: { unit: 'a batch of 1,000 usage events', prepare: prepareBatches },
  create: { unit: 'a label created', prepare: prepareCreate },
  label: { unit: 'a label read', prepare: prepareLabel },
  labels: { unit: 'a page of labels after a change', prepare: prepareLabels },
  invoices: { unit: 'a page of 10 of 500 invoices', prepare: (version) => prepareInvoices(version, 10, 1_000) },
  all: { unit: 'a list of all 500 invoices', prepare: (version) => prepareInvoices(version, 500, 60) },
  billing: { unit: 'billing information', prepare: (version) => prepareRead(version, '/payments/billing-information') },
  cards: { unit: 'a list of cards', prepare: (version) => prepareRead(version, '/payments/cards') },
  login: { unit: 'a login, 8 callers', prepare: prepareLogin },
  refresh: { unit: 'a refresh', prepare: prepareRefresh },
  webhooks: { unit: 'a delivery, 4 at a time to one endpoint', prepare: prepareWebhooks },
  company: { unit: 'a company upserted', prepare: prepareCompany },
  idle: { unit: 'a second without load', prepare: prepareIdle },
};

async function preparePay(version: Version): Promise<Prepared> {
  const companies = await Promise.all(Array.from({ length: 2 * CONNECTIONS }, () => version.seeds.seedPayer(version)));
  const companyIds = companies.map(({ companyId }) => companyId);
  let invoices: UnpaidInvoice[] = [];
  return {
    before: async () => {
      invoices = await version.seeds.seedUnpaidInvoices(version, companyIds, { each: 5, dueInDays: 30 });
    },
    work: async () => {
      await payInvoices(version, companies, invoices);
      return invoices.length;
    },
  };
}

const COMPANIES = 500;
/** Which months are billed already: so many from February 2024 on. */
const billedMonths = new WeakMap<Version, number>();

/**
 * A burst comes after a time without usage: the rollup's table was analyzed while it was empty, and its statements were planned for few
 * rows. The rollup in the background finds the cutoff locked, so that the run finds all of the burst.
 */
async function prepareRun(version: Version, batchesBefore: number): Promise<Prepared> {
  if (!billedMonths.has(version)) {
    await setPrices(version);
    await seedCompanies(version, COMPANIES);
    billedMonths.set(version, 0);
  }
  const companies = await version.owner<{ id: string }[]>`SELECT id FROM companies WHERE name LIKE 'Company %'`;
  const companyIds = companies.map(({ id }) => id);
  let month = '';
  return {
    before: async () => {
      const billed = billedMonths.get(version) ?? 0;
      billedMonths.set(version, billed + 1);
      month = new Date(Date.UTC(2024, 1 + billed)).toISOString().slice(0, 7);
      await seedHours(version, `${month}-01`, COMPANIES);
      await untilRolledUp(version);
      if (batchesBefore === 0) return;
      await version.owner`VACUUM ANALYZE usage_deltas`;
      await ingest(version, companyIds, 1);
      await untilRolledUp(version);
      await version.owner.begin(async (tx) => {
        await tx`SELECT FROM usage_cutoffs WHERE closed_at IS NULL FOR UPDATE`;
        await ingest(version, companyIds, batchesBefore);
      });
    },
    work: async () => (await runMonth(version, month)).invoices,
  };
}

async function prepareEvent(version: Version): Promise<Prepared> {
  const companyIds = await seedCompanyIds(version);
  const headers = { ...ofOperator(version), 'content-type': 'application/cloudevents+json' };
  return {
    before: () => untilRolledUp(version),
    work: () => {
      const events = makeEvents(companyIds);
      return call(version, events.length, (index) => ({ path: '/operator/usage', headers, body: events[index] }));
    },
  };
}

async function prepareBatches(version: Version): Promise<Prepared> {
  const [companyIds, batches] = [await seedCompanyIds(version), 40];
  return {
    before: () => untilRolledUp(version),
    work: async () => {
      await ingest(version, companyIds, batches);
      return batches;
    },
  };
}

/** Until no usage waits for the rollup. */
async function untilRolledUp({ owner }: Version): Promise<void> {
  while ((await owner`SELECT FROM usage_deltas LIMIT 1`).length > 0) await sleep(100);
}

async function prepareCreate(version: Version): Promise<Prepared> {
  const headers = ofCompany(await version.seeds.seedCompany(version));
  const label = { description: 'What it stands for', color: '#ff8800', userName: 'Ada Lovelace' };
  const request = () => ({ path: '/labels', headers, body: { ...label, name: `Label ${randomUUID()}` } });
  return { work: () => call(version, 800, request) };
}

async function prepareLabel(version: Version): Promise<Prepared> {
  const company = await version.seeds.seedCompany(version);
  await version.seeds.seedLabels(version, company, 1_000);
  const [label] = await version.owner<
    [{ id: string }]
  >`SELECT id FROM labels WHERE company_id = ${company.companyId} LIMIT 1`;
  const request = { path: `/labels/${label.id}`, headers: ofCompany(company) };
  return { work: () => call(version, 1_500, () => request) };
}

/** Of the change, which the bench itself makes in the table, nothing is measured but what it means for the page. */
async function prepareLabels(version: Version): Promise<Prepared> {
  const company = await version.seeds.seedCompany(version);
  await version.seeds.seedLabels(version, company, 1_000);
  const { companyId } = company;
  const request = { path: '/labels', headers: ofCompany(company) };
  return {
    work: async () => {
      const change = async () => {
        await version.owner`
          UPDATE labels SET description = ${randomUUID()}
          WHERE company_id = ${companyId} AND id = (SELECT id FROM labels WHERE company_id = ${companyId} LIMIT 1)`;
        return request;
      };
      return call(version, 300, change, 1);
    },
  };
}

async function prepareInvoices(version: Version, perPage: number, count: number): Promise<Prepared> {
  const company = await version.seeds.seedCompany(version);
  await version.seeds.seedInvoices(version, company, 500);
  const request = { path: `/payments/orders?perPage=${perPage}`, headers: ofCompany(company) };
  return { work: () => call(version, count, () => request) };
}

async function prepareRead(version: Version, path: string): Promise<Prepared> {
  const request = { path, headers: ofCompany(await version.seeds.seedPayer(version)) };
  return { work: () => call(version, 1_500, () => request) };
}

async function prepareLogin(version: Version): Promise<Prepared> {
  const { email } = await version.seeds.seedCompany(version);
  const request = { path: '/auth/local', body: { email, password: version.seeds.PASSWORD } };
  return { work: () => call(version, 80, () => request, 8) };
}

async function prepareRefresh(version: Version): Promise<Prepared> {
  const { email } = await version.seeds.seedCompany(version);
  const tokenIn = (text: string) => (JSON.parse(text) as { data: { refresh_token: string } }).data.refresh_token;
  const tokens: string[] = [];
  const login = { path: '/auth/local', body: { email, password: version.seeds.PASSWORD } };
  await call(
    version,
    CONNECTIONS,
    () => login,
    8,
    (text) => tokens.push(tokenIn(text)),
  );
  const request = () => ({ path: '/auth/refresh', body: { refresh_token: tokens.shift() } });
  return { work: () => call(version, 1_000, request, CONNECTIONS, (text) => tokens.push(tokenIn(text))) };
}

async function prepareWebhooks(version: Version): Promise<Prepared> {
  const company = await version.seeds.seedCompany(version);
  await seedEndpoint(version);
  const deliveries = 400;
  return {
    work: async () => {
      await deliver(version, company, 1, deliveries);
      return deliveries;
    },
  };
}

/** Half of them create a company, the other half change it. */
async function prepareCompany(version: Version): Promise<Prepared> {
  const headers = ofOperator(version);
  const upsert = (id: string, index: number) => ({
    method: 'PUT',
    path: `/operator/companies/external:${id}-${index % 150}`,
    headers,
    body: {
      ...{ name: `Rowan ${index} Ltd`, email: `${id}-${index % 150}@example.com` },
      ...{ metadata: { plan: 'team' }, billingInformation: { country: 'DE' } },
    },
  });
  return {
    work: () => {
      const id = randomUUID();
      return call(version, 300, (index) => upsert(id, index), 4);
    },
  };
}

async function prepareIdle(): Promise<Prepared> {
  const seconds = 8;
  return {
    work: async () => {
      await sleep(1_000 * seconds);
      return seconds;
    },
  };
}

function ofCompany({ token }: Company): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function ofOperator({ operatorKey }: Version): Record<string, string> {
  return { authorization: `Bearer ${operatorKey}` };
}

/** POST where there is a body, unless a method is given. */
type Call = { path: string; method?: string; headers?: Record<string, string>; body?: object | undefined };

/** So many requests, so many at once. @returns how many @throws Error when an answer is none of success */
async function call(
  { serviceUrl }: Version,
  count: number,
  request: (index: number) => Call | Promise<Call>,
  atOnce = CONNECTIONS,
  onAnswer: (text: string) => void = () => undefined,
): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  await rateOf([...Array(count).keys()], atOnce, async (index) => {
    const { path, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = await request(index);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { status, text } = await send(
      `${serviceUrl}${path}`,
      { method, agent, headers: { ...type, ...headers } },
      body === undefined ? '' : JSON.stringify(body),
    );
    if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    onAnswer(text);
  });
  agent.destroy();
  return count;
}
