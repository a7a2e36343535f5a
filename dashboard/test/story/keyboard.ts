import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Types into the field that has the focus, and goes on to the next. */
export async function typeAndTab(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
}

/** Presses Tab until the control with this text has the focus. */
export async function focusByTab(page: Page, name: string): Promise<void> {
  const hasFocus = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  for (let step = 0; step < 80 && (await hasFocus()) !== name; step += 1) await page.keyboard.press('Tab');
  expect(await hasFocus()).toBe(name);
}
