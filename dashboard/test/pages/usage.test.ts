import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const DAY_MS = 86_400_000;

story('a member sees the usage of the month as a chart and a table, and exports it', async (told) => {
  const { page, open, logIn, company, operator } = told;
  const now = Date.now();
  await operator.usage.report(
    Array.from({ length: 20 }, (_, day) => ({
      specversion: '1.0',
      type: 'paydesk.usage',
      source: 'test',
      id: crypto.randomUUID(),
      subject: company.id,
      time: new Date(now - day * DAY_MS).toISOString(),
      data: { path: day % 3 === 0 ? '/v1/speech' : '/v1/transcriptions', quantity: 100 * (day + 1) },
    })),
  );
  const from = new Date(now - 25 * DAY_MS).toISOString().slice(0, 10);
  const countTotals = async () => (await company.client.usage.list({ from, granularity: 'day' })).totals.length;
  await expect.poll(countTotals).toBe(20);
  await logIn();
  await open(`/app/usage?from=${from}`);
  await page.getByText(/21,000 in total/).waitFor();
  await page.getByRole('figure', { name: 'Usage over time' }).waitFor();
  await pictureOf(page, 'usage');
  await checkAccessibility(page);
  await page.locator('.recharts-surface').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.recharts-tooltip-wrapper p').first().waitFor();
  await page.getByLabel('Search by path').fill('/v1/speech');
  await expect.poll(() => page.url()).toContain('path=%2Fv1%2Fspeech');
  await page.getByText(/7,000 in total/).waitFor();
  await page.getByRole('button', { name: 'Add threshold' }).click();
  await page.getByRole('dialog').getByLabel('Quantity to reach').fill('50000');
  await page.getByRole('dialog').getByRole('button', { name: 'Add threshold' }).click();
  await page.getByRole('cell', { name: '50,000', exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('usage.csv');
});
