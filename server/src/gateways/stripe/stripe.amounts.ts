/**
 * Amounts as Stripe counts them, which is not always by ISO 4217's minor unit (https://docs.stripe.com/currencies). Both directions
 * are exact: what can't be said exactly is refused, never rounded.
 */
import { minorUnitDigits } from '../../platform/money/currencies.ts';
import { GatewayError } from '../gateway/gateway.ts';

/** How many decimals Stripe counts where ISO 4217 counts others. */
const STRIPE_DIGITS: Readonly<Record<string, number>> = {
  // Without decimals, but counted with two for the sake of older integrations.
  ISK: 2,
  // ISO counts two decimals for its fifths.
  MGA: 0,
};
/** Stripe's documentation counts it without decimals in one place and with two in another: a guess might be off by a hundred times. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['UGX']);
/** Charged with two decimals though counted with three: the last digit has to be 0. */
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** What to ask of Stripe for an amount in ISO 4217's minor units. @throws GatewayError rejected, for what Stripe can't charge */
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

/** What Stripe's amount is in ISO 4217's minor units. @throws GatewayError outcome_unknown, for what is no such amount */
export function fromStripeAmount(amount: number, currency: string): bigint {
  const { up, down } = scaleOf(currency);
  const scaled = BigInt(amount) * down;
  if (scaled % up !== 0n) {
    throw new GatewayError('outcome_unknown', `The amount that Stripe took is none of ${currency}.`);
  }
  return scaled / up;
}

/** A currency that is unknown to us is counted as Stripe does; it never equals one that we asked for. */
function scaleOf(currency: string): { up: bigint; down: bigint } {
  const stripeDigits = STRIPE_DIGITS[currency];
  if (stripeDigits === undefined) return { up: 1n, down: 1n };
  const difference = stripeDigits - minorUnitDigits(currency);
  return difference >= 0 ? { up: 10n ** BigInt(difference), down: 1n } : { up: 1n, down: 10n ** BigInt(-difference) };
}
