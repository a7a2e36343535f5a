import { validate as isUuid } from 'uuid';
import { recordLostNumber } from '../../billing/numbering/numbering.service.ts';
import {
  impossible,
  type Restored,
  restoreCreditEntry,
  restoreCreditNote,
  restoreInvoice,
  restoreVoid,
  UNKNOWN_INVOICE,
} from '../../billing/restore/restore.service.ts';
import { findLivePayment } from '../../payments/payment/invoice-payments.service.ts';
import { restoreCreditPayment, restoreCreditRefund } from '../../payments/restore/restore.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { doAgain, nameRequest } from '../../platform/http/route/idempotency.ts';
import { restoreLostCompany } from '../companies/lost-companies.ts';
import { leaveOpenInvoices } from '../hold/lost-journal.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { markAwaitsRelease, readLostDocument } from './adopt.worker.queries.ts';
import { type AdoptDependencies, conclude, type Decision } from './decide.ts';

/** What the document of an entry says about what it is about. */
type Said = {
  number?: string;
  invoice_id?: string;
  invoiceId?: string;
  payment_id?: string;
  buyer?: { organization?: string; firstName?: string; lastName?: string; email?: string };
};

/** An entry of a journal, in the company that gets it, which need not be the one that it was of. */
type Entry = { companyId: string; subject: string; document: string; said: Said };

type Kind = {
  noun: string;
  /** What is done about an open case, for people. */
  plan: string;
  restore: (tx: Tx, entry: Entry, dependencies: AdoptDependencies) => Promise<Restored>;
  /** The invoice that the entry is about, which is not charged while a person decides about it. */
  invoiceOf?: (entry: Entry) => string | undefined;
  /** What a person can do after the hold. */
  advice: (entry: Entry) => string;
};

/** The kinds of entries that are written again. What a gateway knows of payments and refunds is not written again from a journal. */
const KINDS: Readonly<Record<string, Kind>> = {
  company: {
    noun: 'Company',
    plan: 'The company is made again with its id, unless another one has its external id: then that gets what it had.',
    restore: (tx, entry, { handover }) => restoreLostCompany(tx, handover, entry),
    advice: ({ subject }) =>
      `Create it again with POST /operator/companies, and book what it had with --company ${subject}=<its new id>.`,
  },
  invoice: {
    noun: 'Invoice',
    plan: 'The invoice is written again as it was issued, with its number.',
    restore: (tx, { companyId, document }) => restoreInvoice(tx, companyId, document),
    invoiceOf: ({ subject }) => subject,
    advice: ({ subject }) =>
      `If GET /operator/invoices/${subject} finds it after this, its capture was booked, with the number that it has now. ` +
      'Otherwise, if it is owed, issue it again after the hold with POST /operator/invoices. Tell the buyer the new number.',
  },
  void: {
    noun: 'The void of invoice',
    plan: 'The invoice is voided again, with the original date, if nothing of it is paid or credited.',
    restore: (tx, { companyId, subject, document }) =>
      restoreVoid(tx, companyId, { invoiceId: subject, document }, findLivePayment),
    invoiceOf: ({ subject }) => subject,
    advice: ({ subject }) =>
      `If nothing of it is owed, void it after the hold with POST /operator/invoices/${subject}/void, or credit it with ` +
      `POST /operator/invoices/${subject}/credit-notes.`,
  },
  credit_note: {
    noun: 'Credit note',
    plan: 'The credit note is written again with its number, if the invoice still has that much to credit.',
    restore: (tx, { companyId, document }) => restoreCreditNote(tx, companyId, document, findLivePayment),
    invoiceOf: ({ said }) => said.invoice_id,
    advice: ({ said }) =>
      `If that is not owed, credit it after the hold with POST /operator/invoices/${said.invoice_id}/credit-notes.`,
  },
  credit_entry: {
    noun: 'Credit entry',
    plan: "The company's credit is changed again, if it does not go below zero.",
    restore: (tx, { companyId, document }) => restoreCreditEntry(tx, companyId, document),
    advice: ({ companyId }) =>
      `Compare the company's credit (GET /operator/companies/${companyId}/credits), and correct it with POST to the same path.`,
  },
  payment: {
    noun: 'Payment by credit',
    plan: 'The invoice is paid with credit again, if the same amount is due and the credit is there.',
    restore: (tx, { companyId, subject, document }) => restoreCreditPayment(tx, companyId, subject, document),
    invoiceOf: ({ said }) => said.invoiceId,
    advice: ({ said: { invoiceId } }) =>
      `Look at the invoice (GET /operator/invoices/${invoiceId}), and charge what is due after the hold with ` +
      `POST /operator/invoices/${invoiceId}/charge.`,
  },
  refund: {
    noun: 'Refund to credit',
    plan: 'The credit is returned again, if the payment still has that much to refund.',
    restore: (tx, { companyId, document }) => restoreCreditRefund(tx, companyId, document),
    advice: ({ said }) =>
      `If it is still due, refund it after the hold with POST /operator/payments/${said.payment_id}/refunds.`,
  },
};

/** Says what is done about an open case of a journal, for people. */
export function planOfEntry(kind: string): string {
  return KINDS[kind]?.plan ?? 'The case is left to a person.';
}

/**
 * Writes an entry of a journal again, and the decision about its case, in one transaction. What can't be applied, because the database is
 * not as it was then, is left to a person.
 * @param companyId - the company that gets it
 */
export async function restoreEntry(
  dependencies: AdoptDependencies,
  found: RecoveryCase,
  companyId = found.companyId,
): Promise<Decision> {
  return conclude(dependencies, found, async (tx) => {
    const { kind, request, subject, content } = found;
    if (request) nameRequest(tx, request);
    const said = (JSON.parse(content ?? 'null') ?? {}) as Said;
    const entry = { companyId, subject: subject ?? '', document: content ?? 'null', said };
    const write = content === null ? undefined : KINDS[kind];
    const restore = async () =>
      write?.restore(tx, entry, dependencies) ?? impossible('The entry in the journal is incomplete.');
    const isDone = ({ outcome }: Restored) => outcome === 'restored';
    const restored =
      request && write
        ? ((await doAgain(tx, request, restore, isDone)) ?? ({ outcome: 'repeated' } as const))
        : await restore();
    const { lost, ...decision } = describe(found, entry, restored);
    if (content !== null) await recordNumber(tx, found, companyId, lost);
    return keepFromCharging(tx, companyId, found, decision);
  });
}

/** Records why the number of an invoice or a credit note is lost, unless it is not, or another document has it. */
async function recordNumber(tx: Tx, found: RecoveryCase, companyId: string, reason: string | null): Promise<void> {
  const { kind, content } = found;
  if ((kind !== 'invoice' && kind !== 'credit_note') || reason === null) return;
  const { isNumberTaken, ...lost } = await readLostDocument(tx, companyId, content ?? '');
  if (!isNumberTaken) await recordLostNumber(tx, found.companyId, { type: kind, ...lost, reason });
}

/**
 * Keeps the invoice of an entry that a person decides about from being charged, if it is open: the entry may have paid, voided or credited
 * it. @returns the decision, with how to release the invoice
 */
export async function keepFromCharging(
  tx: Tx,
  companyId: string,
  { source, kind, subject, content, holdId }: RecoveryCase,
  decision: Decision,
): Promise<Decision> {
  if (decision.state === 'done' || source !== 'journal') return decision;
  const said = (JSON.parse(content ?? 'null') ?? {}) as Said;
  const id = KINDS[kind]?.invoiceOf?.({ companyId, subject: subject ?? '', document: '', said });
  // What a fault of the disk has changed need not be an id any more.
  const number = id === undefined || !isUuid(id) ? null : await markAwaitsRelease(tx, companyId, id);
  if (number === null) return decision;
  await leaveOpenInvoices(tx, holdId);
  const command = `npm run paydesk -- reconcile --adopt --release ${number}`;
  const note = `${decision.note} Invoice ${number} is not charged before you release it with \`${command}\`.`;
  return { state: 'person', note };
}

const COMES_BACK = 'If it was of a billing run, that of its month issues it again after the hold, with the same id.';

/**
 * Describes what happened to an entry: for people, in full sentences. `repeated`: the database has got the same request once more since it
 * went back. @returns also why the number of its document is lost; null if the document is here
 */
function describe(
  { kind, subject, happenedAt, companyId: oldId }: RecoveryCase,
  entry: Entry,
  restored: Restored | { outcome: 'repeated' },
): Decision & { lost: string | null } {
  const { companyId, said } = entry;
  const { noun = `The ${kind}`, advice = () => 'The journal has it whole.' } = KINDS[kind] ?? {};
  const what = `${noun} ${said.number ?? subject} of ${happenedAt.toISOString()}`;
  const where = `company ${companyId}`;
  if (kind === 'company' && (restored.outcome === 'restored' || restored.outcome === 'present'))
    return describeCompany(what, companyId, { oldId, restored });
  switch (restored.outcome) {
    case 'restored': {
      const note = `${what} is in the books of ${where} again.`;
      if (restored.note === null) return { state: 'done', note, lost: null };
      return { state: 'person', note: `${note} ${restored.note}`, lost: null };
    }
    case 'present':
      return { state: 'done', note: `${what} is in the books of ${where} already.`, lost: null };
    case 'superseded': {
      const { number } = restored.by;
      const note = `${what} is superseded by ${number} of ${where}, for the same debt.`;
      return { state: 'done', note, lost: `Superseded by ${number}, for the same debt.` };
    }
    case 'repeated': {
      const note = `${what} is superseded: the same request was sent again since, for ${where}.`;
      return { state: 'done', note, lost: 'The same request was sent again, and got another document.' };
    }
    case 'number_taken': {
      const note = `${what} of ${where} is not written again: another document has its number. ${advice(entry)}`;
      return { state: 'person', note, lost: 'Another document has this number.' };
    }
    case 'company_unknown': {
      const note =
        `${what} belongs to company ${oldId}${nameBuyer(said)}, which is not in the database. If the company has signed up again, ` +
        `book it there with \`npm run paydesk -- reconcile --adopt --yes --company ${oldId}=<its new id>\`.`;
      return { state: 'person', note, lost: 'Its company is not in the database.' };
    }
    case 'impossible': {
      const { reason } = restored;
      const why = reason === UNKNOWN_INVOICE ? `${reason} ${COMES_BACK}` : reason;
      const note = `${what} of ${where} is not applied again. ${why} ${advice(entry)}`;
      return { state: 'person', note, lost: reason };
    }
  }
}

function describeCompany(
  what: string,
  companyId: string,
  { oldId, restored: { outcome } }: { oldId: string; restored: { outcome: string } },
): Decision & { lost: null } {
  const is = companyId !== oldId ? `is ${companyId} now` : outcome === 'restored' ? 'is here again' : 'is here already';
  return { state: 'done', note: `${what} ${is}.`, lost: null };
}

/** Whom an invoice is made out to: nothing else tells a person which company is lost. */
function nameBuyer({ buyer }: Said): string {
  const { organization, firstName = '', lastName = '', email } = buyer ?? {};
  const names = [organization || `${firstName} ${lastName}`.trim(), email].filter(Boolean);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
