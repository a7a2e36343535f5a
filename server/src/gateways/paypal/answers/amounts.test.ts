import { describe, expect, test } from 'vitest';
import { currencyCodes } from '../../../platform/money/currencies.ts';
import { GatewayError } from '../../gateway/gateway.ts';
import { fromPayPalAmount, toPayPalAmount } from './amounts.ts';

describe('conversion of amounts for PayPal', () => {
  test.each([
    ['USD', 1_999n, '19.99'],
    ['EUR', 1n, '0.01'],
    ['EUR', 10n, '0.10'],
    ['GBP', 100n, '1.00'],
    ['USD', 9_007_199_254_740_993n, '90071992547409.93'],
    ['JPY', 500n, '500'],
    // Two decimals in ISO 4217, none at PayPal.
    ['HUF', 512_400n, '5124'],
    ['TWD', 100n, '1'],
  ])('%s: %s minor units are %s', (currencyCode, amountMinor, value) => {
    expect(toPayPalAmount(amountMinor, currencyCode)).toEqual({ currencyCode, value });
    expect(fromPayPalAmount(value, currencyCode)).toBe(amountMinor);
  });

  test.each([
    ['HUF', 512_450n],
    ['TWD', 1n],
    ['USD', 0n],
    ['USD', -1n],
    ['USD', 10n ** 18n],
    // Currencies that PayPal does not accept.
    ['KWD', 5_120n],
    ['ISK', 500n],
    ['INR', 500n],
  ])('%s %s is refused, never rounded', (currency, amountMinor) => {
    expect(() => toPayPalAmount(amountMinor, currency)).toThrow(GatewayError);
  });

  test.each([
    ['19.9', 'USD', 1_990n],
    ['19', 'USD', 1_900n],
    ['19.990', 'USD', 1_999n],
    ['500.00', 'JPY', 500n],
    ['5124.00', 'HUF', 512_400n],
  ])('%s %s is read as %s minor units', (value, currency, amountMinor) => {
    expect(fromPayPalAmount(value, currency)).toBe(amountMinor);
  });

  test.each([
    ['19.999', 'USD'],
    ['500.5', 'JPY'],
    ['1e3', 'USD'],
    ['', 'USD'],
    ['-1.00', 'USD'],
    ['.5', 'USD'],
    ['1,000.00', 'USD'],
  ])('%o %s is not a valid amount and is rejected', (value, currency) => {
    expect(() => fromPayPalAmount(value, currency)).toThrow(GatewayError);
  });

  test('amounts of every billable currency convert there and back unchanged, or are refused', () => {
    const taken = currencyCodes.filter((currency) => {
      try {
        const { value } = toPayPalAmount(10_000_000n, currency);
        return fromPayPalAmount(value, currency) === 10_000_000n;
      } catch (error) {
        if (error instanceof GatewayError && error.kind === 'rejected') return false;
        throw error;
      }
    });
    expect(taken).toHaveLength(24);
  });
});
