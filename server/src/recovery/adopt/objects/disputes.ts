import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { type Gateway, GatewayError } from '../../../gateways/gateway/gateway.ts';
import {
  type DisputeSnapshot,
  hasMovements,
  recordDispute,
  takeDisputeSnapshots,
} from '../../../payments/disputes/disputes.service.ts';
import { alertOnce } from '../../../payments/payment/alert-once.service.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { type BookedPayment, selectPaymentAt, selectWithdrawingDisputes } from './objects.operator.queries.ts';

/** Books a dispute of captured payments as the gateway shows it now. @throws GatewayError */
export async function bookDispute(db: Db, gateway: Gateway, id: string): Promise<void> {
  const snapshots = await takeDisputeSnapshots(db, gateway, id);
  await transactionWhileHeld(db, async (tx) => {
    for (const snapshot of snapshots) await bookSnapshot(tx, gateway.name, snapshot);
  });
}

/**
 * Books the disputes that have money of the payment here, as they are now: one that returned it since the backup leaves room for the
 * refund that followed. @throws GatewayError
 */
export async function bookReturnedMoney(db: Db, gateway: Gateway, payment: BookedPayment): Promise<void> {
  for (const id of await selectWithdrawingDisputes(db, payment))
    await bookDispute(db, gateway, id).catch(passOverForbidden);
}

/** An account may not be allowed to read its disputes. */
export function passOverForbidden(error: unknown): void {
  if (error instanceof GatewayError && (error.kind === 'unauthorized' || error.kind === 'rejected')) return;
  throw error;
}

async function bookSnapshot(tx: Tx, gateway: string, snapshot: DisputeSnapshot): Promise<void> {
  const { id, gatewayPaymentId, currency, status } = snapshot.found;
  const payment = await selectPaymentAt(tx, gateway, gatewayPaymentId);
  if (payment?.state !== 'captured') return;
  const alert = (kind: 'dispute_mismatch' | 'disputed_at_gateway', message: string) =>
    alertOnce(tx, payment.companyId, { kind, payment, message });
  if (!hasMovements(snapshot) || currency !== payment.currency) {
    await alert(
      'dispute_mismatch',
      `The dispute ${id} does not match this payment, so it was not recorded. Check the dispute at the gateway.`,
    );
    return;
  }
  await recordDispute(tx, payment, snapshot);
  if (status === 'needs_response') {
    await alert('disputed_at_gateway', 'The cardholder disputes this payment: answer the dispute at the gateway.');
  }
}
