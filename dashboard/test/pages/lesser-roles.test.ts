import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { fillIn, readAddresses } from '../battery/addresses.ts';
import { type LifelikeCompany, signUpLifelikeCompany } from '../service/lifelike.ts';
import { joinAs } from '../service/member.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

const addresses = await readAddresses();

/** What reads, on whichever page. The menus are looked into below. */
const READING = [
  ...[
    'Columns',
    'Export CSV',
    'Download PDF',
    'Share link',
    'Next page',
    'Calculate',
    'Choose a company',
    'Compare further',
  ],
  ...['Name', 'Created', 'External id', 'Clear filters'],
];
const READING_OF_A_RECORD = /^(Show role: |Copy |Actions|History)/;
/** Everybody's own account. */
const OWN = /^\/(app|console)\/(profile|security)$/;

/** Opens every page of an app, and returns the buttons that can be used there, but for those that read. */
async function findActions({ page, open, company }: Story, ofApp: 'app' | 'console'): Promise<string[]> {
  const found: string[] = [];
  for (const { app, pattern, isPublic } of addresses) {
    if (app !== ofApp || isPublic || OWN.test(pattern)) continue;
    await open(fillIn(pattern, company as LifelikeCompany));
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    const names = (await namesOf(page)).filter((name) => !READING.includes(name) && !READING_OF_A_RECORD.test(name));
    found.push(...names.map((name) => `${pattern}: ${name}`));
  }
  return found;
}

function namesOf(page: Page): Promise<string[]> {
  const buttons = page.getByRole('main').getByRole('button', { disabled: false });
  return buttons.evaluateAll((all) =>
    all.map((button) => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()),
  );
}

story(
  'a viewer of a company reads every page, and can change nothing',
  async (told) => {
    const { page, open, logIn, company } = told;
    await logIn(await joinAs(company, 'Viewer'));
    expect(await findActions(told, 'app')).toEqual(['/app: Send link again']);
    await open('/app/roles');
    const create = page.getByRole('button', { name: 'Create role' });
    await create.focus();
    await page.getByText('Your role may not change roles.').first().waitFor();
    const menus = { webhooks: ['Deliveries', 'History'], 'payment-methods': ['History'] };
    for (const [name, items] of Object.entries(menus)) {
      await open(`/app/${name}`);
      await page
        .getByRole('button', { name: /^Actions/ })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(items);
    }
  },
  { makeCompany: signUpLifelikeCompany },
);

story(
  'a support agent sees only the pages of the role',
  async ({ page, open, logIn, company }) => {
    await logIn(await joinAs(company, 'Support agent'));
    await open('/app/labels');
    await page.getByRole('button', { name: 'Create label' }).waitFor();
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(links).toEqual(['Home', 'Labels', 'Your profile', 'Security']);
  },
  { makeCompany: signUpLifelikeCompany },
);

story(
  'somebody of the support reads the console, and can do nothing of finance',
  async (told) => {
    const { page, open, logInToConsole, operator } = told;
    const { key } = await operator.keys.create({ name: 'Support', role: 'viewer' });
    await logInToConsole(key);
    expect(await findActions(told, 'console')).toEqual([]);
    await open('/console/invoices');
    await page.getByRole('button', { name: 'Create invoice' }).focus();
    await page.getByText('Only finance and admins may do this.').first().waitFor();
    const pages = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(pages.filter((name) => ['Staff', 'Operator keys'].includes(name))).toEqual([]);
    await open('/console/keys');
    await page.getByText('Your role may not see this').waitFor();
    await pictureOf(page, 'console-forbidden');
  },
  { makeCompany: signUpLifelikeCompany },
);
