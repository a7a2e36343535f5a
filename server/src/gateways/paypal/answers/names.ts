/**
 * Writes and reads the names in PayPal's objects: `invoice_id` is the debt, which PayPal captures only once; `custom_id` contains our ids.
 * Both have at most 127 characters (https://developer.paypal.com/docs/api/orders/v2/).
 */
import { createHash } from 'node:crypto';
import { shortenKey } from '../../gateway/gateway.keys.ts';
import type { PaymentDetails, PaymentRequest, RefundDetails, RefundRequest } from '../../gateway/gateway.ts';

const MAX_LENGTH = 127;
/** A debt that can be an invoice id unchanged, with room for a number after it. */
const PLAIN = /^[A-Za-z0-9:_.-]{1,120}$/;
/** A debt that ends like an invoice id with a number. The month of a usage debt looks like that too. */
const NUMBERED = /^(.+?)-(\d+)$/;
const USAGE = /^(usage:[^:]+:\d{4}-\d\d)(?:-(\d+))?$/;

/**
 * Returns the invoice id for the debt's capture with this number. After a full refund the next capture needs another id, because PayPal
 * never captures an id again. The SHA-256 replaces a debt that is too long or has other characters.
 */
export function toInvoiceId(debt: string, number = 1): string {
  const isPlain = PLAIN.test(debt) && (USAGE.exec(debt)?.[1] === debt || !NUMBERED.test(debt));
  const [kind = '', company = ''] = debt.split(':');
  const name = isPlain ? debt : `${kind}:${company}:${createHash('sha256').update(debt).digest('hex')}`;
  return number === 1 ? name : `${name}-${number}`;
}

/** Returns the invoice id to use after everything captured under this one was refunded. */
export function nextInvoiceId(invoiceId: string): string {
  const [, name = invoiceId, number = '1'] = USAGE.exec(invoiceId) ?? NUMBERED.exec(invoiceId) ?? [];
  return `${name}-${Number(number) + 1}`;
}

/** Reads the debt in an invoice id, without the number of its capture; null if there is none. A debt that was replaced stays so. */
export function readInvoiceId(invoiceId: string | undefined): string | null {
  if (invoiceId === undefined || !/^(usage|ref):/.test(invoiceId)) return invoiceId || null;
  const [, name = invoiceId] = USAGE.exec(invoiceId) ?? NUMBERED.exec(invoiceId) ?? [];
  return name;
}

type PaymentNames = Pick<PaymentRequest, 'reference' | 'sequence' | 'details'>;

/** An external id that can be a part of a `custom_id`. */
const PLAIN_PART = /^[\x21-\x2b\x2d-\x7e]+$/;

/** Writes the `custom_id` of a payment's order. It drops the last parts if they do not fit. */
export function writeCustomId({ reference, sequence, details }: PaymentNames): string {
  const { invoiceId, creditMinor, installation, companyExternalId = '' } = details;
  const externalId = PLAIN_PART.test(companyExternalId) ? companyExternalId : undefined;
  return join([reference, invoiceId, String(sequence), creditMinor, installation, externalId]);
}

/** Reads the `custom_id` of a payment's order. Orders of older versions contain only the payment's id. */
export function readCustomId(customId: string): {
  reference: string | null;
  sequence: number | null;
  details: PaymentDetails;
} {
  const [reference, invoiceId, sequence, creditMinor, installation, companyExternalId] = split(customId);
  const details = defined({ invoiceId, creditMinor, installation, companyExternalId });
  return { reference: reference ?? null, sequence: sequence === undefined ? null : Number(sequence), details };
}

/** Writes the `custom_id` of a refund, as `writeCustomId` does for a payment. */
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

/** Reads the `custom_id` of a refund. */
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
