/**
 * `npm run pgbouncer -- server/src/payments server/src/labels` runs these tests through a real PgBouncer in session mode. Then it starts
 * the service through PgBouncer in transaction mode, which must be refused. It uses the PgBouncer on the PATH or in `PGBOUNCER`; as root it
 * runs it as `postgres`.
 */

import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { GATEWAYS } from '../../src/gateways/gateways.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { startEmbeddedPostgres } from '../../src/platform/data-directory.ts';
import { openDatabase } from '../../src/platform/database/open.ts';

const PORT = 6432;
const TESTS = ['server/src/customers/addresses', 'server/src/labels', 'server/src/payments/payments.test'];

const tests = process.argv.length > 2 ? process.argv.slice(2) : TESTS;
const directory = await mkdtemp(join(tmpdir(), 'paydesk-pgbouncer-'));
// The user who runs PgBouncer must be able to enter.
await chmod(directory, 0o777);
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const settings = { max_connections: '400' };
const server = await startEmbeddedPostgres({ dataDirectory: join(directory, 'data'), log, settings });
try {
  const { host, port, user, password, database } = server.connection;
  const runThrough = async (mode: 'session' | 'transaction', work: (url: string) => Promise<void>) => {
    const stop = await startPgBouncer(mode, { host, port, user, password });
    await work(
      `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(directory)}:${PORT}/${database}`,
    ).finally(stop);
  };
  await runThrough('session', async (url) => {
    const env = { ...process.env, TEST_DATABASE_URL: url };
    const { status } = spawnSync(process.execPath, ['tools/test.ts', ...tests], { env, stdio: 'inherit' });
    if (status !== 0) throw new Error('Tests failed in session mode.');
  });
  await runThrough('transaction', async (url) => {
    const started = openDatabase(
      readConfig(GATEWAYS, { DATABASE_URL: url }),
      pino({ level: 'silent' }),
      () => undefined,
    );
    const refusal = await started.then(() => 'it started', String);
    if (!refusal.includes('pool_mode = session')) throw new Error(`Transaction mode was not refused: ${refusal}`);
    console.log(`Refused in transaction mode, as it should be: ${refusal}`);
  });
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

type Target = { host: string; port: number; user: string; password: string };

/** Starts PgBouncer. @returns a function that stops it */
async function startPgBouncer(mode: string, { host, port, user, password }: Target): Promise<() => Promise<void>> {
  const [ini, users] = [join(directory, `${mode}.ini`), join(directory, 'users.txt')];
  await writeFile(users, `"${user}" "${password}"\n`);
  await writeFile(
    ini,
    `[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${directory}
auth_type = scram-sha-256
auth_file = ${users}
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1
auth_user = ${user}
pool_mode = ${mode}
server_reset_query = DISCARD ALL
max_client_conn = 1000
default_pool_size = 100
server_idle_timeout = 1
`,
  );
  await Promise.all([ini, users].map((path) => chmod(path, 0o644)));
  const asOther = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(process.env.PGBOUNCER ?? 'pgbouncer', ['-q', ...asOther, ini], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await sleep(1_000);
  if (child.exitCode !== null) throw new Error('PgBouncer does not run; is it installed?');
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
