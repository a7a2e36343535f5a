import { expect } from 'vitest';
import { PASSWORD } from '../../../server/test/customers/actors.ts';
import { addStaff } from '../../../server/test/identity/staff.ts';
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

story('two tabs that need a token at the same time share one refresh', async ({ page, context, open, logIn }) => {
  await logIn();
  await open('/app/profile');
  await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  const other = await context.newPage();
  await other.goto('/app/login?error=sso_failed');
  await other.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  const gate = Promise.withResolvers<void>();
  let refreshes = 0;
  await context.route('**/auth/refresh*', async (route) => {
    refreshes += 1;
    await gate.promise;
    await route.continue();
  });
  await Promise.all([page.reload(), other.goto('/app/security')]);
  const waiting = () => page.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(waiting).toBe(1);
  gate.resolve();
  await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
  await other.getByText('This one').waitFor();
  expect(refreshes).toBe(1);
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
  // The company has no name, and goes by its e-mail.
  await page.getByText(`You see ${company.admin.email} as its members do, and can change nothing.`).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`**/console/companies/${company.id}`);
  await open('/app');
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
});

story('one of the staff who logs in at /app goes on to the console', async ({ page, open, service }) => {
  // The step before confirms the app, so that the code of this step is good for the login.
  const clock = { clock: () => new Date(Date.now() - 30_000), goOn: () => undefined };
  const { email, app } = await addStaff(service.asTestService, clock, 'finance');
  await open('/app/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Code').fill(app.code(1));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Paydesk console' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console');
  await page.getByRole('button', { name: 'Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Log in to the console' }).waitFor();
});
