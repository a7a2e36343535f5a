import { expect } from 'vitest';
import { issueInvoice, saveCard } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

/** How many compressed bytes of scripts the page had asked for when its largest part was painted; others load once it is there. */
async function scriptBytes(): Promise<number> {
  const paintedAt = await new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0));
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  });
  const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return fetched
    .filter(({ name, startTime }) => new URL(name).pathname.endsWith('.js') && startTime < paintedAt)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

story('the home page of a new company says what to set up, with three requests', async ({ page, open, logIn }) => {
  await logIn();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/payments/')) asked.push(pathname);
  });
  await open('/app');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('0 of 5 done').waitFor();
  expect(await page.evaluate(scriptBytes)).toBeLessThan(200_000);
  expect(asked.sort()).toEqual(['/payments/orders', '/payments/overview', '/payments/upcoming-invoice']);
  await pictureOf(page, 'home-new');
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'Add a card' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payment methods' }).waitFor();
});

story('the home page says what is due, and pays it', async ({ page, open, logIn, company, operator }) => {
  await issueInvoice(operator, company);
  await issueInvoice(operator, company, '1250.40');
  await saveCard(company);
  await logIn();
  await open('/app');
  await page.getByText('$1,558.08').waitFor();
  await pictureOf(page, 'home');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $57.60' }).click();
  await page.getByText('Paid $57.60').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('1 invoice ·').waitFor();
});

story(
  'the home page shows the outcome of the last payment, after which nothing is due',
  async ({ page, open, logIn, company, operator }) => {
    await issueInvoice(operator, company);
    await saveCard(company);
    await logIn();
    await open('/app');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Pay invoice/ });
    await dialog.getByRole('button', { name: 'Pay $57.60' }).click();
    await dialog.getByText('Paid $57.60').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Paid', { exact: true }).first().waitFor();
  },
);
