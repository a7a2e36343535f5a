/** A PostgreSQL with TLS, and a standby that follows it: the one that the tests share has a Unix socket alone, which knows no TLS. */

import type { KeyObject } from 'node:crypto';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { selfSignedCertificate } from '../../../test/harness/network/certificate.ts';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { readConfig } from '../config/config.ts';
import { type EmbeddedPostgres, findServerAccount, startEmbeddedPostgres } from '../data-directory.ts';
import { isDatabaseUnavailable } from './database.ts';
import { openPool } from './driver/driver.ts';
import { openDatabase } from './open.ts';
import { connectAsOwner } from './pool.ts';

let folder: string;
let port: number;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-tls-'));
  // As root, another user runs PostgreSQL, who has to get there.
  await chmod(folder, 0o755);
  for (const name of ['server', 'client', 'stranger']) {
    const { cert, key } = selfSignedCertificate();
    await writeFor(`${name}.crt`, cert);
    await writeFor(`${name}.key`, pemOf(key));
  }
  await writeFor('nonsense.pem', 'nonsense');
  await writeFor(
    'pg_hba.conf',
    `local all,replication all scram-sha-256
     hostssl certified all localhost scram-sha-256 clientcert=verify-ca
     hostssl all all localhost scram-sha-256`,
  );
  port = await findPort();
  const settings = {
    ...{ listen_addresses: 'localhost', port: String(port), shared_buffers: '8MB', hba_file: file('pg_hba.conf') },
    ...{ ssl: 'on', ssl_cert_file: file('server.crt'), ssl_key_file: file('server.key') },
    ssl_ca_file: file('client.crt'),
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log, settings });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => join(folder, name);
const pemOf = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }));

/** A file that the account of the server, and nobody else, can read. */
async function writeFor(name: string, text: string): Promise<void> {
  await writeFile(file(name), text, { mode: 0o600 });
  const account = await findServerAccount();
  if (account !== null) await chown(file(name), account.uid, account.gid);
}

/** PostgreSQL takes no port of the system's choice. Below 32,768 no connection takes it in the meantime. */
async function findPort(): Promise<number> {
  for (;;) {
    const candidate = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(candidate, 'localhost', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return candidate;
  }
}

function urlOf(host: string, query: string, database = 'paydesk'): string {
  const { user, password } = server.connection;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?${query}`;
}

const ROOT = () => `sslrootcert=${file('server.crt')}`;
const WRONG_ROOT = () => `sslrootcert=${file('stranger.crt')}`;
const PAIR = (name: string) => `sslcert=${file(`${name}.crt`)}&sslkey=${file(`${name}.key`)}`;

/** Whether the connection is encrypted, and the client known by a certificate. */
async function connectionOf(host: string, query: string, database?: string) {
  const owner = connectAsOwner(urlOf(host, query, database));
  onTestFinished(() => owner.end());
  const [row] = await owner`
    SELECT ssl, client_dn IS NOT NULL AS certified FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
  return row;
}

/** What a start with this URL says, or logs when it starts. */
async function startWith(url: string): Promise<string> {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  try {
    const { close } = await openDatabase(
      readConfig(GATEWAYS, { DATABASE_URL: url, DATABASE_POOL_SIZE: '3' }),
      log,
      () => undefined,
    );
    await close();
    return `started ${lines.join('')}`;
  } catch (error) {
    return String(error);
  }
}

// Security (A database that is away, or slow): A database's certificate must match the name or address; client certificates work
describe('a database with TLS', () => {
  it('is spoken to in secret when sslmode asks for it, or has nothing against it', async () => {
    for (const mode of ['prefer', 'require']) {
      expect(await connectionOf('127.0.0.1', `sslmode=${mode}`)).toEqual({ ssl: true, certified: false });
    }
  });

  it('is believed whatever its name with verify-ca, and by its name with verify-full', async () => {
    expect(await connectionOf('127.0.0.1', `sslmode=verify-ca&${ROOT()}`)).toMatchObject({ ssl: true });
    expect(await connectionOf('localhost', `sslmode=verify-full&${ROOT()}`)).toMatchObject({ ssl: true });
  });

  it('is refused when its certificate is for another name: that of localhost is not that of an address', async () => {
    expect(await startWith(urlOf('127.0.0.1', `sslmode=verify-full&${ROOT()}`))).toMatch(
      /^StartError: .*127\.0\.0\.1.*handshake failed: .*127\.0\.0\.1 is not in/,
    );
  });

  it.each(['sslmode=verify-full&', 'sslmode=verify-ca&', 'sslmode=require&'])(
    'is refused when somebody else has signed for it (%s)',
    async (mode) => {
      const refusal = /^StartError: .*localhost.*handshake failed: self-signed certificate$/;
      expect(await startWith(urlOf('localhost', mode + WRONG_ROOT()))).toMatch(refusal);
      expect(await startWith(urlOf('localhost', `${mode}sslrootcert=system`))).toMatch(refusal);
    },
  );

  it('that is no longer trusted while the service runs counts as an unavailable database: 503', async () => {
    const owner = connectAsOwner(urlOf('localhost', `sslmode=verify-ca&${WRONG_ROOT()}`));
    onTestFinished(() => owner.end());
    expect(await owner`SELECT 1`.catch(isDatabaseUnavailable)).toBe(true);
  });

  it('knows its client by a certificate, and refuses a start without it or with that of a stranger', async () => {
    const owner = connectAsOwner(urlOf('localhost', 'sslmode=require'));
    await owner`CREATE DATABASE certified`.finally(() => owner.end());
    const query = `sslmode=verify-full&${ROOT()}`;
    expect(await connectionOf('localhost', `${query}&${PAIR('client')}`, 'certified')).toEqual({
      ssl: true,
      certified: true,
    });
    expect(await startWith(urlOf('localhost', query, 'certified'))).toMatch(/^StartError: .*valid client certificate/);
    expect(await startWith(urlOf('localhost', `${query}&${PAIR('stranger')}`, 'certified'))).toMatch(/^StartError: /);
  });

  it('with a start in the clear, where it wants none, says so', async () => {
    expect(await startWith(urlOf('localhost', ''))).toMatch(/^StartError: .*no encryption/);
  });
});

describe('files that TLS can do nothing with are refused before anything is tried:', () => {
  it.each([
    ['a key of another certificate', () => `sslcert=${file('client.crt')}&sslkey=${file('stranger.key')}`],
    ['an invalid key', () => `sslcert=${file('client.crt')}&sslkey=${file('nonsense.pem')}`],
    ['an invalid certificate', () => `sslcert=${file('nonsense.pem')}&sslkey=${file('client.key')}`],
    ['a certificate without its key', () => `sslcert=${file('client.crt')}`],
    ['an invalid root certificate', () => `sslrootcert=${file('nonsense.pem')}`],
    ['a missing file', () => `sslrootcert=${file('absent.pem')}`],
  ])('%s', async (_, files) => {
    expect(await startWith(urlOf('localhost', `sslmode=verify-full&${files()}`))).toMatch(
      /^ConfigError: .*\n.*DATABASE_URL (names|needs) .*ssl(root)?cert/,
    );
  });

  it('so is a parameter that PostgreSQL does not know', async () => {
    const refusal = await startWith(urlOf('localhost', 'sslmode=require&channel_binding=require'));
    expect(refusal).toMatch(/^StartError: .*"channel_binding"/);
  });
});

describe('a start', () => {
  // Security (A database that is away, or slow): Paydesk warns of standbys that may lose acknowledged commits
  it('warns of standbys that nobody waits for: they lose what was acknowledged last', async () => {
    const { host, user: username, password } = server.connection;
    const connection = { path: join(host, `.s.PGSQL.${port}`), username, password, database: 'paydesk', max: 1 };
    const standby = openPool(
      { ...connection, fetch_types: false, connection: { replication: 'true' } },
      { begin: () => [], readOnlyLifetimeMs: 0 },
    );
    onTestFinished(() => standby.end({ timeout: 0 }));
    const [{ xlogpos }] = (await standby.unsafe('IDENTIFY_SYSTEM').simple()) as unknown as [{ xlogpos: string }];

    // A backup that is being taken is connected so, too, and none.
    const url = urlOf('localhost', `sslmode=verify-full&${ROOT()}`);
    expect(await startWith(url)).toBe('started ');

    const stream = await standby.unsafe(`START_REPLICATION PHYSICAL ${xlogpos}`).simple().writable();
    (stream as Duplex).on('error', () => undefined).resume();
    const owner = connectAsOwner(url);
    onTestFinished(() => owner.end());
    let streaming = 0;
    while (streaming === 0) {
      streaming = (await owner`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`).length;
    }
    expect(await startWith(url)).toMatch(/"standbys":1.*standbys are asynchronous: a failover may lose acknowledged/);
  });
});
