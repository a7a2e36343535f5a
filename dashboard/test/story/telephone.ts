import type { BrowserContext, Page } from 'playwright-core';
import { useBrowser } from '../browser/connection.ts';
import { type Watch, watch } from './watch.ts';

type Telephone = { url: string; width: number; locale?: string; hasScript?: boolean };
type OnTelephone = { page: Page; context: BrowserContext; watch: Watch };

/** Opens the pages of the service on a telephone, which is touched. As in a story, nothing that the browser objects to may happen. */
export async function onTelephone(
  { url, width, locale = 'en-GB', hasScript = true }: Telephone,
  tell: (telephone: OnTelephone) => Promise<void>,
): Promise<void> {
  const browser = await useBrowser();
  const context = await browser.newContext({
    ...{ baseURL: url, locale, javaScriptEnabled: hasScript, reducedMotion: 'reduce' },
    ...{ viewport: { width, height: 740 }, isMobile: true, hasTouch: true },
  });
  context.setDefaultTimeout(60_000);
  try {
    const watching = await watch(context, url);
    const page = await context.newPage();
    await tell({ page, context, watch: watching });
    if (hasScript) await watching.check();
  } finally {
    await context.close();
  }
}

/** Whether all of the page is visible without scrolling to the side. */
export function fitsWidth(page: Page): Promise<boolean> {
  return page.locator('html').evaluate((element) => element.scrollWidth <= element.clientWidth);
}
