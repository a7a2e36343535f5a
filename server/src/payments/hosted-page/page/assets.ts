import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the page loads, each under a name with the hash of its content. */
export type Assets = {
  /** The address of the stylesheet, of the script for Stripe's fields, and of the icon. */
  urls: { style: string; stripe: string; icon: string };
  find: (name: string) => Asset | undefined;
};
type Asset = { type: string; content: Buffer };

export const ASSETS_PATH = '/pay/assets';

const BROWSER = join(import.meta.dirname, 'browser');
/** The colours and sizes of the dashboard, and its icon. */
const STYLES = join(import.meta.dirname, '../../../../../dashboard/src/styles');
const FONTS = ['latin', 'latin-ext'] as const;
/** As in the dashboard's base.css. */
const RANGES: Record<(typeof FONTS)[number], string> = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,' +
    'U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,' +
    'U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
};

let loaded: Promise<Assets> | undefined;

/** Reads the assets, once in the life of the process. */
export function loadAssets(): Promise<Assets> {
  loaded ??= readAssets();
  return loaded;
}

async function readAssets(): Promise<Assets> {
  const byName = new Map<string, Asset>();
  const add = (name: string, type: string, content: Buffer): string => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const named = name.replace('.', `.${hash}.`);
    byName.set(named, { type, content });
    return `${ASSETS_PATH}/${named}`;
  };
  const { resolve } = createRequire(import.meta.url);
  const faces = await Promise.all(
    FONTS.map(async (subset) => {
      const file = resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`);
      const url = add(`inter-${subset}.woff2`, 'font/woff2', await readFile(file));
      return (
        `@font-face{font-family:"Inter Variable";font-style:normal;font-display:swap;font-weight:100 900;` +
        `src:url("${url}") format("woff2");unicode-range:${RANGES[subset]}}\n`
      );
    }),
  );
  const read = (path: string) => readFile(path, 'utf8');
  const [tokens, form, page, stripe, icon] = await Promise.all([
    read(join(STYLES, 'tokens.css')),
    read(join(BROWSER, 'form.css')),
    read(join(BROWSER, 'page.css')),
    read(join(BROWSER, 'stripe.js')),
    read(join(STYLES, 'icon.svg')),
  ]);
  const urls = {
    style: add('page.css', 'text/css; charset=utf-8', Buffer.from([...faces, tokens, form, page].join(''))),
    stripe: add('stripe.js', 'text/javascript; charset=utf-8', Buffer.from(stripe)),
    icon: add('icon.svg', 'image/svg+xml', Buffer.from(icon)),
  };
  return { urls, find: (name) => byName.get(name) };
}
