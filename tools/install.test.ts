import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Stands for npm: notes its parameters, empties node_modules, takes its time, and installs what it is told to. */
const NPM = `
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
appendFileSync('calls.log', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
await setTimeout(Number(process.env.NPM_DURATION_MS ?? 0));
console.log('added some packages');
if (process.env.NPM_FAILS) {
  console.error('registry out of reach');
  process.exit(7);
}
mkdirSync('node_modules/.bin', { recursive: true });
if (!process.env.NPM_LEAVES_NODE) writeFileSync('node_modules/.bin/node', '');
writeFileSync('node_modules/.package-lock.json', readFileSync(process.env.NPM_RECORD ?? 'package-lock.json'));
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

let root = '';
const children: ChildProcess[] = [];

function lockFile(packages: Record<string, object>): string {
  return JSON.stringify({ lockfileVersion: 3, packages });
}

function start(environment: Record<string, string> = {}, nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'tools/install.mjs')], {
    cwd: tmpdir(),
    env: { PATH: '', npm_execpath: join(root, 'npm-cli.js'), npm_node_execpath: process.execPath, ...environment },
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
  writeFileSync(join(root, 'npm-cli.js'), NPM);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), lockFile(PACKAGES));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

describe('installing', () => {
  it('runs npm ci once, saying one line, and later says and does nothing', async () => {
    expect(await run()).toEqual({ code: 0, output: 'Installing packages (first start only)…\n' });
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toEqual(['ci --no-fund --no-audit --loglevel=error']);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
  });

  it('runs npm again when package-lock.json asks for other packages', async () => {
    await run();
    writeFileSync(join(root, 'package-lock.json'), lockFile({ ...PACKAGES, 'node_modules/new': { version: '1.0.0' } }));
    expect(await run()).toEqual({ code: 0, output: 'Installing packages (they have changed)…\n' });
    expect(npmCalls()).toHaveLength(2);
  });

  it('leaves alone what somebody installed with npm themselves', async () => {
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

  it('wants the development packages for tests alone', async () => {
    const { 'node_modules/vitest': _, ...installed } = PACKAGES;
    pretendInstalled(installed);
    expect((await run({ npm_lifecycle_event: 'prestart' })).code).toBe(0);
    expect(npmCalls()).toEqual([]);
    expect((await run({ npm_lifecycle_event: 'pretest' })).code).toBe(0);
    expect(npmCalls()).toEqual(['ci --no-fund --no-audit --loglevel=error --include=dev']);
  });
});

describe('failing', () => {
  it('passes on what npm says, adds what to do, and tries again at the next start', async () => {
    const { code, output } = await run({ NPM_FAILS: 'yes' });
    expect(code).toBe(1);
    expect(output).toContain('registry out of reach');
    expect(output).toContain('npm ended with 7');
    expect((await run()).code).toBe(0);
  });

  it('notices that npm left out an install script', async () => {
    const { code, output } = await run({ NPM_LEAVES_NODE: 'yes' });
    expect(code).toBe(1);
    expect(output).toContain('ignore-scripts');
  });

  it('says when there is no npm', async () => {
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

  it('refuses a Node that is too old', async () => {
    const versions = 'Object.defineProperty(process, "versions", { value: { node: "18.20.0" } })';
    const { code, output } = await run({}, ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]);
    expect(code).toBe(1);
    expect(output).toMatch(/^Paydesk needs Node 20 or newer/);
    expect(npmCalls()).toEqual([]);
  });
});

describe('several starts at once', () => {
  it('install once, and all of them go on', async () => {
    const environment = { NPM_DURATION_MS: '500' };
    const results = await Promise.all([run(environment), run(environment), run(environment), run(environment)]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(npmCalls()).toHaveLength(1);
    expect(readdirSync(root)).not.toContain('.paydesk-install');
  });

  it('wait for the npm of a start that was killed, and then take over', async () => {
    const killed = start({ NPM_DURATION_MS: '1200' });
    while (npmCalls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    killed.child.kill('SIGKILL');
    const results = await Promise.all([run(), run(), run()]);
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
