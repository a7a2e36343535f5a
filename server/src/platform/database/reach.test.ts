/** Connecting to the database: several hosts, poolers, standbys, TLS. */

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { freePort, keepPort } from '../../../test/harness/network/kept-port.ts';
import { openPooler, openProxy, type TcpProxy } from '../../../test/harness/network/tcp-proxy.ts';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { readConfig } from '../config/config.ts';
import { isDatabaseUnavailable } from './database.ts';
import { openDatabase } from './open.ts';

let primary: TestDatabase;
let standby: TestDatabase;
beforeAll(async () => {
  [primary, standby] = await Promise.all([cloneDatabase(), cloneDatabase()]);
  await standby.owner.unsafe(`ALTER DATABASE ${standby.name} SET default_transaction_read_only = on`);
});
afterAll(async () => {
  await standby.owner.unsafe(`SET transaction_read_only = off; ALTER DATABASE ${standby.name} RESET ALL`);
  await Promise.all([primary.drop(), standby.drop()]);
});

const serverAddress = () => inject('databaseServer');

async function closing(proxy: Promise<TcpProxy>): Promise<number> {
  const { port, close } = await proxy;
  onTestFinished(close);
  return port;
}

const toPrimary = () => closing(openProxy(serverAddress()));
const toStandby = () => closing(openProxy(serverAddress(), { asked: primary.name, given: standby.name }));
const toPooler = (mode: 'session' | 'transaction') => closing(openPooler(serverAddress(), mode));

/** A port that nobody listens on. */
async function toNobody(): Promise<number> {
  const { port, close } = await openProxy(serverAddress());
  await close();
  await keepPort(port);
  onTestFinished(() => freePort(port));
  return port;
}

function urlOf(ports: number[], query = ''): string {
  const { username, password } = serverAddress().owner;
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://${username}:${encodeURIComponent(password)}@${hosts}/${primary.name}${query}`;
}

async function start(url: string) {
  const config = readConfig(GATEWAYS, { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' });
  const { db, close } = await openDatabase(config, pino({ level: 'silent' }), () => undefined);
  onTestFinished(close);
  return db;
}

const refusalOf = (url: string) =>
  start(url).then(
    () => 'started',
    (error) => `${error.name}: ${error.message}`,
  );

const nameOf = async (url: string) => {
  const db = await start(url);
  const [where] = await db<[{ name: string }]>`SELECT current_database() AS name`;
  return where.name;
};

// Security (A database that is away, or slow): Of several hosts, Paydesk finds the one that takes writes
describe('with several hosts in DATABASE_URL', () => {
  it.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'the writable one is used, wherever it is in the list (%s)',
    async (query) => {
      const [dead, read, write] = [await toNobody(), await toStandby(), await toPrimary()];
      for (const ports of [
        [dead, read, write],
        [write, read],
        [read, write, dead],
      ]) {
        expect(await nameOf(urlOf(ports, query))).toBe(primary.name);
      }
    },
  );

  it('if none is writable, the start fails at once and names them', async () => {
    const [one, other] = [await toStandby(), await toNobody()];
    expect(await refusalOf(urlOf([one, other]))).toMatch(
      new RegExp(`StartError: .*127.0.0.1:${one},127.0.0.1:${other}/`),
    );
  });

  it('the next one is used without a restart when the first one goes away', async () => {
    const first = await openProxy(serverAddress());
    const db = await start(urlOf([first.port, await toPrimary()]));
    await db`SELECT 1`;
    await first.close();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => db`SELECT 1`.then(() => true, isDatabaseUnavailable)),
    );
    expect(answers).toEqual(Array(8).fill(true));
    expect([...(await db`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
  });
});

describe('a start', () => {
  // Security (Starting): A start refuses a database that could lose commits in a failover, that takes no writes, or that lacks the
  // required TLS
  it('on a read-only server says what to do about it', async () => {
    expect(await refusalOf(urlOf([await toStandby()]))).toMatch(
      /StartError: .*takes no writes.*target_session_attrs=primary/,
    );
  });

  it('with TLS on a server without it says so', async () => {
    expect(await refusalOf(urlOf([await toPrimary()], '?sslmode=require'))).toMatch(
      /StartError: .*offers no TLS.*sslmode/,
    );
  });

  it('as a user who does not own the database names its owner', async () => {
    await primary.owner.unsafe(`CREATE ROLE ${primary.name}_guest LOGIN PASSWORD 'guest'`);
    const url = `postgres://${primary.name}_guest:guest@127.0.0.1:${await toPrimary()}/${primary.name}`;
    expect(await refusalOf(url)).toMatch(/StartError: .*belongs to paydesk_owner\. Log in as paydesk_owner/);
    await primary.owner.unsafe(`DROP ROLE ${primary.name}_guest`);
  });

  it.each(['off', 'local'])(
    'with synchronous_commit = %s is refused: an acknowledged payment could be lost',
    async (value) => {
      await standby.owner.unsafe(`SET transaction_read_only = off; ALTER DATABASE ${standby.name} SET synchronous_commit = ${value};
      ALTER DATABASE ${standby.name} SET default_transaction_read_only = off`);
      expect(await refusalOf(urlOf([await toStandby()]))).toMatch(/StartError: .*lose a payment/);
      await standby.owner.unsafe(`ALTER DATABASE ${standby.name} RESET synchronous_commit;
      ALTER DATABASE ${standby.name} SET default_transaction_read_only = on`);
    },
  );
});

// Security (A database that is away, or slow): A pooler that does not give each connection its own session is refused
describe('behind a pooler', () => {
  it('in session mode each connection has the application role and its timeouts', async () => {
    const db = await start(urlOf([await toPooler('session')]));
    const [row] = await db`SELECT current_user::text AS role, current_setting('statement_timeout') AS timeout`;
    expect(row).toEqual({ role: 'paydesk_application', timeout: '5s' });
    expect(
      await Promise.all(Array.from({ length: 20 }, (_, n) => db`SELECT ${n}::int AS n`.then(([row]) => row?.n))),
    ).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('that shares sessions between connections is refused at the start, with the setting to change', async () => {
    expect(await refusalOf(urlOf([await toPooler('transaction')]))).toMatch(/StartError: .*pool_mode = session/);
  });
});
