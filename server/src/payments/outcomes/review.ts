import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { type OutcomeQueue, takeFromReview } from './outcomes.queries.ts';

/*
 * The end of what is under review, a payment or a refund: the gateway is asked outside of any transaction, and where it can't say
 * anything the operator is believed.
 */

/** What a person may say became of it. */
export const OUTCOMES = ['succeeded', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What is reviewed; `name` is what messages call it. */
type Reviewed = { name: 'payment' | 'refund'; companyId: string; paymentId: string; gateway: string };

/** @param believe - what counts when the gateway is not configured any more @throws ApiError service_unavailable without an answer */
export async function askOrBelieve<Verdict>(
  db: Db,
  { name, companyId, paymentId, gateway }: Reviewed,
  ask: () => Promise<Verdict>,
  believe: () => Verdict,
): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, { companyId, id: paymentId, gateway }, error.kind);
    if (error.kind === 'not_configured') return believe();
    throw new ApiError('service_unavailable', `The gateway gave no answer about this ${name}.`, {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}

/**
 * Takes it from review and ends it in one transaction, so that nobody else ever meets it halfway.
 * @param end - writes the end; not called when it is not under review any more
 */
export async function endReview(
  db: Db,
  queue: Pick<OutcomeQueue<never, never>, 'table' | 'isOpen'>,
  { companyId, id, invoiceId }: { companyId: string; id: string; invoiceId: string },
  end: (tx: Tx) => Promise<void>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockInvoiceToCharge(tx, companyId, invoiceId);
    if (await takeFromReview(tx, companyId, queue, id)) await end(tx);
  });
}

/** One that has ended as the operator says needs nothing more, whoever ended it. @throws ApiError not_under_review */
export function refuseOtherEnd(name: Reviewed['name'], state: string, outcome: Outcome | null): void {
  const ended = state === 'captured' ? 'succeeded' : state;
  if (ended === outcome) return;
  const hasEnded = ended === 'succeeded' || ended === 'failed';
  if (hasEnded && outcome === null) return;
  const message = hasEnded ? `has already ${ended}.` : 'is not under review: its outcome is still being determined.';
  throw new ApiError('not_under_review', `The ${name} ${message}`);
}

/** The gateway says otherwise. */
export function contradicted(message: string): ApiError {
  return new ApiError('outcome_contradicted', message);
}
