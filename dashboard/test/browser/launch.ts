import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';
import { type Chromium, findChromiums } from './chromium.ts';

const PARAMETERS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  // Nothing but loopback, whatever the page or the browser itself asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--no-proxy-server',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

/** Starts the first Chromium that starts, as a server to which each worker of the tests connects. */
export async function launchBrowser(): Promise<BrowserServer> {
  const failures: string[] = [];
  for (const found of await findChromiums()) {
    try {
      return await launch(found);
    } catch (error) {
      failures.push(`${found.executablePath}: ${(error as Error).message.split('\n', 1)[0]}`);
    }
  }
  throw new Error(
    `The browser tests need Chromium. The package @sparticuz/chromium brings one for Linux on x64; elsewhere install Chromium or Google \
Chrome (\`apt install chromium\`, \`brew install --cask chromium\`), so that a command such as \`chromium\` is on the PATH.\
${failures.map((failure) => `\nThis one does not start: ${failure}`).join('')}`,
  );
}

async function launch({ executablePath, environment }: Chromium): Promise<BrowserServer> {
  const home = await mkdtemp(join(tmpdir(), 'paydesk-chromium-'));
  return chromium.launchServer({
    executablePath,
    headless: true,
    // Root needs this, and the pages are our own.
    chromiumSandbox: false,
    args: PARAMETERS,
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, ...environment },
    host: '127.0.0.1',
  });
}
