import { insertAlert } from '../../alerts/alerts.service.ts';
import { beginNewSeries } from '../../billing/numbering/numbering.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { markOpenInvoices, releaseWaiting, selectIsJournalLost } from './release.operator.queries.ts';
import type { Release, ReleaseBody } from './release.schema.ts';

/*
 * A journal that will not come back may have had voids, payments and numbers that nothing else has. So when a hold ends without it, what
 * is open waits for a person, and new documents get a series of their own.
 */

/** Does this if a journal was declared lost during the hold that ends in this transaction. */
export async function guardAgainstLostJournal(tx: Tx, { begunAt }: { begunAt: Date }): Promise<void> {
  if (!(await selectIsJournalLost(tx, begunAt))) return;
  const waiting = await markOpenInvoices(tx);
  const { invoicePrefix, creditNotePrefix } = await beginNewSeries(tx);
  const message =
    `The hold ended without all journals. Open invoices that wait for a release: ${waiting}. Void or credit what is no longer owed, ` +
    `then send POST /operator/recovery/release. New numbers begin with ${invoicePrefix} and ${creditNotePrefix}.`;
  await insertAlert(tx, OPERATOR_SCOPE, { kind: 'awaiting_release', paymentId: null, message });
}

/** Lets invoices that wait be charged again: those with these numbers, or all of them. A repeat releases nothing more. */
export async function releaseInvoices(tx: Tx, { invoices }: ReleaseBody): Promise<Release> {
  const numbers = invoices?.map((number) => number.toUpperCase()) ?? null;
  const released = await releaseWaiting(tx, numbers);
  const found = new Set(released.map(({ number }) => number));
  return {
    released: released.filter(({ isOpen }) => isOpen).length,
    unknown: [...new Set(numbers)].filter((number) => !found.has(number)),
  };
}
