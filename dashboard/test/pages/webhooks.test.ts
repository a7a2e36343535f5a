import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member adds an endpoint, and sees its test delivery', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/webhooks');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('https://hooks.example.com/paydesk');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  expect(await dialog.locator('code').textContent()).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'https://hooks.example.com/paydesk', exact: true }).waitFor();
  expect(await page.content()).not.toContain('whsec_');
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks');
  await page.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  const { data } = await company.client.webhookEndpoints.list();
  expect(data.map(({ status }) => status)).toEqual(['enabled']);
  await page.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).click();
  await page.getByRole('dialog').getByRole('row').nth(1).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks-deliveries');
});
