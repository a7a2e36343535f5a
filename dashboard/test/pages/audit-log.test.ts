import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member reads in words who changed what, and the history of one label', async (told) => {
  const { page, open, logIn, company } = told;
  const fields = { name: 'Priority', description: 'First of all', userName: 'Ada', color: '#1f6feb' };
  const { id } = await company.client.labels.create(fields);
  await company.client.labels.update(id, { ...fields, name: 'Urgent' });
  await logIn();
  await open('/app/audit-log');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await page.getByRole('cell', { name: 'Label changed' }).waitFor();
  await page.getByRole('cell', { name: 'Signed up' }).waitFor();
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Label created' }).click();
  await page.getByText('1 result', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe('label.created');
  await page.getByLabel('From').fill('2020-01-01');
  await page.getByLabel('To').fill('2020-02-01');
  await page.getByText('Nothing matches these filters').waitFor();

  await open('/app/labels');
  await page.getByRole('button', { name: 'History: Urgent' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText('Label created').waitFor();
  expect(await panel.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^Label changedAda Lovelace · .*1 changed field/),
    expect.stringMatching(/^Label createdAda Lovelace · /),
  ]);
  await panel.getByText('1 changed field').click();
  await panel.getByRole('deletion').getByText('Priority').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-history');
});

story('staff find what a request changed by its id, from anywhere in the console', async (told) => {
  const { page, open, logInToConsole, operator, company } = told;
  await company.client.labels.create({ name: 'Priority', description: 'First', userName: 'Ada', color: '#1f6feb' });
  const filter = { companyId: company.id, action: 'label.created' };
  const requestId = (await operator.auditLog.list(filter)).data[0]?.requestId ?? '';
  await logInToConsole();
  await open('/console');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(requestId);
  await page.getByRole('option', { name: `Find the request ${requestId} in the audit log` }).waitFor();
  await pictureOf(page, 'console-palette-request');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await page.getByText('of requests that changed nothing, the log of the service has the line').waitFor();
  await page.getByRole('cell', { name: 'Label created' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await checkAccessibility(page);
  await pictureOf(page, 'console-audit-log-request');
});
