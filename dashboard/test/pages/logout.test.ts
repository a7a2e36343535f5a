import { expect } from 'vitest';
import { story } from '../story/story.ts';

story('a logout ends every tab, and Back shows nothing', async ({ page, context, open, logIn, company }) => {
  await logIn();
  await open('/app');
  await page.getByRole('navigation').getByRole('link', { name: 'Invoices' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
  const other = await context.newPage();
  await other.goto('/app/profile');
  await other.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  for (const tab of [page, other]) await tab.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  expect(await page.getByText(company.name).count()).toBe(0);
  expect((await context.cookies()).filter(({ name }) => name === '__Host-paydesk')).toEqual([]);
});

story('two tabs refresh one session, one after the other', async ({ page, context, open, logIn }) => {
  await logIn();
  await open('/app/profile');
  const other = await context.newPage();
  await Promise.all([page.reload(), other.goto('/app/profile'), page.goto('/app/security')]);
  await other.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  await page.getByText('This one').waitFor();
});

story('the operator looks at a company, and leaves it', async ({ page, open, service, company }) => {
  await open('/console');
  await page.getByLabel('Operator key').fill(service.operatorKey);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const opened = await page.evaluate(async (id) => {
    const { data } = await (await fetch('/auth/refresh?session=console', { method: 'POST' })).json();
    const headers = { authorization: `Bearer ${data.access_token}`, 'idempotency-key': crypto.randomUUID() };
    localStorage.setItem('paydesk.session-kinds', 'console view');
    return (await fetch(`/operator/companies/${id}/views`, { method: 'POST', headers })).status;
  }, company.id);
  expect(opened).toBe(201);
  await open('/app/invoices');
  await page.getByText('and can change nothing.').waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`**/console/companies/${company.id}`);
  await open('/app');
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
});
