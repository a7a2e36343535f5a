import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { uniqueSetupToken } from '../../test/payments/paypal-accounts.ts';
import type { Gateway } from './gateway/gateway.ts';
import { createGateways, onlyMethodOf } from './gateways.ts';

const confirmations = { windowSeconds: 82_800, pageOf: async () => 'https://billing.example.com/pay' };
const missing = createGateways([{ name: 'sandbox' } as Gateway], confirmations).of('missing');
const named = (name: string): Gateway => ({ ...missing, name });
const vaulting = (name: string): Gateway => ({
  ...named(name),
  vaultAccount: async () => ({ token: 'account_1', email: 'ada@example.com' }),
});

describe('the gateway that saves new PayPal accounts', () => {
  it.each<[string, [Gateway, ...Gateway[]], string | undefined]>([
    ['the sandbox where it is chosen', [vaulting('sandbox'), named('stripe')], 'sandbox'],
    ['a real one before the sandbox that is chosen', [vaulting('sandbox'), vaulting('paypal')], 'paypal'],
    ['a real one beside another', [named('stripe'), vaulting('paypal'), vaulting('sandbox')], 'paypal'],
    ['none where the sandbox is not chosen', [named('stripe'), vaulting('sandbox')], undefined],
    ['none where the chosen one holds none', [named('stripe')], undefined],
  ])('is %s', (_what, gateways, name) => {
    expect(createGateways(gateways, confirmations).accounts?.name).toBe(name);
  });
});

it.each([
  ['sandbox', null],
  ['stripe', 'Card'],
  ['paypal', 'paypal'],
  ['missing', null],
])('the method of an invoice that is restored from an object at %s alone is %s, or the company’s', (name, method) => {
  expect(onlyMethodOf(name)).toBe(method);
});

describe('without such a gateway', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ chooseGateways: (sandbox) => [named('stripe'), sandbox] });
  });
  afterAll(async () => service?.stop());

  it('a new account is 409 paypal_not_available, also with the same key until there is one; the list is empty', async () => {
    const { token } = await signUpAdmin(service);
    const request = { token, body: { setupToken: uniqueSetupToken() }, headers: { 'idempotency-key': 'a key' } };
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const answer = expectStatus(await service.call('POST', '/payments/paypal-accounts', request), 409);
      expect(answer.body.error.code).toBe('paypal_not_available');
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
    }
    expect((await service.call('GET', '/payments/paypal-accounts', { token })).body).toEqual([]);
  });
});
