import { createHash } from 'node:crypto';
import {
  type DebtRequest,
  type Gateway,
  type GatewayDebtPayment,
  GatewayError,
  type PaymentDetails,
} from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { addDecimals, type Decimal, formatDecimal, toDecimal } from '../../platform/money/decimal.ts';
import { selectDebt } from './debt.queries.ts';
import type { Payment } from './payment.ts';

/*
 * What is owed is a debt. Its name follows from what is owed, so a database that went back has it still, and the gateway, which did
 * not go back, is asked by it before anything is sent and before anything is written down as failed (decision 0024).
 */

/** What the gateway is asked by, and what the payment's objects there say. */
export type Debt = { request: DebtRequest; details: PaymentDetails };

/** What the gateway has of a debt when nothing of it is open there any more. */
export type DebtAnswer = {
  /** The objects by which money was taken, and of which some was kept, the oldest first. */
  captures: GatewayDebtPayment[];
  /** One more than the highest that an object carries. */
  nextSequence: number;
  /** How many captures were wholly given back. */
  capturesGivenBack: number;
  /** When it was asked, on the monotonic clock. */
  askedAtMs: number;
};

/** Each round cancels what the one before has shown to be open. More come only while somebody else makes objects. */
const MAX_ROUNDS = 10;
/** PayPal takes request ids of 108 characters, Stripe keys of 255. */
const MAX_KEY_LENGTH = 108;
/** An object's details have 500 characters: so many months of late usage fit beside the billed one. */
const MAX_USAGE_LENGTH = 500;

type ChargedPayment = Pick<
  Payment,
  'companyId' | 'invoiceId' | 'gateway' | 'cardId' | 'paypalAccountId' | 'creditMinor'
>;

/** The debt that the payment is for. */
export async function readDebt(
  db: Queryable,
  { companyId, invoiceId, gateway, cardId, paypalAccountId, creditMinor }: ChargedPayment,
): Promise<Debt> {
  const row = await selectDebt(db, companyId, { invoiceId, gateway });
  const { debt, customer, installation, invoiceNumber, total, taxRate, usageLines } = row;
  const usage = usageLines === null ? undefined : sumByPeriod(debt.slice(-7), JSON.parse(usageLines));
  const sourceId = cardId ?? paypalAccountId ?? undefined;
  return {
    request: {
      ...{ debt, companyId, customer, sourceTokens: JSON.parse(row.sourceTokens), known: JSON.parse(row.known) },
      owedSince: row.owedSince,
    },
    details: {
      ...{ installation, invoiceId, invoiceNumber, total, taxRate, creditMinor: String(creditMinor) },
      ...(usage === undefined ? {} : { usage }),
      ...(sourceId === undefined ? {} : { sourceId }),
    },
  };
}

type Line = { amount: string; kind: string | null; period: { startAt: string; endAt: string } | null };

/** What the lines take, by the month that they bill; the newest ones if there are more than fit. */
function sumByPeriod(month: string, lines: readonly Line[]): string {
  const sums = new Map<string, Decimal>();
  for (const { amount, kind, period } of lines) {
    if (kind !== 'usage' && kind !== 'adjustment') continue;
    const name = period === null ? month : monthOf(period);
    const sum = sums.get(name) ?? { coefficient: 0n, scale: 0 };
    sums.set(name, addDecimals(sum, toDecimal(amount)));
  }
  const parts = [...sums].sort(([one], [other]) => (one < other ? 1 : -1));
  const texts = parts.map(([name, sum]) => `${name}:${formatDecimal(sum)}`);
  while (texts.join().length > MAX_USAGE_LENGTH) texts.pop();
  return texts.join();
}

/** Whatever its time zone, its middle is in it. */
function monthOf({ startAt, endAt }: { startAt: string; endAt: string }): string {
  return new Date((Date.parse(startAt) + Date.parse(endAt)) / 2).toISOString().slice(0, 7);
}

/** The key of a step of the debt's object of this number, the same for whoever asks; of what is too long or no header takes, a hash. */
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
/** `searches`: as in a `DebtRequest`. `firstAnswer`: of a question that is on its way already. */
type AskOptions = { searches?: boolean; firstAnswer?: Promise<DebtObjects> | undefined };

/** Asks once, and changes nothing. @throws GatewayError */
export async function listObjects(gateway: Gateway, request: DebtRequest): Promise<DebtObjects> {
  const askedAtMs = performance.now();
  return { objects: await gateway.listPaymentsOfDebt(request), askedAtMs };
}

/**
 * Asks the gateway for all objects of the debt. What is open there, and not the one that the payment has written down, is canceled, so
 * that nobody captures it later, and the gateway is asked again.
 * @throws GatewayError never `rejected`: nothing that is asked for here is the payment itself
 */
export async function askForDebt(
  gateway: Gateway,
  { gatewayPaymentId }: Pick<Payment, 'gatewayPaymentId'>,
  { request }: Debt,
  { searches = false, firstAnswer }: AskOptions = {},
): Promise<DebtAnswer> {
  try {
    let answer = firstAnswer;
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      answer ??= listObjects(gateway, searches ? { ...request, searches } : request);
      const { objects, askedAtMs } = await answer;
      answer = undefined;
      const captures = objects.filter(isKept);
      const open = objects.filter(({ id, status }) => isOpen(status) && id !== gatewayPaymentId);
      if (open.length === 0) {
        const capturesGivenBack = objects.filter(({ status }) => status === 'captured').length - captures.length;
        const nextSequence = 1 + Math.max(0, ...objects.map(({ sequence }) => sequence ?? 0));
        return { captures, nextSequence, capturesGivenBack, askedAtMs };
      }
      for (const { id } of open) await gateway.cancelPayment(id);
      failpoint('after_closing');
    }
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    throw new GatewayError('outcome_unknown', 'The gateway does not say what it has of the debt.', { cause: error });
  }
  throw new GatewayError('outcome_unknown', 'The gateway has ever new objects of the debt.');
}

function isKept({ status, capturedAmountMinor, refundedMinor }: GatewayDebtPayment): boolean {
  return status === 'captured' && refundedMinor < (capturedAmountMinor ?? 0n);
}

function isOpen(status: GatewayDebtPayment['status']): boolean {
  return status === 'created' || status === 'declined';
}
