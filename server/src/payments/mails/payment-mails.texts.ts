import { formatAmount, writeAddress } from '../../mail/money/money-mails.service.ts';
import type { MailFacts, MailLanguage } from '../../platform/feature/mail-declaration.ts';

/** What was charged: a card, a PayPal account, or null for credit alone. */
export type MailedSource = { kind: 'card'; brand: string; lastFour: string } | { kind: 'paypal'; email: string } | null;

/** What mails about a payment tell; `about` is the invoice's number. Amounts are in major units. */
export type PaymentFacts = MailFacts & {
  paymentId: string;
  amount: string;
  credit: string;
  due: string;
  currency: string;
  source: MailedSource;
};

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  sepa_debit: 'SEPA',
  unionpay: 'UnionPay',
};

/** Names a card as people know it: `Visa •••• 4242`. */
export function nameCard({ brand, lastFour }: { brand: string; lastFour: string }): string {
  const name = BRANDS[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `${name} •••• ${lastFour}`.trim();
}

/** Names what was charged; null for credit alone. */
export function nameSource(source: MailedSource): string | null {
  if (source === null) return null;
  return source.kind === 'card' ? nameCard(source) : `PayPal, ${writeAddress(source.email)}`;
}

/** Whether it was a direct debit, which can fail after the money was taken. */
export function isDebit(source: MailedSource): boolean {
  return source?.kind === 'card' && source.brand === 'sepa_debit';
}

/** Whether an amount is zero, however many digits it has. */
export function isZero(amount: string): boolean {
  return /^0*\.?0*$/.test(amount);
}

/** A row of an amount, unless it is zero. */
export function amountRow(
  language: MailLanguage,
  label: string,
  { amount, currency }: { amount: string; currency: string },
): (readonly [string, string])[] {
  return isZero(amount) ? [] : [[label, formatAmount(language, { amount, currency })]];
}
