import { insertAlertOnce } from '../../../alerts/alerts.service.ts';
import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { readPages } from '../../../gateways/gateway/gateway.objects.ts';
import type { Gateway } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { importRefund } from '../../../payments/refunds/issue/refunds.service.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { bookDispute, passOverForbidden } from './disputes.ts';
import {
  type RefundedPayment,
  selectFormerCreditNote,
  selectOpenDisputes,
  selectRefunded,
} from './objects.operator.queries.ts';
import { describeMisfit } from './refunds.ts';

/*
 * What happens at a gateway to captured money without a request from here: refunds that somebody makes there, and disputes. Gateway events
 * tell of both, and the database has lost those. It is no reason for a hold, but when the books are brought together it belongs to them.
 */

/** A gateway's clock may be ahead of ours. */
const AHEAD_MS = 3_600_000;
const REFUNDS_A_BATCH = 100;

type Unasked = { db: Db; gateways: Pick<Gateways, 'configured'> };

/**
 * Books refunds that were made at the gateways since an instant, and disputes that were opened since then or are open here. It can be
 * repeated. @throws GatewayError
 */
export async function bookUnasked({ db, gateways }: Unasked, since: Date): Promise<void> {
  const range = { from: since, to: new Date(Date.now() + AHEAD_MS) };
  for (const gateway of gateways.configured) {
    const waiting = await bookRefunds(db, gateway, range);
    await bookDisputes(db, gateway, range).catch(passOverForbidden);
    // A dispute may have given back what they returned.
    for (const payment of waiting) {
      for (const misfit of await bookRefundsOf(db, gateway, payment)) await alertMisfit(db, payment, misfit);
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

/** Says of a refund why it is not in the books. */
type Misfit = { gateway: string; id: string; result: 'undecided' | 'disputed' | 'impossible' };

async function bookRefundsOf(db: Db, gateway: Gateway, payment: RefundedPayment): Promise<Misfit[]> {
  const misfits: Misfit[] = [];
  for (const refund of await gateway.listRefundsOf(payment.gatewayPaymentId)) {
    const findNote = (tx: Tx) => (id: string) => selectFormerCreditNote(tx, payment, id);
    const result = await transactionWhileHeld(db, (tx) =>
      importRefund(tx, gateway.name, payment, refund, findNote(tx)),
    );
    if (result !== 'recorded' && result !== 'known') misfits.push({ gateway: gateway.name, id: refund.id, result });
  }
  return misfits;
}

async function alertMisfit(db: Db, payment: RefundedPayment, { result, ...refund }: Misfit): Promise<void> {
  const { companyId, id: paymentId, gatewayPaymentId } = payment;
  const message = describeMisfit(result, { ...refund, payment: paymentId, gatewayPaymentId });
  await transactionWhileHeld(db, (tx) =>
    insertAlertOnce(tx, companyId, { kind: 'refunded_at_gateway', paymentId, message }),
  );
}

async function bookDisputes(db: Db, gateway: Gateway, range: Range): Promise<void> {
  const ids = new Set(await selectOpenDisputes(db, gateway.name));
  const { listDisputes } = gateway;
  if (listDisputes === undefined) return;
  for await (const { id } of readPages((request) => listDisputes(request), range)) ids.add(id);
  for (const id of ids) await bookDispute(db, gateway, id);
}
