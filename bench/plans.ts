import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../server/src/app.ts';
import { advanceDueRuns } from '../server/src/billing/runs/pass/passes.ts';
import { processNextRun } from '../server/src/billing/runs/runs.worker.ts';
import { checkThresholds } from '../server/src/billing/thresholds/thresholds.worker.ts';
import { openChargesHold } from '../server/src/continuity/hold/charges-hold.service.ts';
import { rememberExternalIds } from '../server/src/customers/companies/external-ids/external-ids.service.ts';
import { EVENT_DATA } from '../server/src/features.ts';
import { createGateways, GATEWAYS } from '../server/src/gateways/gateways.ts';
import { createSandboxGateway } from '../server/src/gateways/sandbox/sandbox.gateway.ts';
import { runHousekeeping } from '../server/src/housekeeping.ts';
import { ensureOperatorKey } from '../server/src/identity/operators/operators.service.ts';
import { closeLedgerHours } from '../server/src/ledger/ledger.service.ts';
import { rollUpUsage } from '../server/src/metering/usage/rollup/rollup.ts';
import { claimDeliveries } from '../server/src/outbox/webhooks/delivery/delivery.worker.queries.ts';
import { claimDue } from '../server/src/payments/collection/collection.worker.queries.ts';
import { confirmationsOf } from '../server/src/payments/links/confirmations.ts';
import {
  claimDue as claimDueJobs,
  selectGatewaysWithOpenJobs,
} from '../server/src/payments/outcomes/outcomes.worker.queries.ts';
import { PAYMENT_QUEUE } from '../server/src/payments/payment/payment.queries.ts';
import { claimProbe } from '../server/src/payments/reconcile/reconcile.worker.queries.ts';
import { REFUND_QUEUE } from '../server/src/payments/refunds/issue/refunds.queries.ts';
import { systemClock } from '../server/src/platform/calendar/clock.ts';
import { readConfig } from '../server/src/platform/config/config.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { checkServer, migrate } from '../server/src/platform/database/migrate.ts';
import { connect, connectAsOwner } from '../server/src/platform/database/pool.ts';
import { openKeyring } from '../server/src/platform/keys/keys.ts';
import { createLogger } from '../server/src/platform/logging/logger.ts';
import { selectFirstCase } from '../server/src/recovery/adopt/adopt.worker.queries.ts';
import { WORK_QUEUES } from '../server/src/workers.ts';
import { seedBooks } from './plans.seed.ts';
import type { Row } from './report.ts';
import type { Setting } from './setting.ts';

const PER_PAGE = 20;
/** What a page may touch: each of its rows with its payment, its company and its collection, and the entries of the indexes on the way. */
const ROWS_A_PAGE = 50 * PER_PAGE;
/** What is claimed, and what stands on the way to it. */
const ROWS_A_CLAIM = 5 * PER_PAGE;

/** What the operator asks beside the bare lists. */
const QUESTIONS = (company: string) => [
  '/operator/companies?email=17@example.com',
  `/operator/invoices?companyId=${company}`,
  '/operator/invoices?status=Failed',
  '/operator/invoices?number=INV-000042',
  ...['open', 'paid', 'credited', 'void', 'overdue'].map((state) => `/operator/invoices?state=${state}`),
  '/operator/invoices?method=paypal',
  '/operator/invoices?currency=USD',
  '/operator/invoices?currency=EUR',
  '/operator/invoices?min=1000',
  '/operator/invoices?max=1',
  '/operator/invoices?from=2017-03-01&to=2017-03-02',
  '/operator/invoices?runId=01900007-0000-7000-8000-000000000003',
  `/operator/payments?companyId=${company}`,
  '/operator/payments?page=1000000',
  '/operator/payments?status=Failed',
  '/operator/payments?status=Succeeded',
  '/operator/payments?status=Processing',
  '/operator/payments?from=2017-03-01&to=2017-03-02',
  `/operator/refunds?companyId=${company}`,
  '/operator/refunds?status=NeedsReview',
  '/operator/refunds?from=2017-03-01&to=2017-03-02',
  `/operator/credit-notes?companyId=${company}`,
  '/operator/credit-notes?number=CN-000001',
  '/operator/credit-notes?from=2017-03-01&to=2017-03-02',
  '/operator/ledger?account=dispute_losses',
  '/operator/ledger?account=tax',
  '/operator/ledger?account=cash:stripe',
  '/operator/ledger?account=cash:sandbox',
  '/operator/ledger?from=2023-01-01T00:00:00Z',
  `/operator/ledger?companyId=${company}`,
  '/operator/ledger/balances?to=2020-01-01T00:00:00Z',
  `/operator/ledger/balances?companyId=${company}`,
  '/operator/ledger?invoiceId=01900004-0000-7000-8000-000000000010',
  '/operator/ledger?sourceId=01900004-0000-7000-8000-000000000010',
  '/operator/disputes?currency=EUR',
  '/operator/disputes?from=2017-03-01&to=2017-03-02',
  '/operator/mails?recipient=17@example.com',
  '/operator/mails?type=verify_email',
  '/operator/mails?status=failed',
  '/operator/events?type=invoice.voided',
  `/operator/events?companyId=${company}`,
  '/operator/alerts?state=open',
];

/** Whose lists are read: by one connection, so that what it reads can be told from what others do. */
type Books = { db: Db; operatorKey: string; directory: string };

/**
 * What every list of the operator's and every claim of a worker reads of so many invoices: rows and entries of indexes, as PostgreSQL
 * counts them. A page must not read more the more there is.
 */
export async function benchPlans(setting: Setting, invoices: number): Promise<Row[]> {
  const { operatorKey, directory } = setting;
  // In a database of its own: PostgreSQL counts what is read of a table, whoever reads it, and the service works on the other one.
  await setting.owner`CREATE DATABASE plans`;
  const target = setting.databaseUrl.replace(/[^/]*$/, 'plans');
  const owner = connectAsOwner(target);
  await migrate(owner);
  const db = connect({ target, poolSize: 1, serverVersion: await checkServer(owner) });
  try {
    await ensureOperatorKey(db, directory, operatorKey);
    const startedAt = performance.now();
    const { companies } = await seedBooks(owner, invoices);
    await closeLedgerHours(db);
    console.log(`${invoices} invoices seeded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    const touched = await readBooks({ db, operatorKey, directory });
    return touched.map((one) => toRow(one, companies));
  } finally {
    await Promise.all([db.end(), owner.end()]);
  }
}

/** What was asked, and how many rows and entries of indexes were read of each table. */
export type Touched = { name: string; status: number; tables: Map<string, number> };

/** Asks for a page of each list, and has each worker look once for what is due. */
export async function readBooks(books: Books): Promise<Touched[]> {
  return [...(await readLists(books)), ...(await claim(books))];
}

/**
 * What a page may read: itself, and for the totals an entry for each company, and for each alert and run. A claim has no total;
 * that of deliveries asks each endpoint for which something waits: that of every fiftieth company.
 */
export function mayTouch({ name }: Touched, companies: number): number {
  return name.startsWith('the claim') ? ROWS_A_CLAIM + companies / 50 : ROWS_A_PAGE + 3 * companies;
}

async function readLists({ db, operatorKey, directory }: Books): Promise<Touched[]> {
  const dataDirectory = await mkdtemp(join(directory, 'plans-'));
  const config = { ...readConfig(GATEWAYS, {}), dataDirectory };
  const sandbox = createSandboxGateway({ baseUrl: 'http://127.0.0.1:9', secret: 'none', timeoutMs: 1_000 });
  const logger = createLogger('fatal', { write: () => undefined });
  const keyring = openKeyring(dataDirectory);
  const app = await buildApp({
    ...{
      config,
      db,
      logger,
      keyring,
      gateways: createGateways([sandbox], confirmationsOf({ config, keyring })),
    },
    ...{ clock: systemClock, chargesHold: openChargesHold(config, db, systemClock()), metricsDb: db, journal: null },
    ...{ externalIds: rememberExternalIds(db), eventData: EVENT_DATA },
  });
  const [company] = await db<[{ id: string }]>`SELECT id FROM companies ORDER BY id OFFSET 17 LIMIT 1`;
  const paths = app.server.http.operations
    .filter(
      ({ method, url }) =>
        method === 'GET' && url.startsWith('/operator/') && !/:|\.csv|reconciliation|quote/.test(url),
    )
    .map(({ url }) =>
      url === '/operator/usage' ? `${url}?companyId=${company.id}&from=2020-01-01&to=2020-02-01` : url,
    );
  const touched: Touched[] = [];
  for (const url of [...paths, ...QUESTIONS(company.id)]) {
    const headers = { authorization: `Bearer ${operatorKey}` };
    let status = 0;
    const tables = await countTouched(db, async () => {
      ({ statusCode: status } = await app.server.inject({ method: 'GET', url, headers }));
    });
    touched.push({ name: `GET ${url}`, status, tables });
  }
  await app.drain();
  return touched;
}

async function claim({ db }: Books): Promise<Touched[]> {
  const log = createLogger('fatal', { write: () => undefined }) as unknown as Parameters<typeof processNextRun>[1];
  const [left] = await db<[{ companyId: string }]>`
    SELECT company_id AS "companyId" FROM recovery_cases WHERE state = 'person' ORDER BY happened_at DESC LIMIT 1`;
  const claims: Record<string, () => Promise<unknown>> = {
    'the gateways of payments that wait': () => selectGatewaysWithOpenJobs(db, PAYMENT_QUEUE),
    'the gateways of refunds that wait': () => selectGatewaysWithOpenJobs(db, REFUND_QUEUE),
    'the claim of payments': () => claimDueJobs(db, PAYMENT_QUEUE, { gateway: 'sandbox', limit: PER_PAGE }),
    'the claim of a payment out of turn': () => claimProbe(db, 'sandbox'),
    'the claim of refunds': () => claimDueJobs(db, REFUND_QUEUE, { gateway: 'sandbox', limit: PER_PAGE }),
    'the claim of a collection': () =>
      claimDue(db, { gateway: 'sandbox', now: new Date(Date.now() + 172_800_000), lease: randomUUID() }),
    'the claim of deliveries': () => claimDeliveries(db, { lease: randomUUID(), limit: PER_PAGE, perEndpoint: 4 }),
    'the claim of a case of a recovery': () => selectFirstCase(db, []),
    'the claim of a case that waited for a person': () => selectFirstCase(db, [left.companyId]),
    'the rollup of usage': () => rollUpUsage(db),
    'the thresholds': () => checkThresholds({ db, clock: systemClock }, log),
    'the billing worker': () => processNextRun(db, log),
    housekeeping: () => runHousekeeping({ db, usageRetentionYears: 10 }),
    'the months that are due': () => advanceDueRuns(db, new Date('2023-12-15T00:00:00Z')),
  };
  for (const read of WORK_QUEUES) claims[`the queue ${read.name}`] = () => read(db);
  const touched: Touched[] = [];
  for (const [name, work] of Object.entries(claims))
    touched.push({ name, status: 200, tables: await countTouched(db, work) });
  return touched;
}

/** How much was read in all. */
export function totalOf({ tables }: Touched): number {
  return [...tables.values()].reduce((sum, count) => sum + count, 0);
}

function toRow(touched: Touched, companies: number): Row {
  const total = totalOf(touched);
  const most = [...touched.tables].sort(([, left], [, right]) => right - left).slice(0, 3);
  const detail = `${total} rows read: ${most.map(([table, count]) => `${table} ${count}`).join(', ')}`;
  return { name: touched.name.slice(0, 44), ratio: total / mayTouch(touched, companies), bound: '≤', limit: 1, detail };
}

/** How many rows and entries of indexes the one connection reads of each table during the work. */
async function countTouched(db: Db, work: () => Promise<unknown>): Promise<Map<string, number>> {
  const read = async () => {
    await db`SELECT pg_stat_force_next_flush()`;
    const rows = await db<{ name: string; touched: number }[]>`
      SELECT relname AS name, (seq_tup_read + coalesce((
        SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS indexes WHERE indexes.relid = tables.relid), 0))::float AS touched
      FROM pg_stat_user_tables AS tables WHERE schemaname = 'public'`;
    return new Map(rows.map(({ name, touched }) => [name, touched]));
  };
  const before = await read();
  await work();
  const after = await read();
  return new Map(
    [...after]
      .map(([name, touched]) => [name, touched - (before.get(name) ?? 0)] as const)
      .filter(([, touched]) => touched > 0),
  );
}
