import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { issueInvoice } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

story('a member deletes ten labels at once', async ({ page, open, logIn, company }) => {
  const userName = 'Ada Lovelace';
  for (let nth = 1; nth <= 11; nth += 1)
    await company.client.labels.create({
      name: `Label ${nth}`,
      description: 'One of many',
      color: '#1f6feb',
      userName,
    });
  await logIn();
  await open('/app/labels');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByText('11 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select Label 7', exact: true }).press('Space');
  const bar = page.getByRole('region', { name: '10 selected' });
  await checkAccessibility(page);
  await pictureOf(page, 'app-labels-selected');
  await bar.getByRole('button', { name: 'Delete labels' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 10 labels' });
  await dialog.getByText('Label 11').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-labels-delete-many');
  await dialog.getByLabel('Type 10 to confirm').fill('10');
  await dialog.getByRole('button', { name: 'Delete labels' }).click();
  await page.getByText('Delete labels: 10 done').waitFor();
  await page.getByRole('row').filter({ hasText: 'Label 1' }).first().waitFor({ state: 'detached' });
  const { data } = await company.client.labels.list();
  expect(data.map(({ name }) => name)).toEqual(['Label 7']);
});

const isVoid = (request: Request) => request.method() === 'POST' && request.url().endsWith('/void');
const invoiceOf = (request: Request) => new URL(request.url()).pathname.split('/').at(-2) ?? '';

async function issueMany({ operator, company }: Story, count: number): Promise<string[]> {
  const ids = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await issueInvoice(operator, company)).id);
  return ids;
}

async function selectAll(page: Page, count: number): Promise<void> {
  await page.getByText(`${count} results`).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
}

story('the operator voids many invoices, reloads half way, and none is voided twice', async (told) => {
  const { page, open, company, context, logInToConsole, operator } = told;
  const ids = await issueMany(told, 4);
  /** The keys with which each invoice was voided. */
  const keys = new Map<string, Set<string>>();
  let voided = 0;
  let isHeld = true;
  await context.route('**/operator/invoices/*/void', async (route) => {
    const request = route.request();
    const invoice = invoiceOf(request);
    keys.set(invoice, (keys.get(invoice) ?? new Set()).add((await request.headerValue('idempotency-key')) ?? ''));
    // The service voids the third one, and the page is reloaded before it gets the answer.
    const response = await route.fetch();
    voided += 1;
    if (voided < 3 || !isHeld) await route.fulfill({ response });
  });
  await logInToConsole();
  await open(`/console/invoices?companyId=${company.id}`);
  await selectAll(page, 4);
  await page.getByRole('region', { name: '4 selected' }).getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void 4 invoices' });
  await dialog.getByText('4 invoices: $230.40').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-invoices-void-many');
  await dialog.getByLabel('Type 4 to confirm').fill('4');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await page.getByRole('progressbar', { name: 'Void' }).waitFor();
  await page.getByText(/^2 of 4/).waitFor();
  await expect.poll(() => voided).toBe(3);
  await pictureOf(page, 'console-invoices-voiding');
  isHeld = false;
  await page.reload();
  await page.getByText('Void: 4 done').waitFor();

  expect([...keys.keys()].sort()).toEqual([...ids].sort());
  expect([...keys.values()].map((own) => own.size)).toEqual([1, 1, 1, 1]);
  const { data } = await operator.invoices.list({ companyId: company.id, state: 'void' });
  expect(data).toHaveLength(4);
  const { data: entries } = await operator.auditLog.list({ companyId: company.id, action: 'invoice.voided' });
  expect(entries).toHaveLength(4);
  await page.reload();
  await page.getByText('4 results').waitFor();
  expect(await page.getByRole('progressbar').count()).toBe(0);
});

story('what is refused is listed with its reason, and tried again', async (told) => {
  const { page, open, company, context, logInToConsole, operator } = told;
  const [paid = '', open1 = ''] = await issueMany(told, 2);
  await logInToConsole();
  await open(`/console/invoices?companyId=${company.id}`);
  await selectAll(page, 2);
  const { number } = await operator.invoices.creditNotes.create(paid, { amount: '1.00', reason: 'Outage' });
  expect(number).toMatch(/./);
  const requests: string[] = [];
  context.on('request', (request) => (isVoid(request) ? requests.push(invoiceOf(request)) : undefined));
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type 2 to confirm').fill('2');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await page.getByText('Void: 1 was refused').waitFor();
  const { number: refused } = await operator.invoices.get(paid);
  await page
    .getByRole('listitem')
    .filter({ hasText: `${refused}:` })
    .waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-invoices-refused');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => requests.filter((id) => id === paid).length).toBe(2);
  await page.getByText('Void: 1 was refused').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(requests.filter((id) => id === open1)).toHaveLength(1);
  const states = await Promise.all([paid, open1].map(async (id) => (await operator.invoices.get(id)).state));
  expect(states).toEqual(['open', 'void']);
});

story('nobody goes on with what somebody else has begun in the same tab', async (told) => {
  const { page, open, company, context, logInToConsole, operator } = told;
  const [id = ''] = await issueMany(told, 1);
  const bulk = { id: crypto.randomUUID(), by: crypto.randomUUID(), action: 'void', ids: [id], done: [] };
  await context.addInitScript(
    (text) => sessionStorage.setItem('paydesk.bulk.operator-invoices', text),
    JSON.stringify(bulk),
  );
  await logInToConsole();
  await open(`/console/invoices?companyId=${company.id}`);
  await page.getByText('1 result').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('paydesk.bulk.operator-invoices'))).toBe(null);
  expect((await operator.invoices.get(id)).state).toBe('open');
});
