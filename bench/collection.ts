import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './load.ts';
import type { Row } from './report.ts';
import { bearer, type Company, seedCompany, seedInvoices, seedLabels, seedPayer, seedUnpaidInvoices } from './seed.ts';
import { processorSeconds, type Setting } from './setting.ts';

const INVOICES_EACH = 10;
/** A light load: what is asked for, at a fixed rate, whether answers come in time or not. */
const REQUESTS_PER_SECOND = 50;
const PATHS = ['/labels', '/payments/orders'];
const IDLE_SECONDS = 30;

/**
 * The 95th percentile of how long a light load of requests takes while many due invoices are collected, against the same without
 * collection, before and after.
 */
export async function benchCollection(setting: Setting, invoices: number): Promise<Row[]> {
  const reader = await seedCompany(setting);
  await seedLabels(setting, reader, 1_000);
  await seedInvoices(setting, reader, 1_000);
  await setting.owner`UPDATE collections SET state = 'manual', next_attempt_at = NULL WHERE company_id = ${reader.companyId}`;
  const payers = await seedPayers(setting, invoices / INVOICES_EACH);
  await measure(setting, reader, () => sleep(5_000));

  const before = await measure(setting, reader, () => sleep(IDLE_SECONDS * 1_000));
  await seedUnpaidInvoices(setting, payers, { each: INVOICES_EACH, dueInDays: 0 });
  const processorBefore = await processorSeconds(setting.serviceProcessId);
  const during = await measure(setting, reader, () => waitUntilCollected(setting));
  const processorMs = (1_000 * ((await processorSeconds(setting.serviceProcessId)) - processorBefore)) / invoices;
  const after = await measure(setting, reader, () => sleep(IDLE_SECONDS * 1_000));

  const idleMs = (before.p95Ms + after.p95Ms) / 2;
  const figures = [before, during, after].map(({ p50Ms, p95Ms }) => `${p50Ms.toFixed(1)} and ${p95Ms.toFixed(1)}`);
  return [
    {
      name: `p95 of requests while ${invoices} invoices are collected`,
      ratio: during.p95Ms / idleMs,
      bound: '≤',
      limit: 2,
      detail:
        `p50 and p95 before, meanwhile, after: ${figures.join(', ')} ms; ${(invoices / during.seconds).toFixed(1)} invoices/s, ` +
        `${processorMs.toFixed(1)} ms of the service's processor time each`,
    },
  ];
}

/** Companies with a default card: one by the API, the others copied from it, card and all. @returns their ids */
async function seedPayers(setting: Setting, count: number): Promise<string[]> {
  const { companyId } = await seedPayer(setting);
  const copies = await setting.owner<{ id: string }[]>`
    WITH made AS (
      INSERT INTO companies (id, name) SELECT uuidv7(), 'Company ' || number FROM generate_series(1, ${count}) AS number RETURNING id
    ), billing AS (
      INSERT INTO billing_information (company_id, id, first_name, last_name, country, city, address)
      SELECT id, uuidv7(), 'Ada', 'Lovelace', 'GB', 'London', '12 St James’s Square' FROM made
    ), addressed AS (
      INSERT INTO addresses (company_id, id, country) SELECT id, id, 'GB' FROM made
    )
    INSERT INTO cards (company_id, id, address_id, is_default, country, exp_month, exp_year, card_name, brand, first_four, last_four,
                       number_length, fingerprint, fingerprint_key_version, gateway, gateway_token)
    SELECT made.id, made.id, made.id, true, cards.country, exp_month, exp_year, card_name, brand, first_four, last_four,
           number_length, fingerprint, fingerprint_key_version, gateway, gateway_token
    FROM made, cards WHERE cards.company_id = ${companyId}
    RETURNING company_id AS id`;
  return copies.map(({ id }) => id);
}

async function waitUntilCollected({ owner }: Setting): Promise<void> {
  for (;;) {
    await sleep(250);
    const [row] = await owner<[{ states: string }]>`
      SELECT coalesce(string_agg(DISTINCT state, ' '), '') AS states FROM collections
      WHERE state IN ('scheduled', 'awaiting_outcome') AND due_at <= now()`;
    if (row.states === '') return;
  }
}

type Latencies = { p50Ms: number; p95Ms: number; seconds: number };

/** Asks at the fixed rate for as long as the work takes. A late answer keeps no later request waiting. */
async function measure({ serviceUrl }: Setting, reader: Company, work: () => Promise<void>): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true });
  const [latenciesMs, pending]: [number[], Promise<void>[]] = [[], []];
  const ask = async (path: string) => {
    const beganMs = performance.now();
    const { status } = await send(`${serviceUrl}${path}`, { headers: bearer(reader), agent });
    if (status !== 200) throw new Error(`${path} answered with ${status}.`);
    latenciesMs.push(performance.now() - beganMs);
  };
  const beganMs = performance.now();
  const working = work().then(() => true);
  let isDone = false;
  for (let number = 0; !isDone; number += 1) {
    pending.push(ask(PATHS[number % PATHS.length] ?? ''));
    const nextMs = beganMs + ((number + 1) * 1_000) / REQUESTS_PER_SECOND;
    isDone = await Promise.race([working, sleep(Math.max(0, nextMs - performance.now()), false)]);
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  await Promise.all(pending);
  agent.destroy();
  latenciesMs.sort((left, right) => left - right);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), seconds };
}
