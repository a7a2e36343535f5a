/**
 * Converts amounts between ISO 4217's minor units and Stripe's, which differ for some currencies (https://docs.stripe.com/currencies).
 * Both directions are exact: an amount that can't be converted exactly is rejected, never rounded.
 */
import { minorUnitDigits } from '../../../platform/money/currencies.ts';
import { GatewayError } from '../../gateway/gateway.ts';

/** The number of Stripe's decimals where it differs from ISO 4217's. */
const STRIPE_DIGITS: Readonly<Record<string, number>> = {
  // It has no decimals, but Stripe keeps two for older integrations.
  ISK: 2,
  // ISO 4217 gives it two decimals, because its subunit is a fifth.
  MGA: 0,
};
/** Stripe's documentation gives it no decimals in one place and two in another. A wrong guess would be off by a factor of 100. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['UGX']);
/** Stripe counts three decimals but charges only two: the last digit must be 0. */
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Converts ISO 4217's minor units to Stripe's. @throws GatewayError `rejected` for an amount that Stripe can't charge */
export function toStripeAmount(amountMinor: bigint, currency: string): number {
  const { up, down } = scaleOf(currency);
  const scaled = amountMinor * up;
  const amount = scaled / down;
  const isExact = scaled % down === 0n && !(THREE_DECIMALS.has(currency) && amount % 10n !== 0n);
  if (AMBIGUOUS.has(currency) || !isExact || amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new GatewayError('rejected', `Stripe can't charge this amount of ${currency}.`);
  }
  return Number(amount);
}

/** Converts Stripe's units to ISO 4217's minor units. @throws GatewayError `outcome_unknown` for an amount that can't exist */
export function fromStripeAmount(amount: number, currency: string): bigint {
  const { up, down } = scaleOf(currency);
  const scaled = BigInt(amount) * down;
  if (scaled % up !== 0n) {
    throw new GatewayError('outcome_unknown', `The amount that Stripe took is not valid in ${currency}.`);
  }
  return scaled / up;
}

/** An unknown currency keeps Stripe's count. It can't be confused with a currency that Paydesk charges. */
function scaleOf(currency: string): { up: bigint; down: bigint } {
  const stripeDigits = STRIPE_DIGITS[currency];
  if (stripeDigits === undefined) return { up: 1n, down: 1n };
  const difference = stripeDigits - minorUnitDigits(currency);
  return difference >= 0 ? { up: 10n ** BigInt(difference), down: 1n } : { up: 1n, down: 10n ** BigInt(-difference) };
}
