import type { InvoiceOnPage } from './page.queries.ts';

/** What the page says first, and what can be done on it. */
export type PageState = 'due' | 'confirm' | 'processing' | 'paid' | 'failed' | 'void';

/** Why nothing can be done: a charge has no outcome yet, a debit needs its days, a person looks at a payment, or charges wait. */
export type Waiting = 'charge' | 'debit' | 'review' | 'hold';

/** The state of an invoice's page, with what it waits for while it is `processing`. */
export function stateOf(invoice: InvoiceOnPage, isHeld: boolean): { state: PageState; waiting: Waiting | null } {
  const { voidedAt, status, lastPayment, awaitsRelease } = invoice;
  if (voidedAt !== null) return { state: 'void', waiting: null };
  if (!isOwed(invoice)) return { state: 'paid', waiting: null };
  const last = lastPayment?.state ?? 'failed';
  if (last === 'requires_action') return { state: 'confirm', waiting: null };
  if (last === 'needs_review') return { state: 'processing', waiting: 'review' };
  if (last === 'processing') return { state: 'processing', waiting: 'debit' };
  if (last !== 'failed' && last !== 'captured') return { state: 'processing', waiting: 'charge' };
  if (isHeld || awaitsRelease) return { state: 'processing', waiting: 'hold' };
  return { state: status === 'Failed' ? 'failed' : 'due', waiting: null };
}

/** Whether anything is due. */
function isOwed({ status, amountDue }: InvoiceOnPage): boolean {
  return status !== 'Succeeded' && /[1-9]/.test(amountDue);
}
