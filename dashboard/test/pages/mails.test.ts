import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { issueInvoice } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a company says who gets its mails, in which language, and which', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app');
  await page.getByRole('link', { name: 'Mail settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mail settings' }).waitFor();
  await page.getByRole('textbox', { name: 'Recipients' }).fill('accounts@example.com\nnobody');
  await page.getByLabel('Language').click();
  await page.getByRole('option', { name: 'German' }).click();
  await page.getByRole('switch', { name: 'Receipt' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be a valid e-mail address').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'mail-settings-refused');
  await page.getByRole('textbox', { name: 'Recipients' }).fill('accounts@example.com\nada@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The mail settings are saved').waitFor();
  expect(await company.client.mailSettings.get()).toEqual({
    recipients: ['accounts@example.com', 'ada@example.com'],
    language: 'de',
    disabled: ['receipt'],
  });
});

story('the operator reads a mail about an invoice, and sends it again', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  const { id: invoiceId, number } = await issueInvoice(operator, company, '48.00');
  const { key } = await operator.keys.create({ name: 'Finance', role: 'finance' });
  await logInToConsole(key);
  await open(`/console/invoices/${invoiceId}`);
  await page.getByRole('link', { name: `Invoice ${number} from` }).click();
  const panel = page.getByRole('dialog');
  const shown = panel.frameLocator('iframe');
  await shown.getByText(number).first().waitFor();
  // What a mail looks like does not reach beyond its frame, which fits it.
  await expect.poll(() => panel.locator('iframe').evaluate((frame) => frame.clientHeight)).toBeGreaterThan(400);
  await checkAccessibility(page);
  await pictureOf(page, 'console-mail');
  await panel.getByRole('tab', { name: 'As text' }).click();
  await panel
    .getByText(`your invoice ${number}`)
    .or(panel.getByText(`Your invoice ${number}`))
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: `Download ${number}.pdf` }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${number}.pdf`);
  expect((await buffer(await download.createReadStream())).subarray(0, 5).toString()).toBe('%PDF-');

  await panel.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'again?' });
  await dialog.getByText('goes to one recipient').waitFor();
  await dialog.getByLabel('Recipients').fill('not an address');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('Must be a valid e-mail address').first().waitFor();
  await checkAccessibility(page);
  await dialog.getByLabel('Recipients').fill('accounts@example.com\nada@example.com');
  await dialog.getByText('goes to 2 recipients').waitFor();
  await pictureOf(page, 'console-mail-resend');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The mail goes again to accounts@example.com, ada@example.com').first().waitFor();
  await panel.getByText('Sent again').waitFor();
  const { data: mails } = await operator.mails.list({ invoiceId });
  expect(mails.map(({ to, resendOf }) => [to, resendOf])).toEqual([
    [['accounts@example.com', 'ada@example.com'], mails[1]?.id],
    [[company.admin.email], null],
  ]);
});

story('the operator sees a mail before it is written, in each language', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  const { id: invoiceId, number } = await issueInvoice(operator, company, '48.00');
  await logInToConsole();
  await open(`/console/invoices/${invoiceId}`);
  await page.getByRole('button', { name: 'Preview a mail' }).click();
  const dialog = page.getByRole('dialog');
  const shown = dialog.frameLocator('iframe');
  await shown.getByText(number).first().waitFor();
  await dialog.getByLabel('Language').click();
  await page.getByRole('option', { name: 'German' }).click();
  await shown.getByText('Rechnung').first().waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-mail-preview');
});

story('the operator finds the mails to a company, and changes its settings', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  await logInToConsole();
  await open(`/console/companies/${company.id}/mails`);
  await page.getByRole('button', { name: 'Preview a mail' }).click();
  await page.getByText('There is nothing yet that such a mail would tell of.').waitFor();
  await issueInvoice(operator, company, '48.00');
  const { number } = await issueInvoice(operator, company, '9.60');
  await open('/console/emails');
  await page.getByLabel('Company').fill(company.admin.email);
  await page.getByRole('option', { name: company.admin.email }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('companyId')).toBe(company.id);
  const rows = page.getByRole('row').filter({ hasText: company.admin.email });
  await page.getByText('3 results').waitFor();
  await page.getByLabel('Invoice').fill(number.toLowerCase());
  await page.getByRole('option', { name: number }).click();
  await page.getByText('1 result', { exact: true }).waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Invoice').inputValue()).toBe(number);
  expect(await rows.count()).toBe(1);
  await pictureOf(page, 'console-mails-filtered');
  await open(`/console/companies/${company.id}`);
  await page.getByRole('link', { name: 'Mails', exact: true }).click();
  await page.getByRole('link', { name: `Invoice ${number} from` }).waitFor();
  await page.getByRole('textbox', { name: 'Recipients' }).fill('accounts@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The mail settings are saved').waitFor();
  expect((await company.client.mailSettings.get()).recipients).toEqual(['accounts@example.com']);
  await pictureOf(page, 'console-company-mails');
});

story('whoever only reads sees the mails about money, and no others', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  const { number } = await issueInvoice(operator, company, '48.00');
  const { key } = await operator.keys.create({ name: 'Support', role: 'viewer' });
  await logInToConsole(key);
  await open('/console');
  await page.getByRole('link', { name: 'E-mails' }).click();
  await open(`/console/emails?companyId=${company.id}`);
  await page.getByText('1 result', { exact: true }).waitFor();
  await page.getByLabel('Type').click();
  await page.getByRole('option', { name: 'Receipt' }).waitFor();
  expect(await page.getByRole('option', { name: 'Reset the password' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: `Invoice ${number} from` }).click();
  const panel = page.getByRole('dialog');
  await panel.frameLocator('iframe').getByText(number).first().waitFor();
  await panel.getByRole('button', { name: 'Send again' }).focus();
  await page.getByText('Only finance and admins may do this.').first().waitFor();
});
