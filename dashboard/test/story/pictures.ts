import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { inEachLook, type Look } from './looks.ts';

/** Whoever changes a page looks at its pictures. */
const PICTURES = join(import.meta.dirname, '../../../reports/pages');

/** Keeps a picture of the whole page in each look, as `reports/pages/<name>-dark-390.png`. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  await inEachLook(page, (look) => takePicture(page, name, look));
}

/** Keeps a picture in the look that the page has. */
export async function takePicture(page: Page, name: string, { theme, width }: Look): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}-${theme}-${width}.png`), fullPage: true });
}
