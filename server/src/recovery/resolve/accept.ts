import { recordAudit } from '../../audit/audit.service.ts';
import type { GatewayPaymentObject } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { acceptSecond, type CaptureToAdopt } from '../../payments/adopt/adopt.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { formatAmount } from '../../platform/money/money.ts';
import { readPayment } from '../adopt/objects/found-object.ts';
import { findCompany, findOwner } from '../adopt/objects/payments.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { selectUnallocated } from '../unallocated/unallocated.operator.queries.ts';
import { type Asked, lockCapture, notCaptured, withGatewayAnswers } from './captures.ts';
import { type AcceptedCapture, endCases, selectAccepted } from './resolve.operator.queries.ts';

/** An accepted capture, with what is credit of the company now. */
type Acceptance = Omit<AcceptedCapture, 'creditedMinor'> & { amount: string };

/**
 * Books a second capture of a debt, which a recovery has left to a person: all of it becomes credit of the company, which its next invoices
 * use. It can be repeated: the capture is booked once.
 * @throws ApiError not_found, not_under_review, payment_not_captured, payment_under_review, credit_currency_differs, service_unavailable
 */
export async function acceptCapture(
  { db, gateways }: { db: Db; gateways: Gateways },
  asked: Asked,
): Promise<Acceptance> {
  const { became, waiting } = await transaction(db, (tx) => lockCapture(tx, asked, selectAccepted));
  if (became !== null) return describe(became);
  const capture = await withGatewayAnswers(readCapture(gateways, asked.gateway, readPayment(waiting)));
  return describe(await transaction(db, (tx) => book(tx, asked, capture)));
}

async function book(tx: Tx, asked: Asked, capture: CaptureToAdopt): Promise<AcceptedCapture> {
  const { gateway, gatewayPaymentId } = asked;
  const { became, waiting } = await lockCapture(tx, asked, selectAccepted);
  if (became !== null) return became;
  if ((await selectUnallocated(tx, gateway, gatewayPaymentId)) !== null) {
    throw new ApiError('not_under_review', 'A refund of this payment has begun, so its capture can only be refunded.');
  }
  await acceptSecond(tx, gateway, await findOwed(tx, waiting), capture);
  await endCases(tx, gateway, gatewayPaymentId, 'Accepted: the capture is credit of the company.');
  const accepted = await selectAccepted(tx, gateway, gatewayPaymentId);
  if (accepted === null) throw new RangeError('The accepted capture must be in the books.');
  const { companyId, ...after } = describe(accepted);
  const target = { kind: 'payment', id: accepted.paymentId, name: '' };
  const entry = { actor: asked.actor, action: 'payment.accepted', target };
  await recordAudit(tx, companyId, { audience: 'company', ...entry, changes: { before: {}, after } });
  failpoint('before_accept_commit');
  return accepted;
}

/** The company and the invoice that the capture was made for. @throws ApiError not_under_review when one of them is not here */
async function findOwed(tx: Tx, found: RecoveryCase): Promise<{ companyId: string; invoiceId: string }> {
  const object = readPayment(found);
  const companyId = await findCompany({ db: tx }, found, object);
  const { invoice } = await findOwner(tx, companyId, object);
  if (invoice !== null) return { companyId, invoiceId: invoice.id };
  const message = 'The company or the invoice of this payment is not in the database: refund the payment.';
  throw new ApiError('not_under_review', message);
}

/** @returns the object as it is now @throws ApiError when it can't be accepted; GatewayError */
async function readCapture(gateways: Gateways, name: string, object: GatewayPaymentObject): Promise<CaptureToAdopt> {
  const gateway = gateways.of(name);
  const found = await gateway.findPayment(object.id);
  if (found?.status !== 'captured') throw notCaptured();
  const refunds = await gateway.listRefundsOf(object.id);
  if (refunds.length === 0) return { ...object, ...found, status: 'captured', refundedMinor: 0n, refunds };
  throw new ApiError('payment_under_review', 'The gateway has refunded some of this payment: refund the rest.');
}

function describe({ creditedMinor, ...accepted }: AcceptedCapture): Acceptance {
  return { ...accepted, amount: formatAmount(BigInt(creditedMinor), accepted.currency) };
}
