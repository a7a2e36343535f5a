/** Charges through Stripe that the bank wants confirmed: on session with a page to come back to, off session by Stripe's error. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { capturesOf, expectSoundBooks, preparePayable, readInvoice } from '../../../test/payments/charge.ts';
import { deliver, eventOf, objectOf, outcomeOf } from '../../../test/payments/gateway-events.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { answerInBrowser } from '../../../test/stand-ins/stripe/stripe-server.setups.ts';

const [ALWAYS, ON_SESSION] = ['4000002760003184', '4000008260003178'];

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(() => expectSoundBooks(service));
afterAll(() => service?.stop());

/** An invoice whose payment waits for the customer. */
async function prepareWaiting(cardNumber: string) {
  const payable = await preparePayable(service, { cardNumber });
  const answer = await payable.pay();
  expect(answer).toMatchObject({ status: 402, body: { error: { code: 'authentication_required' } } });
  const { nextAction } = answer.body.error;
  const intent = service.stripe().books.intents.get(await objectOf(service, payable));
  return { payable, nextAction, intent };
}

describe('a charge that the bank wants confirmed', () => {
  it('waits with the intent’s secret, and is captured once when the customer has confirmed', async () => {
    const { payable, nextAction, intent } = await prepareWaiting(ALWAYS);
    expect(intent).toMatchObject({ status: 'requires_action', client_secret: nextAction.clientSecret });
    expect(intent?.next_action?.redirect_to_url.return_url).toMatch(/^https?:\/\/[^/]+\/pay/);
    answerInBrowser(service.stripe().books, nextAction.clientSecret, 'succeed');
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    expect((await deliver(service, event)).status).toBe(200);
    expect(await outcomeOf(service, event)).toBe('settled');
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it.each([
    ['is refused', ALWAYS, 'fail', 'authentication_failed'],
    ['has no money after the confirmation', ON_SESSION, 'succeed', 'insufficient_funds'],
  ] as const)('fails when it %s, and the intent is canceled', async (_name, cardNumber, outcome, declineCode) => {
    const { payable, nextAction, intent } = await prepareWaiting(cardNumber);
    answerInBrowser(service.stripe().books, nextAction.clientSecret, outcome);
    const event = await eventOf(service, payable, 'payment_intent.payment_failed');
    expect((await deliver(service, event)).status).toBe(200);
    const { token } = payable.admin;
    const { body } = await service.call('GET', `/payments/orders/${payable.invoice.id}`, { token });
    expect(body).toMatchObject({ status: 'Failed', attempts: [{ status: 'Failed', declineCode }] });
    expect(intent?.status).toBe('canceled');
  });

  it('waits off session too: Stripe’s error is no decline, and the intent is kept', async () => {
    const payable = await preparePayable(service, { cardNumber: ALWAYS });
    const { body, status } = await service.call('POST', `/operator/invoices/${payable.invoice.id}/charge`, {
      token: service.operatorKey,
    });
    expect([status, body.error?.code]).toEqual([402, 'authentication_required']);
    const intent = service.stripe().books.intents.get(await objectOf(service, payable));
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'authentication_required' },
    });
    const again = await payable.pay();
    expect(again.body.error).toMatchObject({ nextAction: { clientSecret: intent?.client_secret } });
    answerInBrowser(service.stripe().books, intent?.client_secret ?? '', 'succeed');
    expect((await payable.pay()).status).toBe(200);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});
