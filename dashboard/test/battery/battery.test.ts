/** What holds for every page of both apps, whoever adds it. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type LifelikeCompany, signUpLifelikeCompany } from '../service/lifelike.ts';
import { checkLook } from '../story/accessibility.ts';
import { inEachLook } from '../story/looks.ts';
import { takePicture } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';
import { type Address, fillIn, readAddresses } from './addresses.ts';

/** A page at 400 % on a screen of 1280 px (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 900 };

const addresses = await readAddresses();
const titles = new Map<string, string>();

let company: Promise<LifelikeCompany> | undefined;
/** One company for all pages: they only read. */
const makeCompany = (): Promise<LifelikeCompany> => {
  company ??= signUpLifelikeCompany();
  return company;
};

/** Opens the address and waits until it has loaded all that it shows. */
async function visit({ app, pattern, isPublic }: Address, { page, open, logIn, logInToConsole }: Story): Promise<void> {
  if (!isPublic) await (app === 'app' ? logIn() : logInToConsole());
  await open(fillIn(pattern, await makeCompany()));
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
}

/** The outermost elements that stick out of a page which scrolls sideways. */
function findTooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > clientWidth;
    const found = [...document.querySelectorAll('body *')].filter((element) => sticksOut(element));
    const outermost = found.filter(({ parentElement }) => parentElement === null || !sticksOut(parentElement));
    return outermost.map((element) => (element.cloneNode(false) as Element).outerHTML);
  });
}

describe('every page', () => {
  for (const address of addresses) {
    story(
      address.pattern,
      async (told) => {
        const { page } = told;
        await visit(address, told);
        expect(new URL(page.url()).pathname).toBe(fillIn(address.pattern, await makeCompany()));
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('html').getAttribute('lang')).toBe('en');
        titles.set(address.pattern, await page.title());
        const name = address.pattern.slice(1).replaceAll(/\W+/g, '-');
        await inEachLook(page, async (look) => {
          await checkLook(page, look);
          await takePicture(page, name, look);
        });
        await page.setViewportSize(NARROW);
        // A chart takes the new width after the page has it.
        await expect.poll(() => findTooWide(page), { message: 'what is wider than the page' }).toEqual([]);
      },
      { makeCompany },
    );
  }

  it('has a title of its own', () => {
    const own = new Set([...titles].map(([pattern, title]) => `${pattern.split('/')[1]} ${title}`));
    expect(own.size, JSON.stringify([...titles], null, 2)).toBe(titles.size);
    expect([...titles.values()].filter((title) => !/^.+ · Paydesk$/.test(title))).toEqual([]);
  });
});

describe('the home page', () => {
  for (const app of ['app', 'console'] as const) {
    const isReached = ({ app: ofApp, pattern, isPublic }: Address) =>
      ofApp === app && !isPublic && !pattern.includes('$');
    story(
      `of /${app} leads to every other page`,
      async (told) => {
        await visit({ app, pattern: `/${app}`, isPublic: false }, told);
        const links = await told.page
          .locator('a[href]')
          .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
        const patterns = addresses.filter(isReached).map(({ pattern }) => pattern);
        expect(patterns.filter((pattern) => !links.includes(pattern))).toEqual([]);
      },
      { makeCompany },
    );
  }
});
