import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from './cluster/binaries.ts';
import {
  APPLICATION,
  copyDataDirectory,
  endAll,
  eventually,
  isAlive,
  makeTemporaryDirectory,
  modeOf,
  NAMES,
  removeTemporaryDirectories,
  runProcess,
  servingProgram,
  start,
  withConnection,
} from './embedded-postgres.test-support.ts';
import type { EmbeddedConnection } from './embedded-postgres.ts';
import { listServerProcesses } from './process/process-table.ts';

const isRoot = process.geteuid?.() === 0;

let parent: string;
let dataDirectory: string;

beforeAll(async () => {
  parent = await makeTemporaryDirectory();
  if (isRoot) await chmod(parent, 0o755);
  dataDirectory = join(parent, `it's a, "data" directory`);
  const server = await start(dataDirectory);
  await withConnection(server.connection, async (sql) => {
    await sql`CREATE TABLE notes (body text PRIMARY KEY)`;
    await sql`INSERT INTO notes VALUES ('kept')`;
  });
  await server.stop();
});

afterEach(endAll);
afterAll(removeTemporaryDirectories);

function readNotes(connection: EmbeddedConnection) {
  return withConnection(connection, async (sql) =>
    (await sql`SELECT body FROM notes ORDER BY body`).map((row) => row.body),
  );
}

describe('a start', () => {
  it('finds the data of the previous one', async () => {
    const server = await start(dataDirectory);
    expect(await readNotes(server.connection)).toEqual(['kept']);
  });

  it('runs PostgreSQL 18 durably, in UTC and UTF-8, without a network port', async () => {
    const server = await start(dataDirectory);
    const shown = await withConnection(server.connection, (sql) => sql`SELECT name, setting FROM pg_settings`);
    expect(Object.fromEntries(shown.map((row) => [row.name, row.setting]))).toMatchObject({
      server_version_num: expect.stringMatching(/^18\d{4}$/),
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      wal_level: 'replica',
      max_connections: '200',
      jit: 'off',
      TimeZone: 'UTC',
      listen_addresses: '',
      server_encoding: 'UTF8',
      password_encryption: 'scram-sha-256',
      data_checksums: 'on',
    });
  });

  it('requires the password', async () => {
    const { connection } = await start(dataDirectory);
    for (const user of [connection.user, 'postgres']) {
      const attempt = withConnection({ ...connection, user, password: 'wrong' }, (sql) => sql`SELECT 1`);
      await expect(attempt).rejects.toThrow(/password authentication failed/);
    }
  });

  it('accepts settings for tests', async () => {
    const { connection } = await start(dataDirectory);
    const [row] = await withConnection(connection, (sql) => sql`SHOW shared_buffers`);
    expect(row?.shared_buffers).toBe('8MB');
  });

  it('leaves only files that nobody but their owner can read', async () => {
    const server = await start(dataDirectory);
    const account = (await stat(server.clusterDirectory)).uid;
    expect(await modeOf(dataDirectory)).toBe(isRoot ? '710' : '700');
    expect(await modeOf(server.clusterDirectory)).toBe('700');
    expect(account === 0).toBe(false);
    for (const name of await readdir(dataDirectory)) {
      if (name !== 'postgres') expect([name, await modeOf(join(dataDirectory, name))]).toEqual([name, '600']);
      expect((await stat(join(dataDirectory, name))).uid).toBe(name === 'postgres' ? account : process.geteuid?.());
    }
    expect((await readdir(dataDirectory)).sort()).toEqual([
      'lock',
      'lock.pid',
      'postgres',
      'postgres-password',
      'postgres.lock',
      'postgres.lock.pid',
      'postgres.log',
    ]);
    expect(await modeOf(join(server.connection.host, '.s.PGSQL.5432'))).toBe('700');
  });

  it('refuses if the password is missing, instead of creating a new one', async () => {
    const path = join(dataDirectory, 'postgres-password');
    await rename(path, `${path}.away`);
    await expect(start(dataDirectory)).rejects.toThrow(/postgres-password is missing/);
    await rename(`${path}.away`, path);
  });

  it('reports the server’s own message if the server refuses to start', async () => {
    const path = join(dataDirectory, 'postgres', 'PG_VERSION');
    await writeFile(path, '14\n');
    await expect(start(dataDirectory)).rejects.toThrow(/did not start.*incompatible with server/s);
    await writeFile(path, '18\n');
    await start(dataDirectory);
  });

  it('reports a platform without a server', async () => {
    const architecture = process.arch;
    Object.defineProperty(process, 'arch', { value: 'pdp11' });
    try {
      await expect(findBinaries(null, NAMES.sharedDirectory)).rejects.toMatchObject({
        code: 'cannot_run',
        message: expect.stringContaining('-pdp11 is not installed'),
      });
    } finally {
      Object.defineProperty(process, 'arch', { value: architecture });
    }
  });
});

describe('the log of the server', () => {
  it('contains nothing of a statement’s values', async () => {
    const { connection } = await start(dataDirectory);
    await withConnection(connection, async (sql) => {
      await sql`CREATE ROLE clerk`.catch(() => {});
      await sql`GRANT INSERT ON notes TO clerk`;
      await sql`SET ROLE clerk`;
      await expect(sql`INSERT INTO notes VALUES (${'kept'})`).rejects.toThrow(/duplicate key/);
      await expect(sql`SELECT ${'4242-secret'}::text::int`).rejects.toThrow(/invalid input/);
      await expect(
        sql.unsafe(`DO $$ BEGIN RAISE WARNING '4242-secret'; RAISE EXCEPTION '4242-secret'; END $$`),
      ).rejects.toThrow();
    });
    const text = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
    expect(text).toContain('ready to accept connections');
    expect(text).not.toMatch(/4242-secret|kept|INSERT/);
  });

  it('is rotated at 10 MiB, and the previous one is kept', async () => {
    const path = join(dataDirectory, 'postgres.log');
    await writeFile(path, 'old line\n'.repeat(1_200_000));
    await start(dataDirectory);
    expect((await stat(path)).size).toBeLessThan(10_000);
    expect((await stat(`${path}.1`)).size).toBe(10_800_000);
    expect(await modeOf(`${path}.1`)).toBe('600');
    await rm(`${path}.1`);
  });
});

describe('the running server', () => {
  it('is restarted when it is killed, also while a backend is busy', async () => {
    const server = await start(dataDirectory);
    const killed = server.pid() ?? 0;
    const query = withConnection(server.connection, async (sql) => {
      await sql`INSERT INTO notes VALUES ('committed') ON CONFLICT DO NOTHING`;
      process.kill(killed, 'SIGKILL');
      return sql`SELECT count(*) FROM generate_series(1, 100000000000)`;
    });
    await expect(query).rejects.toThrow();
    await eventually(() => server.pid() !== null && server.pid() !== killed);
    const notes = await eventually(() => readNotes(server.connection).catch(() => null));
    expect(notes).toEqual(['committed', 'kept']);
    await eventually(() => server.lines.some((line) => line.message === 'PostgreSQL accepts connections again'));
    expect(server.lines.find((line) => line.level === 'error')).toMatchObject({
      details: { reason: 'signal SIGKILL' },
    });
    await withConnection(server.connection, (sql) => sql`DELETE FROM notes WHERE body = 'committed'`);
  });

  it('is restarted however often it is killed', async () => {
    const server = await start(dataDirectory);
    for (let round = 0; round < 3; round++) {
      const killed = await eventually(() => server.pid());
      process.kill(killed, 'SIGKILL');
      await eventually(() => server.pid() !== killed && readNotes(server.connection).catch(() => null));
    }
  });

  it('is not restarted if it is stopped in the middle of a restart', async () => {
    const server = await start(dataDirectory);
    process.kill(server.pid() ?? 0, 'SIGKILL');
    await eventually(() => server.lines.some((line) => line.level === 'error'));
    await server.stop();
    expect(server.pid()).toBe(null);
    const { dev, ino } = await stat(server.clusterDirectory, { bigint: true });
    expect((await listServerProcesses(`${APPLICATION}-${dev}-${ino}`)).filter((found) => found.isPostmaster)).toEqual(
      [],
    );
  });

  it('stops cleanly with open connections, and may be stopped repeatedly', async () => {
    const server = await start(dataDirectory);
    const pid = server.pid() ?? 0;
    await withConnection(server.connection, async (sql) => {
      await sql`BEGIN`;
      await Promise.all([server.stop(), server.stop()]);
    }).catch(() => {});
    expect(isAlive(pid)).toBe(false);
    expect(await readdir(server.clusterDirectory)).not.toContain('postmaster.pid');
    const after = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
    expect(after.trim()).toMatch(/database system is shut down$/);
  });

  it('ignores the Ctrl-C of the terminal', async () => {
    const holder = runProcess(`process.on('SIGINT', () => console.log('heard'));${servingProgram}`, dataDirectory);
    const connection = JSON.parse((await holder.said(/connection (.*)\n/))[1] ?? '');
    const pid = Number((await holder.said(/server (\d+);/))[1]);
    process.kill(-holder.pid, 'SIGINT');
    await holder.said(/heard/);
    expect(await readNotes(connection)).toEqual(['kept']);
    expect(isAlive(pid)).toBe(true);
  });

  it('ends with a process that exits without stopping it', async () => {
    const holder = runProcess(`${servingProgram} process.exit(3);`, dataDirectory);
    const pid = Number((await holder.said(/server (\d+);/))[1]);
    expect(await holder.ended).toBe(3);
    await eventually(() => !isAlive(pid));
  });
});

describe('after a crash', () => {
  it('a server left running is ended, and nothing is lost; before that, a second start on its data directory is refused', async () => {
    const holder = runProcess(servingProgram, dataDirectory);
    const orphan = Number((await holder.said(/server (\d+);/))[1]);
    await expect(start(dataDirectory)).rejects.toMatchObject({
      code: 'in_use',
      message: `Another process (pid ${holder.pid}) already uses the data directory ${dataDirectory}.`,
    });
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(isAlive(orphan)).toBe(true);

    const server = await start(dataDirectory);
    await eventually(() => !isAlive(orphan));
    expect(server.lines.map((line) => line.level)).toEqual(['warn', 'info']);
    expect(await readNotes(server.connection)).toEqual(['kept']);
  });

  it('busy backends whose server was killed too are ended', async () => {
    const holder = runProcess(servingProgram, dataDirectory);
    const connection = JSON.parse((await holder.said(/connection (.*)\n/))[1] ?? '');
    const orphan = Number((await holder.said(/server (\d+);/))[1]);
    holder.child.kill('SIGSTOP'); // so that it does not restart the server
    const query = withConnection(connection, async (sql) => {
      await sql`SELECT 1`;
      process.kill(orphan, 'SIGKILL');
      holder.child.kill('SIGKILL');
      return sql`SELECT count(*) FROM generate_series(1, 100000000000)`;
    }).catch((error) => error);
    await holder.ended;

    const server = await start(dataDirectory);
    expect(await query).toBeInstanceOf(Error);
    expect(await readNotes(server.connection)).toEqual(['kept']);
  });

  it('locks that name a process of another program do not matter', async () => {
    const { uid, gid } = await stat(join(dataDirectory, 'postgres'));
    const stranger = spawn('sleep', ['1000'], { uid, gid });
    try {
      const cluster = join(dataDirectory, 'postgres');
      const text = [stranger.pid, cluster, '1700000000', '5432', cluster, '', ' 1234567 7', 'ready   ', ''].join('\n');
      await writeFile(join(cluster, 'postmaster.pid'), text, { mode: 0o600 });
      await writeFile(join(cluster, '.s.PGSQL.5432.lock'), text, { mode: 0o600 });
      await writeFile(join(dataDirectory, 'lock.pid'), `${stranger.pid}\n`);

      const server = await start(dataDirectory);
      expect(await readNotes(server.connection)).toEqual(['kept']);
      expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('a lock that a power failure left empty does not matter', async () => {
    await writeFile(join(dataDirectory, 'postgres', 'postmaster.pid'), '');
    const server = await start(dataDirectory);
    expect(await readNotes(server.connection)).toEqual(['kept']);
  });

  it('a partly created database is created again', async () => {
    const directory = join(parent, 'unfinished');
    const holder = runProcess(servingProgram, directory);
    const findUnfinished = async () =>
      (await readdir(directory).catch(() => [])).find((name) => name.includes('.initializing-'));
    await eventually(async () => {
      const name = await findUnfinished();
      const content = name ? await readdir(join(directory, name, 'cluster')).catch(() => []) : [];
      return content.includes('PG_VERSION');
    });
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(await findUnfinished()).toBeDefined();

    const server = await start(directory);
    expect(await withConnection(server.connection, (sql) => sql`SELECT current_database()`)).toEqual([
      { current_database: APPLICATION },
    ]);
    expect(await findUnfinished()).toBeUndefined();
  });
});

describe('a data directory with a long path', () => {
  it('has its socket in a private directory among the temporary files, and leaves none behind', async () => {
    const directory = join(parent, 'long'.repeat(30));
    await copyDataDirectory(dataDirectory, directory);
    const holder = runProcess(servingProgram, directory);
    const first = JSON.parse((await holder.said(/connection (.*)\n/))[1] ?? '') as EmbeddedConnection;
    await holder.said(/server/);
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(await modeOf(first.host)).toBe('700');

    const server = await start(directory);
    expect(await withConnection(server.connection, (sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    expect(server.connection.host).not.toBe(first.host);
    await server.stop();
    for (const host of [first.host, server.connection.host]) await expect(stat(host)).rejects.toThrow(/ENOENT/);
  });
});

// Only root needs an account for the server.
if (isRoot)
  describe('as root in a private folder', () => {
    let home: string;
    let directory: string;
    let first: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      home = join(parent, 'home');
      await mkdir(home, { mode: 0o700 });
      directory = join(home, 'data');
      first = await start(directory);
      await withConnection(first.connection, (sql) => sql`CREATE TABLE notes AS SELECT 'outside' AS body`);
      await first.stop();
    });

    it('keeps the data outside', async () => {
      expect(first.clusterDirectory).toMatch(new RegExp(`^/var/lib/${APPLICATION}/clusters/[0-9a-f]{16}$`));
      expect(await readFile(join(directory, 'postgres-location'), 'utf8')).toBe(`${first.clusterDirectory}\n`);
      expect(await modeOf(first.clusterDirectory)).toBe('700');
      expect(await modeOf(directory)).toBe('700');
      expect(
        (await readdir(directory)).filter((name) => name.includes('initializing') || name.includes('pending')),
      ).toEqual([]);

      const second = await start(directory);
      expect(second.clusterDirectory).toBe(first.clusterDirectory);
      expect(await readNotes(second.connection)).toEqual(['outside']);
    });

    it('refuses to continue without the data, and to open the data twice', async () => {
      const server = await start(directory);
      const copy = join(home, 'copy');
      await mkdir(copy, { mode: 0o700, recursive: true });
      for (const name of ['postgres-location', 'postgres-password'])
        await copyFile(join(directory, name), join(copy, name));
      await expect(start(copy)).rejects.toThrow(
        `Another process (pid ${process.pid}) already uses the database in ${server.clusterDirectory}`,
      );
      await server.stop();

      await rename(server.clusterDirectory, `${server.clusterDirectory}.away`);
      await expect(start(directory)).rejects.toThrow(/is gone\. Restore it/);
      await rename(`${server.clusterDirectory}.away`, server.clusterDirectory);
    });

    it('begins with an empty database if the data directory was deleted', async () => {
      await rm(directory, { recursive: true });
      const third = await start(directory);
      expect(third.clusterDirectory).not.toBe(first.clusterDirectory);
      await expect(readNotes(third.connection)).rejects.toThrow(/"notes" does not exist/);
    });
  });
