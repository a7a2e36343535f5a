/**
 * Converts amounts to and from PayPal's decimals (https://developer.paypal.com/api/rest/reference/currency-codes/), which are fewer than
 * ISO 4217's for some currencies. Both directions are exact: an amount that can't be converted exactly is rejected, never rounded.
 */
import { minorUnitDigits } from '../../../platform/money/currencies.ts';
import { GatewayError } from '../../gateway/gateway.ts';

/** The currencies that PayPal accepts, by their number of decimals. PayPal also lists RUB, but pays nobody in it. */
const CODES_BY_DIGITS = {
  0: 'HUF JPY TWD',
  2: 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD',
};
const digitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DIGITS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
);

export type PayPalAmount = { currencyCode: string; value: string };

/** Converts ISO 4217's minor units to PayPal's decimals. @throws GatewayError `rejected` for an amount that PayPal can't charge */
export function toPayPalAmount(amountMinor: bigint, currency: string): PayPalAmount {
  const digits = digitsByCode.get(currency);
  if (digits === undefined) throw new GatewayError('rejected', `PayPal takes no payments in ${currency}.`);
  const scale = 10n ** BigInt(minorUnitDigits(currency) - digits);
  // PayPal allows at most 32 characters.
  if (amountMinor <= 0n || amountMinor % scale !== 0n || amountMinor >= 10n ** 18n) {
    throw new GatewayError('rejected', `PayPal can't charge this amount of ${currency}.`);
  }
  const units = (amountMinor / scale).toString().padStart(digits + 1, '0');
  const value = digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
  return { currencyCode: currency, value };
}

/** Converts PayPal's decimals to ISO 4217's minor units. @throws GatewayError `outcome_unknown` for an invalid amount */
export function fromPayPalAmount(value: string, currency: string): bigint {
  const [, units = '', fraction = ''] = /^(\d{1,18})(?:\.(\d{1,6}))?$/.exec(value) ?? [];
  const digits = digitsByCode.has(currency) ? minorUnitDigits(currency) : fraction.length;
  const isExact = units !== '' && /^0*$/.test(fraction.slice(digits));
  if (!isExact) throw new GatewayError('outcome_unknown', `PayPal's amount is not valid in ${currency}.`);
  return BigInt(units + fraction.slice(0, digits).padEnd(digits, '0'));
}
