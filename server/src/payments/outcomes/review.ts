import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { type OutcomeQueue, takeFromReview } from './outcomes.queries.ts';

/*
 * Ends a review of a payment or a refund. The gateway is asked outside any transaction; where it cannot say anything, the operator is
 * believed.
 */

/** The outcomes that an operator may state. */
export const OUTCOMES = ['succeeded', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The payment or refund under review; `name` is its kind in messages. */
type Reviewed = {
  name: 'payment' | 'refund';
  companyId: string;
  paymentId: string;
  invoiceId: string;
  gateway: string;
};

/**
 * Asks the gateway.
 * @param withoutGateway - decides when the gateway is no longer configured
 * @throws ApiError service_unavailable without an answer
 */
export async function askGatewayOrOperator<Verdict>(
  db: Db,
  { name, paymentId, ...reviewed }: Reviewed,
  ask: () => Promise<Verdict>,
  withoutGateway: () => Verdict,
): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, { ...reviewed, id: paymentId }, error.kind);
    if (error.kind === 'not_configured') return withoutGateway();
    throw new ApiError('service_unavailable', `The gateway gave no answer about this ${name}.`, {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}

/**
 * Takes it from review and ends it in one transaction, so that no other process ever sees the state between.
 * @param end - writes the outcome; not called when it is no longer under review
 */
export async function endReview(
  db: Db,
  queue: Pick<OutcomeQueue<never, never>, 'table' | 'waitsAs' | 'isOpen'>,
  { companyId, id, invoiceId }: { companyId: string; id: string; invoiceId: string },
  end: (tx: Tx) => Promise<void>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockInvoiceToCharge(tx, companyId, invoiceId);
    if (await takeFromReview(tx, companyId, queue, id)) await end(tx);
  });
}

/** Accepts a job that has already ended with the outcome that the operator states. @throws ApiError not_under_review otherwise */
export function refuseOtherOutcome(name: Reviewed['name'], state: string, outcome: Outcome | null): void {
  const ended = state === 'captured' ? 'succeeded' : state;
  if (ended === outcome) return;
  const hasEnded = ended === 'succeeded' || ended === 'failed';
  if (hasEnded && outcome === null) return;
  const message = hasEnded ? `has already ${ended}.` : 'is not under review: its outcome is still being determined.';
  throw new ApiError('not_under_review', `The ${name} ${message}`);
}

/** The error for an outcome that the gateway contradicts. */
export function contradicted(message: string): ApiError {
  return new ApiError('outcome_contradicted', message);
}
