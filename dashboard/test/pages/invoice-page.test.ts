import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { useBrowser } from '../browser/connection.ts';
import { issueInvoice, saveCard } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { focusByTab } from '../story/keyboard.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

const PAY = 'Pay $57.60';

/** The path of the page, from the link that is in the mails. */
async function pathOfPage({ company }: Pick<Story, 'company'>, invoiceId: string): Promise<string> {
  const { url } = await company.client.invoices.link.get(invoiceId);
  return new URL(url).pathname;
}

async function typeCard(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber);
  await page.getByLabel('Month').fill('12');
  await page.getByLabel('Year').fill('40');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Grace Hopper');
  await page.getByLabel('Country').selectOption('US');
}

const state = (page: Page, name: string) => page.locator(`main[data-state=${name}]`).waitFor();

/** A telephone that runs no script. */
async function withoutScript(url: string, work: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const browser = await useBrowser();
  const context = await browser.newContext({
    ...{ baseURL: url, javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'de-DE' },
  });
  try {
    await work(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

story('a payer without an account pays from the link: a wrong number, a refusal, another card', async (told) => {
  const { page, open, company, operator } = told;
  const invoice = await issueInvoice(operator, company);
  await saveCard(company, '4000 0000 0000 9995');
  const path = await pathOfPage(told, invoice.id);
  await open(path);
  await state(page, 'due');
  await pictureOf(page, 'invoice-page-due');
  await checkAccessibility(page);
  await focusByTab(page, PAY);
  await page.keyboard.press('Enter');
  await state(page, 'failed');
  await page.getByRole('alert').getByText('There is not enough money for this payment.').waitFor();
  await pictureOf(page, 'invoice-page-failed');
  await checkAccessibility(page);
  await typeCard(page, '4242 4242 4242 4241');
  await page.getByRole('button', { name: PAY }).last().click();
  await page.getByText('Write the number that is on the card.').waitFor();
  const number = page.getByLabel('Card number');
  expect(await number.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  expect(page.url()).not.toMatch(/4241|123|Grace/);
  await pictureOf(page, 'invoice-page-wrong');
  await checkAccessibility(page);
  await typeCard(page, '5555 5555 5555 4444');
  await page.getByRole('button', { name: PAY }).last().click();
  await state(page, 'paid');
  await page.getByText('This invoice is paid.').waitFor();
  await pictureOf(page, 'invoice-page-paid');
  await checkAccessibility(page);
  expect((await company.client.invoices.get(invoice.id)).status).toBe('Succeeded');
  expect(await page.context().cookies()).toEqual([]);
});

story('a payer confirms the payment as the bank asks, and it is paid', async (told) => {
  const { page, open, company, operator } = told;
  const invoice = await issueInvoice(operator, company);
  await open(await pathOfPage(told, invoice.id));
  await typeCard(page, '4000 0027 6000 3184');
  await page.getByRole('button', { name: PAY }).click();
  await state(page, 'confirm');
  await page.getByRole('heading', { name: 'Confirm the payment' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'invoice-page-confirm');
  await focusByTab(page, 'Confirm payment');
  await page.keyboard.press('Enter');
  await state(page, 'paid');
  expect((await company.client.invoices.get(invoice.id)).attempts).toMatchObject([
    { status: 'Succeeded', cardId: null },
  ]);
});

story('a payer whose connection is lost while paying pays once', async (told) => {
  const { page, open, company, operator, watch } = told;
  const invoice = await issueInvoice(operator, company);
  await saveCard(company);
  const path = await pathOfPage(told, invoice.id);
  await open(path);
  watch.allow(/net::ERR_/);
  // The service gets the form, and its answer does not arrive.
  await page.route('**/pay/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    // The browser adds that header after this point.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    await route.fetch({ maxRedirects: 0, headers });
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: PAY }).click({ noWaitAfter: true });
  await expect.poll(async () => (await company.client.invoices.get(invoice.id)).attempts.length).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await open(path);
  await state(page, 'paid');
  expect((await company.client.invoices.get(invoice.id)).attempts).toHaveLength(1);
});

story('a payer on a telephone that runs no script pays at 320 pixels', async (told) => {
  const { company, operator, service } = told;
  const invoice = await issueInvoice(operator, company);
  const path = await pathOfPage(told, invoice.id);
  await withoutScript(service.url, async (page) => {
    await page.goto(path);
    const [content, visible] = [page.locator('html'), 320];
    expect(await content.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(visible);
    await page.getByLabel('Kartennummer').fill('4242 4242 4242 4242');
    await page.getByLabel('Monat').fill('12');
    await page.getByLabel('Jahr').fill('40');
    await page.getByLabel('Prüfziffer').fill('123');
    await page.getByLabel('Name auf der Karte').fill('Grace Hopper');
    await page.getByLabel('Land').selectOption('DE');
    await page.getByRole('button', { name: '57,60 $ bezahlen' }).dblclick({ noWaitAfter: true });
    await state(page, 'paid');
    await page.getByText('Diese Rechnung ist bezahlt.').waitFor();
    expect(await content.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(visible);
  });
  expect((await company.client.invoices.get(invoice.id)).attempts).toHaveLength(1);
});

story('a link that opens nothing says so', async ({ page, open }) => {
  await open('/pay/unknown');
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'invoice-page-unknown');
});
