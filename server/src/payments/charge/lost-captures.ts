import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { adoptCaptures } from '../record/adopt.ts';
import { askForDebt, readDebt } from '../record/debt.ts';

/** An answer that is older says nothing about what other processes have done since. PayPal's search alone may take half of it. */
const ANSWER_VALID_MS = 60_000;

/** What gateways said about a debt. */
export type AskedGateways = {
  /** When the first of them was asked, on the monotonic clock. */
  askedAtMs: number;
  /** Whether one has captured the debt and not wholly refunded it. */
  isCaptured: boolean;
};

/**
 * Asks gateways for the debt of an invoice that needs no charge, and adopts what they captured of it before the database went back. A
 * gateway that is no longer configured is passed over: it can't be asked, and has captured nothing since.
 * @throws ApiError service_unavailable when one gives no answer
 */
export async function adoptLostCaptures(
  { db, gateways }: { db: Db; gateways: Gateways },
  { companyId, invoiceId }: { companyId: string; invoiceId: string },
  names: readonly string[],
): Promise<AskedGateways> {
  const askedAtMs = performance.now();
  const invoice = { companyId, invoiceId, gatewayPaymentId: null };
  let isCaptured = false;
  for (const gateway of gateways.configured.filter(({ name }) => names.includes(name))) {
    const noPayment = { gateway: gateway.name, cardId: null, paypalAccountId: null, creditMinor: 0n };
    const debt = await readDebt(db, { ...invoice, ...noPayment });
    try {
      const { captures } = await askForDebt(gateway, invoice, debt, { searches: true });
      await adoptCaptures(db, gateway, invoice, captures);
      isCaptured ||= captures.length > 0;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const message = 'The payment gateway gives no answer about earlier payments of the invoice; nothing was taken.';
      throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
    }
  }
  return { askedAtMs, isCaptured };
}

/** @throws ApiError payment_under_review when a capture could not be adopted; service_unavailable when the answer is too old */
export function requireNoCapture({ askedAtMs, isCaptured }: AskedGateways): void {
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
