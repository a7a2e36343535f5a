import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Db, Tx } from './database.ts';

const MIGRATIONS_DIRECTORY = new URL('../../migrations/', import.meta.url);

/** Any number that no other user of the database takes as an advisory lock: "paydesk" in ASCII, cut to 32 bits. */
const MIGRATION_LOCK = 0x70617964;

type Migration = { version: number; name: string; text: string; checksum: string };

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates, the others wait for it.
 * Each migration is one transaction, so a kill in the middle leaves nothing half done.
 * @throws Error when the database is newer than this program, or an applied migration was edited.
 */
export async function migrate(owner: Db): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  await owner`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
  try {
    await owner`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`;
    const done = await owner<{ version: number; name: string; checksum: string }[]>`
      SELECT version, name, checksum FROM schema_migrations ORDER BY version`;
    checkApplied(done, migrations);
    const applied: string[] = [];
    for (const migration of migrations.slice(done.length)) {
      await owner.begin((tx) => apply(tx, migration));
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await owner`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`;
  }
}

async function apply(tx: Tx, { version, name, text, checksum }: Migration): Promise<void> {
  await tx.unsafe(text).simple();
  await tx`INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, ${name}, ${checksum})`;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_DIRECTORY)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const text = await readFile(new URL(name, MIGRATIONS_DIRECTORY), 'utf8');
      return { version: index + 1, name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function checkApplied(done: { name: string; checksum: string }[], migrations: Migration[]): void {
  if (done.length > migrations.length) {
    throw new Error(
      'The database was migrated by a newer Paydesk than this one; start that version or restore a backup.',
    );
  }
  for (const [index, { name, checksum }] of done.entries()) {
    if (migrations[index]?.checksum !== checksum) {
      throw new Error(`Migration ${name} was changed after it was applied; add a new migration instead.`);
    }
  }
}

/**
 * Refuses a database that could forget an acknowledged write or that is too old.
 * @returns the server's version as PostgreSQL numbers it (180004 for 18.4)
 */
export async function checkServer(owner: Db): Promise<number> {
  const [row] = await owner<{ version: number; fsync: string; synchronous_commit: string }[]>`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('fsync') AS fsync,
           current_setting('synchronous_commit') AS synchronous_commit`;
  if (row === undefined) throw new Error('The database did not answer.');
  if (row.version < 150_000) throw new Error('Paydesk needs PostgreSQL 15 or newer.');
  if (row.fsync !== 'on' || row.synchronous_commit === 'off') {
    throw new Error('PostgreSQL runs with fsync or synchronous_commit off: it could forget a payment. Turn them on.');
  }
  return row.version;
}
