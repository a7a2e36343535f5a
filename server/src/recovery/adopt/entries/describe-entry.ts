import { type Restored, UNKNOWN_INVOICE } from '../../../billing/restore/restore.service.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import type { Decision } from '../decision/decide.ts';

/** `repeated`: the database has got the same request once more since it went back. */
export type Outcome = Restored | { outcome: 'repeated' };

/** Why the number of a document is lost; null if the document is here. */
export function whyLost(restored: Outcome): string | null {
  switch (restored.outcome) {
    case 'restored':
    case 'present':
      return null;
    case 'superseded':
      return `Superseded by ${restored.by.number}, for the same debt.`;
    case 'repeated':
      return 'The same request was sent again, and got another document.';
    case 'number_taken':
      return 'Another document has this number.';
    case 'company_unknown':
      return 'Its company is not in the database.';
    case 'impossible':
      return restored.reason;
  }
}

type Found = Pick<RecoveryCase, 'kind' | 'companyId' | 'subject' | 'content' | 'happenedAt'>;

/** Describes what happened to an entry: for people, in full sentences. `number` is that of the entry's document, if it has one. */
export function describeOutcome(
  found: Found,
  { companyId, number, restored }: { companyId: string; number: string | null; restored: Outcome },
): Decision {
  const what = nameEntry(found, number);
  const where = `company ${companyId}`;
  switch (restored.outcome) {
    case 'restored': {
      const note = `${what} is in the books of ${where} again.`;
      return restored.note === null ? { state: 'done', note } : { state: 'person', note: `${note} ${restored.note}` };
    }
    case 'present':
      return { state: 'done', note: `${what} is in the books of ${where} already.` };
    case 'superseded':
      return { state: 'done', note: `${what} is superseded by ${restored.by.number} of ${where}, for the same debt.` };
    case 'repeated':
      return { state: 'done', note: `${what} is superseded: the same request was sent again since, for ${where}.` };
    case 'number_taken':
      return {
        state: 'person',
        note: `${what} of ${where} is not written again: another document has its number. ${advise(found)}`,
      };
    case 'company_unknown': {
      const command = `npm run paydesk -- reconcile --adopt --yes --company ${found.companyId}=<its new id>`;
      const note = `${what} belongs to company ${found.companyId}${nameBuyer(found)}, which is not in the database.`;
      return {
        state: 'person',
        note: `${note} If the company has signed up again, book it there with \`${command}\`.`,
      };
    }
    case 'impossible': {
      const reason = restored.reason === UNKNOWN_INVOICE ? `${UNKNOWN_INVOICE} ${COMES_BACK}` : restored.reason;
      return { state: 'person', note: `${what} of ${where} is not applied again. ${reason} ${advise(found)}` };
    }
  }
}

const COMES_BACK = 'If it was of a billing run, that of its month issues it again after the hold, with the same id.';

/** `number` is that of its document, if it has one. */
function nameEntry({ kind, subject, content, happenedAt }: Found, number: string | null): string {
  const document = JSON.parse(content ?? 'null') as { number?: string } | null;
  const written = kind === 'invoice' || kind === 'credit_note' ? document?.number : undefined;
  return `${NOUNS[kind] ?? `The ${kind}`} ${number ?? written ?? subject} of ${happenedAt.toISOString()}`;
}

/** Whom an invoice is made out to: nothing else tells a person which company is lost. */
function nameBuyer({ kind, content }: Found): string {
  if (kind !== 'invoice') return '';
  const { buyer } = (JSON.parse(content ?? 'null') ?? {}) as { buyer?: Record<string, string> };
  const { organization = '', firstName = '', lastName = '', email = '' } = buyer ?? {};
  const names = [organization || `${firstName} ${lastName}`.trim(), email].filter((name) => name !== '');
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

const NOUNS: Record<string, string> = {
  invoice: 'Invoice',
  void: 'The void of invoice',
  credit_note: 'Credit note',
  credit_entry: 'Credit entry',
  payment: 'Payment by credit',
  refund: 'Refund to credit',
};

/** Says what a person can do after the hold. */
function advise({ kind, companyId, subject, content }: Found): string {
  const document = JSON.parse(content ?? 'null') as {
    invoice_id?: string;
    invoiceId?: string;
    payment_id?: string;
  } | null;
  switch (kind) {
    case 'invoice':
      return (
        `If GET /operator/invoices/${subject} finds it after this, its capture was booked, with the number that it has now. ` +
        'Otherwise, if it is owed, issue it again after the hold with POST /operator/invoices. Tell the buyer the new number.'
      );
    case 'void': {
      const path = `POST /operator/invoices/${subject}`;
      return `If nothing of it is owed, void it after the hold with ${path}/void, or credit it with ${path}/credit-notes.`;
    }
    case 'credit_note':
      return `If that is not owed, credit it after the hold with POST /operator/invoices/${document?.invoice_id}/credit-notes.`;
    case 'credit_entry':
      return `Compare the company's credit (GET /operator/companies/${companyId}/credits), and correct it with POST to the same path.`;
    case 'payment': {
      const path = `/operator/invoices/${document?.invoiceId}`;
      return `Look at the invoice (GET ${path}), and charge what is due after the hold with POST ${path}/charge.`;
    }
    case 'refund':
      return `If it is still due, refund it after the hold with POST /operator/payments/${document?.payment_id}/refunds.`;
    default:
      return 'The journal has it whole.';
  }
}
