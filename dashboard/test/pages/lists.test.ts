/** What holds for every list, told with the invoices of all companies. */
import { expect } from 'vitest';
import { type Story, story } from '../story/story.ts';

const OCTOBER = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-11-01T00:00:00Z' };
const INVOICES = 30;

/** More than a page. */
async function issueInvoices({ operator, company }: Story): Promise<void> {
  const line = { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD' };
  const details = [{ ...line, amount: '48.00' }];
  for (let issued = 0; issued < INVOICES; issued += 1)
    await operator.invoices.create({ companyId: company.id, ...OCTOBER, taxRate: '20', details });
}

story('Back leads from a record to the same page of the list, and to the same place on it', async (told) => {
  const { page, open, logIn } = told;
  await issueInvoices(told);
  await logIn();
  // So low that the page scrolls.
  await page.setViewportSize({ width: 1440, height: 300 });
  await open('/app/invoices?method=Card');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  await page.getByText('Page 2 of 2').waitFor();
  const last = page.locator('tbody a').last();
  const number = (await last.textContent()) ?? '';
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await last.click();
  await page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: number }).waitFor();
  expect(new URL(page.url()).search).toBe('?method=Card&page=2');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await page.goBack();
  await page.getByText('Page 1 of 2').waitFor();
});

story('a letter cancels the request for the letters before it', async (told) => {
  const { page, open, logIn } = told;
  await issueInvoices(told);
  await logIn();
  await open('/app/invoices');
  await page.getByText('Page 1 of 2').waitFor();
  const held = Promise.withResolvers<void>();
  await page.route(/\/payments\/orders\?.*receipt=INV(&|$)/, async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  const failed: string[] = [];
  page.on('requestfailed', (request) =>
    failed.push(`${new URL(request.url()).search} ${request.failure()?.errorText}`),
  );
  const answered = page.waitForResponse(/receipt=INV-0(&|$)/);
  await page.keyboard.press('/');
  await page.keyboard.type('INV-0');
  await answered;
  // Long before the request ends by itself.
  const isCanceled = () => failed.some((text) => /receipt=INV net::ERR_ABORTED/.test(text));
  await expect.poll(isCanceled, { timeout: 5_000 }).toBe(true);
  held.resolve();
  await page.waitForURL(/receipt=INV-0$/);
});
