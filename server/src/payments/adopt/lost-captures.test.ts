/** A capture that a restored database lacks is found at another gateway than the one that is charged now. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { CARDS, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  expectSoundBooks,
  type Payable,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import { saveAccount } from '../../../test/payments/paypal-accounts.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { startTwoGateways, type TwoGateways } from '../../../test/payments/two-gateways.ts';
import { approveSetup } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { payInvoice } from '../charge/charge.ts';

type Service = StripeChargeService | PayPalChargeService;

/** Beside each of them the sandbox is configured, which takes the cards of the company from now on. */
let stripe: StripeChargeService;
let paypal: PayPalChargeService;
let two: TwoGateways;
beforeAll(async () => {
  stripe = await startStripeChargeService();
  paypal = await startPayPalChargeService();
  two = await startTwoGateways();
});
afterEach(async () => {
  for (const service of [stripe, paypal]) await service.sandbox.clearFaults();
});
afterAll(async () => {
  await stripe?.stop();
  await paypal?.stop();
  await two?.stop();
});

/** From now on the company's card is one of the sandbox. */
async function moveToSandbox(
  service: Service,
  { admin, invoice }: Payable,
  number: string = CARDS.visa,
): Promise<void> {
  const { owner } = service.database;
  const { companyId } = admin;
  if ('paypal' in service) {
    await saveCard(service, admin, { cardNumber: number });
    await owner`UPDATE invoices SET method = 'Card' WHERE id = ${invoice.id}`;
    return;
  }
  const card = { number, securityCode: '123', expMonth: 12, expYear: 2035, name: 'Ada', country: 'GB' };
  const holder = { companyId, customer: null };
  const { token } = await service.gateways.of('sandbox').tokenizeCard({ ...card, holder });
  const id = await saveCard(service, admin, { isDefault: true });
  await owner`UPDATE cards SET gateway = 'sandbox', gateway_token = ${token} WHERE company_id = ${companyId} AND id = ${id}`;
}

/** The states of the objects that the sandbox has of the invoice's debt. */
async function atSandbox(service: Service, { invoice, admin }: Payable): Promise<string[]> {
  const [row] = await service.database.owner<[{ debt: string }]>`
    SELECT debt_of(invoices) AS debt FROM invoices WHERE id = ${invoice.id}`;
  const request = { ...row, companyId: admin.companyId, customer: null, sourceTokens: [], known: [] };
  return (await service.gateways.of('sandbox').listPaymentsOfDebt(request)).map(({ status }) => status);
}

const services: [string, () => Service, () => Promise<Payable>][] = [
  ['Stripe', () => stripe, () => preparePayable(stripe)],
  ['PayPal', () => paypal, () => preparePayPalPayable(paypal)],
];
describe.each(services)('captured by %s, and then restored to before', (_name, of, prepare) => {
  it('is adopted before a card of another gateway is charged', async () => {
    const [service, payable] = [of(), await prepare()];
    const { restore } = await backUp(service.database.owner);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await moveToSandbox(service, payable);
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await atSandbox(service, payable)).toEqual([]);
  });

  it('is adopted before a charge at another gateway fails, and its object there is canceled', async () => {
    const [service, payable] = [of(), await prepare()];
    const { restore } = await backUp(service.database.owner);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const [{ gatewayPaymentId } = { gatewayPaymentId: null }] = await paymentsOf(service, payable);
    await restore();
    await moveToSandbox(service, payable, CARDS.declined);
    const show = service.hideAtGateway(gatewayPaymentId ?? '');
    const { gateways } = service;
    const sandbox = gateways.of('sandbox');
    const late: typeof sandbox = {
      ...sandbox,
      confirmPayment: async (request) => {
        show();
        return sandbox.confirmPayment(request);
      },
    };
    const dependencies = { ...service.dependencies, gateways: { ...gateways, of: () => late } };
    const { invoice } = await payInvoice(dependencies, payable.admin.companyId, payable.invoice.id);
    expect(JSON.parse(String(invoice))).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await atSandbox(service, payable)).toEqual(['canceled']);
  });

  it('is adopted by the reconciler before it creates an object at another gateway', async () => {
    const [service, payable] = [of(), await prepare()];
    const { restore } = await backUp(service.database.owner);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const [{ gatewayPaymentId } = { gatewayPaymentId: null }] = await paymentsOf(service, payable);
    await restore();
    await moveToSandbox(service, payable);
    const show = service.hideAtGateway(gatewayPaymentId ?? '');
    const sandbox = service.gateways.of('sandbox');
    const silent: typeof sandbox = {
      ...sandbox,
      createPayment: async () => {
        throw new GatewayError('outcome_unknown', 'No answer came.');
      },
    };
    const dependencies = { ...service.dependencies, gateways: { ...service.gateways, of: () => silent } };
    const { status } = await payInvoice(dependencies, payable.admin.companyId, payable.invoice.id);
    expect(status).toBe(202);
    show();
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await atSandbox(service, payable)).toEqual([]);
  });

  it('is not charged again while the gateway that captured it gives no answer: 503, and the capture is found later', async () => {
    const [service, payable] = [of(), await prepare()];
    const { restore } = await backUp(service.database.owner);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await moveToSandbox(service, payable);
    await service.takeGatewayAway();
    expectStatus(await payable.pay(), 503);
    await service.bringGatewayBack();
    expect((await readInvoice(service, payable)).status).toBe('Processing');
    expect(await atSandbox(service, payable)).toEqual([]);
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
  });

  it('is found by the debt when credit pays, even if the first card or account of the company is lost too', async () => {
    const service = of();
    const admin = await signUpAdmin(service);
    const payable = await prepareInvoice(service, admin, 'paypal' in service ? { method: 'paypal' } : {});
    const { restore } = await backUp(service.database.owner);
    if ('paypal' in service) await saveAccount(service, admin, { setupToken: approveSetup(service.paypal().books) });
    else await saveCard(service, admin);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await grantCredit(service, admin.companyId, { amount: '48.00' });
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect((await readLedger(service, admin.companyId)).balance).toBe('48.00');
  });
});

describe('an object that Stripe has open, and the database lost,', () => {
  it('is canceled before a card of another gateway is charged, so that nothing captures it later', async () => {
    const payable = await preparePayable(stripe);
    const { restore } = await backUp(stripe.database.owner);
    await stripe.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const [{ gatewayPaymentId } = { gatewayPaymentId: null }] = await paymentsOf(stripe, payable);
    await restore();
    await moveToSandbox(stripe, payable);
    expectStatus(await payable.pay(), 200);
    expect(stripe.stripe().books.intents.get(gatewayPaymentId ?? '')?.status).toBe('canceled');
    expect(await atSandbox(stripe, payable)).toEqual(['captured']);
  });
});

it('a debt that the gateway of an earlier card has captured is not captured by another gateway', async () => {
  const payable = await two.preparePayableAt('other');
  const { restore } = await backUp(two.database.owner);
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  await restore();
  await saveCard(two, payable.admin, { isDefault: true });
  const answer = await payable.pay();
  await expectSoundBooks(two);
  expect(expectStatus(answer, 200).body).toMatchObject({ status: 'Succeeded', paymentId });
});

it('a capture of the sandbox is found by the debt when credit pays, even if the first card of the company is lost too', async () => {
  const admin = await signUpAdmin(paypal);
  const payable = await prepareInvoice(paypal, admin);
  const { restore } = await backUp(paypal.database.owner);
  await saveCard(paypal, admin);
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  await restore();
  await grantCredit(paypal, admin.companyId, { amount: '48.00' });
  expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
});

describe('a gateway that is away keeps nobody from paying by card', () => {
  it('who never had an account there, or had deleted it before anything was owed', async () => {
    const { admin, accountId } = await preparePayPalPayable(paypal);
    const path = `/payments/paypal-accounts/${accountId}`;
    expectStatus(await paypal.call('DELETE', path, { token: admin.token }), 204);
    await saveCard(paypal, admin);
    const payables = [await preparePayable(paypal), await prepareInvoice(paypal, admin)];
    await paypal.takeGatewayAway();
    for (const payable of payables) expectStatus(await payable.pay(), 200);
    await paypal.bringGatewayBack();
  });

  it('while nothing is due of a company that has no card either', async () => {
    const details = [{ title: 'Nothing', path: '/v1/nothing', totalRequest: 0, currency: 'USD', amount: '0.00' }];
    const payable = await prepareInvoice(paypal, await signUpAdmin(paypal), { details });
    await paypal.takeGatewayAway();
    expectStatus(await payable.pay(), 200);
    await paypal.bringGatewayBack();
  });
});
