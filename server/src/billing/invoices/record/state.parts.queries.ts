import { constantPart, type Queryable } from '../../../platform/database/database.ts';
import type { InvoiceState, STATE_FILTERS } from './state.schema.ts';

/** The state of a filter, as of an instant of the billing clock. */
export type StateFilter = { state: (typeof STATE_FILTERS)[number]; now: Date };

/** The state of a row of `invoices`: see `state` of the Invoice. */
export const invoiceState = constantPart(
  (db) => db`CASE
    WHEN ${inState(db, 'void')} THEN 'void'
    WHEN ${inState(db, 'credited')} THEN 'credited'
    WHEN invoices.status = 'Succeeded' THEN 'paid'
    ELSE 'open'
  END`,
);

/** Whether something is due on the row of `invoices`. */
export function isInvoiceOpen(db: Queryable) {
  return inState(db, 'open');
}

/** What is left of the row of `invoices` to pay, in major units: its total without what was credited and what part payments have paid. */
export const amountLeft = constantPart((db) => db`(invoices.total - invoices.credited_total - invoices.part_paid)`);

/** What is due of the row of `invoices`, in major units: nothing once it is paid or void. */
export const amountDue = constantPart(
  (db) => db`CASE WHEN invoices.voided_at IS NULL AND invoices.status <> 'Succeeded' THEN ${amountLeft(db)} ELSE 0 END`,
);

/** Whether the whole amount of the row is credited. */
function isCredited(db: Queryable) {
  return db`(invoices.credited_total = invoices.total AND invoices.total > 0)`;
}

/** Whether the row of `invoices` is in this state. The texts for `open` and `void` equal those of the indexes. */
function inState(db: Queryable, state: InvoiceState) {
  const credited = isCredited(db);
  return {
    open: db`(
      invoices.status <> 'Succeeded' AND invoices.voided_at IS NULL
        AND (invoices.credited_total < invoices.total OR invoices.total = 0)
    )`,
    paid: db`(invoices.status = 'Succeeded' AND NOT invoices.settled_by_credit_notes)`,
    credited: db`(${credited} AND (invoices.status <> 'Succeeded' OR invoices.settled_by_credit_notes))`,
    void: db`invoices.voided_at IS NOT NULL`,
  }[state];
}

/**
 * Whether the row of `invoices` matches a filter by state; `overdue` is open and past its due date at that instant. For `credited` the
 * whole condition of the index is repeated, because PostgreSQL would otherwise scan all invoices for a page.
 */
export function matchesState(db: Queryable, { state, now }: StateFilter) {
  if (state === 'credited')
    return db`((invoices.voided_at IS NOT NULL OR ${isCredited(db)}) AND ${inState(db, state)})`;
  if (state !== 'overdue') return inState(db, state);
  return db`(${inState(db, 'open')} AND invoices.due_at < ${now})`;
}
