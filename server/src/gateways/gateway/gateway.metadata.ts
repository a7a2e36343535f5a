/** How the details of a payment or refund are written at gateways that keep named texts. */
import type { PaymentDetails, RefundDetails } from './gateway.ts';

/** Our field names at the gateway, with a prefix that nobody else uses. */
const PAYMENT_NAMES: Readonly<Record<keyof PaymentDetails, string>> = {
  installation: 'paydesk_installation',
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
    const text = details[name];
    return text === undefined || text === '' ? [] : [[there, text]];
  });
  return Object.fromEntries(known);
}

function read(texts: Readonly<Record<string, unknown>>, names: Texts): Record<string, string> {
  const known = Object.entries(names).flatMap(([name, there]) => {
    const text = texts[there];
    return typeof text === 'string' && text.length <= MAX_TEXT_LENGTH ? [[name, text]] : [];
  });
  return Object.fromEntries(known);
}

const MAX_TEXT_LENGTH = 500;
