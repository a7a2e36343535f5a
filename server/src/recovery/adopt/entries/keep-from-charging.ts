import { validate as isUuid } from 'uuid';
import type { Tx } from '../../../platform/database/database.ts';
import { leaveOpenInvoices } from '../../hold/lost-journal.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import type { Decision } from '../decision/decide.ts';
import { markAwaitsRelease } from './entries.worker.queries.ts';

/**
 * Keeps the invoice of an entry that a person decides about from being charged, if it is open: the entry may have paid, voided or credited
 * it. @returns the decision, with how to release the invoice
 */
export async function keepFromCharging(
  tx: Tx,
  companyId: string,
  found: RecoveryCase,
  decision: Decision,
): Promise<Decision> {
  const invoiceId = decision.state === 'person' ? readInvoiceId(found) : null;
  const number = invoiceId === null ? null : await markAwaitsRelease(tx, companyId, invoiceId);
  if (number === null) return decision;
  await leaveOpenInvoices(tx, found.holdId);
  const command = `npm run paydesk -- reconcile --adopt --release ${number}`;
  const { state, note } = decision;
  return { state, note: `${note} Invoice ${number} is not charged before you release it with \`${command}\`.` };
}

/** The invoice that a journal's entry is about; null for one that is about none or names none, and for an object of a gateway. */
function readInvoiceId({ source, kind, subject, content }: RecoveryCase): string | null {
  if (source !== 'journal') return null;
  if (kind === 'invoice' || kind === 'void') return subject;
  const document = JSON.parse(content ?? 'null') as { invoice_id?: string; invoiceId?: string } | null;
  const named = kind === 'credit_note' ? document?.invoice_id : kind === 'payment' ? document?.invoiceId : undefined;
  // What a fault of the disk has changed need not be an id any more.
  return named !== undefined && isUuid(named) ? named : null;
}
