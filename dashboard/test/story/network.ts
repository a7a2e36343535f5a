import type { BrowserContext, Page } from 'playwright-core';
import type { Watch } from './watch.ts';

/** Makes the page's network as slow as a telephone's in the countryside: 400 ms to and fro, 400 kbit/s. */
export async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  const bytesPerSecond = 400_000 / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** Takes the network away, and brings it back. What the browser says about it on the console is no finding. */
export async function goOffline(context: BrowserContext, watch: Watch): Promise<() => Promise<void>> {
  watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  return () => context.setOffline(false);
}
