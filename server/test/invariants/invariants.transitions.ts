/** Checks the recorded changes of payments and invoices. */
import type { Books } from './invariants.books.ts';

/**
 * A payment in one of these states may have another gateway object than it created, because it may adopt a capture of
 * its debt.
 */
const OWNING = new Set(['captured', 'needs_review']);
const FINAL = new Set(['captured', 'failed', 'needs_review', 'Succeeded']);

/**
 * I6: a final state stays, and an invoice leaves Failed only through a new payment. I7: what was issued does not
 * change.
 */
export function checkTransitions({ transitions, payments }: Books): string[] {
  const captured = new Set(payments.filter(({ state }) => OWNING.has(state)).map(({ id }) => id));
  const begun = new Set(
    transitions
      .filter(({ change }) => change === '→ created' || change === '→ captured')
      .map(({ invoiceId, transaction }) => invoiceId + transaction),
  );
  // A person's decision takes a payment from the review in the transaction that ends it.
  const ended = new Set(
    transitions
      .filter(({ change }) => change === 'unknown → captured' || change === 'unknown → failed')
      .map(({ id, transaction }) => id + transaction),
  );
  return transitions.flatMap(({ table, id, invoiceId, change, transaction }) => {
    if (change.endsWith('edited')) return [`I7 ${table} ${id} was edited`];
    if (change === 'other object')
      return captured.has(id) ? [] : [`I7 payment ${id} has another object, by which nothing was captured`];
    const [from = '', to = ''] = change.split(' → ');
    if (change === 'needs_review → unknown' && ended.has(id + transaction)) return [];
    if (FINAL.has(from)) return [`I6 ${table} ${id} went from ${from} to ${to}`];
    const leavesFailed = table === 'invoices' && from === 'Failed' && to !== 'Failed';
    if (leavesFailed && (to !== 'Processing' || !begun.has(invoiceId + transaction)))
      return [`I6 invoice ${id} left Failed without a new payment`];
    return [];
  });
}
