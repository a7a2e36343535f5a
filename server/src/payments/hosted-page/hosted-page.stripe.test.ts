import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { open, pathOfPage, post, stateOn, typedFields } from '../../../test/hosted-page/hosted-page.ts';
import { STRIPE_DECLINED_CARD } from '../../../test/payments/stripe-charge.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { cancelPaymentIntent } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import { createPaymentMethod } from '../../../test/stand-ins/stripe/stripe-server.cards.ts';
import { answerInBrowser } from '../../../test/stand-ins/stripe/stripe-server.setups.ts';
import {
  STRIPE_SECRET_KEY,
  type StripeServer,
  startStripeServer,
} from '../../../test/stand-ins/stripe/stripe-server.ts';
import { createStripeGateway } from '../../gateways/stripe/stripe.gateway.ts';

const PUBLISHABLE_KEY = 'pk_test_theTestsShowThisOne';

let stripe: StripeServer;
let service: TestService;
beforeAll(async () => {
  stripe = await startStripeServer();
  service = await startTestService({
    chooseGateways: (sandbox) => [
      createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY, publishableKey: PUBLISHABLE_KEY }),
      sandbox,
    ],
  });
});
afterAll(async () => {
  await service.stop();
  await stripe.close();
});

type Debtor = Actor & { invoiceId: string; path: string };

async function prepare(): Promise<Debtor> {
  const admin = await signUpAdmin(service);
  const { id } = await issueInvoice(service, admin.companyId);
  return { ...admin, invoiceId: id, path: await pathOfPage(service, id) };
}

/** A card as Stripe's script makes it in a browser. */
function typeAtStripe(number: string): string {
  const year = String(new Date().getUTCFullYear() + 1);
  const form = { type: 'card', 'card[number]': number, 'card[cvc]': '123', 'card[exp_month]': '3' };
  return createPaymentMethod(stripe.books, { ...form, 'card[exp_year]': year }).id;
}

const attempts = async ({ invoiceId, token }: Debtor) =>
  expectStatus(await service.call('GET', `/payments/orders/${invoiceId}`, { token }), 200).body.attempts;

describe('at Stripe', () => {
  it('the page has the fields of Stripe, and allows them no more than they need', async () => {
    const { path } = await prepare();
    const { text, headers } = await open(service, path);
    expect(text).toContain(`data-stripe="${PUBLISHABLE_KEY}"`);
    expect(text).toContain('<script src="https://js.stripe.com/v3/" defer></script>');
    expect(text).not.toContain('name="cardNumber"');
    const policy = headers.get('content-security-policy') ?? '';
    // Stripe's own hosts, as its guide to security names them.
    expect(policy.split('; ').filter((rule) => rule.includes('https:'))).toEqual([
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
      'connect-src https://api.stripe.com',
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    ]);
    expect(policy).not.toMatch(/unsafe/);
    const [, script = ''] = /<script src="(\/pay\/assets\/[^"]+)"/.exec(text) ?? [];
    expect((await open(service, script)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('a card that was typed there pays once, and becomes nobody’s', async () => {
    const debtor = await prepare();
    const paymentMethod = typeAtStripe('4242424242424242');
    const posted = await post(service, debtor.path, { card: 'new', paymentMethod });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, debtor.path]);
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
    expect(await attempts(debtor)).toMatchObject([{ status: 'Succeeded', gateway: 'stripe', cardId: null }]);
    expect(stripe.books.methods.get(paymentMethod)?.customer).toBeNull();
  });

  it('a card that is declined is told of', async () => {
    const debtor = await prepare();
    await post(service, debtor.path, { card: 'new', paymentMethod: typeAtStripe(STRIPE_DECLINED_CARD) });
    const failed = await open(service, debtor.path);
    expect([stateOn(failed), failed.text.includes('The bank declined the payment without saying why.')]).toEqual([
      'failed',
      true,
    ]);
  });

  it('a payment that was begun without the payer is confirmed at a page of the bank, which the payer asks for', async () => {
    const debtor = await prepare();
    await saveCard(service, debtor, { cardNumber: '4000002760003184' });
    const charge = { token: service.operatorKey };
    const charged = await service.call('POST', `/operator/invoices/${debtor.invoiceId}/charge`, charge);
    expect(charged.body.error.code).toBe('authentication_required');
    const asking = await open(service, debtor.path);
    expect([stateOn(asking), asking.text.includes(`action="${debtor.path}/confirm"`)]).toEqual(['confirm', true]);
    // Sent twice, it begins nothing twice.
    const posts = await Promise.all([1, 2].map(() => post(service, `${debtor.path}/confirm`, {})));
    expect(posts.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, debtor.path],
      [303, debtor.path],
    ]);
    const leading = await open(service, debtor.path);
    expect(leading.text).toMatch(
      /<a class="button" href="https:\/\/hooks\.stripe\.invalid\/[^"]+">Continue to your bank</,
    );
    const [attempt] = await attempts(debtor);
    expect(attempt).toMatchObject({ status: 'RequiresAction' });
    expect(leading.text).not.toContain(attempt.nextAction.clientSecret);
    answerInBrowser(stripe.books, attempt.nextAction.clientSecret, 'succeed');
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
    expect(await attempts(debtor)).toMatchObject([{ id: attempt.id, status: 'Succeeded' }]);
  });

  it('takes no number, and no card of somebody else', async () => {
    const debtor = await prepare();
    const somebodys = typeAtStripe('4242424242424242');
    const kept = stripe.books.methods.get(somebodys);
    if (kept !== undefined) kept.customer = 'cus_other';
    for (const fields of [
      typedFields(),
      { card: 'new', paymentMethod: somebodys },
      { card: 'new', paymentMethod: 'pm_unknown' },
    ]) {
      expect((await post(service, debtor.path, fields)).headers.get('location')).toContain('notice=check_card');
    }
    expect(await attempts(debtor)).toEqual([]);
  });
});
const intentsOf = (invoiceId: string) =>
  [...stripe.books.intents.values()].filter(({ metadata }) => metadata.paydesk_invoice === invoiceId);

/** An invoice whose payment began without the customer, and waits. */
async function prepareWaiting() {
  const admin = await signUpAdmin(service);
  await saveCard(service, admin, { cardNumber: CARDS.asksAlways });
  const { id } = await issueInvoice(service, admin.companyId);
  const debtor = { ...admin, invoiceId: id, path: await pathOfPage(service, id) };
  const charge = await service.call('POST', `/operator/invoices/${id}/charge`, { token: service.operatorKey });
  expect(charge).toMatchObject({ status: 402, body: { error: { code: 'authentication_required' } } });
  return { debtor, intent: intentsOf(id)[0] };
}

describe('a payment that began without the customer', () => {
  it('is confirmed again by a payment with the saved card, and is no second one', async () => {
    const { debtor, intent } = await prepareWaiting();
    const posted = await post(service, debtor.path, { card: 'saved' });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, debtor.path]);
    const { url = '', return_url = '' } = intent?.next_action?.redirect_to_url ?? {};
    expect(new URL(return_url).pathname).toBe(debtor.path);
    expect((await open(service, debtor.path)).text).toContain(`href="${url}"`);
    answerInBrowser(stripe.books, intent?.client_secret ?? '', 'succeed');
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
    expect(intentsOf(debtor.invoiceId)).toHaveLength(1);
    expect(stripe.books.captures.filter(({ paymentId }) => paymentId === intent?.id)).toHaveLength(1);
  });

  it('is confirmed again once, whatever becomes of the answer', async () => {
    const { debtor, intent } = await prepareWaiting();
    await stripe.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    const lost = await post(service, `${debtor.path}/confirm`, {});
    expect(lost.headers.get('location')).toBe(`${debtor.path}?notice=unavailable`);
    expect((await open(service, `${debtor.path}?notice=unavailable`)).text).toContain('role="alert"');
    const { confirm } = (await stripe.control.readFaults()).calls;
    await post(service, `${debtor.path}/confirm`, {});
    expect((await stripe.control.readFaults()).calls.confirm).toBe(confirm);
    const { url = '' } = intent?.next_action?.redirect_to_url ?? {};
    expect((await open(service, debtor.path)).text).toContain(`href="${url}"`);
  });

  it('is not confirmed any more once it was canceled, or refused by the customer', async () => {
    for (const end of ['cancel', 'refuse'] as const) {
      const { debtor, intent } = await prepareWaiting();
      const { confirm } = (await stripe.control.readFaults()).calls;
      if (end === 'refuse') answerInBrowser(stripe.books, intent?.client_secret ?? '', 'fail');
      else cancelPaymentIntent(stripe.books, intent?.id ?? '', null);
      await post(service, `${debtor.path}/confirm`, {});
      expect((await stripe.control.readFaults()).calls.confirm).toBe(confirm);
      expect(intent?.status).toBe('canceled');
      expect(stateOn(await open(service, debtor.path))).toBe('failed');
    }
  });

  it('is not confirmed while charges are held', async () => {
    const { debtor, intent } = await prepareWaiting();
    await holdCharges(service);
    const posted = await post(service, `${debtor.path}/confirm`, {});
    await releaseCharges(service);
    expect([posted.status, intent?.status, intent?.next_action]).toEqual([303, 'requires_payment_method', null]);
  });

  it('that has no money after all is declined, and the object canceled', async () => {
    const { debtor, intent } = await prepareWaiting();
    const method = stripe.books.methods.get(stripe.books.asked.get(intent?.id ?? '')?.sourceToken.split('/')[1] ?? '');
    if (method !== undefined) Object.assign(method, { asks: undefined, declines: { charged: 'insufficient_funds' } });
    await post(service, `${debtor.path}/confirm`, {});
    expect(await attempts(debtor)).toMatchObject([{ status: 'Failed', declineCode: 'insufficient_funds' }]);
    expect(intent?.status).toBe('canceled');
  });
});
