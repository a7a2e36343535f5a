import { validate as isUuid } from 'uuid';
import { type LostNote, lockInvoiceToCharge } from '../../../billing/invoices/invoices.service.ts';
import { recordMark } from '../../../continuity/journal/journal.service.ts';
import type { Gateway, GatewayPaymentRefund, RefundDetails } from '../../../gateways/gateway/gateway.ts';
import { type Db, type Tx, transaction } from '../../../platform/database/database.ts';
import { deriveId } from '../../../platform/derive-id.ts';
import { issueMissingCreditNote } from './credit.ts';
import {
  expediteRefundChecks,
  hasCreditNote,
  insertRefund,
  isRefundIdTaken,
  type NewRefund,
  type RefundablePayment,
  selectKnownRefund,
  selectPaymentToRefund,
} from './refunds.queries.ts';
import { recordRefund, succeedRefund } from './settle-refund.ts';

/** Why it was refunded: gateways rarely say. */
const REASON = 'Given back at the gateway';

export type PaymentAtGateway = { companyId: string; id: string; invoiceId: string; gatewayPaymentId: string };

/**
 * - `recorded`, `known`: every refund that the gateway has is one of ours now, or was before.
 * - `undecided`: a refund of ours has no outcome yet, and its outcome decides whether there is room for both.
 * - `disputed`: there is room for it only if a dispute has returned what it took.
 * - `impossible`: it cannot be a refund of this payment (more than it took, another currency, one that had failed here).
 */
export type ImportResult = 'recorded' | 'known' | 'undecided' | 'disputed' | 'impossible';

/**
 * Records the refunds of a captured payment that were made at the gateway: each once, with its credit note and its postings in one
 * transaction, however often it is called and by how many processes.
 * @throws GatewayError when the gateway does not list them
 */
export async function importGatewayRefunds(db: Db, gateway: Gateway, payment: PaymentAtGateway): Promise<ImportResult> {
  const found = await gateway.listRefundsOf(payment.gatewayPaymentId);
  let result: ImportResult = 'known';
  for (const entry of found) {
    const imported = await transaction(db, (tx) => importRefund(tx, gateway.name, payment, entry));
    if (imported !== 'known' && (result === 'known' || result === 'recorded')) result = imported;
  }
  return result;
}

/**
 * Records one refund of a captured payment, unless it is known.
 * @param findNote - by the refund's id, the credit note that it had before the database went back, if that is here again
 */
export async function importRefund(
  tx: Tx,
  gateway: string,
  { companyId, id: paymentId, invoiceId }: PaymentAtGateway,
  entry: GatewayPaymentRefund,
  findNote: (id: string) => Promise<string | null> = async () => null,
): Promise<ImportResult> {
  const { id: gatewayRefundId, reference, amountMinor, currency, details } = entry;
  // A refund of ours is written under this lock before the gateway receives it, so one that is missing now is not ours.
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const known = await selectKnownRefund(tx, companyId, {
    ...{ paymentId, gateway, gatewayRefundId, reference },
    key: details.key ?? null,
  });
  if (known !== null) return known.state === 'failed' ? 'impossible' : 'known';
  const payment = await selectPaymentToRefund(tx, companyId, paymentId);
  if (payment.state !== 'captured' || payment.isPartOfUnpaid || payment.currency !== currency) return 'impossible';
  const obstacle = await findObstacle(tx, companyId, paymentId, payment, amountMinor);
  if (obstacle !== null) return obstacle;

  const origin = await readOrigin(tx, companyId, payment, { ...entry, gateway });
  const { id, creditMinor, reason } = origin;
  const lost = readLostNote(origin, details);
  const isNoteHere = lost !== null && (await hasCreditNote(tx, companyId, { invoiceId, id: lost.id }));
  const request = { totalMinor: amountMinor + creditMinor, reason, lost };
  const newNoteId = isNoteHere ? lost.id : await issueMissingCreditNote(tx, payment, request);
  const creditNoteId = newNoteId ?? (await findNote(id));
  await insertRefund(tx, companyId, {
    ...{ paymentId, invoiceId, creditNoteId, gateway, amountMinor, currency },
    ...origin,
  });
  await recordMark(tx, companyId, { mark: id, kind: 'refund', subject: id });
  const refund = await recordRefund(tx, { companyId, id }, 'refund.created');
  await succeedRefund(tx, refund, gatewayRefundId);
  return 'recorded';
}

type Origin = Pick<NewRefund, 'id' | 'creditMinor' | 'reason' | 'source' | 'idempotencyKey'>;

/**
 * A refund that was requested here and that the books have lost is written as it was; every other one was made at the gateway, and gets the
 * same id whenever it is recorded.
 */
async function readOrigin(
  tx: Tx,
  companyId: string,
  payment: RefundablePayment,
  {
    id: refundId,
    gateway,
    gatewayPaymentId,
    reference,
    createdAt,
    details,
  }: GatewayPaymentRefund & { gateway: string },
): Promise<Origin> {
  // Some gateways have no field for the installation.
  const isRequestedHere = details.installation !== undefined || details.key !== undefined;
  const isOurs = reference !== null && isUuid(reference) && isRequestedHere;
  if (!isOurs || (await isRefundIdTaken(tx, companyId, reference))) {
    const id = deriveId(`refund:${companyId}:${gateway}:${gatewayPaymentId}:${refundId}`, createdAt);
    return { id, creditMinor: 0n, reason: REASON, source: 'gateway', idempotencyKey: null };
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

/** The credit note that was issued with a refund which the books have lost. */
function readLostNote({ source }: Origin, { creditNoteId, creditNoteNumber }: RefundDetails): LostNote | null {
  if (source === 'gateway' || creditNoteId === undefined || !isUuid(creditNoteId)) return null;
  return { id: creditNoteId.toLowerCase(), number: creditNoteNumber ?? null };
}

/** The gateway refunds no more than it took, so a refund that does not fit waits for something that the books lack. */
async function findObstacle(
  tx: Tx,
  companyId: string,
  paymentId: string,
  payment: RefundablePayment,
  amountMinor: bigint,
): Promise<ImportResult | null> {
  const leftMinor = payment.amountMinor - payment.refundedMinor;
  if (amountMinor <= leftMinor - payment.withdrawnMinor) return null;
  if ((await expediteRefundChecks(tx, companyId, paymentId)) > 0) return 'undecided';
  return amountMinor <= leftMinor ? 'disputed' : 'impossible';
}
