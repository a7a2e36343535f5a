/** How the details of a payment or refund are written at gateways that keep named texts of at most 500 characters, fifty of them. */
import type { PaymentDetails, RefundDetails } from './gateway.ts';

const MAX_TEXT_LENGTH = 500;
/** No character is cut in two. */
const PART = new RegExp(`[^]{1,${MAX_TEXT_LENGTH}}(?<![\\ud800-\\udbff])`, 'g');
/** A longer detail goes on under its name with `_2`, `_3` and `_4`. */
const MAX_TEXTS = 4;
/** The most characters of a detail. */
export const MAX_DETAIL_LENGTH = MAX_TEXT_LENGTH * MAX_TEXTS;

/** Our field names at the gateway, with a prefix that nobody else uses. */
const PAYMENT_NAMES: Readonly<Record<keyof PaymentDetails, string>> = {
  installation: 'paydesk_installation',
  companyExternalId: 'paydesk_company_external_id',
  invoiceId: 'paydesk_invoice',
  invoiceNumber: 'paydesk_invoice_number',
  total: 'paydesk_total',
  taxRate: 'paydesk_tax_rate',
  creditMinor: 'paydesk_credit',
  sourceId: 'paydesk_source',
  usage: 'paydesk_usage',
};
const REFUND_NAMES: Readonly<Record<keyof RefundDetails, string>> = {
  installation: 'paydesk_installation',
  key: 'paydesk_key',
  creditNoteId: 'paydesk_credit_note',
  creditNoteNumber: 'paydesk_credit_note_number',
  creditMinor: 'paydesk_credit',
  reason: 'paydesk_reason',
};

type Texts = Readonly<Record<string, string>>;

/** The known details, under their names at the gateway. */
export function writePaymentDetails(details: PaymentDetails): Texts {
  return write(details, PAYMENT_NAMES);
}

/** The details that the gateway's texts contain. */
export function readPaymentDetails(texts: Readonly<Record<string, unknown>>): PaymentDetails {
  return read(texts, PAYMENT_NAMES);
}

/** The known details, under their names at the gateway. */
export function writeRefundDetails(details: RefundDetails): Texts {
  return write(details, REFUND_NAMES);
}

/** The details that the gateway's texts contain. */
export function readRefundDetails(texts: Readonly<Record<string, unknown>>): RefundDetails {
  return read(texts, REFUND_NAMES);
}

function write(details: Readonly<Record<string, string | undefined>>, names: Texts): Texts {
  const known = Object.entries(names).flatMap(([name, there]) => {
    const text = details[name] ?? '';
    const parts = text.match(PART) ?? [];
    return namesOf(there).flatMap((part, index) => (parts[index] === undefined ? [] : [[part, parts[index]]]));
  });
  return Object.fromEntries(known);
}

function read(texts: Readonly<Record<string, unknown>>, names: Texts): Record<string, string> {
  const known = Object.entries(names).flatMap(([name, there]) => {
    const parts = namesOf(there).map((part) => texts[part]);
    const isText = (part: unknown) => typeof part === 'string' && part.length <= MAX_TEXT_LENGTH;
    const end = parts.findIndex((part) => !isText(part));
    return end === 0 ? [] : [[name, parts.slice(0, end === -1 ? MAX_TEXTS : end).join('')]];
  });
  return Object.fromEntries(known);
}

function namesOf(there: string): string[] {
  return Array.from({ length: MAX_TEXTS }, (_, index) => (index === 0 ? there : `${there}_${index + 1}`));
}
