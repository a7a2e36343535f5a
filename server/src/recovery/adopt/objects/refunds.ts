import { importRefund } from '../../../payments/refunds/issue/refunds.service.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import { readObject } from '../../marks/cases.ts';
import type { Decision } from '../decision/decide.ts';
import { type AdoptDependencies, conclude, concludeWith, placeOf } from './found-object.ts';
import * as notes from './notes.ts';
import { selectPaymentAt } from './objects.operator.queries.ts';

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
  if (entry === undefined && (await gateway.findPayment(object.gatewayPaymentId)) === null) {
    return concludeWith(dependencies, found, notes.goneRefund(object));
  }
  if (entry === undefined) {
    return concludeWith(dependencies, found, {
      state: 'done',
      note: 'The refund failed at the gateway: no money was returned.',
    });
  }
  return conclude(dependencies, found, async (tx) => {
    const payment = await selectPaymentAt(tx, gateway.name, object.gatewayPaymentId);
    if (payment === null)
      return { state: 'done', note: 'Its capture is not in the books, and is booked together with its refunds.' };
    if (payment.state !== 'captured') return underReview(payment);
    const owner = { companyId: payment.companyId, id: payment.id, invoiceId: payment.invoiceId };
    const result = await importRefund(tx, gateway.name, { ...owner, gatewayPaymentId: object.gatewayPaymentId }, entry);
    if (result === 'recorded')
      return { state: 'done', note: `The refund of payment ${payment.id} is in the books, with its credit note.` };
    if (result === 'known')
      return { state: 'done', note: `The refund of payment ${payment.id} is in the books already.` };
    return {
      state: 'person',
      note: `The refund ${id} of payment ${payment.id} does not fit: ${WHY[result]} ${readAgain(gateway.name, object.gatewayPaymentId)}`,
    };
  });
}

const WHY = {
  undecided: 'another refund of it has no outcome yet.',
  disputed: 'a dispute has taken the money.',
  impossible: 'more is refunded than it took, or in another currency.',
} as const;

/** Refunds of a payment that is under review are booked when that ends. */
function underReview({ id, state }: { id: string; state: string }): Decision {
  if (state === 'failed')
    return { state: 'done', note: `The refund is of payment ${id}, which has failed here: nothing is left to book.` };
  return {
    state: 'person',
    note: `The refund is of payment ${id}, which is under review: POST /operator/payments/${id}/resolve decides on both.`,
  };
}

function readAgain(gateway: string, gatewayPaymentId: string): string {
  return `After the hold, POST /operator/refunds with {"gateway": "${gateway}", "gatewayPaymentId": "${gatewayPaymentId}"} reads it again.`;
}
