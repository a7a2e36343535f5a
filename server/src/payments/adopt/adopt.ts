import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import {
  consumeCredit,
  creditOverpayment,
  creditToConsume,
  returnCredit,
} from '../../billing/credits/credits.service.ts';
import { type InvoiceToCharge, lockInvoiceToCharge, reopenInvoice } from '../../billing/invoices/invoices.service.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type Gateway, type GatewayDebtPayment, GatewayError } from '../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { toMinor } from '../../platform/money/money.ts';
import { observed } from '../../platform/steps.ts';
import { cancelObject } from '../debt/debt.ts';
import { alertOnce } from '../payment/alert-once.service.ts';
import { markInvoicePaid, recordPaymentEvent } from '../payment/invoice-payments.service.ts';
import { recordPaymentMark } from '../payment/journaled.ts';
import { markNeedsReview, selectLivePayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { importGatewayRefunds } from '../refunds/issue/refunds.service.ts';
import { writeCaptured } from '../settlement/settle-payment.ts';
import {
  insertAdopted,
  isPaymentIdTaken,
  markSuperseded,
  recordObject,
  selectPaymentOfObject,
} from './adopt.queries.ts';

/*
 * Adopts captures of a debt that the gateway has and the books lack, because the database went back to an earlier state. It writes the
 * payment with the id that its object carries, its postings, its events and its credit, and marks the invoice as paid. A payment that
 * runs for the debt ends with it.
 */

/** The payment that runs for the debt, or an invoice without one. */
type Owing = Pick<Payment, 'companyId' | 'invoiceId' | 'gatewayPaymentId'> & { id?: string };

/** Adopts each of these captures that the books lack. @throws GatewayError; ApiError charges_held */
export async function adoptCaptures(
  db: Db,
  gateway: Gateway,
  payment: Owing,
  captures: readonly GatewayDebtPayment[],
): Promise<void> {
  await cancelOwnObject(gateway, payment, captures);
  for (const capture of captures) {
    const { id: gatewayPaymentId, refundedMinor } = capture;
    const adopted = await observed({ step: 'adopt', payment: payment.id, object: gatewayPaymentId }, () =>
      transaction(db, (tx) => adopt(tx, gateway.name, payment, capture)),
    );
    if (adopted?.state === 'captured' && refundedMinor > 0n) {
      await importGatewayRefunds(db, gateway, { ...adopted, gatewayPaymentId });
    }
  }
}

/** Cancels the object that this payment has recorded, so that nothing captures it once another capture counts. */
async function cancelOwnObject(
  gateway: Gateway,
  payment: Owing,
  captures: readonly GatewayDebtPayment[],
): Promise<void> {
  const { gatewayPaymentId } = payment;
  if (gatewayPaymentId === null || captures.some(({ id }) => id === gatewayPaymentId)) return;
  const { status } = await cancelObject(gateway, payment, gatewayPaymentId);
  if (status !== 'canceled')
    throw new GatewayError('outcome_unknown', 'The gateway has captured this payment meanwhile.');
}

/**
 * Adopts one capture in one transaction, repeatable. A hold refuses what would end a running payment as failed.
 * @returns the payment that has the capture from now on; null when none was written, because the books have the capture already or only a
 * person can decide what it is for
 * @throws ApiError charges_held
 */
export async function adopt(
  tx: Tx,
  gateway: string,
  { companyId, invoiceId }: Owing,
  capture: GatewayDebtPayment,
): Promise<Payment | null> {
  const invoice = await lockInvoiceToCharge(tx, companyId, invoiceId);
  await lockCompany(tx, companyId);
  const holder = await selectPaymentOfObject(tx, companyId, { gateway, gatewayPaymentId: capture.id });
  const live = await selectLivePayment(tx, companyId, invoiceId);
  if (holder?.state === 'captured' || holder?.state === 'needs_review') return null;
  if (holder?.state === 'failed') return reviewFailed(tx, holder, live, capture);
  if (live?.state === 'captured' || live?.state === 'needs_review') {
    const message = `The gateway captured ${describe(capture)} of the same debt beside this payment: refund it there.`;
    await alertOnce(tx, companyId, { kind: 'payment_mismatch', payment: live, message });
    return null;
  }
  if (live !== null && (live.id === capture.reference || live.id === holder?.id)) return takeOver(tx, live, capture);
  if (live !== null) await supersede(tx, live);
  return insert(tx, gateway, { companyId, invoiceId, invoice }, capture);
}

/** The capture belongs to the running payment, whose own object was not recorded or is canceled. */
async function takeOver(tx: Tx, live: Payment, capture: GatewayDebtPayment): Promise<Payment> {
  const { companyId, id } = live;
  await recordObject(tx, companyId, id, { gatewayPaymentId: capture.id, sequence: capture.sequence });
  await writeCaptured(tx, live, capture);
  return (await selectPaymentOfObject(tx, companyId, { gateway: live.gateway, gatewayPaymentId: capture.id })) ?? live;
}

async function supersede(tx: Tx, live: Payment): Promise<void> {
  const { companyId, id } = live;
  await assertNotHeld(tx);
  if (!(await markSuperseded(tx, companyId, id))) return;
  await returnCredit(tx, companyId, live);
  await recordPaymentEvent(tx, live, 'payment.failed');
}

/** The protocol prevents this case: an object of a failed payment is canceled first. The running payment goes under review. */
async function reviewFailed(tx: Tx, failed: Payment, live: Payment | null, capture: GatewayDebtPayment): Promise<null> {
  const { companyId } = failed;
  const message = `The gateway captured ${describe(capture)} after this payment had failed here: refund it.`;
  const kind = 'payment_captured_after_failure';
  await alertOnce(tx, companyId, { kind, payment: failed, message });
  if (live !== null && (await markNeedsReview(tx, companyId, live.id)) !== null) {
    const reason = `Not charged: the gateway captured ${describe(capture)} of the same debt before. Refund that first.`;
    await alertOnce(tx, companyId, { kind: 'payment_mismatch', payment: live, message: reason });
    await recordPaymentEvent(tx, live, 'payment.needs_review');
  }
  return null;
}

type Owed = { companyId: string; invoiceId: string; invoice: InvoiceToCharge };

/**
 * Writes the payment as captured when the capture and the credit that its object names make up the amount due, and the credit is still
 * there. In every other case the payment goes under review.
 */
async function insert(
  tx: Tx,
  gateway: string,
  { companyId, invoiceId, invoice }: Owed,
  capture: GatewayDebtPayment,
): Promise<Payment> {
  const { currency, method, isVoided } = invoice;
  const dueMinor = toMinor(toDecimal(invoice.amountDue), currency);
  const creditMinor = /^\d{1,18}$/.test(capture.details.creditMinor ?? '')
    ? BigInt(capture.details.creditMinor ?? '')
    : 0n;
  const hasCredit = creditMinor <= (await creditToConsume(tx, companyId, { dueMinor, currency }));
  const takenMinor = capture.capturedAmountMinor ?? 0n;
  const isWhatIsDue = takenMinor + creditMinor === dueMinor && capture.capturedCurrency === currency;
  const isExact = isWhatIsDue && hasCredit && !isVoided;
  if (invoice.status === 'Failed') await reopenInvoice(tx, companyId, invoiceId);
  const payment = await insertAdopted(tx, companyId, {
    ...(await identify(tx, companyId, gateway, capture)),
    invoiceId,
    method,
    currency,
    ...(isExact
      ? { state: 'captured', amountMinor: takenMinor, creditMinor }
      : { state: 'needs_review', amountMinor: dueMinor, creditMinor: 0n }),
  });
  await recordPaymentMark(tx, companyId, payment);
  if (isExact) {
    await consumeCredit(tx, companyId, payment);
    await markInvoicePaid(tx, companyId, invoiceId, payment.id);
  } else {
    const due = `${dueMinor} ${currency} due${isVoided ? ' before it was voided' : ''}`;
    const credit = creditMinor === 0n ? '' : `, beside ${creditMinor} of credit`;
    const message = `The gateway captured ${describe(capture)}${credit} (minor units) for this invoice with ${due}.`;
    await alertOnce(tx, companyId, { kind: 'payment_mismatch', payment, message });
    await recordPaymentEvent(tx, payment, 'payment.needs_review');
  }
  return payment;
}

/**
 * Books a capture whose invoice another payment has paid or may pay: all of it becomes credit of the company. It is a part payment of
 * nothing, so it is not the invoice's live payment, and the question for the debt leaves it out.
 * @throws ApiError not_under_review when no other payment has captured anything; credit_currency_differs
 */
export async function acceptSecond(
  tx: Tx,
  gateway: string,
  { companyId, invoiceId }: Pick<Payment, 'companyId' | 'invoiceId'>,
  capture: GatewayDebtPayment,
): Promise<void> {
  const { currency, method } = await lockInvoiceToCharge(tx, companyId, invoiceId);
  const live = await selectLivePayment(tx, companyId, invoiceId);
  if (live?.state !== 'captured' && live?.state !== 'needs_review') {
    throw new ApiError(
      'not_under_review',
      'No other payment has paid the invoice. Charge the invoice, which finds the capture.',
    );
  }
  if (capture.capturedCurrency !== currency) {
    const message = `The gateway captured ${capture.capturedCurrency}, and the invoice is in ${currency}: refund it.`;
    throw new ApiError('credit_currency_differs', message);
  }
  const creditedMinor = capture.capturedAmountMinor ?? 0n;
  const payment = await insertAdopted(tx, companyId, {
    ...(await identify(tx, companyId, gateway, capture)),
    invoiceId,
    method,
    currency,
    state: 'captured',
    amountMinor: 0n,
    creditMinor: 0n,
    creditedMinor,
  });
  await recordMark(tx, companyId, { kind: 'payment_decision', subject: payment.id });
  await creditOverpayment(tx, companyId, payment, creditedMinor);
  await recordPaymentEvent(tx, payment, 'payment.captured');
}

/**
 * Writes a payment that runs, of an object that the books lack, or gives the object to the running payment that it was made for. What is
 * captured with it is compared with what is due, as of every payment.
 */
export async function writeRunning(
  tx: Tx,
  gateway: string,
  { companyId, invoiceId }: Pick<Payment, 'companyId' | 'invoiceId'>,
  { live, object }: { live: Payment | null; object: AdoptedObject },
): Promise<Payment> {
  const invoice = await lockInvoiceToCharge(tx, companyId, invoiceId);
  await lockCompany(tx, companyId);
  if (live !== null && live.id === object.reference) {
    await recordObject(tx, companyId, live.id, { gatewayPaymentId: object.id, sequence: object.sequence });
    return live;
  }
  if (live !== null) await supersede(tx, live);
  const { currency, method } = invoice;
  const dueMinor = toMinor(toDecimal(invoice.amountDue), currency);
  const namedMinor = BigInt(/^\d{1,18}$/.exec(object.details.creditMinor ?? '')?.[0] ?? 0);
  const hasCredit = namedMinor <= (await creditToConsume(tx, companyId, { dueMinor, currency }));
  const creditMinor = hasCredit ? namedMinor : 0n;
  if (invoice.status === 'Failed') await reopenInvoice(tx, companyId, invoiceId);
  const identity = await identify(tx, companyId, gateway, object);
  const amounts = { amountMinor: dueMinor - creditMinor, creditMinor };
  const payment = await insertAdopted(tx, companyId, {
    ...identity,
    invoiceId,
    method,
    currency,
    state: 'unknown',
    ...amounts,
  });
  await recordPaymentMark(tx, companyId, payment);
  await consumeCredit(tx, companyId, payment);
  return payment;
}

type AdoptedObject = Pick<GatewayDebtPayment, 'id' | 'reference' | 'sequence' | 'details'>;

/** The payment that an object becomes, here and at the gateway. */
async function identify(tx: Tx, companyId: string, gateway: string, capture: AdoptedObject) {
  return {
    id: await chooseId(tx, companyId, capture.reference),
    gateway,
    gatewayPaymentId: capture.id,
    sequence: capture.sequence,
    sourceId: readSource(capture),
  };
}

function readSource({ details: { sourceId } }: AdoptedObject): string | null {
  return sourceId !== undefined && isUuid(sourceId) ? sourceId : null;
}

/** Uses the id that the payment had, which clients know, if it is free. */
async function chooseId(tx: Tx, companyId: string, reference: string | null): Promise<string> {
  if (reference === null || !isUuid(reference) || (await isPaymentIdTaken(tx, companyId, reference))) return uuidv7();
  return reference;
}

function describe({ id, capturedAmountMinor, capturedCurrency }: GatewayDebtPayment): string {
  return `${capturedAmountMinor} ${capturedCurrency} with ${id}`;
}
