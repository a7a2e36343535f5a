import { expect } from 'vitest';
import { SYSTEM_ROLES } from '../../../server/src/platform/permissions.ts';
import { only } from '../../../server/test/identity/roles.ts';
import { joinAs } from '../service/member.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('an API key is shown once, and the audit log tells of it', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/api-keys');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ticket service');
  await dialog.getByRole('checkbox', { name: 'Labels: Change' }).click();
  await dialog.getByLabel('Expires on').fill('2090-06-30');
  await dialog.getByLabel('Allowed IP addresses').fill('192.0.2.0/24\nexample.com');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await dialog.getByText('example.com: Must be an IP address').waitFor();
  await pictureOf(page, 'app-api-keys-create');
  await dialog.getByLabel('Allowed IP addresses').fill('192.0.2.0/24\n2001:db8::7');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const key = await dialog.locator('code').textContent();
  expect(key).toMatch(/^pdk_/);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'Ticket service' }).first().waitFor();
  expect(await page.content()).not.toContain(key);
  const { data } = await company.client.company.apiKeys.list({});
  expect(data).toMatchObject([
    {
      allowed_ips: ['192.0.2.0/24', '2001:db8::7'],
      // The end of the day in New York, where the story is told.
      expires_at: '2090-07-01T03:59:59.000Z',
      permission: {
        platform: { billing: { view: true, all: false } },
        application: { labels: { view: true, all: true } },
      },
    },
  ]);
  const row = page.getByRole('row', { name: 'Ticket service' });
  await row.getByText('Change: Labels · View: Billing').waitFor();
  await row.getByText('192.0.2.0/24, 2001:db8::7').waitFor();
  await row.getByText('Jun 30, 2090').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-api-keys');
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await page.getByRole('cell', { name: 'Ticket service' }).first().waitFor();
  await page.getByRole('button', { name: 'Export CSV' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-audit-log');
});

story('nobody gives a key what they lack, and an expired key says so', async (told) => {
  const { page, open, logIn, company, service } = told;
  const developer = only('platform.applications', { view: true, all: true });
  await company.client.company.apiKeys.create({
    name: 'Old',
    permission: SYSTEM_ROLES.Customer.permission,
    expires_at: '2090-01-01T00:00:00Z',
  });
  await service.database`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE company_id = ${company.id}`;
  await logIn(await joinAs(company, developer));
  await open('/app/api-keys');
  await page.getByRole('row', { name: 'Old' }).getByText('Expired').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You can give only permissions that you have yourself.').waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'Billing: View' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Name').fill('Mine');
  await dialog.getByRole('checkbox', { name: 'Everything: Change' }).click();
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await dialog.getByText(/^pdk_/).waitFor();
  const { data } = await company.client.company.apiKeys.list({});
  expect(data.find(({ name }) => name === 'Mine')?.permission).toEqual(developer);
});
