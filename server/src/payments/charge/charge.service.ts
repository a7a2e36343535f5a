import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Payment } from '../payment/payment.ts';
import { chargeInvoice, type PaymentDependencies } from './charge.ts';

export type { PaymentDependencies } from './charge.ts';

/**
 * `charged`: the payment in its current state; another caller may have begun it. `unanswered`: nothing was begun, because a gateway says
 * nothing about earlier payments of the invoice.
 */
export type Collected =
  | { kind: 'charged'; payment: Payment }
  | { kind: 'ended' }
  | { kind: 'no_payment_method' }
  | { kind: 'unanswered' };

/**
 * Makes one attempt of the automatic collection, with the same charge as a person's request. A second call with the same attempt number
 * never begins a second payment. `ended`: the invoice no longer has anything to pay.
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
    if (error.cause instanceof GatewayError) return { kind: 'unanswered' };
    throw error;
  }
}
