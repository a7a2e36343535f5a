import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { lockInvoiceToCharge } from '../../../billing/invoices/invoices.service.ts';
import type { Gateway, GatewayPaymentRefund } from '../../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../../platform/database/database.ts';
import { issueMissingCreditNote } from './credit.ts';
import {
  hastenRefunds,
  insertRefund,
  isRefundIdTaken,
  type NewRefund,
  type RefundablePayment,
  selectKnownRefund,
  selectPaymentToRefund,
  selectRefund,
} from './refunds.queries.ts';
import { recordRefund, succeedRefund } from './settle.ts';

/** Why it was given back: gateways hardly say. */
const REASON = 'Given back at the gateway';

export type ReflectedPayment = { companyId: string; id: string; invoiceId: string; gatewayPaymentId: string };

/**
 * - `recorded`, `known`: every refund that the gateway has is one of ours now, or was before.
 * - `undecided`: a refund of ours has no outcome yet, and whether there was room for both shows when it has.
 * - `disputed`: there is room for it only if a dispute has given back what it took.
 * - `impossible`: it can't be one of this payment (more than it took, another currency, one that had failed here).
 */
export type Reflection = 'recorded' | 'known' | 'undecided' | 'disputed' | 'impossible';

/**
 * Records the refunds of a captured payment that were made at the gateway, as the gateway lists them: each once, with its credit note
 * and its postings in one transaction, however often and from however many places at once it is called.
 * @throws GatewayError when the gateway does not tell
 */
export async function importGatewayRefunds(db: Db, gateway: Gateway, payment: ReflectedPayment): Promise<Reflection> {
  const found = await gateway.listRefundsOf(payment.gatewayPaymentId);
  let result: Reflection = 'known';
  for (const entry of found) {
    const reflection = await transaction(db, (tx) => reflectRefund(tx, gateway.name, payment, entry));
    if (reflection !== 'known' && (result === 'known' || result === 'recorded')) result = reflection;
  }
  return result;
}

async function reflectRefund(
  tx: Tx,
  gateway: string,
  { companyId, id: paymentId, invoiceId }: ReflectedPayment,
  entry: GatewayPaymentRefund,
): Promise<Reflection> {
  const { id: gatewayRefundId, reference, amountMinor, currency, details } = entry;
  // An own refund is written under this lock before the gateway hears of it: what is not there now is not ours.
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const known = await selectKnownRefund(tx, companyId, {
    ...{ paymentId, gateway, gatewayRefundId, reference },
    key: details.key ?? null,
  });
  if (known !== null) return known.state === 'failed' ? 'impossible' : 'known';
  const payment = await selectPaymentToRefund(tx, companyId, paymentId);
  if (payment.state !== 'captured' || payment.currency !== currency) return 'impossible';
  const obstacle = await findObstacle(tx, companyId, paymentId, payment, amountMinor);
  if (obstacle !== null) return obstacle;

  const origin = await readOrigin(tx, companyId, payment, entry);
  const creditNoteId = await issueMissingCreditNote(tx, payment, amountMinor + origin.creditMinor, origin.reason);
  const { id } = origin;
  await insertRefund(tx, companyId, {
    ...{ paymentId, invoiceId, creditNoteId, gateway, amountMinor, currency },
    ...origin,
  });
  const refund = await selectRefund(tx, companyId, id);
  await recordRefund(tx, refund, 'refund.created');
  await succeedRefund(tx, refund, gatewayRefundId);
  return 'recorded';
}

type Origin = Pick<NewRefund, 'id' | 'creditMinor' | 'reason' | 'source' | 'idempotencyKey'>;

/** One that was asked for here, and that the books have lost, is written down as it was; all else was made at the gateway. */
async function readOrigin(
  tx: Tx,
  companyId: string,
  payment: RefundablePayment,
  { reference, details }: GatewayPaymentRefund,
): Promise<Origin> {
  // PayPal has no room for the installation.
  const isAskedHere = details.installation !== undefined || details.key !== undefined;
  const isOurs = reference !== null && isUuid(reference) && isAskedHere;
  if (!isOurs || (await isRefundIdTaken(tx, companyId, reference))) {
    return { id: uuidv7(), creditMinor: 0n, reason: REASON, source: 'gateway', idempotencyKey: null };
  }
  const creditMinor = /^\d{1,18}$/.test(details.creditMinor ?? '') ? BigInt(details.creditMinor ?? '') : 0n;
  const fits = creditMinor <= payment.creditMinor - payment.refundedCreditMinor;
  return {
    id: reference,
    creditMinor: fits ? creditMinor : 0n,
    reason: details.reason || REASON,
    source: 'operator',
    idempotencyKey: details.key ?? null,
  };
}

/** The gateway gives back no more than it took, so what does not fit waits for something that is not known here yet. */
async function findObstacle(
  tx: Tx,
  companyId: string,
  paymentId: string,
  payment: RefundablePayment,
  amountMinor: bigint,
): Promise<Reflection | null> {
  const leftMinor = payment.amountMinor - payment.refundedMinor;
  if (amountMinor <= leftMinor - payment.withdrawnMinor) return null;
  if ((await hastenRefunds(tx, companyId, paymentId)) > 0) return 'undecided';
  return amountMinor <= leftMinor ? 'disputed' : 'impossible';
}
