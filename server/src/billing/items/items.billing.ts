import type { Queryable, Tx } from '../../platform/database/database.ts';
import { selectItemsOfInvoice } from './items.queries.ts';
import {
  type AssignedItem,
  type BillableItem,
  selectFirstPendingItems,
  selectPendingItems,
  updateAssignedItems,
} from './items.worker.queries.ts';

export type { BillableItem };

/** Which items are on a bill: the waiting ones, those of an invoice, or none. */
export type ItemChoice = 'pending' | 'none' | { invoiceId: string };

/**
 * Reads the items of each bill, in order. Waiting ones are read in one statement for all companies. The caller holds
 * the companies' locks, under which items are added, removed and billed.
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
 * Assigns items to their invoices, in the transaction that issues them. @throws Error if an item is on an invoice
 * already or was removed: then nothing may be issued
 */
export async function assignItems(tx: Tx, taken: readonly AssignedItem[]): Promise<void> {
  if (taken.length === 0) return;
  const count = await updateAssignedItems(tx, taken);
  if (count !== taken.length) throw new Error('An item was billed or removed without the lock of its company.');
}

/** Finds when the first waiting item was added, for each time zone of the companies. */
export async function findFirstPendingItems(db: Queryable): Promise<{ timezone: string; createdAt: Date }[]> {
  return selectFirstPendingItems(db);
}
