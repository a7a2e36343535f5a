import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartError } from '../config/start-error.ts';
import type { Db, Tx } from './database.ts';
import { APPLICATION_ROLE } from './pool.ts';
import { type ApplicationRole, ensureApplicationRole } from './roles.worker.queries.ts';

const MIGRATIONS_DIRECTORY = new URL('../../../migrations/', import.meta.url);

/** An advisory lock number unlikely to be used by others: "paydesk" in ASCII, truncated to 32 bits. */
const MIGRATION_LOCK = 0x70617964;

const UPGRADING = 'docs/upgrading.md explains how to upgrade.';

type Migration = { version: number; name: string; text: string; checksum: string };

/**
 * Creates the application role and migrates the schema. Any number of processes may start at once: one migrates, the
 * others wait. Each migration is one transaction together with its row in `schema_migrations`, so a kill leaves nothing
 * half done.
 * @throws StartError when the database is newer than this program, a migration was applied with another text, or the
 *   role can't be created
 */
export async function migrate(
  owner: Db,
  directory = MIGRATIONS_DIRECTORY,
): Promise<{ applied: string[]; applicationRole: ApplicationRole }> {
  const migrations = await readMigrations(directory);
  const applied: string[] = [];
  await owner`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
  try {
    const applicationRole = await ensureApplicationRole(owner);
    for (;;) {
      const migration = await owner.begin((tx) => applyNext(tx, migrations, applicationRole));
      if (migration === null) return { applied, applicationRole };
      applied.push(migration.name);
    }
  } finally {
    // A broken connection has released the lock already; report what broke it.
    await owner`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => undefined);
  }
}

/** Takes the lock again on a new connection: after a reconnect it would be missing. */
async function applyNext(tx: Tx, migrations: Migration[], role: ApplicationRole): Promise<Migration | null> {
  await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
  await tx`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`;
  const done = await tx<Pick<Migration, 'name' | 'checksum'>[]>`
    SELECT name, checksum FROM schema_migrations ORDER BY version`;
  checkApplied(done, migrations);
  const next = migrations[done.length];
  if (next === undefined) return null;
  await tx.unsafe(next.text.replaceAll(APPLICATION_ROLE, () => role.identifier)).simple();
  await tx`INSERT INTO schema_migrations (version, name, checksum) VALUES (${next.version}, ${next.name}, ${next.checksum})`;
  return next;
}

async function readMigrations(directory: URL): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4));
      if (version !== index + 1)
        throw new StartError(
          `Migration ${name} is number ${index + 1} in order: a migration is missing or duplicated.`,
        );
      const text = await readFile(new URL(name, directory), 'utf8');
      return { version, name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function checkApplied(done: Pick<Migration, 'name' | 'checksum'>[], migrations: Migration[]): void {
  for (const [index, { name, checksum }] of done.entries()) {
    const migration = migrations[index];
    if (migration !== undefined && migration.checksum !== checksum) {
      throw new StartError(
        `The database was made by another build of Paydesk: its migration ${name} is not the ${migration.name} of this version. ` +
          `Nothing was changed. Start the version that the database was used with before; ${UPGRADING}`,
      );
    }
  }
  const newest = done.at(-1)?.name;
  if (done.length > migrations.length) {
    throw new StartError(
      `The database was migrated by a newer Paydesk than this one. Its newest migration is ${newest}, and the newest of this ` +
        `version is ${migrations.at(-1)?.name}. Nothing was changed. Start that version, or restore a backup from before the ` +
        `upgrade; ${UPGRADING}`,
    );
  }
}

/**
 * Refuses a database that could lose an acknowledged write, is read-only, can't store every text, or is too old.
 * @returns the server's version number (180004 for 18.4)
 * @throws StartError
 */
export async function checkServer(owner: Db): Promise<number> {
  const [row] = await owner<ServerState[]>`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_encoding') AS encoding, current_database() AS database,
           current_setting('fsync') AS fsync,
           current_setting('synchronous_commit') AS "synchronousCommit",
           pg_is_in_recovery() AS "isStandby",
           current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;
  if (row === undefined) throw new Error('The database did not answer.');
  if (row.version < 150_000) throw new StartError('Paydesk needs PostgreSQL 15 or newer.');
  if (row.encoding !== 'UTF8') {
    throw new StartError(
      `The database ${row.database} is encoded in ${row.encoding}, which can't hold every text. Create one in UTF-8: ` +
        "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0;",
    );
  }
  if (row.isStandby || row.isReadOnly) {
    throw new StartError(
      `The PostgreSQL ${row.isStandby ? 'is a standby' : 'is read-only (default_transaction_read_only)'} and takes no writes. ` +
        'Name the primary, or all servers with target_session_attrs=primary: postgres://…@db1,db2/paydesk?target_session_attrs=primary',
    );
  }
  if (row.fsync !== 'on' || row.synchronousCommit === 'off') {
    throw new StartError(
      'PostgreSQL runs with fsync or synchronous_commit off: it could lose a payment. Turn them on.',
    );
  }
  if (row.synchronousCommit === 'local') {
    throw new StartError(
      'PostgreSQL runs with synchronous_commit = local: a failover to a standby could lose a payment. Set it to on.',
    );
  }
  return row.version;
}

type ServerState = {
  version: number;
  encoding: string;
  database: string;
  fsync: string;
  synchronousCommit: string;
  isStandby: boolean;
  isReadOnly: boolean;
};

/**
 * How many standbys follow this server while PostgreSQL waits for none of them: they may lack the last acknowledged
 * writes. A running base backup does not count. Without the right to see a connection's activity, each counts.
 */
export async function countAsynchronousStandbys(owner: Db): Promise<number> {
  const [row] = await owner<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_replication
    WHERE current_setting('synchronous_standby_names') = '' AND (state IS NULL OR state IN ('catchup', 'streaming'))`;
  return row?.count ?? 0;
}
