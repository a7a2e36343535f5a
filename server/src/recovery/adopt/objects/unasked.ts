import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { listObjects, readPages } from '../../../gateways/gateway/gateway.objects.ts';
import type { Gateway } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { adoptCapture, observeAdopted } from '../../../payments/adopt/adopt.service.ts';
import { alertOnce } from '../../../payments/payment/alert-once.service.ts';
import type { Db } from '../../../platform/database/database.ts';
import { bookDispute, passOverForbidden } from './disputes.ts';
import { type RefundedPayment, selectOpenDisputes, selectRefunded, selectRunning } from './objects.operator.queries.ts';
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
 * Books what was captured since an instant with payments that run here: they ran when the backup was taken, and their credit notes and
 * refunds since then need an outcome. The reconciler would find it only after the hold. It can be repeated. @throws GatewayError
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
