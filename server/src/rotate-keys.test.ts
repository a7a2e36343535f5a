import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openKeyring } from './platform/keys/keys.ts';

const PROGRAM = fileURLToPath(new URL('rotate-keys.main.ts', import.meta.url));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'paydesk-rotate-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

const [KEYS, FILES] = ['platform/keys/keys.ts', 'platform/data-directory.ts'].map(
  (name) => new URL(name, import.meta.url).href,
);

function runModule(text: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}

type Outcome = { code: number; output: string; complaint: string };

function rotate(environment: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM], { env: environment }, (error, output, complaint) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, complaint });
    });
  });
}

describe('npm run rotate-keys', () => {
  it('rotates the keys of the data directory and prints the ids of the new ones, and no key', async () => {
    const keyring = openKeyring(directory);
    const [before] = keyring.signing();
    const { code, output, complaint } = await rotate({ DATA_DIR: directory });
    expect([code, complaint]).toEqual([0, '']);
    const { signing, fingerprint } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'));
    expect(signing).toHaveLength(2);
    expect(signing[1].keyId).toBe(before?.keyId);
    expect(output).toBe(
      `New token-signing key: ${signing[0].keyId}, published now, signs from ${signing[0].signsFrom}\n` +
        `New fingerprint key: version ${fingerprint[0].version}\n`,
    );
    expect(fingerprint[0].version).toBe(2);
    for (const { privateKey } of signing) expect(output).not.toContain(privateKey.split('\n')[1]);
    for (const { secret } of fingerprint) expect(output).not.toContain(secret);
  });

  // Security (Card numbers and keys): Simultaneous rotations lose no key
  it('loses none of the rotations that run at the same time in several processes', async () => {
    const [first] = openKeyring(directory).signing();
    const go = join(directory, 'go');
    const rotators = [1, 2, 3].map(() =>
      runModule(`
        import { existsSync } from 'node:fs';
        import { rotateKeys } from ${JSON.stringify(KEYS)};
        console.log('ready');
        while (!existsSync(${JSON.stringify(go)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        for (let time = 1; time <= 10; time += 1) rotateKeys(${JSON.stringify(directory)});`),
    );
    const codes = rotators.map((rotator) => new Promise((resolve) => rotator.once('exit', resolve)));
    await Promise.all(rotators.map(readyLine));
    writeFileSync(go, '');
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
    const { signing, fingerprint } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'));
    expect(new Set(signing.map(({ keyId }: { keyId: string }) => keyId)).size).toBe(31);
    expect(signing.at(-1).keyId).toBe(first?.keyId);
    expect(fingerprint.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 31 }, (_, index) => 31 - index),
    );
  });

  it('is not held up by one that was killed in the middle', async () => {
    openKeyring(directory);
    const path = join(directory, 'keys.json');
    const holder = runModule(`
      import { whileLocked } from ${JSON.stringify(FILES)};
      whileLocked(${JSON.stringify(path)}, () => {
        console.log('ready');
        for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      });`);
    await readyLine(holder);
    const waiting = rotate({ DATA_DIR: directory });
    holder.kill('SIGKILL');
    expect(await waiting).toMatchObject({ code: 0, complaint: '' });
    expect(JSON.parse(readFileSync(path, 'utf8')).signing).toHaveLength(2);
  });

  it('says in a line what is wrong, and ends with 1, when there are no keys yet or the configuration is not usable', async () => {
    const withoutKeys = await rotate({ DATA_DIR: directory });
    expect(withoutKeys).toMatchObject({
      code: 1,
      output: '',
      complaint: expect.stringMatching(/^There are no keys in .+\n$/),
    });
    const misconfigured = await rotate({ DATA_DIR: directory, PORT: 'x' });
    expect(misconfigured).toMatchObject({ code: 1, output: '', complaint: expect.stringContaining('PORT') });
  });
});
