import { insertAlert } from '../../alerts/alerts.service.ts';
import { beginNewSeries, lockPrefixes } from '../../billing/numbering/numbering.service.ts';
import { lockOpenHold } from '../../continuity/hold/charges-hold.service.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import {
  countWaiting,
  markOpenInvoices,
  markSeriesBegun,
  type ReleasedInvoice,
  releaseWaiting,
  selectIsJournalLost,
  selectWaiting,
} from './release.operator.queries.ts';
import type { Release, ReleaseBody, WaitingInvoiceList, WaitingInvoiceQuery } from './release.schema.ts';

/*
 * A journal that will not come back may have had voids, payments and numbers that nothing else has. So new documents get a series of their
 * own, and when a hold ends without it, what is open waits for a person.
 */

/** As many as one transaction changes in a fraction of the time that it may take. */
const INVOICES_A_BATCH = 5_000;

/** Does most of it while the hold goes on, since it may take longer than a transaction. */
export async function prepareForLostJournal(db: Db, holdId: string, batch = INVOICES_A_BATCH): Promise<void> {
  const markBatch = async (tx: Tx) =>
    (await lockOpenHold(tx, holdId)) && (await selectIsJournalLost(tx, holdId)) ? markOpenInvoices(tx, batch) : 0;
  while ((await transaction(db, markBatch)) === batch);
}

/**
 * Begins new series, once a hold, if a journal was declared lost during it: a document that comes back without its number must not get one
 * that a lost document may have.
 */
export async function beginSeriesWithoutJournal(tx: Tx, holdId: string): Promise<void> {
  if ((await selectIsJournalLost(tx, holdId)) && (await markSeriesBegun(tx, holdId))) await beginNewSeries(tx);
}

/** Does the rest, if a journal was declared lost during the hold that ends in this transaction. */
export async function guardAgainstLostJournal(tx: Tx, holdId: string): Promise<void> {
  if (!(await selectIsJournalLost(tx, holdId))) return;
  await markOpenInvoices(tx, INVOICES_A_BATCH);
  await beginSeriesWithoutJournal(tx, holdId);
  const { invoicePrefix, creditNotePrefix } = await lockPrefixes(tx);
  const message =
    `The hold ended without all journals. Invoices that wait for a release: ${await countWaiting(tx)}. Void or credit what is no longer ` +
    'owed, then release them with `npm run paydesk -- reconcile --adopt --release`. ' +
    `New numbers begin with ${invoicePrefix} and ${creditNotePrefix}.`;
  await insertAlert(tx, OPERATOR_SCOPE, { kind: 'awaiting_release', paymentId: null, message });
}

/** Reads a page of the open invoices that wait. */
export async function listWaiting(db: Queryable, { page, perPage }: WaitingInvoiceQuery): Promise<WaitingInvoiceList> {
  const found = await selectWaiting(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total: found.total, page, perPage, data: found.data };
}

/** Lets invoices that wait be charged again: those with these numbers, or all of them. A repeat continues, and releases nothing twice. */
export async function releaseInvoices(db: Db, { invoices }: ReleaseBody, batch = INVOICES_A_BATCH): Promise<Release> {
  const numbers = invoices?.map((number) => number.toUpperCase()) ?? null;
  const found = new Set<string>();
  let released = 0;
  let waiting: ReleasedInvoice[];
  do {
    waiting = await transaction(db, (tx) => releaseWaiting(tx, numbers, batch));
    released += waiting.filter(({ isOpen }) => isOpen).length;
    if (numbers !== null) for (const { number } of waiting) found.add(number);
  } while (waiting.length === batch);
  return { released, unknown: [...new Set(numbers)].filter((number) => !found.has(number)) };
}
