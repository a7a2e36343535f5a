/** A database that went back while its gateways did not: what they have and it lacks, and how that is adopted. */

import { randomUUID } from 'node:crypto';
import { confirmationOf } from '../../src/gateways/gateway/gateway.testing.ts';
import type { Decision } from '../../src/recovery/adopt/decide.ts';
import { adoptPayment } from '../../src/recovery/adopt/payments.ts';
import { adoptRefund } from '../../src/recovery/adopt/refunds.ts';
import { readHold } from '../../src/recovery/hold/hold.service.ts';
import { caseColumns } from '../../src/recovery/marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../../src/recovery/marks/cases.ts';
import { keepObjects } from '../../src/recovery/marks/cases.worker.queries.ts';
import { findMissingObjects } from '../../src/recovery/marks/compare.ts';
import type { TestService } from '../harness/service.ts';
import type { ChargeService, Payable } from '../payments/charge.ts';
import { backUp } from '../payments/restore.ts';
import { holdCharges } from './hold.ts';

/** Backs the database up. @returns what restores it, does something `meanwhile`, and then holds charges, as noticing does */
export async function backUpToHold(
  service: TestService,
): Promise<{ goBack: (meanwhile?: () => Promise<unknown>) => Promise<void> }> {
  const { restore } = await backUp(service.database.owner);
  return {
    goBack: async (meanwhile = async () => undefined) => {
      await restore();
      await meanwhile();
      await holdCharges(service);
      await service.chargesHold.refresh();
    },
  };
}

/** Finds what the gateways have and the database lacks, in order, as a pass does. */
export async function findCases({ database: { db, owner }, gateways }: TestService): Promise<RecoveryCase[]> {
  const { id: holdId = '' } = (await readHold(db)) ?? {};
  for await (const objects of findMissingObjects({ db, gateways }, { since: new Date(Date.now() - 3_600_000) }))
    await keepObjects(db, holdId, objects);
  return owner<RecoveryCase[]>`
    SELECT ${caseColumns(owner)} FROM recovery_cases WHERE hold_id = ${holdId} AND state = 'open' ORDER BY happened_at, id`;
}

/** Everything that adopting may change, as text. */
async function readBooks({ database: { owner } }: TestService): Promise<string[]> {
  const tables = [
    'payments',
    'invoices',
    'refunds',
    'credit_notes',
    'credit_entries',
    'ledger_postings',
    'lost_numbers',
  ];
  const books: string[] = [];
  for (const table of [
    ...tables,
    'billed_periods',
    'number_series',
    'disputes',
    'dispute_movements',
    'events',
    'marks',
  ]) {
    const rows = await owner<
      { row: string }[]
    >`SELECT row_to_json(rows)::text AS row FROM ${owner(table)} AS rows ORDER BY 1`;
    books.push(...rows.map(({ row }) => `${table} ${row}`));
  }
  return books;
}

/** Adopts each case, and then each once more, which must change nothing. @returns the decisions */
export async function adoptTwice(
  service: TestService,
  cases: readonly RecoveryCase[],
  companies?: ReadonlyMap<string, string>,
): Promise<Decision[]> {
  const { owner, db } = service.database;
  const dependencies = { db, gateways: service.gateways };
  const adoptNow = async (found: RecoveryCase) => {
    await owner`UPDATE recovery_cases SET state = ${found.state}, content = ${found.content} WHERE id = ${found.id}`;
    return found.kind === 'refund'
      ? adoptRefund(dependencies, found)
      : adoptPayment(dependencies, found, companies?.get(found.companyId));
  };
  const decisions: Decision[] = [];
  for (const found of cases) decisions.push(await adoptNow(found));
  const before = await readBooks(service);
  for (const found of cases) await adoptNow(found);
  const after = await readBooks(service);
  // A repeated decision for a person raises its alert once more, which is an event, and one that a person makes has a mark of its own.
  const isToldToPerson = cases.some(({ state }) => state === 'person');
  const isOther = (row: string) =>
    !(row.startsWith('events') && row.includes('alert.created')) && !(isToldToPerson && row.startsWith('marks'));
  const changed = after.filter((row) => isOther(row) && !before.includes(row));
  if (changed.length > 0) throw new Error(`the second time changed:\n${changed.join('\n')}`);
  return decisions;
}

/**
 * Captures the debt of an invoice at the gateway with another object, as only two databases could. A journal has its mark, as that of every
 * charge. @returns the object's id
 */
export async function captureAgain(
  { gateway, database, journal }: Pick<ChargeService, 'gateway' | 'database' | 'journal'>,
  { invoice, admin }: Pick<Payable, 'invoice' | 'admin'>,
): Promise<string> {
  const [row] = await database.owner<[{ installation: string; debt: string; number: string; token: string }]>`
    SELECT (SELECT id FROM installation) AS installation, debt_of(invoices) AS debt, number,
           (SELECT gateway_token FROM cards WHERE cards.company_id = invoices.company_id) AS token
    FROM invoices WHERE id = ${invoice.id}`;
  const { installation, debt, number: invoiceNumber, token: sourceToken } = row;
  const details = {
    installation,
    invoiceId: invoice.id,
    invoiceNumber,
    total: '48.00',
    taxRate: '0',
    creditMinor: '0',
  };
  const request = {
    idempotencyKey: randomUUID(),
    amountMinor: 4_800n,
    currency: 'USD',
    sourceToken,
    debt,
    sequence: 2,
  };
  const reference = randomUUID();
  await journal?.note({ companyId: admin.companyId, mark: reference, kind: 'payment', subject: reference });
  const { id } = await gateway.createPayment({ ...request, reference, details });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return id;
}

/** What the reconciliation of the last hour lists. */
export async function readDifferences({
  gateway,
  call,
  operatorKey,
}: Pick<ChargeService, 'gateway' | 'call' | 'operatorKey'>): Promise<unknown[]> {
  const range = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const found: unknown[] = [];
  for (let cursor = ''; cursor !== null; ) {
    const path = `/operator/reconciliation?gateway=${gateway.name}&from=${range[0]}&to=${range[1]}`;
    const { body } = await call('GET', cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`, {
      token: operatorKey,
    });
    found.push(...body.differences);
    cursor = body.nextCursor;
  }
  return found;
}
