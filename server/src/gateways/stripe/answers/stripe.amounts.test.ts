import { describe, expect, test } from 'vitest';
import { currencyCodes } from '../../../platform/money/currencies.ts';
import { GatewayError } from '../../gateway/gateway.ts';
import { fromStripeAmount, toStripeAmount } from './stripe.amounts.ts';

describe('conversion of amounts for Stripe', () => {
  test.each([
    ['USD', 1_999n, 1_999],
    ['EUR', 1n, 1],
    ['JPY', 500n, 500],
    ['KRW', 12_000n, 12_000],
    // No decimals, but Stripe counts two.
    ['ISK', 5n, 500],
    // Two decimals in ISO 4217, none at Stripe.
    ['MGA', 500n, 5],
    // Three decimals, the last of which must be 0.
    ['KWD', 5_120n, 5_120],
    ['BHD', 10n, 10],
  ])('%s: %s minor units are %s', (currency, amountMinor, amount) => {
    expect(toStripeAmount(amountMinor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency)).toBe(amountMinor);
  });

  test.each([
    ['KWD', 5_124n],
    ['TND', 1n],
    ['MGA', 501n],
    ['UGX', 500n],
    ['USD', BigInt(Number.MAX_SAFE_INTEGER) + 1n],
  ])('%s %s is refused, never rounded', (currency, amountMinor) => {
    expect(() => toStripeAmount(amountMinor, currency)).toThrow(GatewayError);
  });

  test('a captured amount that the currency cannot have is rejected', () => {
    expect(() => fromStripeAmount(550, 'ISK')).toThrow(GatewayError);
  });

  test('amounts of every billable currency convert there and back unchanged', () => {
    for (const currency of currencyCodes.filter((code) => code !== 'UGX')) {
      for (const amountMinor of [1_000n, 10_000_000n]) {
        expect(fromStripeAmount(toStripeAmount(amountMinor, currency), currency)).toBe(amountMinor);
      }
    }
  });
});
