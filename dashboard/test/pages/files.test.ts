import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { signUpLifelikeCompany } from '../service/lifelike.ts';
import { story } from '../story/story.ts';

/** Presses "Export CSV", and returns the name of the file and its first line. */
async function exportCsv(page: Page): Promise<[string, string]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const content = await text(await download.createReadStream());
  return [download.suggestedFilename(), content.split('\r\n')[0] ?? ''];
}

story('every list of the console that the API has as a file is exported', async (told) => {
  const { page, open, logInToConsole, company } = told;
  await logInToConsole();
  const files: [string, string, string][] = [
    ['companies', 'companies.csv', 'externalId'],
    ['invoices', 'invoices.csv', 'number'],
    ['payments', 'payments.csv', 'invoiceNumber'],
    ['refunds', 'refunds.csv', 'amount'],
    ['emails', 'mails.csv', 'subject'],
    ['credit-notes', 'credit-notes.csv', 'number'],
    [`usage?companyId=${company.id}`, 'usage.csv', 'path,start,end,quantity'],
    ['disputes', 'disputes.csv', 'gatewayDisputeId'],
    ['ledger', 'ledger.csv', 'account'],
    ['balances', 'balances.csv', 'account,currency,debit,credit'],
    ['reconciliation', 'reconciliation.csv', 'kind'],
    ['audit-log', 'operator-audit-log.csv', 'action'],
  ];
  for (const [path, fileName, columns] of files) {
    await open(`/console/${path}`);
    const [name, head] = await exportCsv(page);
    expect([name, head.includes(columns)], `${path}: ${head}`).toEqual([fileName, true]);
  }
  await open('/console/usage');
  await expect.poll(() => page.getByRole('button', { name: 'Export CSV' }).getAttribute('aria-disabled')).toBe('true');
});

story(
  "a company's invoices, usage and audit log are exported",
  async ({ page, open, logIn }) => {
    await logIn();
    for (const [path, fileName, columns] of [
      ['invoices', 'invoices.csv', 'number'],
      ['usage', 'usage.csv', 'path,start,end,quantity'],
      ['audit-log', 'audit-log.csv', 'action'],
    ] as const) {
      await open(`/app/${path}`);
      const [name, head] = await exportCsv(page);
      expect([name, head.includes(columns)], `${path}: ${head}`).toEqual([fileName, true]);
    }
  },
  { makeCompany: signUpLifelikeCompany },
);

story('the lists that the API filters by instants take days', async ({ page, open, logInToConsole }) => {
  await logInToConsole();
  const today = new Date().toISOString().slice(0, 10);
  await open(`/console/audit-log?from=${today}&to=${today}`);
  await page.getByRole('row').nth(1).waitFor();
  for (const [path, heading] of [
    [`ledger?from=2026-10-01&to=${today}`, 'Ledger'],
    [`balances?to=${today}`, 'Balances'],
    [`reconciliation?from=2026-10-01&to=${today}`, 'Reconciliation'],
  ] as const) {
    await open(`/console/${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count(), path).toBe(0);
    expect(await page.getByText('The address has a filter that Paydesk does not know').count(), path).toBe(0);
  }
});
