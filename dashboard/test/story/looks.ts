import type { Page } from 'playwright-core';

/** The looks in which each page is shown: both themes on a telephone and on a desk. */
export const LOOKS = (['light', 'dark'] as const).flatMap((theme) => [390, 1440].map((width) => ({ theme, width })));

export type Look = (typeof LOOKS)[number];

const HEIGHT = 900;

/** Shows the page in each look in turn, and then as before. */
export async function inEachLook(page: Page, see: (look: Look) => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.theme });
    await page.setViewportSize({ width: look.width, height: HEIGHT });
    await see(look);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
