/** Direct debits: they are on their way for days, then they pay, come back, or are taken back later. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { IBANS } from '../../../server/test/customers/card-setups.ts';
import { eventually } from '../../../server/test/harness/process.ts';
import { issueInvoice } from '../service/billing.ts';
import { saveMandate } from '../service/mandates.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

const PAY = 'Pay €57.60';

/** Pays the invoice that the page shows with the bank account, whose debit begins. */
async function beginDebit(page: Page): Promise<void> {
  await page.getByRole('button', { name: PAY }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: PAY }).click();
  await dialog.getByText('The debit of €57.60 has begun').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

/** Has the service ask the gateway now, which it does after minutes otherwise. */
async function lookNow({ service }: Story, invoiceId: string): Promise<void> {
  await service.database`UPDATE payments SET reconcile_at = now() WHERE invoice_id = ${invoiceId}`;
}

async function openPageOf({ open, company }: Story, invoiceId: string): Promise<void> {
  const { url } = await company.client.invoices.link.get(invoiceId);
  await open(new URL(url).pathname);
}

/** What has happened in the ledger of the company, the oldest first. */
async function postedKinds({ operator, company }: Story): Promise<string[]> {
  const { data } = await operator.ledger.list({ companyId: company.id, perPage: 100 });
  return [...new Set(data.map(({ kind }) => kind))];
}

story(
  'a debit is on its way in both apps and on the page of the invoice, and then the invoice is paid',
  async (told) => {
    const { page, open, logIn, logInToConsole, operator, company, service } = told;
    const { id, number } = await issueInvoice(operator, company, '48.00', 'EUR');
    await logIn();
    await open('/app/payment-methods');
    await page.getByRole('button', { name: 'Add bank account' }).click();
    const form = page.getByRole('dialog', { name: 'Add bank account' });
    await form.getByLabel('Account holder').fill('Ada Lovelace');
    await form.getByLabel('IBAN').fill('DE08 3704 0044 0532 0130 03');
    await form.getByLabel('E-mail').fill('ada@example.com');
    await form.getByRole('checkbox', { name: 'I accept the mandate' }).click();
    await form.getByLabel('Street and number').fill('Unter den Linden 1');
    await form.getByLabel('Country').click();
    await page.getByRole('option', { name: 'Germany' }).click();
    await form.getByRole('button', { name: 'Add bank account' }).click();
    await page.getByText('SEPA •••• 3003 is saved').first().waitFor();
    await open(`/app/invoices/${id}`);
    await beginDebit(page);
    await page.getByText('The debit of €57.60 is in progress').waitFor();
    await page.getByRole('status').getByText('A debit is in progress').waitFor();
    await pictureOf(page, 'invoice-debit');
    await open('/app/invoices');
    await page.getByRole('row').filter({ hasText: number }).getByText('Debit in progress').waitFor();

    await openPageOf(told, id);
    await page.locator('main[data-state=processing]').waitFor();
    await page.getByText('Your bank carries out the debit within a few days').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await checkAccessibility(page);
    await pictureOf(page, 'invoice-page-debit');

    await logInToConsole();
    await open(`/console/invoices/${id}`);
    await page.getByText('The debit of €57.60 is in progress').waitFor();
    await page.getByText('Debit in progress').waitFor();
    // What is due can’t change meanwhile.
    for (const name of ['Charge now', 'Issue credit note', 'Void'])
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    await open(`/console/payments?invoiceId=${id}`);
    await page.getByRole('row').filter({ hasText: number }).getByText('Debit in progress').waitFor();
    expect(await postedKinds(told)).toEqual(['invoice_issued']);

    await open(`/app/invoices/${id}`);
    await page.getByText('The debit of €57.60 is in progress').waitFor();
    await service.sandbox.endDelays();
    await lookNow(told, id);
    // The page that is open says so by itself.
    await page.getByText('Paid €57.60 with SEPA •••• 3003').waitFor();
    await openPageOf(told, id);
    await page.locator('main[data-state=paid]').waitFor();
    expect(await postedKinds(told)).toEqual(['invoice_issued', 'payment_captured']);
  },
);

story('a debit that comes back says why in the app, what happens next in the mail, and posts nothing', async (told) => {
  const { page, open, logIn, logInToConsole, operator, company } = told;
  await saveMandate(company, IBANS.fails);
  const { id, number } = await issueInvoice(operator, company, '48.00', 'EUR');
  await logIn();
  await open(`/app/invoices/${id}`);
  await beginDebit(page);
  await page.getByText('SEPA •••• 3001: €57.60 declined').waitFor();
  await page.getByText('There is not enough money for this payment.').waitFor();
  await page.getByText('Failed', { exact: true }).first().waitFor();
  await pictureOf(page, 'invoice-debit-back');
  await openPageOf(told, id);
  await page.locator('main[data-state=failed]').waitFor();
  await page.getByText('There is not enough money for this payment.').waitFor();
  await pictureOf(page, 'invoice-page-debit-back');

  // The collection adds to the mail what it does next.
  const text = await eventually(
    async () => {
      const { data } = await operator.mails.list({ invoiceId: id, type: 'payment_failed' });
      const [sent] = await Promise.all(data.map((mail) => operator.mails.get(mail.id)));
      return /We will try again on \d+ December 2026\./.test(sent?.text ?? '') && sent?.text;
    },
    () => 'a mail with the day of the next attempt',
  );
  expect(text).toContain(`The direct debit for your invoice ${number} has failed`);
  expect(text).toContain('SEPA •••• 3001');
  await logInToConsole();
  await open(`/console/invoices/${id}`);
  await page.getByRole('link', { name: `The payment of invoice ${number} from` }).waitFor();
  await page.getByText('SEPA •••• 3001: €57.60 declined').waitFor();
  expect(await postedKinds(told)).toEqual(['invoice_issued']);
});

story('a debit that is taken back after it has paid is a lost dispute in both apps and in the ledger', async (told) => {
  const { page, open, logIn, logInToConsole, operator, company } = told;
  await saveMandate(company, IBANS.isDisputed);
  const { id, number } = await issueInvoice(operator, company, '48.00', 'EUR');
  await logIn();
  await open(`/app/invoices/${id}`);
  await beginDebit(page);
  await page.getByText('Paid €57.60 with SEPA •••• 3002').waitFor();
  await eventually(async () => (await postedKinds(told)).includes('dispute_lost'));
  await page.reload();
  await page.getByText('The payment of €57.60 is disputed').waitFor();
  await page.getByText('The bank returned the money.').waitFor();
  await pictureOf(page, 'invoice-debit-disputed');
  await logInToConsole();
  await open(`/console/disputes?companyId=${company.id}`);
  await page.getByRole('row').filter({ hasText: number }).getByText('Lost').waitFor();
  await pictureOf(page, 'console-dispute-debit');
  expect(await postedKinds(told)).toEqual(['invoice_issued', 'payment_captured', 'dispute_withdrawn', 'dispute_lost']);
});
