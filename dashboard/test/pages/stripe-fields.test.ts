import { afterAll, beforeAll, expect } from 'vitest';
import { endProcesses, startPaydesk } from '../../../server/test/harness/process.ts';
import { confirmSetupInBrowser } from '../../../server/test/stand-ins/stripe/stripe-server.setups.ts';
import {
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripeServer,
} from '../../../server/test/stand-ins/stripe/stripe-server.ts';
import { type Company, signUpCompanyAt } from '../service/company.ts';
import { findFreePort } from '../service/start.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const PUBLISHABLE_KEY = 'pk_test_theTestsShowThisOne';

/** Stands for Stripe's script (https://docs.stripe.com/js): a field in place of its frames, whose number the test gets. */
const SCRIPT = `
window.Stripe = (key) => ({
  elements: ({ clientSecret }) => ({
    clientSecret,
    create(type, options) {
      const input = document.createElement('input');
      input.setAttribute('aria-label', 'Number in the fields of Stripe');
      this.input = input;
      return { on: (event, listener) => setTimeout(listener), mount: (place) => place.append(input), destroy: () => input.remove() };
    },
  }),
  confirmSetup: async ({ elements, redirect, confirmParams }) => {
    const message = await window.confirmAtStripe(key, elements.clientSecret, elements.input.value, redirect, confirmParams);
    return message === null ? { setupIntent: { status: 'succeeded' } } : { error: { message } };
  },
});`;

let stripe: StripeServer;
let url = '';
beforeAll(async () => {
  stripe = await startStripeServer();
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  await startPaydesk({
    PORT: String(port),
    GATEWAY: 'stripe',
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
    STRIPE_API_BASE: stripe.url,
    RAW_CARD_NUMBERS: 'off',
  });
});
afterAll(async () => {
  await endProcesses();
  await stripe?.close();
});

story(
  'with Stripe, the number of a card is typed into its fields, and reaches nobody else',
  async (told) => {
    const { page, context, logIn, watch, company } = told;
    watch.allow(/^foreign request: GET https:\/\/js\.stripe\.com\/v3\/$/);
    const scripts: string[] = [];
    await context.route('https://js.stripe.com/**', (route) => {
      scripts.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
    });
    const confirmed: unknown[] = [];
    await context.exposeFunction(
      'confirmAtStripe',
      (key: string, clientSecret: string, number: string, redirect: string, parameters: object) => {
        confirmed.push({ key, redirect, parameters });
        if (number === '4000000000000002') return 'Your card was declined.';
        confirmSetupInBrowser(stripe.books, clientSecret.split('_secret_')[0] ?? '', number);
        return null;
      },
    );
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(request.postData() ?? ''));
    await logIn();
    await page.goto('/app/payment-methods');
    await page.getByText('No cards yet').waitFor();
    expect(scripts).toEqual([]);
    await page.getByRole('button', { name: 'Add card' }).click();
    const form = page.getByRole('dialog');
    const number = form.getByLabel('Number in the fields of Stripe');
    await number.fill('4000000000000002');
    expect(await form.getByLabel('Card number').count()).toBe(0);
    await form.getByLabel('Name on card').fill('Ada Lovelace');
    await form.getByLabel('Street and number').fill('12 St James Square');
    await form.getByLabel('Postal code').fill('SW1Y 4JH');
    await form.getByLabel('Country').click();
    await page.getByRole('option', { name: 'United Kingdom' }).click();
    await form.getByRole('button', { name: 'Add card' }).click();
    await form.getByText('Your card was declined.').waitFor();
    await checkAccessibility(page);
    await pictureOf(page, 'add-card-stripe');
    await number.fill('5555555555554444');
    await form.getByRole('button', { name: 'Add card' }).click();
    await page.getByText('Mastercard •••• 4444 is saved').first().waitFor();
    const [card] = await company.client.cards.list();
    expect(card?.info).toMatchObject({ cardNumber: '************4444', cardName: 'Ada Lovelace' });
    expect([scripts, sent.filter((body) => /4444|0000/.test(body))]).toEqual([['https://js.stripe.com/v3/'], []]);
    expect(confirmed.at(-1)).toEqual({
      key: PUBLISHABLE_KEY,
      redirect: 'if_required',
      parameters: {
        return_url: `${url}/app/payment-methods`,
        payment_method_data: {
          billing_details: { name: 'Ada Lovelace', address: { country: 'GB', postal_code: 'SW1Y 4JH' } },
        },
      },
    });
  },
  { makeCompany: (): Promise<Company> => signUpCompanyAt(url), url: () => url },
);

story(
  'with Stripe, whose script does not arrive, nothing is saved, and the fields can be loaded again',
  async (told) => {
    const { page, context, logIn, watch } = told;
    watch.allow(/js\.stripe\.com/);
    let tries = 0;
    await context.route('https://js.stripe.com/**', (route) => {
      tries += 1;
      return tries === 1 ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
    });
    await logIn();
    await page.goto('/app/payment-methods');
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByText('The fields of the payment gateway could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Number in the fields of Stripe').waitFor();
  },
  { makeCompany: (): Promise<Company> => signUpCompanyAt(url), url: () => url },
);
