import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { applyAnswer } from '../charge/gateway-answer.ts';
import { findObject } from '../debt/debt.ts';
import { importDisputesOf } from '../gateway-events/gateway-events.ts';
import { type Finding, type Reconciler, settleUnresolved } from '../outcomes/reconciler.ts';
import { DEBIT_QUEUE } from '../payment/payment.queries.ts';
import type { Payment, PaymentRow } from '../payment/payment.ts';
import { writeDebitUnresolved } from '../settlement/settle-payment.ts';

/**
 * How the reconciler finds out whether a direct debit has settled or has come back. That takes days, so after the first minutes, in which
 * those of test accounts end, it looks every six hours. A gateway event brings that forward. A debit that has not ended when its time
 * has passed goes under review, even if the gateway is away.
 */
export const DEBITS: Reconciler<PaymentRow, Payment> = {
  name: 'debit',
  queue: DEBIT_QUEUE,
  everyMs: 500,
  checkDelaysSeconds: [5, 10, 40, 60, 60, 30, 300, 900, 3_600, ...Array<number>(60).fill(21_600)],
  findOut: lookAtDebit,
  applyError: async (db, _gateway, payment) => (payment.isExpired ? review(db, payment) : 'undecided'),
  writeUnresolved: writeDebitUnresolved,
  paymentIdOf: ({ id }) => id,
};

/** @throws GatewayError; ApiError charges_held instead of a failure */
async function lookAtDebit(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<Finding> {
  failpoint('before_look');
  const found = await findObject(gateway, payment.id, payment.gatewayPaymentId ?? '');
  failpoint('after_look');
  if (found === null || found.status === 'processing') {
    if (payment.isExpired) return review(db, payment);
    return found === null ? 'undecided' : 'waiting';
  }
  const { kind } = await applyAnswer(db, gateway, payment, found);
  if (found.status === 'captured') await importDisputesOf(db, gateway, payment).catch(ignoreGatewayError);
  return kind === 'unknown' || kind === 'waiting' ? 'undecided' : 'decided';
}

async function review(db: Db, payment: Payment): Promise<Finding> {
  await settleUnresolved(DEBITS, db, payment);
  return 'decided';
}

/** A gateway event tells of the dispute, too. */
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}
