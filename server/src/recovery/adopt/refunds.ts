import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { Gateway, GatewayPayment, GatewayPaymentRefund } from '../../gateways/gateway/gateway.ts';
import { importRefund } from '../../payments/refunds/issue/refunds.service.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { type RecoveryCase, readObject } from '../marks/cases.ts';
import { bookRefunded, leftOf } from '../unallocated/unallocated.ts';
import { type AdoptDependencies, conclude, type Decision } from './decide.ts';
import {
  type BookedPayment,
  type RefundedPayment,
  selectFormerCreditNote,
  selectPaymentAt,
} from './objects.operator.queries.ts';
import { placeOf } from './payments.ts';

/**
 * Brings a refund into the books, with its credit note. Refunds that nobody here asked for are written as made at the gateway. A refund of
 * a capture that is not in the books is booked with that.
 */
export async function adoptRefund(
  dependencies: Pick<AdoptDependencies, 'db' | 'gateways'>,
  found: RecoveryCase,
): Promise<Decision> {
  const { gateway, id } = placeOf(dependencies, found);
  const object = found.content === null ? null : readObject(found.content);
  if (object?.kind !== 'refund') throw new RangeError('The case of a refund has its object.');
  const { gatewayPaymentId } = object;
  const refunds = await gateway.listRefundsOf(gatewayPaymentId);
  const entry = refunds.find((refund) => refund.id === id);
  const known = await selectPaymentAt(dependencies.db, gateway.name, gatewayPaymentId);
  const isNotBooked = known === null || known.state === 'failed';
  const capture = entry === undefined || isNotBooked ? await gateway.findPayment(gatewayPaymentId) : null;
  return conclude(dependencies, found, async (tx) => {
    if (entry === undefined) return notMade(id, gatewayPaymentId, capture);
    const payment = await selectPaymentAt(tx, gateway.name, gatewayPaymentId);
    if (payment === null || payment.state === 'failed')
      return bookUnbooked(tx, gateway.name, payment, { capture, refunds });
    if (payment.state !== 'captured') return underReview(payment);
    const result = await importRefund(tx, gateway.name, { ...payment, gatewayPaymentId }, entry);
    const what = `The refund of payment ${payment.id} is in the books`;
    if (result === 'recorded') return { state: 'done', note: `${what}, with its credit note.` };
    if (result === 'known') return { state: 'done', note: `${what} already.` };
    return { state: 'person', note: describeMisfit(result, gateway, entry, { ...payment, gatewayPaymentId }) };
  });
}

/** Books all refunds of a captured payment that its gateway has. @returns what does not fit, for people */
export async function bookRefundsOf(db: Db, gateway: Gateway, payment: RefundedPayment): Promise<string[]> {
  const misfits: string[] = [];
  for (const refund of await gateway.listRefundsOf(payment.gatewayPaymentId)) {
    const findNote = (tx: Tx) => (id: string) => selectFormerCreditNote(tx, payment, id);
    const result = await transactionWhileHeld(db, (tx) =>
      importRefund(tx, gateway.name, payment, refund, findNote(tx)),
    );
    if (result !== 'recorded' && result !== 'known') misfits.push(describeMisfit(result, gateway, refund, payment));
  }
  return misfits;
}

const WHY = {
  undecided: 'another refund of the payment has no outcome yet.',
  disputed: 'a dispute has taken the money.',
  impossible: 'the refunds exceed the payment, or have another currency.',
} as const;

function describeMisfit(
  result: keyof typeof WHY,
  { name: gateway }: Gateway,
  refund: { id: string },
  { id, gatewayPaymentId }: { id: string; gatewayPaymentId: string },
): string {
  const body = JSON.stringify({ gateway, gatewayPaymentId });
  return (
    `The refund ${refund.id} of payment ${id} does not fit: ${WHY[result]} ` +
    `After the hold, POST /operator/refunds with ${body} reads it again.`
  );
}

function notMade(id: string, gatewayPaymentId: string, capture: GatewayPayment | null): Decision {
  if (capture !== null) return { state: 'done', note: 'The refund failed at the gateway: no money was returned.' };
  const note =
    `The gateway listed the refund ${id} of ${gatewayPaymentId}, and does not know that payment now. If it has another account, look the ` +
    'refund up in the former one, and correct the books by a credit note if they lack it.';
  return { state: 'person', note };
}

/** Refunds of a payment that is under review are booked when that ends. */
function underReview({ id }: BookedPayment): Decision {
  const note = `The refund is of payment ${id}, which is under review: POST /operator/payments/${id}/resolve decides on both.`;
  return { state: 'person', note, reviewOf: id };
}

type AtGateway = { capture: GatewayPayment | null; refunds: readonly GatewayPaymentRefund[] };

/**
 * The books have no capture for the refund: no payment, or one that had failed before. Both are booked once all of it is refunded. What is
 * refunded in part is booked with its capture.
 */
async function bookUnbooked(
  tx: Tx,
  gateway: string,
  payment: BookedPayment | null,
  { capture, refunds }: AtGateway,
): Promise<Decision> {
  const returned = capture === null ? null : { ...capture, refunds };
  if (returned?.status === 'captured') await bookRefunded(tx, gateway, returned);
  if (payment !== null && returned !== null && leftOf(returned) > 0n) {
    const what = `The refund is of payment ${payment.id}, which has failed here`;
    const note = `${what}, and the gateway has kept a part of its capture: refund that there.`;
    return { state: 'person', note };
  }
  return { state: 'done', note: 'The books have no capture for this refund yet; both are booked together.' };
}
