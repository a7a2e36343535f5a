import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { issueInvoice, saveCard } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { focusByTab, typeAndTab } from '../story/keyboard.ts';
import { slowDown } from '../story/network.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const PAY = 'Pay $57.60';

/** The button of the page; while the dialog is open, its own. */
function payButton(page: Page) {
  return page.getByRole('button', { name: PAY });
}

story('a member adds the first card and pays an invoice by keyboard alone', async (told) => {
  const { page, open, logIn, company, operator } = told;
  const invoice = await issueInvoice(operator, company);
  await company.client.addresses.create({ firstName: 'Ada', streetAddress: '12 St James Square', country: 'GB' });
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  await page.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` }).waitFor();
  await pictureOf(page, 'invoice-due');
  await checkAccessibility(page);
  await focusByTab(page, PAY);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name on card').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'pay-first-card');
  await dialog.getByLabel('Name on card').focus();
  await typeAndTab(page, 'Ada Lovelace');
  await typeAndTab(page, '4242424242424242');
  await typeAndTab(page, '1240');
  await page.keyboard.type('123');
  await pictureOf(page, 'pay-card-typed');
  await page.keyboard.press('Enter');
  await dialog.getByRole('radio', { name: /Visa •••• 4242/ }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'pay');
  await focusByTab(page, PAY);
  await page.keyboard.press('Enter');
  await dialog.getByText('Paid $57.60').waitFor();
  await pictureOf(page, 'pay-paid');
  await focusByTab(page, 'Done');
  await page.keyboard.press('Enter');
  await page.getByText('Paid $57.60 with Visa •••• 4242').waitFor();
  expect(
    await page.evaluate(() => `${location.href} ${JSON.stringify({ ...localStorage, ...sessionStorage })}`),
  ).not.toMatch(/4242/);
  await pictureOf(page, 'invoice-paid');
  await checkAccessibility(page);
});

story('a declined card says why, and another card pays', async ({ page, open, logIn, company, operator }) => {
  const invoice = await issueInvoice(operator, company);
  await saveCard(company);
  await saveCard(company, '4000 0000 0000 9995');
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  await payButton(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /9995/ }).click();
  await payButton(page).click();
  await dialog.getByText('There is not enough money for this payment.').waitFor();
  expect(await dialog.getByRole('radio', { name: /4242/ }).isChecked()).toBe(true);
  await pictureOf(page, 'pay-declined');
  await checkAccessibility(page);
  await payButton(page).click();
  await dialog.getByText('Paid $57.60').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Visa •••• 9995: $57.60 declined').waitFor();
  await pictureOf(page, 'invoice-declined-then-paid');
  const { attempts } = await company.client.invoices.get(invoice.id);
  expect(attempts.filter(({ status }) => status === 'Succeeded')).toHaveLength(1);
});

story('a lost answer is found out after a reload, and charges once', async (told) => {
  const { page, context, open, logIn, company, operator, watch } = told;
  const invoice = await issueInvoice(operator, company);
  await saveCard(company);
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  await payButton(page).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  watch.allow(/net::ERR_/);
  const keys: (string | undefined)[] = [];
  // The service pays, and its answer gets lost, each time.
  await context.route('**/pay', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    await route.fetch().catch(() => null);
    // A reload ends the request first, sometimes.
    await route.abort().catch(() => undefined);
  });
  await payButton(page).click();
  await page.getByRole('dialog').getByText('Finding out', { exact: true }).waitFor();
  await expect.poll(() => keys.length).toBeGreaterThan(1);
  expect(await page.getByText(/not paid|declined|failed/i).count()).toBe(0);
  await pictureOf(page, 'pay-finding-out');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await context.unroute('**/pay');
  await page.getByText('Paid $57.60 with Visa •••• 4242').waitFor();
  expect(new Set(keys).size).toBe(1);
  const { attempts } = await company.client.invoices.get(invoice.id);
  expect(attempts).toHaveLength(1);
});

story('without a network the page finds out, and pays once it is back', async (told) => {
  const { page, context, open, logIn, company, operator, watch } = told;
  const invoice = await issueInvoice(operator, company);
  await saveCard(company);
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  await payButton(page).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await payButton(page).click();
  await page.getByRole('dialog').getByText('Finding out', { exact: true }).waitFor();
  await context.setOffline(false);
  await page.getByRole('dialog').getByText('Paid $57.60').waitFor();
});

story('on a slow network, a double click charges once', async ({ page, context, open, logIn, company, operator }) => {
  const invoice = await issueInvoice(operator, company);
  await saveCard(company);
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  await payButton(page).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  await slowDown(context, page);
  let asked = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/pay')) asked += 1;
  });
  // Both clicks come before the page can disable the button.
  await payButton(page).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('dialog').getByText('Paid $57.60').waitFor();
  expect(asked).toBe(1);
  const { attempts } = await company.client.invoices.get(invoice.id);
  expect(attempts).toHaveLength(1);
});

story('a member saves the PDF of an invoice', async ({ page, open, logIn, company, operator }) => {
  const invoice = await issueInvoice(operator, company);
  await logIn();
  await open(`/app/invoices/${invoice.id}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${invoice.number}.pdf`);
});

story('an overdue invoice that waits for a card says that a new one is charged at once, and shows it', async (told) => {
  const { page, open, logIn, company, operator } = told;
  await operator.companies.billingSettings.update(company.id, { netDays: 0, collection: 'automatic' });
  const details = [
    { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 1, currency: 'USD', amount: '57.60' },
  ];
  const { id } = await operator.invoices.create({
    ...{ companyId: company.id, startAt: '2026-10-01T00:00:00Z', endAt: '2026-11-01T00:00:00Z', details },
  });
  const collection = async () => (await company.client.invoices.get(id)).collection.state;
  await expect.poll(collection).toBe('awaiting_payment_method');
  await company.client.addresses.create({ firstName: 'Ada', streetAddress: '12 St James Square', country: 'GB' });
  await logIn();
  await open(`/app/invoices/${id}`);
  await payButton(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('is charged $57.60 at once').waitFor();
  await dialog.getByLabel('Name on card').fill('Ada Lovelace');
  await dialog.getByLabel('Card number').fill('4242424242424242');
  await dialog.getByLabel('Expiry').fill('1240');
  await dialog.getByLabel('CVC').fill('123');
  await dialog.getByRole('button', { name: 'Add card' }).click();
  await dialog.getByText('Paid $57.60').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Paid $57.60 with Visa •••• 4242').waitFor();
  expect((await company.client.invoices.get(id)).attempts).toHaveLength(1);
});
