import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../server/test/harness/process.ts';

const ROOT = join(import.meta.dirname, '..');

/** Replaces the service: answers with what it got, and serves the built page. */
const SERVICE = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
const { PORT, PUBLIC_URL, NODE_ENV } = process.env;
createServer(async (request, response) => {
  if (request.url === '/app') return response.end(readFileSync('dashboard/dist/app.html'));
  const { method, url, headers } = request;
  response.setHeader('set-cookie', ['a=1', 'b=2']);
  response.end(JSON.stringify({ version: 1, method, url, host: headers.host, body: await text(request), PUBLIC_URL, NODE_ENV }));
}).listen(Number(PORT), '127.0.0.1');
`;
const PAGE =
  '<!doctype html><html><head><title>Paydesk</title><script type="module" src="./src/app.ts"></script></head></html>';

let root = '';
let child: ChildProcess;
let url = '';
let output = '';

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'paydesk-dev-'));
  for (const folder of ['tools', 'server/src', 'dashboard/src', 'dashboard/development'])
    mkdirSync(join(root, folder), { recursive: true });
  cpSync(join(ROOT, 'tools/dev.mjs'), join(root, 'tools/dev.mjs'));
  cpSync(join(ROOT, 'dashboard/development'), join(root, 'dashboard/development'), { recursive: true });
  for (const name of ['dashboard/vite.config.ts', 'tsconfig.json', 'dashboard/tsconfig.json'])
    cpSync(join(ROOT, name), join(root, name));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'server/src/main.ts'), SERVICE);
  for (const name of ['app', 'console']) writeFileSync(join(root, `dashboard/${name}.html`), PAGE);
  writeFileSync(join(root, 'dashboard/src/app.ts'), "console.log('first text');");
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  const { PATH = '', HOME = '' } = process.env;
  child = spawn(process.execPath, [join(root, 'tools/dev.mjs')], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port) },
  });
  output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  await eventually(
    async () => (await answer('/labels')) !== null && output.includes('Built the dashboard'),
    () => output,
  );
});
afterEach(() => {
  try {
    // The service too, if the test has failed.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // All have ended.
  }
  rmSync(root, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

type Echo = { version: number; method: string; url: string; host: string; body: string; PUBLIC_URL: string };

/** What the service answers; null while it is away. */
async function answer(path: string, init: RequestInit = {}) {
  const got = await fetch(url + path, init).catch(() => null);
  return got?.status === 200 ? { headers: got.headers, body: (await got.json()) as Echo } : null;
}

/** Replaces a text in a file of the copy. */
function change(path: string, before: string, after: string): void {
  const file = join(root, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
}

/** The text of all scripts that the page names. */
async function scriptsOfPage(): Promise<string> {
  const page = await (await fetch(`${url}/app`)).text();
  const names = [...page.matchAll(/"\/app\/(assets\/[^"]+\.js)"/g)].map(({ 1: name = '' }) => name);
  return names.map((name) => readFileSync(join(root, 'dashboard/dist', name), 'utf8')).join('\n');
}

it('restarts the service, builds the dashboard and loads its pages again after a change, and ends both', async () => {
  const { port } = new URL(url);
  const passedOn = await answer('/labels?x=1', { method: 'POST', body: 'a body' });
  expect(passedOn?.body).toEqual({
    ...{ version: 1, method: 'POST', url: '/labels?x=1', body: 'a body', host: `127.0.0.1:${port}` },
    PUBLIC_URL: `http://localhost:${port}`,
  });
  expect(passedOn?.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await scriptsOfPage()).toMatch(
    /first text[\s\S]*\/app\/assets\/builds|\/app\/assets\/builds[\s\S]*first text/,
  );

  const builds = await fetch(`${url}/app/assets/builds`);
  change('dashboard/src/app.ts', 'first text', 'second text');
  expect(await builds.text()).toContain('data: built');
  expect(await scriptsOfPage()).toContain('second text');

  change('server/src/main.ts', 'version: 1', 'version: 2');
  await eventually(
    async () => (await answer('/labels'))?.body.version === 2,
    () => output,
  );

  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  expect(await answer('/labels')).toBeNull();
});
