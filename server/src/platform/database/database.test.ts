import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { occupyConnections } from '../../../test/harness/pool.ts';
import {
  databaseErrorCode,
  isDatabaseUnavailable,
  planForValues,
  sideBySide,
  type Tx,
  transaction,
} from './database.ts';
import { APPLICATION_ROLE, connect } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: 3, timeoutFactor: 1 });
  await database.owner.unsafe(`CREATE TABLE scratch_rows (id integer PRIMARY KEY, body text NOT NULL DEFAULT '')`);
  await database.owner.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE ON scratch_rows TO ${APPLICATION_ROLE}`);
});
afterAll(async () => database.drop());
beforeEach(async () => {
  await database.owner`DELETE FROM scratch_rows`;
  await database.owner`INSERT INTO scratch_rows (id) VALUES (1), (2)`;
});

async function readBodies(): Promise<string[]> {
  const rows = await database.owner<{ body: string }[]>`SELECT body FROM scratch_rows ORDER BY id`;
  return rows.map(({ body }) => body);
}

/** Resolves for every caller once it was called this many times. */
function meetingOf(count: number): () => Promise<void> {
  let arrived = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived === count) open();
    return opened;
  };
}

async function fail(sqlState: string, tx: Tx): Promise<void> {
  await tx.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${sqlState}'; END $$`);
}

describe('parts of a transaction side by side', () => {
  it('are answered in their order, and see what was sent before', async () => {
    const write = async (tx: Tx) => void (await tx`UPDATE scratch_rows SET body = 'new' WHERE id = 1`);
    const read = async (tx: Tx) => (await tx`SELECT body FROM scratch_rows WHERE id = 1`)[0]?.body;
    expect(await transaction(database.db, (tx) => sideBySide([read(tx), write(tx), read(tx)]))).toEqual([
      '',
      undefined,
      'new',
    ]);
  });

  it('leave nothing when one fails while another still has something to send', async () => {
    const failing = async (tx: Tx) => {
      await tx`SELECT 1`;
      throw new Error('refused');
    };
    const waiting = new Set([3, 4, 5, 6]);
    const working = async (tx: Tx) => {
      for (const id of waiting) {
        await tx`INSERT INTO scratch_rows (id) VALUES (${id})`;
        waiting.delete(id);
      }
    };
    await expect(transaction(database.db, (tx) => sideBySide([working(tx), failing(tx)]))).rejects.toThrow('refused');
    expect(waiting).toEqual(new Set());
    expect(await readBodies()).toEqual(['', '']);
  });

  it('fail with the error of the part that failed first', async () => {
    const insert = async (tx: Tx) => void (await tx`INSERT INTO scratch_rows (id) VALUES (1)`);
    const read = async (tx: Tx) => void (await tx`SELECT 1`);
    const work = transaction(database.db, (tx) => sideBySide([read(tx), insert(tx), read(tx)]));
    await expect(work).rejects.toMatchObject({ code: '23505' });
  });
});

describe('the sessions of the service', () => {
  // Security (A database that is away, or slow): Statements, locks and transactions have time limits
  it('have timeouts for a statement, a lock, an idle and a whole transaction', async () => {
    const [row] = await database.db`
      SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
             current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('transaction_timeout', true) AS whole,
             current_setting('server_version_num')::int >= 170000 AS "knowsWhole"`;
    const { knowsWhole, ...settings } = row ?? {};
    expect(settings).toEqual({ statement: '5s', lock: '2s', idle: '10s', whole: knowsWhole ? '15s' : null });
  });

  it('have them inside a transaction too, on every connection of the pool', async () => {
    const meeting = meetingOf(3);
    const settings = await Promise.all(
      [1, 2, 3].map(() =>
        transaction(database.db, async (tx) => {
          await meeting();
          return tx`SHOW statement_timeout`;
        }),
      ),
    );
    expect(settings.flat()).toEqual(Array(3).fill({ statement_timeout: '5s' }));
  });

  it('use a role that owns nothing and can only read and write rows', async () => {
    const { db } = database;
    const [row] = await db`
      SELECT current_user AS role, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty,
             (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned
      FROM pg_roles WHERE rolname = current_user`;
    expect(row).toEqual({ role: APPLICATION_ROLE, mighty: false, owned: 0 });
    await expect(db.unsafe('CREATE TABLE mine (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(db.unsafe('ALTER TABLE labels DISABLE TRIGGER ALL')).rejects.toMatchObject({ code: '42501' });
  });

  it('have no timeout for a whole transaction where PostgreSQL does not support it (before 17)', async () => {
    const { host, port, user, pass } = database.db.options as unknown as Record<string, string | string[]>;
    const target = {
      host: [host].flat()[0] ?? '',
      port: Number([port].flat()[0]),
      username: String(user),
      password: String(pass),
      database: database.name,
    };
    const db = connect({ target: { ...target }, poolSize: 1, serverVersion: 160_004 });
    const [setting] = await db`SELECT coalesce(current_setting('transaction_timeout', true), '0') AS whole`;
    expect(setting).toEqual({ whole: '0' });
    expect(await db`SHOW lock_timeout`).toEqual([{ lock_timeout: '2s' }]);
    await db.end();
  });
});

describe('transaction', () => {
  it('commits and returns the result of the work', async () => {
    const answer = await transaction(database.db, async (tx) => {
      await tx`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
      return 'answered';
    });
    expect([answer, await readBodies()]).toEqual(['answered', ['a', '']]);
  });

  it('rolls back when the work fails, and throws its error', async () => {
    const work = transaction(database.db, async (tx) => {
      await tx`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
      throw new Error('of its own');
    });
    await expect(work).rejects.toThrow('of its own');
    expect(await readBodies()).toEqual(['', '']);
  });

  it('resolves a deadlock by retrying the victim', async () => {
    const meeting = meetingOf(2);
    let runs = 0;
    const update = (first: number, second: number) =>
      transaction(database.db, async (tx) => {
        runs += 1;
        // PostgreSQL detects deadlocks after a second; the lock timeout must be longer.
        await tx`SELECT set_config('lock_timeout', '1min', true), set_config('statement_timeout', '1min', true)`;
        await tx`UPDATE scratch_rows SET body = body || 'x' WHERE id = ${first}`;
        await meeting();
        await tx`UPDATE scratch_rows SET body = body || 'x' WHERE id = ${second}`;
      });
    await Promise.all([update(1, 2), update(2, 1)]);
    // Both sides check for the deadlock after the same time, and either may be the victim.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await readBodies()).toEqual(['xx', 'xx']);
  });

  it.each([
    ['40001', 3],
    ['40P01', 3],
    ['23505', 1],
    ['55P03', 1],
  ])('tries an error %s %d times in all, then throws it', async (sqlState, times) => {
    let runs = 0;
    const work = transaction(database.db, async (tx) => {
      runs += 1;
      await tx`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
      await fail(sqlState, tx);
    });
    await expect(work).rejects.toMatchObject({ code: sqlState });
    expect([runs, await readBodies()]).toEqual([times, ['', '']]);
  });

  it('answers 503 when no connection becomes free, and does none of the work, not even later', async () => {
    const release = await occupyConnections(database, 3);
    let began = false;
    const work = transaction(database.db, async (tx) => {
      began = true;
      await tx`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
    });
    await expect(work).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
    await release();
    // Three more, so that the one that was given up has had its turn.
    await Promise.all([1, 2, 3].map(() => transaction(database.db, (tx) => tx`SELECT 1`)));
    expect([began, await readBodies()]).toEqual([false, ['', '']]);
  });

  it('fails when its connection is lost, and the next one works', async () => {
    const lost = transaction(database.db, async (tx) => {
      const [row] = await tx<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await database.owner`SELECT pg_terminate_backend(${row.pid})`;
      await tx`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
    });
    const error = await lost.catch((reason) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await readBodies()).toEqual(['', '']);
    await transaction(database.db, (tx) => tx`UPDATE scratch_rows SET body = 'b' WHERE id = 1`);
    expect(await readBodies()).toEqual(['b', '']);
  });

  it('waits at most two seconds for a lock, and rolls back', async () => {
    const { db, owner } = database;
    const work = owner.begin(async (tx) => {
      await tx`UPDATE scratch_rows SET body = 'owner' WHERE id = 2`;
      const waiting = transaction(db, async (other) => {
        await other`UPDATE scratch_rows SET body = 'a' WHERE id = 1`;
        await other`UPDATE scratch_rows SET body = 'a' WHERE id = 2`;
      });
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    });
    await work;
    expect(await readBodies()).toEqual(['', 'owner']);
  });
});

// Security (Disks, upgrades and restores): PostgreSQL's errors about a full disk count as unavailable: 503
describe('which errors mean that the database is unavailable (503) instead of a fault (500)', () => {
  const withCode = (code: string, more: object = {}) => Object.assign(new Error('on purpose'), { code, ...more });

  it.each([
    ...['57P01', '57P02', '57P03', '57P05', '57014', '08006', '08P01', '53300', '53100', '55P03', '25P03', '25P04'],
    ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ])('%s does', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it.each([
    ['ECONNREFUSED', 'connect'],
    ['ENOENT', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['ECONNRESET', 'read'],
    ['EPIPE', 'write'],
  ])('%s of %s does', (code, syscall) => {
    expect(isDatabaseUnavailable(withCode(code, { syscall }))).toBe(true);
  });

  it('a missing file, a wrong statement, a wrong value and an error without a code do not', () => {
    expect(isDatabaseUnavailable(withCode('ENOENT', { syscall: 'open' }))).toBe(false);
    for (const code of ['42601', '42P01', '22P02', '23505', '40001']) {
      expect(isDatabaseUnavailable(withCode(code))).toBe(false);
    }
    expect(isDatabaseUnavailable(new Error('on purpose'))).toBe(false);
    expect(databaseErrorCode('text')).toBeUndefined();
  });
});

describe('planForValues', () => {
  it('plans for the values also where several statements are sent at once', async () => {
    const modes = await planForValues(database.db, (tx) =>
      Promise.all([tx`SHOW plan_cache_mode`, tx`SHOW plan_cache_mode`]),
    );
    expect(modes.flat()).toEqual(Array(2).fill({ plan_cache_mode: 'force_custom_plan' }));
    expect(await database.db`SHOW plan_cache_mode`).toEqual([{ plan_cache_mode: 'force_generic_plan' }]);
  });
});
