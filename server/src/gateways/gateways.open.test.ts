import { expect, it } from 'vitest';
import type { Gateway } from './gateway/gateway.ts';
import { warnOfMissingFields } from './gateways.open.ts';
import { createStripeGateway } from './stripe/stripe.gateway.ts';

it('the start warns of Stripe without a publishable key, and of nothing else', () => {
  const warningsOf = (gateway: Pick<Gateway, 'name' | 'fields'>) => {
    const lines: unknown[] = [];
    warnOfMissingFields(gateway, { warn: (...line: unknown[]) => void lines.push(line) });
    return lines;
  };
  const stripe = (publishableKey?: string) => createStripeGateway({ secretKey: 'sk_test_one', publishableKey });
  expect(warningsOf(stripe('pk_test_one'))).toEqual([]);
  expect(warningsOf({ name: 'sandbox' })).toEqual([]);
  expect(warningsOf(stripe())).toEqual([
    [{ gateway: 'stripe' }, expect.stringMatching(/^STRIPE_PUBLISHABLE_KEY is not set/)],
  ]);
});
