import { v7 as uuidv7 } from 'uuid';
import { insertAlert } from '../../alerts/alerts.service.ts';
import { beginNewSeries, lockPrefixes } from '../../billing/numbering/numbering.service.ts';
import { lockHold } from '../../continuity/hold/charges-hold.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import {
  countWaiting,
  insertOpenInvoices,
  markOpenInvoices,
  markSeriesBegun,
  selectIsJournalLost,
} from './lost-journal.worker.queries.ts';

/*
 * A journal that will not come back may have had voids, payments and numbers that nothing else has. So new documents get a series of their
 * own, and when a hold ends without it, what is open waits for a person.
 */

/** As many as one transaction changes in a fraction of the time that it may take. */
const INVOICES_A_BATCH = 5_000;

/** Does most of it while the hold goes on, since it may take longer than a transaction. */
export async function prepareForLostJournal(db: Db, holdId: string, batch = INVOICES_A_BATCH): Promise<void> {
  const markBatch = async (tx: Tx) =>
    (await lockHold(tx, holdId)) && (await selectIsJournalLost(tx, holdId)) ? markOpenInvoices(tx, batch) : 0;
  while ((await transaction(db, markBatch)) === batch);
}

/**
 * Begins new series, once a hold, if a journal was declared lost during it: a document that comes back without its number must not get one
 * that a lost document may have.
 */
export async function beginSeriesWithoutJournal(tx: Tx, holdId: string): Promise<void> {
  if (await markSeriesBegun(tx, holdId)) await beginNewSeries(tx);
}

/** Does the rest, if a journal was declared lost during the hold that ends in this transaction. */
export async function guardAgainstLostJournal(tx: Tx, holdId: string): Promise<void> {
  if (!(await selectIsJournalLost(tx, holdId))) return;
  await markOpenInvoices(tx, INVOICES_A_BATCH);
  await beginSeriesWithoutJournal(tx, holdId);
  const { invoicePrefix, creditNotePrefix } = await lockPrefixes(tx);
  const waiting = await countWaiting(tx);
  const message =
    `The hold ended without all journals. Invoices that wait for a release: ${waiting}. Void or credit what is no longer owed, then ` +
    'release them with `npm run paydesk -- reconcile --adopt --release`. ' +
    `New numbers begin with ${invoicePrefix} and ${creditNotePrefix}.`;
  const alert = await insertAlert(tx, OPERATOR_SCOPE, { kind: 'awaiting_release', payment: null, message });
  if (waiting > 0) await leaveOpenInvoices(tx, holdId, alert);
}

/** Lets a person decide about the invoices that wait, as a case of the hold. */
export async function leaveOpenInvoices(tx: Tx, holdId: string, alert: string | null = null): Promise<void> {
  const note =
    'Open invoices wait for a release. Void or credit what is no longer owed, then release them with ' +
    '`npm run paydesk -- reconcile --adopt --release`.';
  await insertOpenInvoices(tx, { id: uuidv7(), holdId, note, alert });
}
