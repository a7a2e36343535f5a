import type { InvoiceWithAttempts, Paydesk, PaymentAttempt } from '@paydesk/client';
import { isPaydeskError, PaydeskConnectionError } from '@paydesk/client';
import type { Pending } from './pending.ts';

export type Outcome =
  | { step: 'paid' }
  | { step: 'refused'; declineCode: string }
  /** There is no card or account to charge. */
  | { step: 'needsMethod' }
  /** The bank wants its customer to confirm the payment. */
  | { step: 'confirm'; action: NonNullable<PaymentAttempt['nextAction']> }
  /** A direct debit is in progress, for some days. */
  | { step: 'debited' }
  /** A person of the operator looks at the payment. */
  | { step: 'review' }
  /** Nothing was charged, and the bank had no part in it. */
  | { step: 'notCharged'; error: unknown };

type Asked = {
  client: Paydesk;
  invoiceId: string;
  pending: Pending;
  isWanted: () => boolean;
  onWait: () => void;
  /** The bank has the answer of its customer, which the payment will show: what it was, if that is known. */
  answer?: BankAnswer;
};

/** What is known of the answer that the bank got. */
export type BankAnswer = 'confirmed' | 'unknown';

const WAIT_MS = 2_000;

/**
 * Pays an invoice, and asks until the API says the outcome. A lost answer is asked for again with the same key; after an answer
 * without an outcome, the invoice is read. Returns null when nobody waits any more.
 */
export async function findOutcome(asked: Asked): Promise<Outcome | null> {
  const { client, invoiceId, pending, isWanted, onWait } = asked;
  // After a refusal another request would charge again.
  if (asked.answer === 'unknown') return readOutcome(asked);
  for (let isFirst = true; isWanted(); isFirst = false) {
    try {
      // The first answer decides what the page says: the client's own repeats would keep it waiting without a word.
      const { state } = await client.invoices.pay(invoiceId, { idempotencyKey: pending.key, maxRetries: 0 });
      return state === 'paid' ? { step: 'paid' } : await readOutcome(asked);
    } catch (error) {
      if (!(error instanceof PaydeskConnectionError)) {
        const said = saidBy(error);
        // A request before may have paid: that this one is refused says nothing about it.
        const isSaid = said !== null && (isFirst || said.step !== 'notCharged');
        return isSaid ? said : await readOutcome(asked, error);
      }
    }
    onWait();
    await wait();
  }
  return null;
}

/** The outcome that a refusal says; null if the invoice has to be read. */
function saidBy(error: unknown): Outcome | null {
  if (!isPaydeskError(error)) throw error;
  const { code, status, declineCode } = error;
  // The session is over: the login leads back to this page, which asks again.
  if (status === 401) throw error;
  if (code === 'card_declined') return { step: 'refused', declineCode: declineCode ?? 'generic_decline' };
  if (code === 'payment_method_required') return { step: 'needsMethod' };
  if (code === 'payment_under_review') return { step: 'review' };
  const isUnclear =
    status >= 500 ||
    code === 'authentication_required' ||
    code === 'payment_in_progress' ||
    code === 'idempotency_key_in_use' ||
    code === 'invoice_paid';
  return isUnclear ? null : { step: 'notCharged', error };
}

/** Reads the invoice until it has an outcome. @param error - what was answered instead of one */
async function readOutcome(asked: Asked, error?: unknown) {
  const { client, invoiceId, isWanted, onWait } = asked;
  while (isWanted()) {
    try {
      const found = outcomeOf(await client.invoices.get(invoiceId), asked, error);
      if (found !== null) return found;
    } catch (unread) {
      const isPassing = unread instanceof PaydeskConnectionError || (isPaydeskError(unread) && unread.status >= 500);
      if (!isPassing) throw unread;
    }
    onWait();
    await wait();
  }
  return null;
}

function outcomeOf(
  { state, payment }: InvoiceWithAttempts,
  { pending: { before }, answer }: Asked,
  error: unknown,
): Outcome | null {
  if (state === 'paid') return { step: 'paid' };
  if (payment?.status === 'RequiresAction' && payment.nextAction !== null)
    return answer === undefined ? { step: 'confirm', action: payment.nextAction } : null;
  if (payment?.status === 'Processing') return isDebit(payment) ? { step: 'debited' } : null;
  if (payment?.status === 'NeedsReview') return { step: 'review' };
  const isNew = payment !== null && payment.id !== before;
  if (isNew && payment.declineCode !== null) return { step: 'refused', declineCode: payment.declineCode };
  // The API has answered with an error, and has begun no payment, or ended it without the bank.
  return error === undefined && !isNew && state === 'open' ? null : { step: 'notCharged', error };
}

/** A debit that has begun settles days later. */
export function isDebit({ card }: Pick<PaymentAttempt, 'card'>): boolean {
  return card?.brand === 'sepa_debit';
}

/** Waits two seconds, or until the network is back. */
function wait(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, WAIT_MS);
    addEventListener('online', end);
  });
}
