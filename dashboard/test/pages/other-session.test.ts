import { expect } from 'vitest';
import { signUpCompany } from '../service/company.ts';
import { story } from '../story/story.ts';

story('a page that another tab has given to another company writes nothing there', async (told) => {
  const { page, context, open, logIn, watch } = told;
  const other = await signUpCompany();
  const { organization } = await other.client.billingInformation.get();
  await logIn();
  await open('/app/billing-information');
  await page.getByLabel('Organization').fill('Typed for the first company');
  await logIn(other.admin);
  watch.allow(/401|Another tab has begun a session/);
  // As when the access token has expired.
  let puts = 0;
  await context.route('**/payments/billing-information', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    puts += 1;
    const headers = { ...route.request().headers(), authorization: 'Bearer expired' };
    return puts === 1 ? route.continue({ headers }) : route.continue();
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByLabel('Organization').inputValue()).toBe(organization);
  expect(puts).toBe(1);
  expect((await other.client.billingInformation.get()).organization).toBe(organization);
});

story('a page follows at once when another tab logs in as somebody else', async (told) => {
  const { page, context, open, logIn, company } = told;
  const other = await signUpCompany();
  await logIn();
  await open('/app/profile');
  await page.getByText(company.admin.email).first().waitFor();
  await logIn(other.admin);
  const second = await context.newPage();
  await second.goto('/app/profile');
  await second.getByText(other.admin.email).first().waitFor();
  await page.getByText(other.admin.email).first().waitFor();
});
