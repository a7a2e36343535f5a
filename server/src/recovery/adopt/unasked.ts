import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import { listObjects, readPages } from '../../gateways/gateway/gateway.objects.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { adoptCapture, bookAwaited, observeAdopted } from '../../payments/adopt/adopt.service.ts';
import {
  type DisputeSnapshot,
  hasMovements,
  recordDispute,
  takeDisputeSnapshots,
} from '../../payments/disputes/disputes.service.ts';
import { alertOnce } from '../../payments/payment/alert-once.service.ts';
import type { Db, Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import {
  type RefundedPayment,
  selectAwaited,
  selectNewestCapture,
  selectOpenDisputes,
  selectPaymentAt,
  selectRefunded,
  selectRunning,
} from './objects.operator.queries.ts';
import { bookRefundsOf } from './refunds.ts';

/*
 * What happened at a gateway and is no case: the database knows the payment. It is no reason for a hold, but when the books are brought
 * together it belongs to them.
 */

/** A gateway's clock may be ahead of ours. */
const AHEAD_MS = 3_600_000;
const REFUNDS_A_BATCH = 100;

type Unasked = { db: Db; gateways: Pick<Gateways, 'configured'> };

/**
 * Refuses to go on with a gateway that does not know what the database has captured there last: it is another account, its other mode (test
 * or live), or another file of the sandbox, and no database that went back.
 * @throws ApiError gateway_differs; GatewayError
 */
export async function requireSameGateways(db: Queryable, gateways: Pick<Gateways, 'configured'>): Promise<void> {
  for (const gateway of gateways.configured) {
    const newest = await selectNewestCapture(db, gateway.name);
    if (newest === null || (await gateway.findPayment(newest.gatewayPaymentId)) !== null) continue;
    const message =
      `The gateway ${gateway.name} does not know ${newest.gatewayPaymentId}, which payment ${newest.id} captured there. The database did ` +
      'not go back: this is another account, the other mode (test or live), or another file of the sandbox. Correct the configuration. ' +
      'If the account was replaced since the backup, take the gateway out of the configuration until the hold has ended.';
    throw new ApiError('gateway_differs', message);
  }
}

/**
 * Books what was captured since an instant with payments that run here: they ran when the backup was taken, and their credit notes and
 * refunds since then need an outcome. The reconciler would find it only after the hold. Objects of payments that wait for their customer or
 * their bank may be older than that instant. It can be repeated. @throws GatewayError
 */
export async function bookRunning({ db, gateways }: Unasked, since: Date): Promise<void> {
  for (const gateway of gateways.configured) {
    const running = await selectRunning(db, gateway.name);
    if (running.length === 0) continue;
    for await (const object of listObjects(gateway, since)) {
      if (object.kind !== 'payment' || object.status !== 'captured') continue;
      const payment = running.find(({ id, gatewayPaymentId }) =>
        gatewayPaymentId === null ? id === object.reference : gatewayPaymentId === object.id,
      );
      if (payment === undefined) continue;
      // Its refunds are cases of their own, or are booked at the end as made at the gateway.
      const capture = { ...object, status: 'captured' as const, refunds: [] };
      const book = () => transactionWhileHeld(db, (tx) => adoptCapture(tx, gateway.name, payment, capture));
      await observeAdopted(object, capture, book, ({ outcome }) => outcome !== 'captured' && outcome !== 'refunded');
    }
    for (const payment of await selectAwaited(db, gateway.name)) await bookAwaited(db, gateway, payment);
  }
}

/**
 * Books refunds that were made at the gateways since an instant, and disputes that were opened since then or are open here: gateway events
 * tell of both, and the database has lost those. It can be repeated. @throws GatewayError
 */
export async function bookUnasked({ db, gateways }: Unasked, since: Date): Promise<void> {
  const range = { from: since, to: new Date(Date.now() + AHEAD_MS) };
  for (const gateway of gateways.configured) {
    const waiting = await bookRefunds(db, gateway, range);
    await bookDisputes(db, gateway, range).catch(passOverForbidden);
    // A dispute may have returned the money of these refunds.
    for (const payment of waiting) {
      for (const message of await bookRefundsOf(db, gateway, payment)) {
        const alert = { kind: 'refunded_at_gateway', payment, message } as const;
        await transactionWhileHeld(db, (tx) => alertOnce(tx, payment.companyId, alert));
      }
    }
  }
}

type Range = { from: Date; to: Date };

/** @returns the payments of which not every refund is in the books now */
async function bookRefunds(db: Db, gateway: Gateway, range: Range): Promise<RefundedPayment[]> {
  const waiting: RefundedPayment[] = [];
  let batch: { id: string; gatewayPaymentId: string }[] = [];
  const book = async () => {
    for (const payment of await selectRefunded(db, gateway.name, batch))
      if ((await bookRefundsOf(db, gateway, payment)).length > 0) waiting.push(payment);
    batch = [];
  };
  for await (const { id, gatewayPaymentId, status } of readPages((request) => gateway.listRefunds(request), range)) {
    if (status === 'succeeded') batch.push({ id, gatewayPaymentId });
    if (batch.length === REFUNDS_A_BATCH) await book();
  }
  await book();
  return waiting;
}

async function bookDisputes(db: Db, gateway: Gateway, range: Range): Promise<void> {
  const ids = new Set(await selectOpenDisputes(db, gateway.name));
  const { listDisputes } = gateway;
  if (listDisputes === undefined) return;
  for await (const { id } of readPages((request) => listDisputes(request), range)) ids.add(id);
  for (const id of ids) await bookDispute(db, gateway, id);
}

/** Books a dispute of captured payments as the gateway shows it now. @throws GatewayError */
async function bookDispute(db: Db, gateway: Gateway, id: string): Promise<void> {
  const snapshots = await takeDisputeSnapshots(db, gateway, id);
  await transactionWhileHeld(db, async (tx) => {
    for (const snapshot of snapshots) await bookSnapshot(tx, gateway.name, snapshot);
  });
}

/** An account may not be allowed to read its disputes. */
function passOverForbidden(error: unknown): void {
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
    await alert('disputed_at_gateway', 'The customer disputes this payment: answer the dispute at the gateway.');
  }
}
