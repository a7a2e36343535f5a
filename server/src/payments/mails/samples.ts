import { NIL } from 'uuid';
import { issuedMail } from '../../billing/invoices/mails/issued-mail.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { MailTopic } from '../../platform/feature/mail-declaration.ts';
import type { ExpiryFacts } from './card-expires.ts';
import type { ConfirmationFacts } from './confirmation-needed.ts';
import type { FailedFacts } from './payment-failed.ts';
import { selectExpiryFacts, selectPaymentFacts } from './payment-mails.queries.ts';
import type { ReceiptFacts } from './receipt.ts';

const CARD = { kind: 'card', brand: 'visa', lastFour: '4242' } as const;
const DAY_MS = 86_400_000;
const SAMPLE_DAYS_MS = 3 * DAY_MS;

type Sample<Facts> = Omit<Facts, 'sellerName'>;

/** The newest receipt of the invoice or the company, or how it will look when a card pays all; null without an invoice. */
export async function sampleReceipt(db: Queryable, topic: MailTopic): Promise<Sample<ReceiptFacts> | null> {
  return (
    (await selectPaymentFacts(db, topic.companyId, { ...topic, state: 'captured' })) ??
    imaginePayment(db, topic, (amount) => zeroLike(amount))
  );
}

/** The same of a declined payment, which is tried again. */
export async function sampleFailure(db: Queryable, topic: MailTopic): Promise<Sample<FailedFacts> | null> {
  const facts =
    (await selectPaymentFacts(db, topic.companyId, { ...topic, state: 'failed' })) ??
    (await imaginePayment(db, topic, (amount) => amount));
  if (facts === null) return null;
  return { ...facts, next: { kind: 'attempt', at: new Date(Date.now() + SAMPLE_DAYS_MS).toISOString() } };
}

/** The same of a payment that waits for the customer, for a day. */
export async function sampleConfirmation(db: Queryable, topic: MailTopic): Promise<Sample<ConfirmationFacts> | null> {
  const facts = await imaginePayment(db, topic, (amount) => amount);
  return facts && { ...facts, expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
}

/** The company's default card, or any. */
export async function sampleExpiry(db: Queryable, topic: MailTopic): Promise<Sample<ExpiryFacts>> {
  const now = new Date();
  const thisMonth = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 };
  return (await selectExpiryFacts(db, topic.companyId)) ?? { about: CARD.lastFour, brand: CARD.brand, ...thisMonth };
}

async function imaginePayment(
  db: Queryable,
  topic: MailTopic,
  dueAfter: (amount: string) => string,
): Promise<Sample<ReceiptFacts & FailedFacts> | null> {
  const invoice = await issuedMail.sample(db, topic);
  if (invoice === null) return null;
  const { about, total, currency, timezone } = invoice;
  const none = zeroLike(total);
  const payment = { paymentId: NIL, amount: total, credit: none, overpaid: none, source: CARD };
  return { about, ...payment, due: dueAfter(total), currency, timezone, paidAt: new Date().toISOString() };
}

/** Zero with as many digits. */
function zeroLike(amount: string): string {
  return amount.replace(/\d/g, '0').replace(/^0+(?=0)/, '');
}
