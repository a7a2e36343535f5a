import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../../../test/harness/database/empty-database.ts';
import { refusalOf, startInProcess } from '../../../test/harness/in-process.ts';
import {
  becomesReady,
  endProcesses,
  eventually,
  type LogLine,
  launch,
  type PaydeskProcess,
  startPaydesk,
} from '../../../test/harness/process.ts';
import { migrate } from './migrate.ts';
import { connectAsOwner } from './pool.ts';

/** The lock that `migrate` takes. */
const MIGRATION_LOCK = 0x70617964;
const OURS = readdirSync(new URL('../../../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort();

let database: EmptyDatabase;
let folder: string;
beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-migrations-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});
afterAll(endProcesses);

/** Migrates with these migrations, by name, instead of ours. */
async function migrateWith(migrations: Record<string, string>): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), 'paydesk-migrations-'));
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, name), text);
  return (await migrate(database.owner, pathToFileURL(`${folder}/`))).applied;
}

async function appliedNames(owner = database.owner): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY version`;
  return rows.map(({ name }) => name);
}

/** How many wait to migrate. */
async function countWaiting(): Promise<number> {
  const rows = await database.owner`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.length;
}

/** What a started process logs that it has applied. The log and the ready line use different pipes. */
async function migratedLines(paydesk: PaydeskProcess): Promise<unknown[]> {
  await eventually(() => paydesk.output().includes('"msg":"ready"'));
  return appliedOf(paydesk.logged());
}

function appliedOf(logged: LogLine[]): unknown[] {
  return logged.flatMap((line) => (line.msg === 'migrated the database' ? [line.applied] : []));
}

async function cloneMigrated(): Promise<TestDatabase> {
  const migrated = await cloneDatabase();
  onTestFinished(migrated.drop);
  return migrated;
}

const ONE = { '0001_one.sql': 'CREATE TABLE one (id integer);' };
const TWO = { '0002_two.sql': 'CREATE TABLE two (id integer); INSERT INTO two VALUES (2);' };

describe('migrations', () => {
  it('are applied in order, each once, and recorded', async () => {
    expect(await migrateWith({ ...TWO, ...ONE, 'README.md': 'not a migration' })).toEqual([
      '0001_one.sql',
      '0002_two.sql',
    ]);
    expect(await migrateWith({ ...ONE, ...TWO })).toEqual([]);
    expect(await migrateWith({ ...ONE, ...TWO, '0003_three.sql': 'DROP TABLE one;' })).toEqual(['0003_three.sql']);
    expect(await appliedNames()).toEqual(['0001_one.sql', '0002_two.sql', '0003_three.sql']);
    expect(await database.owner`SELECT * FROM two`).toEqual([{ id: 2 }]);
  });

  it('run in a transaction each: a failing one leaves nothing of itself, and those before stay', async () => {
    const broken = { '0002_two.sql': 'CREATE TABLE two (id integer); INSERT INTO nowhere VALUES (1);' };
    await expect(migrateWith({ ...ONE, ...broken })).rejects.toThrow(/"nowhere" does not exist/);
    expect(await appliedNames()).toEqual(['0001_one.sql']);
    await expect(database.owner`SELECT * FROM two`).rejects.toThrow(/"two" does not exist/);
    expect(await migrateWith({ ...ONE, ...TWO })).toEqual(['0002_two.sql']);
  });

  it('are refused when they were edited after they were applied', async () => {
    await migrateWith({ ...ONE, ...TWO });
    const edited = { '0001_one.sql': 'CREATE TABLE one (id bigint);' };
    await expect(migrateWith({ ...edited, ...TWO })).rejects.toThrow(
      /^The database was made by another build of Paydesk.* 0001_one\.sql/,
    );
  });

  it.each([
    ['that is missing', { ...ONE, '0003_three.sql': '' }, /0003_three\.sql is number 2 in order/],
    ['that is there twice', { ...ONE, '0001_other.sql': '' }, /0001_other\.sql is number 2 in order/],
  ])('with a number %s are refused before any is applied', async (_which, migrations, message) => {
    await expect(migrateWith(migrations)).rejects.toThrow(message);
    expect(await database.owner`SELECT to_regclass('one') AS one`).toEqual([{ one: null }]);
  });

  it('wait for a process that is migrating, and find it done', async () => {
    const slow = { ...ONE, '0002_slow.sql': 'SELECT pg_sleep(0.5); CREATE TABLE slow (id integer);' };
    const others = [connectAsOwner(database.url), connectAsOwner(database.url)];
    for (const [name, text] of Object.entries(slow)) writeFileSync(join(folder, name), text);
    const directory = pathToFileURL(`${folder}/`);
    const results = await Promise.all([database.owner, ...others].map((owner) => migrate(owner, directory)));
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 2]);
    await Promise.all(others.map((other) => other.end()));
  });
});

// Security (Disks, upgrades and restores): If two processes start at once, one migrates; kills leave nothing half done; newer schemas are
// refused
describe('a start on a database', () => {
  it('twice in parallel on an empty one: one migrates, both serve', async () => {
    const { owner, url } = database;
    await owner`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    const starting = Promise.all([startPaydesk({ DATABASE_URL: url }), startInProcess({ DATABASE_URL: url })]);
    await eventually(async () => (await countWaiting()) === 2);
    await owner`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`;
    const [paydesk, here] = await starting;
    onTestFinished(here.stop);
    for (const { service } of [paydesk, here]) await becomesReady(service);
    expect([...(await migratedLines(paydesk)), ...appliedOf(here.logged())]).toEqual([OURS]);
    expect(await appliedNames()).toEqual(OURS);
    await Promise.all([paydesk.end('SIGTERM'), here.stop()]);
  });

  it('continues after kill -9 in the middle of the migrations', async () => {
    const { owner, url } = database;
    let killed: PaydeskProcess | undefined;
    // An uncommitted table of the same name blocks the third migration.
    const cleared = owner.begin(async (tx) => {
      await tx`CREATE TABLE labels (id integer)`;
      const [holder] = await tx<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      killed = launch({ DATABASE_URL: url });
      const other = connectAsOwner(url);
      const isHeldUp = () => other`SELECT 1 FROM pg_stat_activity WHERE ${holder.pid} = ANY (pg_blocking_pids(pid))`;
      await eventually(async () => (await isHeldUp()).length > 0);
      await killed.end('SIGKILL');
      expect((await other`SELECT count(*)::int FROM schema_migrations`)[0]?.count).toBe(2);
      await other.end();
      throw new Error('taken back');
    });
    await expect(cleared).rejects.toThrow('taken back');

    const { service, logged, stop } = await startInProcess({ DATABASE_URL: url });
    onTestFinished(stop);
    expect(appliedOf(logged())).toEqual([OURS.slice(2)]);
    await becomesReady(service);
    await stop();
  });

  it('is refused, without changes, when a newer Paydesk has migrated it', async () => {
    const { owner, url } = await cloneMigrated();
    await owner`INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, '9999_later.sql', 'x')`;
    expect(await refusalOf({ DATABASE_URL: url })).toMatch(
      /^The database was migrated by a newer Paydesk than this one/,
    );
    expect(await appliedNames(owner)).toEqual([...OURS, '9999_later.sql']);
  });

  it('is refused when a migration was edited', async () => {
    const { owner, url } = await cloneMigrated();
    await owner`UPDATE schema_migrations SET checksum = 'another' WHERE version = 2`;
    expect(await refusalOf({ DATABASE_URL: url })).toMatch(
      new RegExp(`its migration ${OURS[1]} is not the .*Nothing was changed.*docs/upgrading.md`),
    );
  });

  it('ends at once on a signal before it is ready', async () => {
    const { owner, url } = database;
    await owner`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    const paydesk = launch({ DATABASE_URL: url });
    await eventually(async () => (await countWaiting()) === 1);
    expect(await paydesk.end('SIGTERM')).toEqual({ code: 1, signal: null });
  });
});
