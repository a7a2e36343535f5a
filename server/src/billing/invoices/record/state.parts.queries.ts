import type { Queryable } from '../../../platform/database/database.ts';
import type { InvoiceState, STATE_FILTERS } from './state.schema.ts';

/** What is looked for, as of an instant of the billing clock. */
export type StateFilter = { state: (typeof STATE_FILTERS)[number]; now: Date };

/** What the row of `invoices` has come to: see `state` of the Invoice. */
export function invoiceState(db: Queryable) {
  return db`CASE
    WHEN ${inState(db, 'void')} THEN 'void'
    WHEN ${inState(db, 'credited')} THEN 'credited'
    WHEN invoices.status = 'Succeeded' THEN 'paid'
    ELSE 'open'
  END`;
}

/** Whether all of the row's amount is credited. */
function isCredited(db: Queryable) {
  return db`(invoices.credited_total = invoices.total AND invoices.total > 0)`;
}

/** Whether the row of `invoices` is in this state. The texts of `open` and `void` are those of indexes. */
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
 * Whether the row of `invoices` fits a filter by state; `overdue` is open and past its due date at that instant. Of `credited` the whole
 * condition of its index is written out: PostgreSQL otherwise goes through all invoices for a page of them.
 */
export function fitsState(db: Queryable, { state, now }: StateFilter) {
  if (state === 'credited')
    return db`((invoices.voided_at IS NOT NULL OR ${isCredited(db)}) AND ${inState(db, state)})`;
  if (state !== 'overdue') return inState(db, state);
  return db`(${inState(db, 'open')} AND invoices.due_at < ${now})`;
}
