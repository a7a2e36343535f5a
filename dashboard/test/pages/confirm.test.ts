import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { issueInvoice, saveCard } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

/** A published test card whose bank asks at every charge. */
const ASKS_ALWAYS = '4000 0027 6000 3184';
const ACTION = 'Confirm with your bank';

/** Pays the invoice that the page shows, until the bank asks. */
async function payUntilAsked(page: Page) {
  await page.getByRole('button', { name: 'Pay $57.60' }).click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByRole('button', { name: 'Pay $57.60' }).click();
  await dialog.getByText('Your bank asks you to confirm the payment of $57.60.').waitFor();
  return dialog;
}

const answer = (page: Page, name: 'Confirm' | 'Refuse') =>
  page.getByRole('dialog', { name: ACTION }).getByRole('button', { name, exact: true }).click();

story('a payment whose bank asks is confirmed, and the page shows that it is paid', async (told) => {
  const { page, open, logIn, operator, company } = told;
  await saveCard(company, ASKS_ALWAYS);
  const { id } = await issueInvoice(operator, company);
  await logIn();
  await open(`/app/invoices/${id}`);
  const dialog = await payUntilAsked(page);
  await checkAccessibility(page);
  await pictureOf(page, 'pay-confirm');
  // After a reload, the page still says what the payment waits for.
  await page.reload();
  await page.getByText('Your bank asks you to confirm the last payment.').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'invoice-confirm');
  await page.getByRole('button', { name: ACTION }).click();
  await dialog.getByRole('button', { name: ACTION }).click();
  await answer(page, 'Confirm');
  await page.getByText('Paid $57.60').first().waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  expect((await company.client.invoices.get(id)).attempts.map(({ status }) => status)).toEqual(['Succeeded']);
});

story(
  'the bank’s question stays on the page when the page reads the invoice as it was before the payment',
  async (told) => {
    const { page, open, logIn, operator, company } = told;
    await saveCard(company, ASKS_ALWAYS);
    const { id } = await issueInvoice(operator, company);
    const before = await company.client.invoices.get(id);
    await logIn();
    await open(`/app/invoices/${id}`);
    let reads = Number.NaN;
    page.on('response', (response) => {
      if (response.request().method() === 'PUT') reads = 0;
    });
    await page.route(`**/payments/orders/${id}`, async (route) => {
      reads += 1;
      // The first read tells what the bank asks, and the second one is of the page.
      await (reads === 2 ? route.fulfill({ json: before }) : route.continue());
    });
    const dialog = await payUntilAsked(page);
    await dialog.getByRole('button', { name: ACTION }).click();
    await answer(page, 'Confirm');
    await page.getByText('Paid $57.60').first().waitFor();
  },
);

story('a refused confirmation says so, and charges nothing; another card pays', async (told) => {
  const { page, open, logIn, operator, company } = told;
  await saveCard(company);
  await saveCard(company, ASKS_ALWAYS);
  const { id } = await issueInvoice(operator, company);
  await logIn();
  await open(`/app/invoices/${id}`);
  const dialog = await payUntilAsked(page);
  await dialog.getByRole('button', { name: ACTION }).click();
  await answer(page, 'Refuse');
  await dialog.getByText('The bank did not get your confirmation.').waitFor();
  await pictureOf(page, 'pay-confirm-refused');
  await dialog.getByRole('button', { name: 'Pay $57.60' }).click();
  await dialog.getByText('Paid $57.60').waitFor();
  const { attempts } = await company.client.invoices.get(id);
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['Failed', 'Succeeded']);
});

story('a payment that is confirmed on another device shows in the open dialog', async (told) => {
  const { page, open, logIn, logInToConsole, operator, company } = told;
  await saveCard(company, ASKS_ALWAYS);
  const { id } = await issueInvoice(operator, company);
  await logIn();
  await open(`/app/invoices/${id}`);
  const dialog = await payUntilAsked(page);
  const { payment } = await company.client.invoices.get(id);
  const clientSecret = payment?.nextAction?.clientSecret ?? '';
  await company.client.sandbox.answerChallenge({ clientSecret, outcome: 'succeed' });
  await dialog.getByText('Paid $57.60').waitFor();
  await logInToConsole();
  await open(`/console/payments?invoiceId=${id}`);
  await page.getByText('Succeeded').first().waitFor();
});

story('the console says that a payment waits for the confirmation of the bank', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  await saveCard(company, ASKS_ALWAYS);
  const { id } = await issueInvoice(operator, company);
  await company.client.invoices.pay(id).catch(() => undefined);
  await logInToConsole();
  await open('/console/payments?status=RequiresAction');
  await page.getByText('Waits for confirmation').first().waitFor();
  await checkAccessibility(page);
  await open(`/console/invoices/${id}`);
  await page.getByText('waits for the confirmation of the bank').waitFor();
  await pictureOf(page, 'console-invoice-confirm');
});

story(
  'a European company adds a card that asks while it pays, answers its bank twice, and reloads in between',
  async (told) => {
    const { page, open, logIn, operator, company } = told;
    const { id } = await issueInvoice(operator, company, '48.00', 'EUR');
    await logIn();
    await open(`/app/invoices/${id}`);
    await page.getByRole('button', { name: 'Pay €57.60' }).click();
    const dialog = page.getByRole('dialog').first();
    await dialog.getByLabel('Name on card').fill('Ada Lovelace');
    await dialog.getByLabel('Card number').fill(ASKS_ALWAYS);
    await dialog.getByLabel('Expiry (MM / YY)').fill('12/40');
    await dialog.getByLabel('CVC').fill('123');
    await dialog.getByLabel('Street and number').fill('Unter den Linden 1');
    await dialog.getByLabel('Country').click();
    await page.getByRole('option', { name: 'Germany' }).click();
    await dialog.getByRole('button', { name: 'Add card' }).click();
    // The bank asks about the card, and then about the payment.
    await answer(page, 'Confirm');
    await dialog.getByRole('button', { name: 'Pay €57.60' }).click();
    await dialog.getByText('Your bank asks you to confirm the payment of €57.60.').waitFor();
    await dialog.getByRole('button', { name: ACTION }).click();
    await page.getByText('The sandbox stands for your bank').waitFor();
    await page.reload();
    await page.getByRole('button', { name: ACTION }).click();
    await dialog.getByRole('button', { name: ACTION }).click();
    await answer(page, 'Confirm');
    await page.getByText('Paid €57.60').first().waitFor();
    expect((await company.client.invoices.get(id)).attempts.map(({ status }) => status)).toEqual(['Succeeded']);
  },
);

story('an overdue invoice is charged to the card that is added, whose bank asks in the same dialog', async (told) => {
  const { page, open, logIn, operator, company } = told;
  await saveCard(company, '4000 0000 0000 9987');
  await operator.companies.billingSettings.update(company.id, { collection: 'automatic' });
  const { id } = await issueInvoice(operator, company, '48.00', 'EUR', 0);
  await expect
    .poll(async () => (await company.client.invoices.get(id)).collection.state)
    .toBe('awaiting_payment_method');
  await logIn();
  await open(`/app/invoices/${id}`);
  await page.getByRole('button', { name: 'Pay €57.60' }).click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByRole('button', { name: 'Use another card' }).click();
  await dialog.getByLabel('Name on card').fill('Ada Lovelace');
  await dialog.getByLabel('Card number').fill(ASKS_ALWAYS);
  await dialog.getByLabel('Expiry (MM / YY)').fill('12/40');
  await dialog.getByLabel('CVC').fill('123');
  await dialog.getByRole('button', { name: 'Add card' }).click();
  await answer(page, 'Confirm');
  // The service charges the new default card by itself.
  await dialog.getByText('Your bank asks you to confirm the payment of €57.60.').waitFor();
  await dialog.getByRole('button', { name: ACTION }).click();
  await answer(page, 'Confirm');
  await page.getByText('Paid €57.60').first().waitFor();
});
