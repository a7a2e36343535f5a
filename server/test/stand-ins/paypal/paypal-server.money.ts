/**
 * Amounts as PayPal documents them (https://developer.paypal.com/api/rest/reference/currency-codes/). Independent of the adapter's
 * conversion.
 */
import { type Money, malformed, unprocessable } from './paypal-server.objects.ts';

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);
const WITH_DECIMALS: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'.split(' '),
);

/** Reads an amount that PayPal would accept. @throws PayPalError */
export function readMoney(value: unknown): Money {
  const { currency_code: currency, value: text } = (value ?? {}) as { currency_code?: unknown; value?: unknown };
  if (typeof currency !== 'string' || typeof text !== 'string') throw malformed('MISSING_REQUIRED_PARAMETER');
  if (!/^[A-Z]{3}$/.test(currency)) throw malformed('INVALID_CURRENCY_CODE');
  if (!/^-?\d{1,20}(\.\d+)?$/.test(text) || text.length > 32) throw malformed('INVALID_PARAMETER_SYNTAX');
  if (!WITHOUT_DECIMALS.has(currency) && !WITH_DECIMALS.has(currency)) throw unprocessable('CURRENCY_NOT_SUPPORTED');
  const [, fraction] = text.split('.');
  if (WITHOUT_DECIMALS.has(currency) ? fraction !== undefined : (fraction?.length ?? 0) > 2) {
    throw unprocessable('DECIMAL_PRECISION');
  }
  if (!/[1-9]/.test(text) || text.startsWith('-')) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE');
  return { currency_code: currency, value: text };
}

/** Converts money to hundredths, or to whole units for currencies without decimals at PayPal. */
export function unitsOf({ currency_code: currency, value }: Money): bigint {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(WITHOUT_DECIMALS.has(currency) ? whole : whole + fraction.padEnd(2, '0'));
}

/** The reverse of `unitsOf`. */
export function moneyOf(units: bigint, currency: string): Money {
  const text = units.toString().padStart(3, '0');
  const value = WITHOUT_DECIMALS.has(currency) ? units.toString() : `${text.slice(0, -2)}.${text.slice(-2)}`;
  return { currency_code: currency, value };
}
