import { recordAudit } from '../../../audit/audit.service.ts';
import { type Gateway, GatewayError, type GatewayPaymentObject } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { acceptSecond, type CaptureToAdopt } from '../../../payments/record/record.service.ts';
import { type Db, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Actor } from '../../../platform/http/route/actor.ts';
import { formatAmount } from '../../../platform/money/money.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import { readPayment } from '../objects/found-object.ts';
import { findCompany, findOwner } from '../objects/payments.ts';
import { refuseAllocated } from '../unallocated/refund.ts';
import { endCases, lockCases, selectUnallocated } from '../unallocated/unallocated.operator.queries.ts';
import { type AcceptedCapture, selectAccepted, selectCaseOfPerson } from './accepted.operator.queries.ts';
import type { RecoveryAcceptance, RecoveryAcceptanceBody } from './accepted.schema.ts';

type Asked = RecoveryAcceptanceBody & { actor: Actor };

/**
 * Books a second capture of a debt, which a recovery has left to a person: all of it becomes credit of the company, which its next invoices
 * use. It can be repeated: the capture is booked once.
 * @throws ApiError not_found, not_under_review, payment_not_captured, payment_under_review, credit_currency_differs, service_unavailable
 */
export async function acceptCapture(
  { db, gateways }: { db: Db; gateways: Gateways },
  asked: Asked,
): Promise<RecoveryAcceptance> {
  const { accepted, waiting } = await transaction(db, (tx) => lock(tx, asked));
  if (accepted !== null) return describe(accepted);
  const capture = await readCapture(gateways.of(asked.gateway), readPayment(waiting));
  return describe(await transaction(db, (tx) => book(tx, asked, capture)));
}

type Locked = { accepted: AcceptedCapture; waiting: null } | { accepted: null; waiting: RecoveryCase };

/**
 * Waits for others who decide about the capture.
 * @returns what it has become, or else the case that waits for a person
 * @throws ApiError not_found, not_under_review
 */
async function lock(tx: Tx, { gateway, gatewayPaymentId }: RecoveryAcceptanceBody): Promise<Locked> {
  await lockCases(tx, gateway, gatewayPaymentId);
  const accepted = await selectAccepted(tx, gateway, gatewayPaymentId);
  if (accepted !== null) return { accepted, waiting: null };
  await refuseAllocated(tx, gateway, gatewayPaymentId);
  return { accepted, waiting: await selectCaseOfPerson(tx, gateway, gatewayPaymentId) };
}

async function book(tx: Tx, asked: Asked, capture: CaptureToAdopt): Promise<AcceptedCapture> {
  const { gateway, gatewayPaymentId } = asked;
  const { accepted: earlier, waiting } = await lock(tx, asked);
  if (earlier !== null) return earlier;
  if ((await selectUnallocated(tx, gateway, gatewayPaymentId)) !== null) {
    throw new ApiError('not_under_review', 'A refund of this payment was begun: refund it.');
  }
  await acceptSecond(tx, gateway, await findOwed(tx, waiting), capture);
  await endCases(tx, gateway, gatewayPaymentId, 'Accepted: it is credit of the company.');
  const accepted = await selectAccepted(tx, gateway, gatewayPaymentId);
  if (accepted === null) throw new RangeError('What was accepted is in the books.');
  const { companyId, paymentId: id } = accepted;
  const { companyId: _, ...after } = describe(accepted);
  const entry = { actor: asked.actor, action: 'payment.accepted', target: { kind: 'payment', id, name: '' } };
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
  throw new ApiError(
    'not_under_review',
    'The company or the invoice of this payment is not in the database: refund it.',
  );
}

/** @returns the object as it is now @throws ApiError when it can't be accepted, or the gateway gives no answer */
async function readCapture(gateway: Gateway, object: GatewayPaymentObject): Promise<CaptureToAdopt> {
  try {
    const found = await gateway.findPayment(object.id);
    if (found?.status !== 'captured')
      throw new ApiError('payment_not_captured', 'The gateway has not captured this payment.');
    const refunds = await gateway.listRefundsOf(object.id);
    if (refunds.length === 0) return { ...object, ...found, status: 'captured', refundedMinor: 0n, refunds };
    throw new ApiError('payment_under_review', 'The gateway has refunded some of this payment: refund the rest.');
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const message = 'The gateway gave no answer about the payment: nothing was changed. Send the request again.';
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
  }
}

function describe({ creditedMinor, ...accepted }: AcceptedCapture): RecoveryAcceptance {
  return { ...accepted, amount: formatAmount(BigInt(creditedMinor), accepted.currency) };
}
