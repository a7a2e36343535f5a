/**
 * `npm run pictures`: takes the pictures of `docs/pictures` from the trial that `npm run demo -- --data` runs. Whoever changes how a page
 * looks takes them again.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { launchBrowser } from '../dashboard/test/browser/launch.ts';
import { createPaydesk } from '../packages/client/src/index.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs/pictures');
const ADDRESS = 'http://localhost:3100';
/** Printed by the trial; it opens nothing but that. */
const MEMBER = { email: 'ada.lovelace@analytical.example', password: 'Correct-horse-7' };

type Picture = { name: string; path: string; isDark?: true; prepare?: (page: Page) => Promise<void> };

const APP: readonly Picture[] = [
  { name: 'app-home', path: '/app' },
  { name: 'app-invoices', path: '/app/invoices', isDark: true },
  { name: 'app-pay', path: '/app/invoices', prepare: openPayment },
  { name: 'app-usage', path: '/app/usage' },
  { name: 'app-payment-methods', path: '/app/payment-methods' },
  { name: 'app-role', path: '/app/roles', prepare: (page) => press(page, 'Create role') },
];
const CONSOLE: readonly Picture[] = [
  { name: 'console-home', path: '/console' },
  { name: 'console-invoices', path: '/console/invoices', isDark: true },
  { name: 'console-invoice', path: '/console/invoices?status=Failed', prepare: openFirstInvoice },
  { name: 'console-payments', path: '/console/payments?status=Failed' },
  { name: 'console-company', path: '/console/companies', prepare: openCompany },
  { name: 'console-price', path: '/console/prices', prepare: calculate },
  { name: 'console-reconciliation', path: '/console/reconciliation' },
];

const server = await launchBrowser();
const browser = await chromium.connect(server.wsEndpoint());
const page = await browser.newPage({
  baseURL: ADDRESS,
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  reducedMotion: 'reduce',
});
mkdirSync(FOLDER, { recursive: true });
await page.goto('/app/login');
await page.getByLabel('Email').fill(MEMBER.email);
await page.getByLabel('Password', { exact: true }).fill(MEMBER.password);
await press(page, 'Log in');
await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
await take(APP);
await page.goto('/console/login');
const operatorKey = readFileSync(join(ROOT, 'data-demo/data/operator-key'), 'utf8').trim();
const { operator } = createPaydesk({ url: ADDRESS, operatorKey });
await page.getByLabel('Operator key').fill(operatorKey);
await page.getByLabel('Operator key').press('Enter');
await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
await take(CONSOLE);
const invoiceId = await findOpenInvoice();
await take([{ name: 'invoice-page', path: await findInvoicePage(invoiceId) }]);
await takeMails(invoiceId);
await browser.close();
await server.close();

async function take(pictures: readonly Picture[]): Promise<void> {
  for (const { name, path, isDark, prepare } of pictures) {
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.goto(path);
    await settle();
    await prepare?.(page);
    await settle();
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    console.log(`docs/pictures/${name}.png`);
  }
}

/** Waits until the page has what it asked for, and has drawn it. */
async function settle(): Promise<void> {
  // Behind a dialog, the heading is none to a reader.
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

async function openPayment(page: Page): Promise<void> {
  await openFirstInvoice(page);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
}

async function openFirstInvoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^INV-/ }).first().click();
  await page.getByRole('heading', { level: 1, name: /^Invoice INV-/ }).waitFor();
}

async function openCompany(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Analytical Engines Ltd' }).click();
  await page.getByRole('heading', { level: 2, name: 'About the company' }).waitFor();
}

async function calculate(page: Page): Promise<void> {
  const form = page.getByRole('form').or(page.locator('form')).last();
  await form.getByLabel('Path').fill('/v1/transcriptions');
  await form.getByLabel('Quantity').fill('12345');
  await press(page, 'Calculate');
  await settle();
  await page.getByRole('button', { name: 'Calculate' }).scrollIntoViewIfNeeded();
}

async function findOpenInvoice(): Promise<string> {
  const { data } = await operator.invoices.list({ state: 'open' });
  const [first] = data;
  if (first === undefined) throw new Error('The trial has no open invoice.');
  return first.id;
}

/** The page on which an invoice is paid without an account. */
async function findInvoicePage(invoiceId: string): Promise<string> {
  const { url } = await operator.invoices.link.get(invoiceId);
  return new URL(url).pathname;
}

/** The mails about an invoice side by side, each as a telephone shows it. */
async function takeMails(invoiceId: string): Promise<void> {
  const types = ['invoice_issued', 'receipt', 'payment_failed', 'confirmation_needed'] as const;
  const mails = await Promise.all(types.map((type) => operator.mails.preview({ type, invoiceId, language: 'en' })));
  const sheet = await browser.newPage({ viewport: { width: types.length * 360, height: 800 } });
  const frames = mails.map(({ html = '' }) => {
    const content = (html ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `<iframe width="360" height="800" frameborder="0" srcdoc="${content}"></iframe>`;
  });
  await sheet.setContent(`<body style="margin:0;display:flex">${frames.join('')}</body>`);
  await sheet.screenshot({ path: join(FOLDER, 'mails.png') });
  console.log('docs/pictures/mails.png');
}
