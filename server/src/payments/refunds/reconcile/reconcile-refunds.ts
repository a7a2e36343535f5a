import { type Gateway, GatewayError, type GatewayRefund } from '../../../gateways/gateway/gateway.ts';
import type { Db } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Reconciler } from '../../outcomes/reconciler.ts';
import type { Refund, RefundRow } from '../issue/refund.ts';
import { REFUND_QUEUE } from '../issue/refunds.queries.ts';
import { findRefundAtGateway, sendRefund } from '../issue/send-refund.ts';
import { settleRefunded, settleRefused, writeUnresolved } from '../issue/settle-refund.ts';

/** How the reconciler finds out the outcome of a refund: by scheduled checks for about ten hours, and by no others. */
export const REFUNDS: Reconciler<RefundRow, Refund> = {
  name: 'refund',
  queue: REFUND_QUEUE,
  everyMs: 1_000,
  checkDelaysSeconds: [5, 15, 60, 300, 900, 1_800, ...Array<number>(9).fill(3_600)],
  findOut: async (db, gateway, refund) => {
    await endOpenRefund(db, gateway, refund);
    return 'decided';
  },
  writeUnresolved,
  paymentIdOf: ({ paymentId }) => paymentId,
};

/**
 * Finds out at the gateway whether a refund was made, makes it if not, and records the outcome.
 * @returns the refund as the books have it then, whoever ended it
 * @throws GatewayError while there is no outcome
 */
export async function endOpenRefund(db: Db, gateway: Gateway, refund: Refund): Promise<Refund> {
  failpoint('before_refund_check');
  const found = await askGateway(db, gateway, refund);
  return found === 'refused' ? settleRefused(db, refund) : settleRefunded(db, refund, found);
}

/**
 * Looks for the refund before it is sent again, because gateways forget keys. If it is not found, it is sent with the key of the first
 * try, so that a request that is still on its way makes no second refund.
 * @throws GatewayError while there is no outcome
 */
async function askGateway(db: Db, gateway: Gateway, refund: Refund): Promise<GatewayRefund | 'refused'> {
  const askedAtMs = performance.now();
  const find = () => findRefundAtGateway(gateway, refund);
  const found = await find();
  failpoint('after_refund_check');
  if (found !== null) return found;
  try {
    return await sendRefund(db, gateway, refund, askedAtMs);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    // An earlier request may have arrived in the meantime and left no room for this one.
    return (await find()) ?? 'refused';
  }
}
