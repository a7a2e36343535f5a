import type { InvoiceWithAttempts } from '@paydesk/client';
import { add, subtract } from '../../format/amount.ts';

/** What payments have paid of an invoice: all of it, or a part that was accepted. */
export function paidOf({ state, total, creditedTotal, attempts }: InvoiceWithAttempts): string {
  const captured = attempts
    .filter(({ status }) => status === 'Succeeded')
    .map(({ amount, creditAmount }) => add(amount, creditAmount));
  const sum = captured.length === 0 ? subtract(total, total) : add(...captured);
  // A second capture became credit of the company, and paid nothing of this invoice.
  return state === 'paid' && captured.length > 1 ? subtract(total, creditedTotal) : sum;
}

/** What is left to pay. */
export function dueOf(invoice: InvoiceWithAttempts): string {
  const { state, total, creditedTotal } = invoice;
  return state === 'open' ? subtract(total, creditedTotal, paidOf(invoice)) : subtract(total, total);
}
