import { ApiError } from '../../platform/errors.ts';
import type { Payment } from '../record/payment.ts';
import { chargeInvoice, type PaymentDependencies } from './charge.ts';

export type { PaymentDependencies } from './charge.ts';

/** `charged`: the payment as it stands by now, which may be one that somebody else began. */
export type Collected = { kind: 'charged'; payment: Payment } | { kind: 'ended' } | { kind: 'no_payment_method' };

/**
 * An attempt of the automatic collection: the charge that a person begins by paying, and no other. A second call with the same number
 * never begins a second payment. `ended`: there is nothing to pay any more.
 */
export async function collectInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  { invoiceId, attempt }: { invoiceId: string; attempt: number },
): Promise<Collected> {
  try {
    const payment = await chargeInvoice(dependencies, companyId, invoiceId, { collectionAttempt: attempt });
    return payment === null ? { kind: 'ended' } : { kind: 'charged', payment };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'payment_method_required') return { kind: 'no_payment_method' };
    if (error.code === 'invoice_voided') return { kind: 'ended' };
    throw error;
  }
}
