/**
 * What we write into PayPal's objects: `invoice_id` is the debt, which PayPal captures once; `custom_id` has the ids. Both have room for
 * 127 characters (https://developer.paypal.com/docs/api/orders/v2/).
 */
import { createHash } from 'node:crypto';
import { shortenKey } from '../../gateway/gateway.keys.ts';
import type { PaymentDetails, PaymentRequest, RefundDetails, RefundRequest } from '../../gateway/gateway.ts';

const MAX_LENGTH = 127;
/** What a debt may be made of to be an invoice id as it is, with room for the number behind it. */
const PLAIN = /^[A-Za-z0-9:_.-]{1,120}$/;
/** A debt that ends as if there were a number behind it, which the month of usage does too. */
const NUMBERED = /^(.+?)-(\d+)$/;
const USAGE = /^(usage:[^:]+:\d{4}-\d\d)(?:-(\d+))?$/;

/**
 * The invoice id of a debt that was captured and wholly given back so many times less one: PayPal counts a capture for ever. A debt that
 * is too long, or of other letters, stands there as its SHA-256.
 */
export function toInvoiceId(debt: string, number = 1): string {
  const isPlain = PLAIN.test(debt) && (USAGE.exec(debt)?.[1] === debt || !NUMBERED.test(debt));
  const [kind = '', company = ''] = debt.split(':');
  const name = isPlain ? debt : `${kind}:${company}:${createHash('sha256').update(debt).digest('hex')}`;
  return number === 1 ? name : `${name}-${number}`;
}

/** The invoice id after this one, for when all that was captured by this one was given back. */
export function nextInvoiceId(invoiceId: string): string {
  const [, name = invoiceId, number = '1'] = USAGE.exec(invoiceId) ?? NUMBERED.exec(invoiceId) ?? [];
  return `${name}-${Number(number) + 1}`;
}

type PaymentNames = Pick<PaymentRequest, 'reference' | 'sequence' | 'details'>;

/** What a payment's order says about it; what finds no room, at the end, is left out. */
export function writeCustomId({ reference, sequence, details }: PaymentNames): string {
  const { invoiceId, creditMinor, installation } = details;
  return join([reference, invoiceId, String(sequence), creditMinor, installation]);
}

/** What an order says about its payment; of one from before orders said more, the payment's id alone. */
export function readCustomId(customId: string): {
  reference: string | null;
  sequence: number | null;
  details: PaymentDetails;
} {
  const [reference, invoiceId, sequence, creditMinor, installation] = split(customId);
  const details = defined({ invoiceId, creditMinor, installation });
  return { reference: reference ?? null, sequence: sequence === undefined ? null : Number(sequence), details };
}

/** What a refund says about itself, as a payment's order does. */
export function writeRefundCustomId({ reference, details = {} }: Pick<RefundRequest, 'reference' | 'details'>): string {
  const { key, creditMinor, creditNoteId, creditNoteNumber } = details;
  return join([
    reference,
    key === undefined ? undefined : shortenKey(key),
    creditMinor,
    creditNoteId,
    creditNoteNumber,
  ]);
}

/** What a refund says about itself. */
export function readRefundCustomId(customId: string): { reference: string | null; details: RefundDetails } {
  const [reference, key, creditMinor, creditNoteId, creditNoteNumber] = split(customId);
  return { reference: reference ?? null, details: defined({ key, creditMinor, creditNoteId, creditNoteNumber }) };
}

function join(parts: readonly (string | undefined)[]): string {
  let joined = '';
  for (const [index, part = ''] of parts.entries()) {
    const longer = index === 0 ? part : `${joined},${part}`;
    if (longer.length > MAX_LENGTH) break;
    joined = longer;
  }
  return joined.replace(/,+$/, '');
}

function split(customId: string): (string | undefined)[] {
  return customId.split(',').map((part) => part || undefined);
}

function defined<Name extends string>(texts: Record<Name, string | undefined>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Partial<
    Record<Name, string>
  >;
}
