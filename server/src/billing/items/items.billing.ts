import type { Queryable, Tx } from '../../platform/database/database.ts';
import { selectItemsOfInvoice } from './items.queries.ts';
import {
  type BillableItem,
  selectFirstPendingItems,
  selectPendingItems,
  type TakenItem,
  updateTakenItems,
} from './items.worker.queries.ts';

export type { BillableItem };

/** Which items are on a bill: those that wait, those that an invoice has, or none. */
export type ItemChoice = 'pending' | 'none' | { invoiceId: string };

/**
 * The items that go on each of so many bills, in their order. Those that wait are read in one statement for all companies; whoever
 * issues the bills holds the locks of the companies, under which items are made, removed and taken.
 */
export async function readItemsToBill(
  db: Queryable,
  bills: readonly { companyId: string; items: ItemChoice }[],
): Promise<BillableItem[][]> {
  const waiting = bills.flatMap(({ companyId, items }) => (items === 'pending' ? [companyId] : []));
  const pending = waiting.length === 0 ? [] : await selectPendingItems(db, waiting);
  const byCompany = Map.groupBy(pending, ({ companyId }) => companyId);
  return Promise.all(
    bills.map(async ({ companyId, items }) => {
      if (items === 'none') return [];
      return items === 'pending'
        ? (byCompany.get(companyId) ?? [])
        : selectItemsOfInvoice(db, companyId, items.invoiceId);
    }),
  );
}

/**
 * Says which invoices have which items, in the transaction that issues those. @throws Error when one of them is on an invoice already,
 * or gone: then nothing may be issued
 */
export async function takeItems(tx: Tx, taken: readonly TakenItem[]): Promise<void> {
  if (taken.length === 0) return;
  const count = await updateTakenItems(tx, taken);
  if (count !== taken.length) throw new Error('An item was taken or removed without the lock of its company.');
}

/** Since when an item waits for an invoice, in each time zone that companies have. */
export async function findFirstPendingItems(db: Queryable): Promise<{ timezone: string; createdAt: Date }[]> {
  return selectFirstPendingItems(db);
}
