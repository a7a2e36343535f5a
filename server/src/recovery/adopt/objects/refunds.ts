import type { GatewayPayment, GatewayPaymentRefund } from '../../../gateways/gateway/gateway.ts';
import { importRefund } from '../../../payments/refunds/issue/refunds.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import { readObject } from '../../marks/cases.ts';
import { bookRefunded, leftOf } from '../../unallocated/unallocated.ts';
import type { Decision } from '../decision/decide.ts';
import { bookReturnedMoney } from './disputes.ts';
import { type AdoptDependencies, conclude, concludeWith, placeOf } from './found-object.ts';
import * as notes from './notes.ts';
import { type BookedPayment, selectPaymentAt } from './objects.operator.queries.ts';

/**
 * Brings a refund into the books, with its credit note. Refunds that nobody here asked for are written as made at the gateway. A refund of
 * a capture that is not in the books is booked with that.
 */
export async function adoptRefund(dependencies: AdoptDependencies, found: RecoveryCase): Promise<Decision> {
  const { gateway, id } = placeOf(dependencies, found);
  const object = found.content === null ? null : readObject(found.content);
  if (object?.kind !== 'refund') throw new RangeError('The case of a refund has its object.');
  const refunds = await gateway.listRefundsOf(object.gatewayPaymentId);
  const entry = refunds.find((refund) => refund.id === id);
  const known = await selectPaymentAt(dependencies.db, gateway.name, object.gatewayPaymentId);
  const isNotBooked = known === null || known.state === 'failed';
  const capture = entry === undefined || isNotBooked ? await gateway.findPayment(object.gatewayPaymentId) : null;
  if (entry === undefined && capture === null) return concludeWith(dependencies, found, notes.goneRefund(object));
  if (entry === undefined) {
    return concludeWith(dependencies, found, {
      state: 'done',
      note: 'The refund failed at the gateway: no money was returned.',
    });
  }
  if (known !== null) await bookReturnedMoney(dependencies.db, gateway, known);
  return conclude(dependencies, found, async (tx) => {
    const payment = await selectPaymentAt(tx, gateway.name, object.gatewayPaymentId);
    if (payment === null) return bookOfUnknown(tx, gateway.name, { capture, refunds });
    if (payment.state === 'failed') return bookOfFailed(tx, gateway.name, payment, { capture, refunds });
    if (payment.state !== 'captured') return underReview(payment);
    const { companyId, invoiceId } = payment;
    const { gatewayPaymentId } = object;
    const result = await importRefund(
      tx,
      gateway.name,
      { companyId, id: payment.id, invoiceId, gatewayPaymentId },
      entry,
    );
    if (result === 'recorded')
      return { state: 'done', note: `The refund of payment ${payment.id} is in the books, with its credit note.` };
    if (result === 'known')
      return { state: 'done', note: `The refund of payment ${payment.id} is in the books already.` };
    return {
      state: 'person',
      note: describeMisfit(result, { gateway: gateway.name, id, payment: payment.id, gatewayPaymentId }),
    };
  });
}

const WHY = {
  undecided: 'another refund of it has no outcome yet.',
  disputed: 'a dispute has taken the money.',
  impossible: 'more is refunded than it took, or in another currency.',
} as const;

/** Why a refund at a gateway is not in the books, for people. */
export function describeMisfit(
  result: keyof typeof WHY,
  {
    gateway,
    id,
    payment,
    gatewayPaymentId,
  }: { gateway: string; id: string; payment: string; gatewayPaymentId: string },
): string {
  return `The refund ${id} of payment ${payment} does not fit: ${WHY[result]} ${readAgain(gateway, gatewayPaymentId)}`;
}

/** Refunds of a payment that is under review are booked when that ends. */
function underReview({ id }: BookedPayment): Decision {
  const note = `The refund is of payment ${id}, which is under review: POST /operator/payments/${id}/resolve decides on both.`;
  return { state: 'person', note, reviewOf: id };
}

type AtGateway = { capture: GatewayPayment | null; refunds: readonly GatewayPaymentRefund[] };

/** A person may have refunded what no invoice gets, after it was left to a person. What is refunded in part is booked with its capture. */
async function bookOfUnknown(tx: Tx, gateway: string, { capture, refunds }: AtGateway): Promise<Decision> {
  if (capture?.status === 'captured') await bookRefunded(tx, gateway, { ...capture, refunds });
  return { state: 'done', note: 'Its capture is not in the books, and is booked together with its refunds.' };
}

/** No books have what was captured after a payment had failed, until all of it is refunded. */
async function bookOfFailed(
  tx: Tx,
  gateway: string,
  { id }: BookedPayment,
  { capture, refunds }: AtGateway,
): Promise<Decision> {
  const what = `The refund is of payment ${id}, which has failed here`;
  if (capture === null) return { state: 'done', note: `${what}, and which the gateway does not know any more.` };
  await bookRefunded(tx, gateway, { ...capture, refunds });
  if (leftOf({ ...capture, refunds }) > 0n)
    return { state: 'person', note: `${what}, and the gateway has kept a part of its capture: refund that there.` };
  return { state: 'done', note: `${what}: the capture and its refunds are booked to the account \`unallocated\`.` };
}

function readAgain(gateway: string, gatewayPaymentId: string): string {
  return `After the hold, POST /operator/refunds with {"gateway": "${gateway}", "gatewayPaymentId": "${gatewayPaymentId}"} reads it again.`;
}
