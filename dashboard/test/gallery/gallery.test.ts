import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../browser/connection.ts';
import { checkLook } from '../story/accessibility.ts';
import { inEachLook, LOOKS } from '../story/looks.ts';
import { pictureOf, takePicture } from '../story/pictures.ts';
import { type Watch, watch } from '../story/watch.ts';

/** Answered by the test itself: no service serves the gallery. */
const ORIGIN = 'http://gallery.localhost';

/** As the service sends it with every page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; \
require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

let folder: string;
let context: BrowserContext;
let page: Page;
let watched: Watch;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-gallery-'));
  await build({
    configFile: join(import.meta.dirname, '../../vite.config.ts'),
    root: import.meta.dirname,
    base: '/',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(import.meta.dirname, 'gallery.html') } },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  context = await (await useBrowser()).newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  watched = await watch(context, ORIGIN);
  page = await context.newPage();
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const body = await readFile(join(folder, path)).catch(() => undefined);
    if (body === undefined) return route.fulfill({ status: path === '/favicon.ico' ? 204 : 404 });
    const headers = { 'content-type': TYPES[extname(path)] ?? 'image/svg+xml', 'content-security-policy': POLICY };
    return route.fulfill({ body, headers });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${ORIGIN}/gallery.html`);
  await page.getByRole('heading', { name: 'Gallery' }).waitFor();
});

afterEach(async () => {
  await watched.check();
  await context.close();
});

/** The controls of the gallery's first half, which has the light theme. */
const first = (role: Parameters<Page['getByRole']>[0], name: string) =>
  page.getByRole(role, { name, exact: true }).first();

describe('the controls', () => {
  it('have no finding of axe in any look, and no page that shows them scrolls sideways', async () => {
    await inEachLook(page, async (look) => {
      await checkLook(page, look);
      await takePicture(page, 'gallery', look);
    });
    for (const width of [320, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  for (const [button, name] of [
    ['Dialog', 'Invite a colleague'],
    ['Question', 'Void invoice INV-000042?'],
    ['Side panel', 'Add endpoint'],
  ] as const) {
    it(`open the dialog "${name}", keep the focus in it, and give it back when Escape closes it`, async () => {
      await first('button', button).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
      for (let tabs = 0; tabs < 8; tabs++) {
        await page.keyboard.press('Tab');
        await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      }
      await inEachLook(page, (look) => checkLook(page, look));
      await pictureOf(page, `gallery-${button.toLowerCase().replace(' ', '-')}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(button);
    });
  }

  it('ask for the name before what can not be undone', async () => {
    await first('button', 'Question').click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Void invoice' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type INV-000042 to confirm').fill('INV-000042');
    expect(await confirm.isDisabled()).toBe(false);
  });

  it('choose in a list inside of a dialog, above it', async () => {
    await first('button', 'Dialog').click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Finance' }).click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).textContent())
      .toContain('Finance');
  });

  it('find an option by typing', async () => {
    const box = first('combobox', 'Country of the seller');
    await box.fill('swi');
    await page.getByRole('option', { name: 'Switzerland' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('Switzerland');
    await box.fill('atlantis');
    await page.getByText('No country is called that.').waitFor();
  });

  it('say why a button can not be used, to the eye and to the ear', async () => {
    const button = first('button', 'Refund');
    await button.focus();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await button.evaluate(({ ariaDescribedByElements }) => ariaDescribedByElements?.[0]?.textContent)).toBe(
      'Your role may not do this.',
    );
    await expect
      .poll(() => page.getByText('Your role may not do this.').filter({ visible: true }).count())
      .toBeGreaterThan(0);
  });

  it('open the actions of a row by keyboard, with the reason of the one that is disabled', async () => {
    await first('button', 'Actions for INV-000044').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Download PDF' }).waitFor();
    await page.getByText('Nothing has been paid.').waitFor();
    await checkLook(page, LOOKS[1] ?? { theme: 'light', width: 1440 });
    await page.keyboard.press('Escape');
  });

  it('show a message with its action in a live region', async () => {
    await first('button', 'Toast').click();
    await page.getByText('Invoice paid').first().waitFor();
    await first('button', 'Toast of a failure').click();
    await page.getByRole('button', { name: 'Show', exact: true }).first().waitFor();
    // Messages stay while the pointer is over them.
    await page.getByRole('button', { name: 'Show', exact: true }).first().hover();
    await checkLook(page, { theme: 'light', width: 1440 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkLook(page, { theme: 'dark', width: 1440 });
  });
});
