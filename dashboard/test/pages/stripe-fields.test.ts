import { createPaydesk, type Paydesk } from '@paydesk/client';
import { afterAll, beforeAll, expect } from 'vitest';
import { endProcesses, type PaydeskProcess, startPaydesk } from '../../../server/test/harness/process.ts';
import { confirmSetupInBrowser } from '../../../server/test/stand-ins/stripe/stripe-server.setups.ts';
import {
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripeServer,
} from '../../../server/test/stand-ins/stripe/stripe-server.ts';
import { issueInvoice } from '../service/billing.ts';
import { type Company, signUpCompanyAt } from '../service/company.ts';
import { findFreePort } from '../service/start.ts';
import { standInForScript } from '../service/stripe-script.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const PUBLISHABLE_KEY = 'pk_test_theTestsShowThisOne';

let stripe: StripeServer;
let paydesk: PaydeskProcess;
let url = '';
let operator: Paydesk['operator'];
beforeAll(async () => {
  stripe = await startStripeServer();
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  paydesk = await startPaydesk({
    PORT: String(port),
    GATEWAY: 'stripe',
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
    STRIPE_API_BASE: stripe.url,
    RAW_CARD_NUMBERS: 'off',
  });
  operator = createPaydesk({ url, operatorKey: paydesk.service.operatorKey }).operator;
  await operator.seller.update({ name: 'Northwind Services' });
});
afterAll(async () => {
  await endProcesses();
  await stripe?.close();
});

const options = { makeCompany: (): Promise<Company> => signUpCompanyAt(url), url: () => url };

/** Saves a card as the fields do. */
async function saveCardAtStripe({ client }: Company, number: string): Promise<void> {
  const { id: addressId } = await client.addresses.create({ streetAddress: '12 St James Square', country: 'GB' });
  const { id: setupId, clientSecret = '' } = await client.cardSetups.create({});
  confirmSetupInBrowser(stripe.books, clientSecret.split('_secret_')[0] ?? '', number);
  await client.cards.create({ addressId, isDefault: true, setupId });
}

/** An invoice in euros; with `charge`, the operator has charged it, and the bank wants that confirmed. */
async function issue(company: Company, charge?: 'charge'): Promise<{ id: string; path: string }> {
  const { id } = await issueInvoice(operator, company, '48.00', 'EUR');
  if (charge !== undefined)
    await expect(operator.invoices.charge(id)).rejects.toMatchObject({ code: 'authentication_required' });
  return { id, path: new URL((await company.client.invoices.link.get(id)).url).pathname };
}

const statusesOf = async ({ client }: Company, id: string) =>
  (await client.invoices.get(id)).attempts.map(({ status }) => status);

story(
  'with Stripe, the number of a card is typed into its fields, and reaches nobody else',
  async (told) => {
    const { page, context, logIn, watch, company } = told;
    watch.allow(/^foreign request: GET https:\/\/js\.stripe\.com\/v3\/$/);
    const { scripts, confirmed } = await standInForScript(context, stripe);
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
  options,
);

story(
  'with Stripe, whose script does not arrive, nothing is saved, and the fields can be loaded again',
  async (told) => {
    const { page, context, logIn, watch } = told;
    watch.allow(/js\.stripe\.com/);
    await standInForScript(context, stripe);
    await context.route('https://js.stripe.com/**', (route) => route.abort(), { times: 1 });
    await logIn();
    await page.goto('/app/payment-methods');
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByText('The fields of the payment gateway could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Number in the fields of Stripe').waitFor();
  },
  options,
);

const PAY = 'Pay €57.60';
const ACTION = 'Confirm with your bank';
/** A published test card whose bank asks at every charge. */
const ASKS_ALWAYS = '4000002760003184';
/** The bank's page and frames are not ours. */
const OF_STRIPE = /^foreign request: GET https:\/\/(?:js\.stripe\.com|hooks\.stripe\.invalid)\//;

story(
  'with Stripe, a payment in the app leads to the page of the bank, and comes back paid',
  async ({ page, context, open, logIn, watch, company }) => {
    watch.allow(OF_STRIPE);
    await standInForScript(context, stripe);
    await saveCardAtStripe(company, ASKS_ALWAYS);
    const { id } = await issue(company);
    await logIn();
    await open(`/app/invoices/${id}`);
    await page.getByRole('button', { name: PAY }).click();
    await page.getByRole('dialog').getByRole('button', { name: PAY }).click();
    await page.getByRole('dialog').getByRole('button', { name: ACTION }).click();
    await page.getByRole('heading', { name: 'Your bank' }).waitFor();
    // Whoever goes back without an answer can go on.
    await page.goBack();
    await page.getByRole('button', { name: ACTION }).click();
    await page.getByRole('dialog').getByRole('button', { name: ACTION }).click();
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.locator('main[data-state=paid]').waitFor();
    const secret = new URL(page.url()).searchParams.get('payment_intent_client_secret') ?? '';
    expect(secret).toMatch(/_secret_/);
    expect(paydesk.output()).not.toContain(secret);
    await open(`/app/invoices/${id}`);
    await page.getByText('Paid €57.60 with Visa •••• 3184').waitFor();
    expect(await statusesOf(company, id)).toEqual(['Succeeded']);
  },
  options,
);

story(
  'with Stripe, a payment that was begun without the customer is confirmed in a frame of the bank in the app',
  async ({ page, context, open, logIn, watch, company }) => {
    watch.allow(OF_STRIPE);
    await standInForScript(context, stripe);
    await saveCardAtStripe(company, ASKS_ALWAYS);
    const { id } = await issue(company, 'charge');
    await logIn();
    await open(`/app/invoices/${id}`);
    await page.getByText('Your bank asks you to confirm the last payment.').waitFor();
    await page.getByRole('button', { name: ACTION }).click();
    await page.getByRole('dialog').getByRole('button', { name: ACTION }).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Paid €57.60').first().waitFor();
    expect(await statusesOf(company, id)).toEqual(['Succeeded']);
  },
  options,
);

story(
  'with Stripe, the page of an invoice leads to the bank for a new card and for a charge without the payer',
  async ({ page, context, open, watch, company }) => {
    watch.allow(OF_STRIPE);
    await standInForScript(context, stripe);
    const typed = await issue(company);
    await open(typed.path);
    await page.getByLabel('Number in the fields of Stripe').fill(ASKS_ALWAYS);
    await page.getByRole('button', { name: PAY }).click();
    await page.locator('main[data-state=confirm]').waitFor();
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.locator('main[data-state=failed]').waitFor();
    await page.getByText('The payment was not confirmed at the bank.').waitFor();

    await saveCardAtStripe(company, ASKS_ALWAYS);
    const charged = await issue(company, 'charge');
    await open(charged.path);
    await page.getByRole('button', { name: 'Confirm payment' }).click();
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.locator('main[data-state=paid]').waitFor();
    expect(await statusesOf(company, charged.id)).toEqual(['Succeeded']);
  },
  options,
);
