import { Agent } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../server/src/platform/database/database.ts';
import { connect } from '../server/src/platform/database/pool.ts';
import { CONNECTIONS, rateOf, send } from './load.ts';
import { processorSeconds } from './processes.ts';
import { median, type Row } from './report.ts';
import { bearer, type Company, seedPayer, seedUnpaidInvoices, type UnpaidInvoice } from './seed.ts';
import type { Setting } from './setting.ts';

/** Enough for callers at the same time to be of different companies, of which each charges one invoice after the other. */
const COMPANIES = 64;
const WARM_UP = 10;
/** Invoices of each company that a round pays. */
const EACH = 30;

/**
 * Pays a second through the API with 32 callers, against the rows of the same charges, written in the same three transactions by
 * bare postgres.js: no gateway and no service.
 */
export async function benchPay(setting: Setting): Promise<Row[]> {
  const companies = await preparePayers(setting);
  const db = connect({ target: setting.databaseUrl, poolSize: 10, serverVersion: 180_000 });
  await payAllBare(setting, db, companies, WARM_UP);
  const rounds: (Pays & { floor: number })[] = [];
  for (let round = 0; round < setting.rounds; round += 1) {
    const floor = await payAllBare(setting, db, companies, EACH);
    rounds.push({ floor, ...(await payAll(setting, companies)) });
  }
  await db.end();
  const middle = (which: keyof Pays | 'floor') => median(rounds.map((round) => round[which]));
  return [
    {
      name: 'PUT /payments/orders/{id}/pay',
      ratio: median(rounds.map(({ rate, floor }) => rate / floor)),
      bound: '≥',
      limit: 0.25,
      detail:
        `${middle('rate').toFixed(0)} pays/s; ${middle('floor').toFixed(0)}/s bare; ` +
        `${middle('processorMs').toFixed(2)} ms of the service's processor time each`,
    },
  ];
}

/** Companies that have paid some invoices, so that the service is warm. */
export async function preparePayers(setting: Setting): Promise<Company[]> {
  const companies = await Promise.all(Array.from({ length: COMPANIES }, () => seedPayer(setting)));
  await payAll(setting, companies, WARM_UP);
  return companies;
}

/** How many a second, and what of the service's processor time each took. */
export type Pays = { rate: number; processorMs: number };

/** Pays so many invoices of each company through the API. */
export async function payAll(setting: Setting, companies: readonly Company[], each = EACH): Promise<Pays> {
  return payInvoices(setting, companies, await seedFor(setting, companies, each));
}

/** Pays these invoices of the companies through the API. */
export async function payInvoices(
  setting: Pick<Setting, 'serviceUrl' | 'serviceProcessId'>,
  companies: readonly Company[],
  invoices: readonly UnpaidInvoice[],
): Promise<Pays> {
  const headersOf = new Map(companies.map((company) => [company.companyId, bearer(company)]));
  const agent = new Agent({ keepAlive: true });
  const before = await processorSeconds(setting.serviceProcessId);
  const rate = await rateOf(invoices, CONNECTIONS, async ({ companyId, id }) => {
    const options = { method: 'PUT', headers: headersOf.get(companyId), agent };
    const { status, text } = await send(`${setting.serviceUrl}/payments/orders/${id}/pay`, options);
    if (status !== 200) throw new Error(`${status} ${text}`);
  });
  const seconds = (await processorSeconds(setting.serviceProcessId)) - before;
  agent.destroy();
  return { rate, processorMs: (1_000 * seconds) / invoices.length };
}

async function payAllBare(setting: Setting, db: Db, companies: readonly Company[], each: number): Promise<number> {
  return rateOf(await seedFor(setting, companies, each), CONNECTIONS, (invoice) => payBare(db, invoice));
}

/** Not due while they are measured, or else the collection would pay them. */
function seedFor(setting: Setting, companies: readonly Company[], each: number): Promise<UnpaidInvoice[]> {
  const companyIds = companies.map(({ companyId }) => companyId);
  return seedUnpaidInvoices(setting, companyIds, { each, dueInDays: 30 });
}

/** The floor: T1, T2 and T3 with their locks, rows and events; triggers count and post as they always do. */
async function payBare(db: Db, { companyId, id }: UnpaidInvoice): Promise<void> {
  const paymentId = uuidv7();
  await db.begin(async (tx) => {
    await tx`SELECT status, total FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
    await tx`SELECT FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
    const [card] = await tx<[{ id: string }]>`
      SELECT id FROM cards WHERE company_id = ${companyId} AND is_default AND deleted_at IS NULL FOR SHARE`;
    await tx`
      INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, credit_minor, currency,
                            state, reconcile_at)
      VALUES (${companyId}, ${paymentId}, ${id}, ${card.id}, 'Card', 'bare', 'token', 4800, 0, 'USD', 'created',
              now() + interval '1 day')`;
    await insertBareEvent(tx, companyId, 'payment.started', paymentId);
  });
  await db`
    UPDATE payments SET state = 'sending', gateway_payment_id = ${paymentId}, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${paymentId} AND state = 'created'`;
  await db.begin(async (tx) => {
    await tx`SELECT FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
    await tx`
      UPDATE payments SET state = 'captured', reconcile_at = NULL, updated_at = now()
      WHERE company_id = ${companyId} AND id = ${paymentId} AND state = 'sending'`;
    await tx`
      UPDATE invoices SET status = 'Succeeded', payment_id = ${paymentId}, updated_at = now()
      WHERE company_id = ${companyId} AND id = ${id}`;
    await insertBareEvent(tx, companyId, 'payment.captured', paymentId);
    await tx`
      INSERT INTO events (company_id, id, type, data)
      SELECT company_id, ${uuidv7()}, 'invoice.succeeded', row_to_json(invoices)
      FROM invoices WHERE company_id = ${companyId} AND id = ${id}`;
  });
}

async function insertBareEvent(tx: Tx, companyId: string, type: string, paymentId: string): Promise<void> {
  await tx`
    INSERT INTO events (company_id, id, type, data)
    SELECT company_id, ${uuidv7()}, ${type}, row_to_json(payments)
    FROM payments WHERE company_id = ${companyId} AND id = ${paymentId}`;
}
