import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../../test/customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { refusalOf, type StartedService, startInProcess } from '../../../test/harness/in-process.ts';
import { endProcesses, makeDataDirectory } from '../../../test/harness/process.ts';
import { openKeyring, rotateKeys } from './keys.ts';

let database: TestDatabase;
let dataDirectory: string;
let first: StartedService;
const started: StartedService[] = [];
beforeAll(async () => {
  database = await cloneDatabase();
  dataDirectory = makeDataDirectory();
  first = await start({ DATA_DIR: dataDirectory });
});
afterEach(async () => {
  for (const service of started.splice(1)) await service.stop();
});
afterAll(async () => {
  await first.stop();
  await endProcesses();
  await database.drop();
});

async function start(environment: Record<string, string>): Promise<StartedService> {
  const service = await startInProcess({ ...alone(), ...environment });
  started.push(service);
  return service;
}

/** Without the keys that the tests' processes share. */
const alone = () => ({ DATABASE_URL: database.url, KEYS_FILE: '' });
const keysPath = () => join(dataDirectory, 'keys.json');
const operatorKey = () => readFileSync(join(dataDirectory, 'operator-key'), 'utf8').trim();
const asOperator = async () => (await first.service.call('GET', '/operator/alerts', { token: operatorKey() })).status;

/** Whether each accepts the tokens of the other. */
async function expectShared(other: StartedService): Promise<void> {
  for (const [issuer, verifier] of [
    [first, other],
    [other, first],
  ] as const) {
    const { token } = await signUpAdmin(issuer.service);
    expect((await verifier.service.call('GET', '/labels', { token })).status).toBe(200);
  }
  expect(await asOperator()).toBe(200);
}

// Security (Card numbers and keys): A start with keys that the database was not used with is refused, and replaces nothing
describe('a process on a database that was used with other keys', () => {
  it('is refused when it has none; it creates none, and leaves the operator’s key as it is', async () => {
    const another = makeDataDirectory();
    const refusal = await refusalOf({ ...alone(), DATA_DIR: another });
    expect(refusal).toMatch(/used with keys, but there are none in .*KEYS_FILE.*ACCEPT_KEYS=new/);
    expect([existsSync(join(another, 'keys.json')), existsSync(join(another, 'operator-key'))]).toEqual([false, false]);
    expect(await asOperator()).toBe(200);
  });

  it('is refused when it has others, without secrets in the message, and accepted only on purpose', async () => {
    const another = makeDataDirectory();
    const elsewhere = await startInProcess({ DATA_DIR: another, DATABASE_URL: (await scratch()).url, KEYS_FILE: '' });
    await elsewhere.stop();
    const environment = { ...alone(), DATA_DIR: another };
    const refusal = await refusalOf(environment);
    const [, identity = ''] = /other keys than those in .*ACCEPT_KEYS=(\w+)/.exec(refusal) ?? [];
    const secret = JSON.parse(readFileSync(join(another, 'keys.json'), 'utf8')).request;
    expect(refusal).not.toContain(secret);
    expect(await refusalOf({ ...environment, ACCEPT_KEYS: 'new' })).toMatch(/other keys/);
    expect(await asOperator()).toBe(200);

    await start({ ...environment, ACCEPT_KEYS: identity, OPERATOR_KEY: operatorKey() });
    expect(await refusalOf({ ...alone(), DATA_DIR: dataDirectory })).toMatch(/other keys/);
    const mine = openKeyring(dataDirectory).identity();
    await start({ DATA_DIR: dataDirectory, ACCEPT_KEYS: mine });
  });

  async function scratch(): Promise<TestDatabase> {
    const other = await cloneDatabase();
    scratches.push(other);
    return other;
  }
  const scratches: TestDatabase[] = [];
  afterAll(async () => {
    for (const other of scratches) await other.drop();
  });
});

// Security (Card numbers and keys): Machines can share keys by a file or the environment
describe('several processes, each with its own data directory', () => {
  it('share their keys by KEYS_FILE, and none replaces the operator’s key', async () => {
    await expectShared(await start({ DATA_DIR: makeDataDirectory(), KEYS_FILE: keysPath() }));
  });

  it('share them by KEYS', async () => {
    await expectShared(await start({ DATA_DIR: makeDataDirectory(), KEYS: readFileSync(keysPath(), 'utf8') }));
  });

  it('have the same identity after a rotation', async () => {
    rotateKeys({ dataDirectory: 'nowhere', keysFile: keysPath() });
    await expectShared(await start({ DATA_DIR: makeDataDirectory(), KEYS_FILE: keysPath() }));
  });

  it('say what is wrong with KEYS, without its content', async () => {
    const refusal = await refusalOf({ ...alone(), DATA_DIR: makeDataDirectory(), KEYS: '{"hush' });
    expect(refusal).toMatch(/KEYS contains no keys/);
    expect(refusal).not.toContain('hush');
    expect(() => rotateKeys({ dataDirectory, keys: '{}' })).toThrow(/KEYS is set/);
  });
});
