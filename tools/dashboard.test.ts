import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGE =
  '<!doctype html><html><head><title>Paydesk</title><script type="module" src="./src/app.ts"></script></head></html>';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paydesk-dashboard-'));
  for (const folder of ['tools', 'dashboard/src']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['tools/dashboard.mjs', 'dashboard/vite.config.ts', 'tsconfig.json', 'dashboard/tsconfig.json']) {
    cpSync(join(ROOT, name), join(root, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  for (const name of ['app', 'console']) writeFileSync(join(root, `dashboard/${name}.html`), PAGE);
  writeSource('first text');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeSource(text: string): void {
  writeFileSync(join(root, 'dashboard/src/app.ts'), `console.log('${text}');`);
}

async function build(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tools/dashboard.mjs')]);
  return stdout;
}

function readAssets(pattern: string): Buffer[] {
  return globSync(join(root, 'dashboard/dist/assets', pattern)).map((path) => readFileSync(path));
}

it('builds once for the same sources, with compressed versions of each script', async () => {
  expect(await build()).toMatch(/^Built the dashboard in \d+\.\d s\.\n$/);
  expect(await build()).toBe('');
  const [script] = readAssets('*.js');
  expect(script?.toString()).toContain('first text');
  expect(readAssets('*.js.br').map((bytes) => brotliDecompressSync(bytes))).toEqual([script]);
  expect(readAssets('*.js.gz').map((bytes) => gunzipSync(bytes))).toEqual([script]);
});

it('builds again when a source or a package changes, and leaves nothing of the last build', async () => {
  await build();
  writeSource('second text');
  expect(await build()).not.toBe('');
  expect(readAssets('*.js').map(String)).toEqual([expect.stringContaining('second text')]);
  writeFileSync(join(root, 'package-lock.json'), '{ "name": "paydesk" }');
  expect(await build()).not.toBe('');
});

it('is done by several starts at once', async () => {
  await build();
  writeSource('second text');
  await Promise.all([build(), build(), build()]);
  expect(readAssets('*.js').map(String)).toEqual([expect.stringContaining('second text')]);
  expect(readdirSync(join(root, 'dashboard')).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});
