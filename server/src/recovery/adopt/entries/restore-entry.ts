import { recordLostNumber } from '../../../billing/numbering/numbering.service.ts';
import {
  impossible,
  type Restored,
  restoreCreditEntry,
  restoreCreditNote,
  restoreInvoice,
  restoreVoid,
} from '../../../billing/restore/restore.service.ts';
import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { findLivePayment } from '../../../payments/payment/invoice-payments.service.ts';
import { restoreCreditPayment, restoreCreditRefund } from '../../../payments/restore/restore.service.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import { doAgain, nameRequest } from '../../../platform/http/route/idempotency.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import { type Decision, decide } from '../decision/decide.ts';
import { describeOutcome, type Outcome, whyLost } from './describe-entry.ts';
import { readLostDocument } from './entries.worker.queries.ts';
import { keepFromCharging } from './keep-from-charging.ts';

/** An entry of a journal, in the company that gets it, which need not be the one that it was of. */
type Entry = { companyId: string; subject: string; document: string };

/** How an entry of each kind is written again. */
const RESTORE: Record<string, (tx: Tx, entry: Entry) => Promise<Restored>> = {
  invoice: (tx, { companyId, document }) => restoreInvoice(tx, companyId, document),
  void: (tx, { companyId, subject, document }) =>
    restoreVoid(tx, companyId, { invoiceId: subject, document }, findLivePayment),
  credit_note: (tx, { companyId, document }) => restoreCreditNote(tx, companyId, document, findLivePayment),
  credit_entry: (tx, { companyId, document }) => restoreCreditEntry(tx, companyId, document),
  payment: (tx, { companyId, subject, document }) => restoreCreditPayment(tx, companyId, subject, document),
  refund: (tx, { companyId, document }) => restoreCreditRefund(tx, companyId, document),
};

/**
 * Writes an entry of a journal again, and the decision about its case, in one transaction. What can't be applied, because the database is
 * not as it was then, is left to a person.
 * @param companyId - the company that gets it
 */
export async function restoreEntry(db: Db, found: RecoveryCase, companyId = found.companyId): Promise<Decision> {
  return transactionWhileHeld(db, async (tx) => {
    const { request, subject, content } = found;
    if (request !== null && request !== undefined) nameRequest(tx, request);
    const entry = { companyId, subject: subject ?? '', document: content ?? 'null' };
    const restored = await restore(tx, found, entry);
    const number = await recordNumber(tx, found, entry, restored);
    const outcome = describeOutcome(found, { companyId, number, restored });
    const decision = await keepFromCharging(tx, companyId, found, outcome);
    await decide(tx, found, decision);
    failpoint('before_adopt_commit');
    return decision;
  });
}

async function restore(tx: Tx, { kind, request }: RecoveryCase, entry: Entry): Promise<Outcome> {
  const write = RESTORE[kind];
  if (write === undefined || entry.document === 'null') return impossible('The entry in the journal is incomplete.');
  if (request === null || request === undefined) return write(tx, entry);
  const isDone = ({ outcome }: Outcome) => outcome === 'restored';
  return (await doAgain<Outcome>(tx, request, () => write(tx, entry), isDone)) ?? { outcome: 'repeated' };
}

/** Records the number of a document that is not written again. @returns the document's number, if it has one */
async function recordNumber(
  tx: Tx,
  { kind, companyId }: RecoveryCase,
  entry: Entry,
  restored: Outcome,
): Promise<string | null> {
  if ((kind !== 'invoice' && kind !== 'credit_note') || entry.document === 'null') return null;
  const { isNumberTaken, ...lost } = await readLostDocument(tx, entry.companyId, entry.document);
  const reason = whyLost(restored);
  if (reason !== null && !isNumberTaken) await recordLostNumber(tx, companyId, { type: kind, ...lost, reason });
  return lost.number;
}
