/**
 * Databases that go back in time while processes use them: one that is restored from a backup, and one whose standby is promoted without
 * the last transactions.
 */
import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/data-directory.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import { connectAsOwner } from '../../../src/platform/database/pool.ts';

/** `take` saves the state that `putBack` returns to. `url` stays the same. */
export type Restorable = {
  kind: 'restore' | 'promotion';
  url: string;
  /** The backup itself, which can be served too; null of a standby. */
  backupUrl: string | null;
  take: () => Promise<void>;
  putBack: () => Promise<void>;
  close: () => Promise<void>;
};

const run = promisify(execFile);
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** The backup is a copy of the database in the same server. The URL names the server's superuser. */
export function restoreInPlace(url: string): Restorable {
  const database = new URL(url).pathname.slice(1);
  const backup = `${database}_backup`;
  const maintenance = connectAsOwner(url.replace(/[^/]*$/, 'postgres'));
  /** Disconnects everybody and copies the database, because `CREATE DATABASE` requires that nobody is connected. */
  const copy = async (from: string, to: string) => {
    await maintenance.unsafe(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await maintenance`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = ${database}`;
    await maintenance.unsafe(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
    await maintenance.unsafe(`CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`);
    await maintenance.unsafe(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  };
  return {
    kind: 'restore',
    url,
    backupUrl: url.replace(/[^/]*$/, backup),
    take: () => copy(database, backup),
    putBack: () => copy(backup, database),
    close: async () => {
      await maintenance.unsafe(`DROP DATABASE IF EXISTS ${backup} WITH (FORCE)`);
      await maintenance.end();
    },
  };
}

type Server = { folder: string; postgres: EmbeddedPostgres; owner: Db };

/**
 * Starts a primary and a streaming standby. `take` disconnects the standby once it has everything. `putBack` stops the primary and promotes
 * the standby, which then has the primary's address.
 */
export async function failOver(): Promise<Restorable> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-failover-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await run('chmod', ['0755', folder]);
  const place = join(folder, 'current');
  let primary = await startServer(await makeFolder(folder, 1), 'paydesk');
  let standby: Server | null = null;
  let servers = 1;
  await pointTo(place, primary);
  const { user, password, port, database } = primary.postgres.connection;
  return {
    kind: 'promotion',
    backupUrl: null,
    url: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(place)}:${port}/${database}`,
    async take() {
      servers += 1;
      if (standby !== null) await stopServer(standby);
      standby = await startStandby(primary, await makeFolder(folder, servers));
      await catchUp(primary, standby);
      await standby.owner.unsafe(`ALTER SYSTEM SET primary_conninfo = ''`);
      await standby.owner`SELECT pg_reload_conf()`;
      await isTrue(standby.owner, 'SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver) AS is');
    },
    async putBack() {
      if (standby === null) throw new Error('There is no standby to promote.');
      const before = primary;
      const pid = before.postgres.pid();
      if (pid !== null) process.kill(pid, 'SIGKILL');
      await stopServer(before);
      await standby.owner`SELECT pg_promote()`;
      await pointTo(place, standby);
      primary = standby;
      standby = null;
    },
    async close() {
      for (const server of [standby, primary]) if (server !== null) await stopServer(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeFolder(parent: string, number: number): Promise<string> {
  const folder = join(parent, String(number));
  await mkdir(folder, { mode: 0o755 });
  return folder;
}

async function startServer(folder: string, database: string): Promise<Server> {
  const postgres = await startEmbeddedPostgres({
    dataDirectory: folder,
    log: QUIET,
    settings: { wal_keep_size: '1GB' },
  });
  return { folder, postgres, owner: connectTo(postgres, database) };
}

function connectTo({ connection: { host, port, user: username, password } }: EmbeddedPostgres, database: string): Db {
  return connectAsOwner({ host, port, username, password, database });
}

async function stopServer({ owner, postgres, folder }: Server): Promise<void> {
  await owner.end({ timeout: 0 });
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Starts a standby from a base backup:
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
async function startStandby({ owner, postgres, folder: source }: Server, folder: string): Promise<Server> {
  const { host, port, user, password } = postgres.connection;
  const cluster = join(folder, 'postgres');
  // A backup must end on the connection that began it. The owner's pool has one connection.
  await owner`SELECT pg_backup_start('standby', true)`;
  // Files that disappear while they are copied are covered by the write-ahead log.
  await run('cp', ['-a', postgres.clusterDirectory, cluster]).catch(() => undefined);
  const [{ labelfile: label }] = await owner<[{ labelfile: string }]>`SELECT labelfile FROM pg_backup_stop(false)`;
  const ofProcess = ['postmaster.pid', 'postmaster.opts', `.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`];
  await Promise.all(ofProcess.map((name) => rm(join(cluster, name), { force: true })));
  const { uid, gid } = await stat(postgres.clusterDirectory);
  const settings = `primary_conninfo = 'host=''${host}'' port=${port} user=${user} password=${password}'\n`;
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
    ['postgresql.auto.conf', settings],
  ] as const) {
    await writeFile(join(cluster, name), text, { mode: 0o600 });
    await chown(join(cluster, name), uid, gid);
  }
  await run('cp', ['-p', join(source, 'postgres-password'), folder]);
  return startServer(folder, 'postgres');
}

async function catchUp(primary: Server, { owner }: Server): Promise<void> {
  const [{ lsn }] = await primary.owner<[{ lsn: string }]>`SELECT pg_current_wal_flush_lsn()::text AS lsn`;
  await isTrue(owner, `SELECT coalesce(pg_last_wal_replay_lsn() >= '${lsn}', false) AS is`);
}

/** Waits until the query returns true. */
async function isTrue(owner: Db, question: string): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await owner.unsafe<{ is: boolean }[]>(question);
    if (row?.is) return;
    if (performance.now() > deadlineMs) throw new Error(`Waited in vain: ${question}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Lets new connections reach this server. */
async function pointTo(place: string, { postgres }: Server): Promise<void> {
  await symlink(postgres.connection.host, `${place}.next`);
  await rename(`${place}.next`, place);
}
