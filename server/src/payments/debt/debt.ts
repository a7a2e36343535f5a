import { createHash } from 'node:crypto';
import { MAX_KEY_LENGTH } from '../../gateways/gateway/gateway.keys.ts';
import { MAX_DETAIL_LENGTH } from '../../gateways/gateway/gateway.metadata.ts';
import {
  type DebtRequest,
  type Gateway,
  type GatewayDebtPayment,
  GatewayError,
  type GatewayPayment,
  type PaymentDetails,
} from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { addDecimals, type Decimal, formatDecimal, toDecimal } from '../../platform/money/decimal.ts';
import { observed } from '../../platform/steps.ts';
import type { Payment } from '../payment/payment.ts';
import { selectDebt } from './debt.queries.ts';

/*
 * An invoice asks for a debt. The debt's name follows from what is owed, so a database that went back to an earlier state still has it.
 * The gateway did not go back, so it is asked for the debt before anything is sent and before anything is recorded as failed (decision
 * 0024).
 */

/** What the gateway is asked with, and what the payment's objects there say. */
export type Debt = { request: DebtRequest; details: PaymentDetails };

/** What the gateway has of a debt once no object of it is open there any more. */
export type DebtAnswer = {
  /** The captures that were not wholly refunded, the oldest first, without those that the books have as part payments. */
  captures: GatewayDebtPayment[];
  /** One more than the highest number that an object carries. */
  nextSequence: number;
  /** How many captures were wholly refunded, or are part payments. */
  capturesRefunded: number;
  /** When the gateway was asked, on the monotonic clock. */
  askedAtMs: number;
};

/** Each round cancels what the round before found open. More rounds follow only while other processes create objects. */
const MAX_ROUNDS = 10;

type ChargedPayment = Pick<
  Payment,
  'companyId' | 'invoiceId' | 'gateway' | 'cardId' | 'paypalAccountId' | 'creditMinor'
>;

/** Reads the debt that the payment is for. */
export async function readDebt(
  db: Queryable,
  { companyId, invoiceId, gateway, cardId, paypalAccountId, creditMinor }: ChargedPayment,
): Promise<Debt> {
  const row = await selectDebt(db, companyId, { invoiceId, gateway });
  const { debt, customer, installation, invoiceNumber, total, taxRate, usageLines } = row;
  const companyExternalId = row.companyExternalId ?? undefined;
  const usage = usageLines === null ? undefined : sumByPeriod(debt.slice(-7), JSON.parse(usageLines));
  const sourceId = cardId ?? paypalAccountId ?? undefined;
  return {
    request: {
      ...{ debt, companyId, customer, sourceTokens: JSON.parse(row.sourceTokens), known: JSON.parse(row.known) },
      owedSince: row.owedSince,
    },
    details: {
      ...{ installation, invoiceId, invoiceNumber, total, taxRate: joinFitting(taxRate.split(',')) },
      creditMinor: String(creditMinor),
      ...(companyExternalId === undefined ? {} : { companyExternalId }),
      ...(usage === undefined ? {} : { usage }),
      ...(sourceId === undefined ? {} : { sourceId }),
    },
  };
}

type Line = { amount: string; kind: string | null; period: { startAt: string; endAt: string } | null };

/** The sum of the lines for each month that they bill, the newest first. */
function sumByPeriod(month: string, lines: readonly Line[]): string {
  const sums = new Map<string, Decimal>();
  for (const { amount, kind, period } of lines) {
    if (kind !== 'usage' && kind !== 'adjustment') continue;
    const name = period === null ? month : monthOf(period);
    const sum = sums.get(name) ?? { coefficient: 0n, scale: 0 };
    sums.set(name, addDecimals(sum, toDecimal(amount)));
  }
  const parts = [...sums].sort(([one], [other]) => (one < other ? 1 : -1));
  return joinFitting(parts.map(([name, sum]) => `${name}:${formatDecimal(sum)}`));
}

/** As many whole texts as fit into a detail: some hundreds of tax rates, or years of months. */
function joinFitting(texts: readonly string[]): string {
  const joined = texts.join();
  return joined.length <= MAX_DETAIL_LENGTH ? joined : joined.slice(0, joined.lastIndexOf(',', MAX_DETAIL_LENGTH));
}

/** The middle of the period is within the month in every time zone. */
function monthOf({ startAt, endAt }: { startAt: string; endAt: string }): string {
  return new Date((Date.parse(startAt) + Date.parse(endAt)) / 2).toISOString().slice(0, 7);
}

/**
 * Returns the key of a step for the debt's object with this number, the same for every process. It has a hash in place of a debt's name
 * that is too long or has characters that a header does not allow.
 */
export function keyOf(
  debt: string,
  sequence: number,
  step: 'create' | 'confirm' | 'skip' | `create-${number}`,
): string {
  const key = `${debt}-${sequence}-${step}`;
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  return `debt-${createHash('sha256').update(debt).digest('base64url')}-${sequence}-${step}`;
}

/** What the gateway has of a debt, and when it was asked, on the monotonic clock. */
export type DebtObjects = { objects: GatewayDebtPayment[]; askedAtMs: number };
/** `searches`: as in a `DebtRequest`. `firstDebtAnswer`: the answer to a request that was sent already. */
type AskOptions = { searches?: boolean; firstDebtAnswer?: Promise<DebtObjects> | undefined };

/** The payment for which the gateway is asked, or an invoice without one. */
type MaybePayment = { id?: string };

/** Asks once, and changes nothing. @throws GatewayError */
export async function listObjects(
  gateway: Gateway,
  { id: payment }: MaybePayment,
  request: DebtRequest,
): Promise<DebtObjects> {
  const askedAtMs = performance.now();
  const objects = await observed(
    { step: 'ask', debt: request.debt, payment },
    () => gateway.listPaymentsOfDebt(request),
    (all) => ({
      found: all.map((object) => ({ id: object.id, status: statusOf(request, object), sequence: object.sequence })),
    }),
  );
  return { objects, askedAtMs };
}

function statusOf(request: DebtRequest, object: GatewayDebtPayment): string {
  const isSettled = !isKept(object) || isPartPayment(request, object);
  return object.status === 'captured' && isSettled ? 'returned' : object.status;
}

/**
 * Asks the gateway for all objects of the debt. It cancels those that are open there, except the one that the payment has recorded, so
 * that nothing captures them later, and then asks again.
 * @throws GatewayError never `rejected`: none of these requests is the payment itself
 */
export async function askForDebt(
  gateway: Gateway,
  payment: MaybePayment & Pick<Payment, 'gatewayPaymentId'>,
  { request }: Debt,
  { searches = false, firstDebtAnswer }: AskOptions = {},
): Promise<DebtAnswer> {
  try {
    let answer = firstDebtAnswer;
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      answer ??= listObjects(gateway, payment, searches ? { ...request, searches } : request);
      const { objects, askedAtMs } = await answer;
      answer = undefined;
      const captures = objects.filter((object) => isKept(object) && !isPartPayment(request, object));
      const isOnItsWay = ({ id, status }: GatewayDebtPayment) =>
        status === 'processing' && id !== payment.gatewayPaymentId;
      if (objects.some(isOnItsWay))
        throw new GatewayError('outcome_unknown', 'A debit of the debt is on its way, and can’t be canceled.');
      const open = objects.filter(({ id, status }) => isOpen(status) && id !== payment.gatewayPaymentId);
      if (open.length === 0) {
        const capturesRefunded = objects.filter(({ status }) => status === 'captured').length - captures.length;
        const nextSequence = 1 + Math.max(0, ...objects.map(({ sequence }) => sequence ?? 0));
        return { captures, nextSequence, capturesRefunded, askedAtMs };
      }
      for (const { id } of open) await cancelObject(gateway, payment, id);
      failpoint('after_closing');
    }
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    throw new GatewayError('outcome_unknown', 'The gateway does not answer which objects of the debt it has.', {
      cause: error,
    });
  }
  throw new GatewayError('outcome_unknown', 'The gateway keeps listing new objects of the debt.');
}

/** G3: closes an object, so that nothing captures it later. @throws GatewayError */
export async function cancelObject(
  gateway: Gateway,
  { id: payment }: MaybePayment,
  object: string,
): Promise<GatewayPayment> {
  return observed({ step: 'cancel', payment, object }, () => gateway.cancelPayment(object), toOutcome);
}

/** Reads an object that a payment has recorded; null when the gateway knows none. @throws GatewayError */
export async function findObject(gateway: Gateway, payment: string, object: string): Promise<GatewayPayment | null> {
  return observed(
    { step: 'find', payment, object },
    () => gateway.findPayment(object),
    (found) => (found === null ? { error: 'unknown_object' } : toOutcome(found)),
  );
}

/** What a test is told of the gateway's answer. */
export function toOutcome({ status }: GatewayPayment): object {
  return { outcome: status };
}

function isKept({ status, capturedAmountMinor, refundedMinor }: GatewayDebtPayment): boolean {
  return status === 'captured' && refundedMinor < (capturedAmountMinor ?? 0n);
}

/** A person has accepted the capture as a part of what was due. The amount due is without it. */
function isPartPayment({ known }: DebtRequest, { id }: GatewayDebtPayment): boolean {
  return known.some(({ gatewayPaymentId, isPart }) => isPart === true && gatewayPaymentId === id);
}

function isOpen(status: GatewayDebtPayment['status']): boolean {
  return status === 'created' || status === 'requires_action' || status === 'declined';
}
