import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { listObjects } from '../../../gateways/gateway/gateway.objects.ts';
import type { Gateway, GatewayPaymentObject } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { adoptCapture, observeAdopted } from '../../../payments/record/record.service.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type RunningPayment, selectRunning } from './objects.operator.queries.ts';

/**
 * Books what was captured since an instant with payments that run here: they ran when the backup was taken, and their credit notes and
 * refunds since then need an outcome. The reconciler would find it only after the hold. It can be repeated. @throws GatewayError
 */
export async function bookRunning(
  { db, gateways }: { db: Db; gateways: Pick<Gateways, 'configured'> },
  since: Date,
): Promise<void> {
  for (const gateway of gateways.configured) {
    const running = await selectRunning(db, gateway.name);
    if (running.length > 0) await bookCaptures(db, gateway, { running, since });
  }
}

async function bookCaptures(
  db: Db,
  gateway: Gateway,
  { running, since }: { running: readonly RunningPayment[]; since: Date },
): Promise<void> {
  for await (const object of listObjects(gateway, since)) {
    if (object.kind !== 'payment' || object.status !== 'captured') continue;
    const payment = running.find((one) => isObjectOf(object, one));
    if (payment === undefined) continue;
    // Its refunds are cases of their own, or are booked at the end as made at the gateway.
    const capture = { ...object, status: 'captured' as const, refunds: [] };
    const book = () => transactionWhileHeld(db, (tx) => adoptCapture(tx, gateway.name, payment, capture));
    await observeAdopted(object, capture, book, ({ outcome }) => outcome !== 'captured' && outcome !== 'refunded');
  }
}

function isObjectOf({ id, reference }: GatewayPaymentObject, payment: RunningPayment): boolean {
  return payment.gatewayPaymentId === null ? payment.id === reference : payment.gatewayPaymentId === id;
}
