import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openKeyring } from './keys/keys.ts';

const PROGRAM = fileURLToPath(new URL('rotate-keys.main.ts', import.meta.url));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'paydesk-rotate-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

type Outcome = { code: number; output: string; complaint: string };

function rotate(environment: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM], { env: environment }, (error, output, complaint) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, complaint });
    });
  });
}

describe('npm run rotate-keys', () => {
  it('rotates the keys of the data directory and prints the ids of the new ones', async () => {
    const keyring = openKeyring(directory);
    const [before] = keyring.signing();
    const { code, output, complaint } = await rotate({ DATA_DIR: directory });
    expect([code, complaint]).toEqual([0, '']);
    const { signing, fingerprint } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'));
    expect(signing).toHaveLength(2);
    expect(signing[1].keyId).toBe(before?.keyId);
    expect(output).toBe(
      `New token-signing key: ${signing[0].keyId}\nNew fingerprint key: version ${fingerprint[0].version}\n`,
    );
    expect(fingerprint[0].version).toBe(2);
  });

  it('prints no key', async () => {
    openKeyring(directory);
    const { output } = await rotate({ DATA_DIR: directory });
    const { signing, fingerprint } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'));
    for (const { privateKey } of signing) expect(output).not.toContain(privateKey.split('\n')[1]);
    for (const { secret } of fingerprint) expect(output).not.toContain(secret);
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
