import type { BrowserContext } from 'playwright-core';
import { createPaymentMethod } from '../../../server/test/stand-ins/stripe/stripe-server.cards.ts';
import { answerInBrowser, confirmSetupInBrowser } from '../../../server/test/stand-ins/stripe/stripe-server.setups.ts';
import type { StripeServer } from '../../../server/test/stand-ins/stripe/stripe-server.ts';

/** What the script was given, besides numbers. */
export type ScriptCalls = { scripts: string[]; confirmed: unknown[] };

/**
 * Stands for Stripe's script (https://docs.stripe.com/js), with the API's stand-in behind it: a field in place of the frame of its fields,
 * whose number only the test gets; a frame in which the bank asks; and the bank's page, to which a next action leads.
 */
const SCRIPT = `
window.Stripe = (key) => ({
  elements: ({ clientSecret }) => ({
    clientSecret,
    submit: async () => ({}),
    create(type, options) {
      const input = document.createElement('input');
      input.setAttribute('aria-label', 'Number in the fields of Stripe');
      this.input = input;
      return { on: (event, listener) => setTimeout(listener), mount: (place) => place.append(input), destroy: () => input.remove() };
    },
  }),
  createPaymentMethod: async ({ elements }) => ({ paymentMethod: { id: await window.createAtStripe(elements.input.value) } }),
  confirmSetup: async ({ elements, redirect, confirmParams }) => {
    const message = await window.confirmAtStripe(key, elements.clientSecret, elements.input.value, redirect, confirmParams);
    return message === null ? { setupIntent: { status: 'succeeded' } } : { error: { message } };
  },
  retrievePaymentIntent: async (clientSecret) => ({ paymentIntent: await window.readAtStripe(clientSecret) }),
  handleNextAction: async ({ clientSecret }) => {
    const intent = await window.readAtStripe(clientSecret);
    if (intent.status !== 'requires_action') return { error: { message: 'The PaymentIntent is not in the requires_action state.' } };
    location.assign(intent.next_action.redirect_to_url.url);
    return new Promise(() => {});
  },
  confirmCardPayment: async (clientSecret, { payment_method }) => {
    const { last_payment_error: refusal } = await window.readAtStripe(clientSecret);
    if (payment_method !== refusal.payment_method.id) return { error: { message: 'No such payment method.' } };
    const frame = document.createElement('iframe');
    frame.title = 'The bank asks in a frame';
    Object.assign(frame.style, { position: 'fixed', inset: '0', zIndex: '2147483647', width: '100%', height: '100%' });
    frame.src = 'https://js.stripe.com/v3/three-ds-2-challenge.html';
    const answered = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
    document.body.append(frame);
    const outcome = await answered;
    frame.remove();
    await window.answerAtStripe(clientSecret, outcome);
    return outcome === 'succeed' ? {} : { error: { message: 'We are unable to authenticate your payment method.' } };
  },
});`;

const FRAME = `<!doctype html><title>Bank</title><button>Complete</button>
<script>document.querySelector('button').onclick = () => parent.postMessage('succeed', '*')</script>`;

/** The bank's page, from which Stripe leads back with what it adds to the address. */
const bankPage = (clientSecret: string, returnUrl: string) => {
  const back = new URL(returnUrl);
  back.searchParams.set('payment_intent', clientSecret.split('_secret_')[0] ?? '');
  back.searchParams.set('payment_intent_client_secret', clientSecret);
  const answer = (outcome: string) =>
    `window.answerAtStripe('${clientSecret}', '${outcome}').then(() => location.assign('${back.href}'))`;
  return `<!doctype html><title>Bank</title><h1>Your bank</h1>
<button onclick="${answer('succeed')}">Complete</button><button onclick="${answer('fail')}">Fail</button>`;
};

/** Answers in the place of Stripe's hosts, so that no connection leaves. */
export async function standInForScript(context: BrowserContext, { books }: StripeServer): Promise<ScriptCalls> {
  const calls: ScriptCalls = { scripts: [], confirmed: [] };
  await context.route('https://js.stripe.com/**', (route) => {
    const address = route.request().url();
    if (address.endsWith('.html')) return route.fulfill({ contentType: 'text/html', body: FRAME });
    calls.scripts.push(address);
    return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
  });
  await context.route('https://hooks.stripe.invalid/**', (route) => {
    const [intent] = [...books.intents.values()].filter(
      ({ next_action: next }) => next?.redirect_to_url.url === route.request().url(),
    );
    const body = bankPage(intent?.client_secret ?? '', intent?.next_action?.redirect_to_url.return_url ?? '');
    return route.fulfill({ contentType: 'text/html', body });
  });
  const intentOf = (clientSecret: string) =>
    [...books.intents.values()].find(({ client_secret: secret }) => secret === clientSecret) ?? null;
  await context.exposeFunction('readAtStripe', (clientSecret: string) => structuredClone(intentOf(clientSecret)));
  await context.exposeFunction('answerAtStripe', (clientSecret: string, outcome: 'succeed' | 'fail') =>
    answerInBrowser(books, clientSecret, outcome),
  );
  await context.exposeFunction('createAtStripe', (number: string) => {
    const year = String(new Date().getUTCFullYear() + 1);
    const card = { 'card[number]': number, 'card[cvc]': '123', 'card[exp_month]': '3', 'card[exp_year]': year };
    return createPaymentMethod(books, { type: 'card', ...card }).id;
  });
  await context.exposeFunction(
    'confirmAtStripe',
    (key: string, clientSecret: string, number: string, redirect: string, parameters: object) => {
      calls.confirmed.push({ key, redirect, parameters });
      if (number === '4000000000000002') return 'Your card was declined.';
      confirmSetupInBrowser(books, clientSecret.split('_secret_')[0] ?? '', number);
      return null;
    },
  );
  return calls;
}
