import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../platform/config/config.test-support.ts';

describe('the settings of Stripe', () => {
  it('requires its key where it is chosen', () => {
    expect(problemsOf({ GATEWAY: 'stripe' })).toEqual(['GATEWAY=stripe needs STRIPE_SECRET_KEY']);
    expect(problemsOf({ GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_test_abc' })).toEqual([]);
    // Existing cards stay with the gateway that has them.
    expect(problemsOf({ GATEWAY: 'sandbox', STRIPE_SECRET_KEY: 'rk_live_abc' })).toEqual([]);
    for (const key of ['pk_test_abc', 'sk_abc', 'sk_test_', 'sk_test_a b']) {
      expect(problemsOf({ STRIPE_SECRET_KEY: key })).toEqual([expect.stringContaining('STRIPE_SECRET_KEY must be')]);
    }
    expect(problemsOf({ STRIPE_WEBHOOK_SECRET: 'secret' })).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')]);
  });

  it('accepts another address for Stripe’s API, but sends no live key there without TLS', () => {
    const base = (STRIPE_API_BASE: string, STRIPE_SECRET_KEY: string) =>
      problemsOf({ STRIPE_API_BASE, STRIPE_SECRET_KEY });
    expect(base('http://127.0.0.1:12111', 'sk_test_abc')).toEqual([]);
    expect(base('https://stripe.example.com/', 'sk_live_abc')).toEqual([]);
    expect(base('http://127.0.0.1:12111', 'sk_live_abc')).toEqual([expect.stringContaining('must be https')]);
    for (const url of ['127.0.0.1:12111', 'file:///x', 'https://api.stripe.com/v1', 'https://api.stripe.com?a=b']) {
      expect(base(url, 'sk_test_abc')).toEqual([expect.stringContaining('STRIPE_API_BASE must be a URL')]);
    }
  });
});
