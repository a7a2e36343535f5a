import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../platform/config/config.test-support.ts';
import { readConfig } from '../../platform/config/config.ts';
import { GATEWAYS } from '../gateways.ts';

const PAYPAL = { PAYPAL_CLIENT_ID: 'AeA1QIZXiflr1_-r0U2Ub', PAYPAL_CLIENT_SECRET: 'EGnHDxD_qRPdaLdZz8iCr8N7' };

describe('the settings of PayPal', () => {
  it('requires PayPal’s client and secret together, and a webhook only with them', () => {
    expect(problemsOf(PAYPAL)).toEqual([]);
    const { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET } = PAYPAL;
    for (const half of [{ PAYPAL_CLIENT_ID }, { PAYPAL_CLIENT_SECRET }]) {
      expect(problemsOf(half)).toEqual(['PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET must be set together']);
    }
    for (const name of ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET']) {
      expect(problemsOf({ ...PAYPAL, [name]: 'with a blank in the middle' })).toEqual([
        expect.stringContaining(`${name} must be the one of your REST app`),
      ]);
    }
    expect(problemsOf({ PAYPAL_WEBHOOK_ID: '1JE4291016473214C' })).toEqual([
      'PAYPAL_WEBHOOK_ID needs PAYPAL_CLIENT_ID',
    ]);
    expect(problemsOf({ ...PAYPAL, PAYPAL_WEBHOOK_ID: '../..' })).toEqual([
      expect.stringContaining('PAYPAL_WEBHOOK_ID must be'),
    ]);
  });

  it('accepts another address for PayPal’s API, without TLS only on this machine', () => {
    const base = (PAYPAL_API_BASE: string) => problemsOf({ ...PAYPAL, PAYPAL_API_BASE });
    for (const url of [
      'https://api-m.sandbox.paypal.com',
      'http://127.0.0.1:12112',
      'http://[::1]:1',
      'http://localhost',
    ]) {
      expect(base(url)).toEqual([]);
    }
    for (const url of ['http://api-m.paypal.com', 'http://127.0.0.1.example.com', 'http://10.0.0.7:12112']) {
      expect(base(url)).toEqual([expect.stringContaining('PAYPAL_API_BASE must be https')]);
    }
    for (const url of [
      '127.0.0.1:1',
      'file:///x',
      'https://api-m.paypal.com/v2',
      'https://u:p@example.com',
      'https://a/?b',
    ]) {
      expect(base(url)).toEqual([expect.stringContaining('PAYPAL_API_BASE must be a URL')]);
    }
  });

  it('make a hold last until its search shows everything, in production at least', () => {
    const production = { ...PAYPAL, NODE_ENV: 'production', TRUSTED_PROXIES: '10.0.0.1' };
    expect(readConfig(GATEWAYS, production)).toMatchObject({ gatewayLagSeconds: 10_800, marksCheckSeconds: 60 });
    expect(problemsOf({ ...production, GATEWAY_LAG_SECONDS: '10799' })).toHaveLength(1);
  });
});
