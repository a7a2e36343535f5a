import { expect } from 'vitest';
import { issueInvoice } from '../service/billing.ts';
import { joinAs } from '../service/member.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member copies the link to an invoice, replaces it, and revokes it', async (told) => {
  const { page, context, open, logIn, operator, company } = told;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id, number } = await issueInvoice(operator, company);
  await logIn();
  await open(`/app/invoices/${id}`);
  await page.getByRole('button', { name: 'Share link' }).click();
  const dialog = page.getByRole('dialog', { name: `Link to invoice ${number}` });
  const { url } = await company.client.invoices.link.get(id);
  await dialog.getByText(url).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'invoice-link');
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);

  await dialog.getByRole('button', { name: 'Replace link' }).click();
  const question = page.getByRole('dialog', { name: 'Replace link?' });
  await question.getByText(`The link to invoice ${number} that was sent before stops working`).waitFor();
  await checkAccessibility(page);
  await question.getByRole('button', { name: 'Replace link' }).click();
  await page.getByText('The new link works from now on').first().waitFor();
  const { url: next } = await company.client.invoices.link.get(id);
  expect(next).not.toBe(url);
  await dialog.getByText(next).waitFor();

  await dialog.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByRole('dialog', { name: 'Revoke link?' }).getByRole('button', { name: 'Revoke link' }).click();
  await dialog.getByText('nobody can open it any more').waitFor();
  await pictureOf(page, 'invoice-link-revoked');
  await expect(company.client.invoices.link.get(id)).rejects.toMatchObject({ status: 404 });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Revoke link' }).waitFor();
  await dialog.getByText((await company.client.invoices.link.get(id)).url).waitFor();
});

story('whoever only reads copies the link, and can’t replace it', async (told) => {
  const { page, open, logIn, logInToConsole, operator, company } = told;
  const { id } = await issueInvoice(operator, company);
  const { url } = await company.client.invoices.link.get(id);
  await logIn(await joinAs(company, 'Viewer'));
  await open(`/app/invoices/${id}`);
  await page.getByRole('button', { name: 'Share link' }).click();
  await page.getByText(url).waitFor();
  await page.getByRole('button', { name: 'Replace link' }).focus();
  await page.getByText('Your role may only copy the link.').first().waitFor();
  const { key } = await operator.keys.create({ name: 'Support', role: 'viewer' });
  await logInToConsole(key);
  await open(`/console/invoices/${id}`);
  await page.getByRole('button', { name: 'Share link' }).click();
  await page.getByText(url).waitFor();
  await page.getByRole('button', { name: 'Revoke link' }).focus();
  await page.getByText('Only finance and admins may do this.').first().waitFor();
});
