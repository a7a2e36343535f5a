import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { createSetup, IBANS } from '../../../test/customers/card-setups.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createPaymentMethod } from '../../../test/stand-ins/stripe/stripe-server.cards.ts';
import { confirmDebitInBrowser, createDebit } from '../../../test/stand-ins/stripe/stripe-server.debits.ts';
import { confirmSetupInBrowser } from '../../../test/stand-ins/stripe/stripe-server.setups.ts';
import {
  STRIPE_SECRET_KEY,
  type StripeServer,
  startStripeServer,
} from '../../../test/stand-ins/stripe/stripe-server.ts';
import { createStripeGateway } from '../../gateways/stripe/stripe.gateway.ts';

const PUBLISHABLE_KEY = 'pk_test_theTestsShowThisOne';
const AMEX = '378282246310005';

let stripe: StripeServer;
let service: TestService;
const startService = (publishableKey: string | undefined) =>
  startTestService({
    chooseGateways: (sandbox) => [
      createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY, publishableKey }),
      sandbox,
    ],
  });
beforeAll(async () => {
  stripe = await startStripeServer();
  service = await startService(PUBLISHABLE_KEY);
});
afterAll(async () => {
  await service.stop();
  await stripe.close();
});

async function save({ token, ...actor }: Actor, what: object): Promise<Answer> {
  const body = { addressId: await saveAddress(service, { token, ...actor }), ...what };
  return service.call('POST', '/payments/cards', { token, body });
}
const setupOf = (id: string) => [...stripe.books.setups.values()].find(({ metadata }) => metadata.paydesk_setup === id);

/** A card that somebody made at Stripe without Paydesk. */
function makeAtStripe(customer: string | null = null): string {
  const form = { type: 'card', 'card[number]': '4242424242424242', 'card[cvc]': '123' };
  const year = String(new Date().getUTCFullYear() + 1);
  const { id } = createPaymentMethod(stripe.books, { ...form, 'card[exp_month]': '3', 'card[exp_year]': year });
  const kept = stripe.books.methods.get(id);
  if (kept !== undefined) kept.customer = customer;
  return id;
}

describe('with Stripe', () => {
  it('a setup is an intent of the company’s one customer, and its card shows the last four digits', async () => {
    const admin = await signUpAdmin(service);
    const first = await createSetup(service, admin);
    const second = await createSetup(service, admin);
    expect(first).toMatchObject({ gateway: 'stripe', publishableKey: PUBLISHABLE_KEY });
    const [intent, other] = [setupOf(first.id), setupOf(second.id)];
    expect(intent).toMatchObject({
      ...{ client_secret: first.clientSecret, usage: 'off_session', payment_method_types: ['card'] },
      metadata: { paydesk_setup: first.id, paydesk_company: admin.companyId },
    });
    expect(other?.customer).toBe(intent?.customer);
    confirmSetupInBrowser(stripe.books, intent?.id ?? '', AMEX);
    const { info } = expectStatus(await save(admin, { setupId: first.id }), 201).body;
    expect(info).toMatchObject({
      cardNumber: '***********0005',
      brand: 'amex',
      cardName: 'Ada Lovelace',
      country: 'GB',
    });
    expect(info).toMatchObject({ expMonth: 11, expYear: new Date().getUTCFullYear() + 2 });
  });

  it('a mandate is that of an intent for debits, with its reference and the last four of the IBAN', async () => {
    const admin = await signUpAdmin(service);
    const setup = await createSetup(service, admin, 'sepa_debit');
    const intent = setupOf(setup.id);
    expect(setup.method).toBe('sepa_debit');
    expect(intent).toMatchObject({ usage: 'off_session', payment_method_types: ['sepa_debit'] });
    confirmDebitInBrowser(stripe.books, intent?.id ?? '', IBANS.settles);
    const card = expectStatus(await save(admin, { setupId: setup.id }), 201).body;
    expect(card).toMatchObject({
      method: 'sepa_debit',
      info: { cardNumber: 'DE****************3000', brand: 'sepa_debit', cardName: 'Ada Lovelace', country: 'DE' },
      mandate: {
        reference: intent?.mandate?.slice(-12).toUpperCase(),
        acceptedAt: new Date((intent?.created ?? 0) * 1_000).toISOString(),
      },
    });
  });

  it('an account for debits is taken by its id, with the mandate of its setup', async () => {
    const admin = await signUpAdmin(service);
    const intent = setupOf((await createSetup(service, admin, 'sepa_debit')).id);
    confirmDebitInBrowser(stripe.books, intent?.id ?? '', IBANS.settles);
    const { method, mandate } = expectStatus(await save(admin, { paymentMethod: intent?.payment_method }), 201).body;
    expect({ method, reference: mandate.reference }).toEqual({
      method: 'sepa_debit',
      reference: intent?.mandate?.slice(-12).toUpperCase(),
    });
    const { id: free } = createDebit(stripe.books, IBANS.fails);
    const taken = expectStatus(await save(admin, { paymentMethod: free }), 201).body;
    expect(taken).toMatchObject({
      method: 'sepa_debit',
      mandate: null,
      info: { cardNumber: 'DE****************3001' },
    });
    expect(stripe.books.methods.get(free)?.customer).toBe(intent?.customer);
  });

  it('a card by its id is taken if it is the company’s or nobody’s, once', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const { customer } = setupOf((await createSetup(service, admin)).id) ?? {};
    const { customer: others } = setupOf((await createSetup(service, other)).id) ?? {};
    const [ours, free, theirs] = [makeAtStripe(customer), makeAtStripe(), makeAtStripe(others)];
    const { info } = expectStatus(await save(admin, { paymentMethod: ours }), 201).body;
    expect(info).toMatchObject({ cardNumber: '************4242', cardName: '', country: '' });
    expectStatus(await save(admin, { paymentMethod: free }), 201);
    expect(stripe.books.methods.get(free)?.customer).toBe(customer);
    const refusals = [await save(admin, { paymentMethod: theirs }), await save(admin, { paymentMethod: 'pm_unknown' })];
    for (const refusal of refusals) {
      expect(expectStatus(refusal, 400).body.error.details).toEqual([
        { field: 'paymentMethod', message: 'is not the id of a card that this company can save' },
      ]);
    }
    const again = expectStatus(await save(admin, { paymentMethod: ours }), 409);
    expect(again.body.error.code).toBe('setup_used');
  });

  it('a refused save attaches nothing', async () => {
    const admin = await signUpAdmin(service);
    await createSetup(service, admin);
    const [free, addressId] = [makeAtStripe(), '019a0000-0000-7000-8000-000000000000'];
    const refused = expectStatus(await save(admin, { paymentMethod: free, addressId }), 400);
    expect(refused.body.error.details).toMatchObject([{ field: 'addressId' }]);
    expect(stripe.books.methods.get(free)?.customer).toBeNull();
  });

  it('a setup is 409 without a publishable key, the sandbox’s fields 404, and numbers are taken as before', async () => {
    const without = await startService(undefined);
    try {
      const admin = await signUpAdmin(without);
      const answer = await without.call('POST', '/payments/card-setups', { token: admin.token });
      expect(expectStatus(answer, 409).body.error.code).toBe('card_setups_not_configured');
      const body = { clientSecret: 'seti_1_secret_1', outcome: 'succeed' };
      expectStatus(await without.call('POST', '/gateways/sandbox/challenges', { body }), 404);
      for (const path of ['/gateways/sandbox/setups/confirm', '/gateways/sandbox/challenges'])
        expectStatus(await without.call('POST', path, { body: {} }), 404);
    } finally {
      await without.stop();
    }
  });
});
