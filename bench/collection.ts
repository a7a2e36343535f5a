import { setTimeout as sleep } from 'node:timers/promises';
import { measureLatencies } from './load.ts';
import { processorSeconds } from './processes.ts';
import type { Row } from './report.ts';
import { bearer, seedCompany, seedInvoices, seedLabels, seedPayer, seedUnpaidInvoices } from './seed.ts';
import type { Setting } from './setting.ts';

const INVOICES_EACH = 10;
const PATHS = ['/labels', '/payments/orders'];
const IDLE_SECONDS = 30;
const SEEDED_AT_ONCE = 1_000;

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
  const measure = (work: () => Promise<unknown>) => measureLatencies(setting.serviceUrl, bearer(reader), PATHS, work);
  await measure(() => sleep(5_000));

  const before = await measure(() => sleep(IDLE_SECONDS * 1_000));
  await seedUnpaidInvoices(setting, payers, { each: INVOICES_EACH, dueInDays: 0 });
  const processorBefore = await processorSeconds(setting.serviceProcessId);
  const during = await measure(() => waitUntilCollected(setting));
  const processorMs = (1_000 * ((await processorSeconds(setting.serviceProcessId)) - processorBefore)) / invoices;
  const after = await measure(() => sleep(IDLE_SECONDS * 1_000));

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
  const payers: string[] = [];
  // The triggers count each company in one row, whose versions of a transaction are read one after the other.
  for (let next = 1; next <= count; next += SEEDED_AT_ONCE)
    payers.push(...(await copyPayer(setting, companyId, next, Math.min(next + SEEDED_AT_ONCE - 1, count))));
  return payers;
}

async function copyPayer({ owner }: Setting, companyId: string, first: number, last: number): Promise<string[]> {
  const copies = await owner<{ id: string }[]>`
    WITH made AS (
      INSERT INTO companies (id, name) SELECT uuidv7(), 'Company ' || number
      FROM generate_series(${first}::int, ${last}::int) AS number RETURNING id
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
