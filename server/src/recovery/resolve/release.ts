import { recordAudit } from '../../audit/audit.service.ts';
import { type Db, type Queryable, transaction } from '../../platform/database/database.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { countWaiting, endOpenInvoices } from '../hold/lost-journal.worker.queries.ts';
import { releaseWaiting, selectWaiting } from './release.operator.queries.ts';
import type { WaitingInvoiceList, WaitingInvoiceQuery } from './resolve.schema.ts';

/** As many as one transaction changes in a fraction of the time that it may take. */
const INVOICES_A_BATCH = 5_000;

/** Reads a page of the open invoices that wait. */
export async function listWaiting(db: Queryable, { page, perPage }: WaitingInvoiceQuery): Promise<WaitingInvoiceList> {
  const found = await selectWaiting(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total: found.total, page, perPage, data: found.data };
}

/**
 * Lets invoices that wait be charged again: those with these numbers, or all of them. A repeat continues, and releases nothing twice.
 * @returns how many open ones were released, and the numbers that no waiting invoice has
 */
export async function releaseInvoices(
  db: Db,
  given: readonly string[] | null,
  actor: Actor,
  batch = INVOICES_A_BATCH,
): Promise<{ released: number; unknown: string[] }> {
  const numbers = given?.map((number) => number.toUpperCase()) ?? null;
  const found = new Set<string>();
  let released = 0;
  for (let count = batch; count === batch; ) {
    const waiting = await transaction(db, (tx) => releaseWaiting(tx, numbers, batch));
    count = waiting.length;
    released += waiting.filter(({ isOpen }) => isOpen).length;
    for (const { number } of waiting) found.add(number);
  }
  const unknown = [...new Set(numbers)].filter((number) => !found.has(number));
  await transaction(db, async (tx) => {
    if ((await countWaiting(tx)) === 0) await endOpenInvoices(tx);
    const entry = { actor, action: 'recovery.released', target: null };
    const changes = { before: {}, after: { released, unknown } };
    await recordAudit(tx, null, { audience: 'operator', ...entry, changes });
  });
  return { released, unknown };
}
