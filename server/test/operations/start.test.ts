import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/platform/data-directory.ts';
import { type Actor, expectStatus, PASSWORD, saveAddress, signUpAdmin } from '../customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { refusalOf } from '../harness/in-process.ts';
import {
  becomesReady,
  connectToEmbedded,
  endProcesses,
  eventually,
  launch,
  makeDataDirectory,
  type PaydeskProcess,
  postmasterOf,
  startPaydesk,
} from '../harness/process.ts';

const isRoot = process.geteuid?.() === 0;
const PRODUCTION = { NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' };

/** Of which one belongs to a company that there is not. */
const PROVIDERS = {
  SIGN_IN_PROVIDERS: 'login,lost',
  ...providerSettings('LOGIN'),
  ...providerSettings('LOST'),
  SIGN_IN_LOST_COMPANY_ID: '01890000-0000-7000-8000-000000000000',
};

function providerSettings(name: string) {
  const settings = { ISSUER: 'https://login.example.com', CLIENT_ID: 'paydesk', CLIENT_SECRET: 'a secret' };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`SIGN_IN_${name}_${key}`, value]));
}

let dataDirectory: string;
let paydesk: PaydeskProcess;
let admin: Actor;
let addressId: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  dataDirectory = makeDataDirectory();
  paydesk = await startPaydesk({ DATA_DIR: dataDirectory, OPERATOR_KEY: '' });
  admin = await signUpAdmin(paydesk.service);
  addressId = await saveAddress(paydesk.service, admin);
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
});

/** Returns the service on the shared data directory, and starts it if the previous test stopped it. */
async function running(): Promise<PaydeskProcess> {
  if (!paydesk.isRunning()) paydesk = await startPaydesk({ DATA_DIR: dataDirectory, OPERATOR_KEY: '' });
  return paydesk;
}

async function readAddressIds(service: PaydeskProcess['service']): Promise<string[]> {
  const { body } = expectStatus(await service.call('GET', '/payments/addresses', { token: admin.token }), 200);
  return body.map((address: { id: string }) => address.id);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('the first start', () => {
  it('serves on the embedded PostgreSQL, and logs its address', async () => {
    const { url, service } = await running();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await becomesReady(service);
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  });

  it('stores passwords at their full cost: argon2id with 19 MiB and two passes', async () => {
    await running();
    const books = connectToEmbedded(dataDirectory);
    const [user] = await books<[{ hash: string }]>`SELECT password_hash AS hash FROM users WHERE id = ${admin.userId}`;
    await books.end({ timeout: 1 });
    expect(user.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('leaves nothing in the data directory that others than its owner may read', async () => {
    await running();
    // When root runs the service, PostgreSQL's user may only pass through.
    expect(modeOf(dataDirectory)).toBe(isRoot ? '710' : '700');
    const names = readdirSync(dataDirectory);
    for (const name of names) expect(modeOf(join(dataDirectory, name)), name).toMatch(/^[67]00$/);
    expect(names).toEqual(expect.arrayContaining(['keys.json', 'operator-key', 'postgres', 'postgres-password']));
    for (const name of ['keys.json', 'operator-key', 'postgres-password', 'sandbox-gateway.db']) {
      expect([name, modeOf(join(dataDirectory, name))]).toEqual([name, '600']);
    }
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${paydesk.pid}/status`, 'utf8')).toMatch(/^Umask:\s+0077$/m);
    }
  });

  it('prints the address for browsers, at localhost, where cookies and passkeys work', async () => {
    const { output, url } = await running();
    const address = `http://localhost:${new URL(url).port}`;
    expect(output()).toContain(`\nPaydesk is ready at ${address} (API reference: ${address}/docs)\n`);
  });

  it('creates an operator key that works, and names its file without showing it', async () => {
    const { service, output } = await running();
    const key = readFileSync(join(dataDirectory, 'operator-key'), 'utf8').trim();
    const whereToBegin = /Begin in the console at (\S+): log in with the operator key that is in (\S+)/.exec(output());
    expect(whereToBegin?.slice(1)).toEqual([expect.stringMatching(/\/console$/), join(dataDirectory, 'operator-key')]);
    expect(output()).not.toContain(key);
    expectStatus(await service.call('GET', '/operator/companies', { token: key }), 200);
  });
});

describe('a later start', () => {
  it('has all data, and accepts earlier tokens and passwords; in production mode too', async () => {
    await (await running()).end('SIGTERM');
    paydesk = await startPaydesk({ ...PRODUCTION, ...PROVIDERS, DATA_DIR: dataDirectory, OPERATOR_KEY: '' });
    const { service, output } = paydesk;
    await becomesReady(service);
    expect(output()).toContain('"providers":["lost"]');
    expect(await readAddressIds(service)).toEqual([addressId]);
    const body = { email: admin.email, password: PASSWORD };
    const login = expectStatus(await service.call('POST', '/auth/local', { body }), 200);
    expect(login.body.data.user.id).toBe(admin.userId);
    const keys = expectStatus(await service.call('GET', '/.well-known/jwks.json'), 200).body.keys;
    expect(keys).toHaveLength(1);
  });

  it('works after kill -9 of Paydesk and of PostgreSQL', async () => {
    const postmaster = postmasterOf((await running()).dataDirectory);
    paydesk.child.kill('SIGSTOP'); // otherwise it would start PostgreSQL again
    process.kill(postmaster, 'SIGKILL');
    await paydesk.end('SIGKILL');
    const { service } = await running();
    expect(await readAddressIds(service)).toEqual([addressId]);
  });
});

describe('a start that fails', () => {
  it('on a data directory in use: says so, names the other process, and exits with 1', async () => {
    const { pid, service } = await running();
    const second = launch({ DATA_DIR: dataDirectory });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output()).toBe(
      `Another process (pid ${pid}) already uses the data directory ${dataDirectory}. ` +
        'Stop the other process first, or choose another DATA_DIR.\n',
    );
    expect(await readAddressIds(service)).toEqual([addressId]);
  });

  it('on a port in use: names it and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    const port = await eventually(() => (other.address() as { port: number } | null)?.port);
    const second = launch({ DATABASE_URL: database.url, PORT: String(port) });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    other.close();
    const message = `Another program listens on port ${port} of 127.0.0.1. Stop it, or set PORT to another one.\n`;
    expect(second.output().split('\n').slice(-2).join('\n')).toBe(message);
  });

  it('with a bad configuration: lists every problem at once and exits with 1', async () => {
    const second = launch({
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      OPERATOR_KEY: 'short',
      TRUSTED_PROXIES: '10.0.0.0/8,the-proxy',
    });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output().trim().split('\n')).toEqual([
      'The configuration is invalid:',
      expect.stringContaining('PORT must be a whole number'),
      expect.stringContaining('LOG_LEVEL must be one of'),
      expect.stringContaining('DATABASE_URL must start with postgres://'),
      expect.stringContaining('OPERATOR_KEY must be opk_'),
      expect.stringContaining('TRUSTED_PROXIES: "the-proxy" is not an address'),
    ]);
  });

  it.each([
    ['that nobody listens on', (url: URL) => (url.port = '1'), /127\.0\.0\.1:1.*can't be opened: connect ECONNREFUSED/],
    [
      'that is not there',
      (url: URL) => (url.pathname = '/nowhere'),
      /nowhere.*can't be opened: database .* does not exist/,
    ],
    ['with a setting that PostgreSQL does not know', (url: URL) => (url.search = '?colour=red'), /parameter "colour"/],
    [
      'with a setting of a wrong value',
      (url: URL) => (url.search = '?work_mem=much'),
      /value for parameter "work_mem"/,
    ],
  ])('on a DATABASE_URL %s: says so without the password', async (_case, change, message) => {
    const url = new URL(database.url);
    if (change(url) === '1') url.hostname = '127.0.0.1';
    const said = await refusalOf({ DATABASE_URL: url.href });
    expect(said).toMatch(message);
    expect(said).not.toContain(url.password);
  });

  it('on a DATABASE_URL with a wrong password: says so without the password, and exits with 1', async () => {
    const url = new URL(database.url);
    url.password = 'wrong-secret';
    const second = launch({ DATABASE_URL: url.href });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output()).toMatch(/can't be opened: password authentication failed/);
    expect(second.output().trim().split('\n')).toHaveLength(1);
    expect(second.output()).not.toContain(url.password);
  });
});

// Security (Starting): A production start refuses failpoints and a missing proxy
describe('production mode', () => {
  it.each([
    ['FAILPOINTS', { ...PRODUCTION, FAILPOINTS: 'after_intent' }, /FAILPOINTS is for tests/],
    ['no proxy that ends TLS', { NODE_ENV: 'production' }, /TRUSTED_PROXIES must name the proxy/],
  ])('refuses %s', async (_case, environment, message) => {
    const refused = launch(environment);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.output()).toMatch(message);
  });
});

it('refuses a database that is not in UTF-8, and says how to create one', async () => {
  const name = `${database.name}_latin`;
  await database.owner.unsafe(`
    CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  expect(await refusalOf({ DATABASE_URL: url.href })).toMatch(
    /is encoded in LATIN1, .* CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0;$/,
  );
  await database.owner.unsafe(`DROP DATABASE ${name}`);
});

// Security (Starting): A database that could forget a payment is refused
describe('a database that could forget a payment is refused', () => {
  it('with synchronous_commit off', async () => {
    const forgetful = await cloneDatabase();
    await forgetful.owner.unsafe(`ALTER DATABASE ${forgetful.name} SET synchronous_commit = off`);
    const refused = launch({ DATABASE_URL: forgetful.url });
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.output()).toMatch(/synchronous_commit off: it could lose a payment/);
    await forgetful.drop();
  });

  it('with fsync off', async () => {
    await (await running()).end('SIGTERM');
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const server = await startEmbeddedPostgres({ dataDirectory, log, settings: { fsync: 'off' } });
    const { host, user, password, database: name } = server.connection;
    const url = `postgres://${user}:${password}@${encodeURIComponent(host)}/${name}`;
    expect(await refusalOf({ DATABASE_URL: url })).toMatch(/fsync or synchronous_commit off: it could lose a payment/);
    await server.stop();
  });
});
