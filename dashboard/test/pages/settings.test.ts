import { expect } from 'vitest';
import { story } from '../story/story.ts';

story('an admin names the company, and the audit log shows who did it', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/settings');
  await page.getByLabel('Name').fill('Analytical Engines Ltd');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved').waitFor();
  expect((await company.client.company.get()).name).toBe('Analytical Engines Ltd');
  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Company changed' });
  await row.getByText('Ada Lovelace').waitFor();
});
