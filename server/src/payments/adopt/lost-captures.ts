import { type Gateway, type GatewayDebtPayment, GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { ConfiguredGateway, Gateways } from '../../gateways/gateways.ts';
import type { Db, Queryable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { selectGatewaysOf } from '../debt/debt.queries.ts';
import { askForDebt, readDebt } from '../debt/debt.ts';
import type { Payment } from '../payment/payment.ts';
import { adoptCaptures } from './adopt.ts';

/*
 * A capture that a restored database lacks may be at another gateway than the one that is charged now: the company has moved from one
 * to the other since, for example. So other gateways are asked for the debt before it is charged, before a payment fails, and before credit
 * alone settles it. One that gives no answer stops that, as the payment's own gateway does. Gateways that are no longer configured are
 * passed over: they can't be asked, and have captured nothing since.
 */

/** An answer that is older says nothing about what other processes have done since. A gateway's search alone may take half of it. */
const ANSWER_VALID_MS = 60_000;

/** What gateways said about a debt. */
export type AskedGateways = {
  kind: 'asked';
  names: readonly string[];
  /** When they were asked, on the monotonic clock. */
  askedAtMs: number;
  /** Whether one has captured the debt and not wholly refunded it. */
  isCaptured: boolean;
};

type Invoice = Pick<Payment, 'companyId' | 'invoiceId'>;
/** `gateway` is the one that will be charged and asked later; null when credit alone pays. */
type Intent = Invoice & Pick<Payment, 'creditMinor'> & { gateway: string | null };
/** What a gateway has captured of a debt. */
export type FoundCaptures = { gateway: Gateway; captures: GatewayDebtPayment[] };

/**
 * Lists the gateways that have to be asked before the invoice is charged or credit alone pays it: those where the company has a card or
 * account, or had one meanwhile. If credit pays and there is none, the database may have lost the first one, so all are asked.
 * @param asked - what was asked before
 * @throws ApiError payment_under_review when a capture could not be adopted; service_unavailable when the answer is too old
 */
export async function findUnasked(
  db: Queryable,
  { configured }: Gateways,
  { gateway, creditMinor, ...invoice }: Intent,
  asked: AskedGateways | null,
): Promise<readonly Gateway[]> {
  const others = configured.filter(({ name }) => name !== gateway);
  const isConfigured = gateway === null || others.length < configured.length;
  if (others.length === 0 || !isConfigured) return [];
  const known = await whereKnown(db, others, invoice);
  const isFirstLost = known.length === 0 && gateway === null && creditMinor > 0n;
  const toAsk = isFirstLost ? others : known;
  if (asked === null || toAsk.some(({ name }) => !asked.names.includes(name))) return toAsk;
  requireNoCapture(asked);
  return [];
}

/** Leaves out the gateways where the company has no card or account, and had none while the invoice was owed. */
async function whereKnown<One extends Gateway>(
  db: Queryable,
  gateways: readonly One[],
  { companyId, invoiceId }: Invoice,
): Promise<readonly One[]> {
  const names = await selectGatewaysOf(db, companyId, invoiceId);
  return gateways.filter(({ name }) => names.includes(name));
}

function requireNoCapture({ askedAtMs, isCaptured }: AskedGateways): void {
  if (isCaptured) {
    throw new ApiError(
      'payment_under_review',
      'A gateway has captured this invoice before; the operator has to review it.',
    );
  }
  if (performance.now() < askedAtMs + ANSWER_VALID_MS) return;
  const message = 'The payment gateway took too long to answer; nothing was taken.';
  throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5 });
}

/** A gateway gave no answer, so it is not known what it has captured. */
export type Unanswered = { kind: 'unanswered'; cause: GatewayError };

/**
 * Asks these gateways for the debt of an invoice without a live payment, and adopts what they captured of it before the database went back.
 */
export async function adoptLostCaptures(
  db: Db,
  invoice: Invoice,
  gateways: readonly Gateway[],
): Promise<AskedGateways | Unanswered> {
  const askedAtMs = performance.now();
  try {
    const found = await Promise.all(gateways.map((gateway) => ask(db, gateway, invoice)));
    await adoptEach(db, invoice, found);
    return { kind: 'asked', names: gateways.map(({ name }) => name), askedAtMs, isCaptured: found.some(isCapture) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: 'unanswered', cause: error };
  }
}

/** Captures of a payment's debt are in the books now: one of them ends the payment, or counts in its place. */
export type Adopted = { kind: 'adopted' };

/**
 * Asks for the debt once more, everywhere and by search too, which is slow at some gateways, and adopts what was captured of it.
 * @returns null when nothing was captured
 * @throws GatewayError; ApiError charges_held
 */
export async function adoptIfCaptured(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<Adopted | null> {
  const fromOthers = await adoptFromOthers(db, gateway, payment);
  if (fromOthers !== null) return fromOthers;
  const debt = await readDebt(db, payment);
  const { captures } = await askForDebt(gateway, payment, debt, { searches: true });
  if (captures.length === 0) return null;
  await adoptCaptures(db, gateway, payment, captures);
  return { kind: 'adopted' };
}

/**
 * Asks the other gateways for the payment's debt, and adopts what one of them has captured of it. Before that, the payment's own objects
 * are canceled, so that nothing captures them beside it.
 * @returns null when no other gateway has captured anything
 * @throws GatewayError `not_sent` when one gives no answer; ApiError charges_held
 */
export async function adoptFromOthers(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<Adopted | null> {
  const found = await askOthers(db, gateway, payment);
  if (!found.some(isCapture)) return null;
  await adoptEach(db, payment, [await ask(db, gateway, payment), ...found]);
  return { kind: 'adopted' };
}

/** Asks the other gateways that may have captured the payment's debt. @throws GatewayError as above */
export async function askOthers(
  db: Db,
  { others }: ConfiguredGateway,
  payment: Payment,
): Promise<readonly FoundCaptures[]> {
  if (others.length === 0) return [];
  const known = await whereKnown(db, others, payment);
  return Promise.all(
    known.map((other) => ask(db, other, payment).catch((error) => waitForOther(db, payment, other, error))),
  );
}

/** The charge waits until the other gateway answers, as it does for its own. */
async function waitForOther(db: Db, payment: Payment, { name }: Gateway, error: unknown): Promise<never> {
  if (!(error instanceof GatewayError)) throw error;
  await alertOutage(db, { ...payment, gateway: name }, error.kind);
  throw new GatewayError('not_sent', 'Another gateway gives no answer about the debt.', { cause: error });
}

/** Asks one gateway for the invoice's debt, and cancels every open object of it there. @throws GatewayError */
async function ask(db: Db, gateway: Gateway, { companyId, invoiceId }: Invoice): Promise<FoundCaptures> {
  const noPayment = { gateway: gateway.name, cardId: null, paypalAccountId: null, creditMinor: 0n };
  const debt = await readDebt(db, { companyId, invoiceId, ...noPayment });
  const { captures } = await askForDebt(gateway, { gatewayPaymentId: null }, debt, { searches: true });
  return { gateway, captures };
}

async function adoptEach(db: Db, { companyId, invoiceId }: Invoice, found: readonly FoundCaptures[]): Promise<void> {
  const invoice = { companyId, invoiceId, gatewayPaymentId: null };
  for (const { gateway, captures } of found) await adoptCaptures(db, gateway, invoice, captures);
}

/** Whether it has captured something. */
export function isCapture({ captures }: FoundCaptures): boolean {
  return captures.length > 0;
}
