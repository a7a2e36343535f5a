import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('an admin creates a role, changes what it may do, and deletes it', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/team');
  await page.getByRole('main').getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  await page.getByRole('button', { name: 'Create role' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Name').fill('Accountant');
  await panel.getByLabel('Description').fill('Reads everything and pays');
  await panel.getByRole('checkbox', { name: 'Everything: View' }).click();
  await panel.getByRole('checkbox', { name: 'Billing: Change' }).click();
  await panel.getByRole('checkbox', { name: 'Live map: View' }).click();
  await pictureOf(page, 'app-roles-create');
  await checkAccessibility(page);
  await panel.getByRole('button', { name: 'Create role' }).click();
  await page.getByText('The role is created').waitFor();
  const row = page.getByRole('row', { name: 'Accountant' });
  await row
    .getByRole('cell', { name: /^Change: Billing · View: Team and settings, .+ Labels, Application settings$/ })
    .waitFor();
  const roleOf = async () => (await company.client.company.roles.list()).data.find(({ name }) => name === 'Accountant');
  expect((await roleOf())?.permission).toMatchObject({
    platform: { billing: { view: true, all: true }, admins: { view: true, all: false } },
    application: { applications: null, tickets: { view: true, all: false }, live_map: { view: false, all: false } },
  });
  await row.getByRole('button', { name: 'Edit role: Accountant' }).click();
  await panel.getByRole('checkbox', { name: 'Everything: Change' }).click();
  await panel.getByRole('checkbox', { name: 'Billing: View' }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The role is saved').waitFor();
  expect((await roleOf())?.permission.platform).toEqual({
    applications: { view: true, all: true },
    admins: { view: true, all: true },
    roles: { view: true, all: true },
    billing: { view: false, all: false },
  });
  await pictureOf(page, 'app-roles');
  await page.getByRole('button', { name: 'Delete role: Accountant' }).click();
  await page.getByLabel('Type the name of the role').fill('Accountant');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
  // While the dialog is open, nothing behind it is found.
  await page.getByRole('dialog', { name: 'Delete role' }).waitFor({ state: 'detached' });
  expect(await roleOf()).toBeUndefined();
  await row.waitFor({ state: 'detached' });
});

story(
  'a role is created by keyboard alone, and a taken name is told at its field',
  async ({ page, open, logIn, company }) => {
    await logIn();
    await open('/app/roles');
    await page.getByRole('button', { name: 'Create role' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByRole('dialog').getByLabel('Name');
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('viewer');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'Tickets: View', checked: true }).waitFor();
    await name.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Is taken').waitFor();
    await page.keyboard.type(' of tickets');
    await page.keyboard.press('Enter');
    await page.getByText('The role is created').waitFor();
    const { data } = await company.client.company.roles.list();
    expect(data.map((role) => role.name)).toContain('viewer of tickets');
  },
);

story('a system role is shown and can’t be changed', async ({ page, open, logIn }) => {
  await logIn();
  await open('/app/roles');
  await page.getByRole('cell', { name: 'Change: Everything' }).waitFor();
  await page.getByRole('button', { name: 'Show role: Support agent' }).click();
  const panel = page.getByRole('dialog', { name: 'Support agent' });
  const labels = panel.getByRole('checkbox', { name: 'Labels: Change' });
  await labels.waitFor();
  expect([await labels.isChecked(), await labels.isDisabled()]).toEqual([true, true]);
  await pictureOf(page, 'app-roles-show');
  await checkAccessibility(page);
});
