/** Requests that conflict with another transaction in the database. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../../../src/platform/database/database.ts';
import { eventually } from '../process.ts';
import type { TestDatabase } from './database.ts';

/**
 * Sends a request that has to wait for a transaction that has made `change`. Once the request waits, that transaction does the rest and
 * commits.
 */
export function sendDuring<Result>(
  database: TestDatabase,
  change: (tx: Tx) => Promise<unknown>,
  send: () => Promise<Result>,
  rest: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<Result> {
  return meet(database, { before: change, request: send, after: rest });
}

/**
 * Brings a request into a deadlock that it loses, because it checks for deadlocks after one second and the other side much later. `before`
 * locks what the request locks last, `after` what the request has locked by then.
 */
export function provokeDeadlock<Result>(
  database: TestDatabase,
  steps: { before: (tx: Tx) => Promise<unknown>; request: () => Promise<Result>; after: (tx: Tx) => Promise<unknown> },
): Promise<Result> {
  return meet(database, {
    ...steps,
    before: async (tx) => {
      await tx`SET LOCAL deadlock_timeout = '30s'`;
      await steps.before(tx);
    },
  });
}

type Meeting<Result> = {
  before: (tx: Tx) => Promise<unknown>;
  request: () => Promise<Result>;
  after?: (tx: Tx) => Promise<unknown>;
};

async function meet<Result>({ owner, db }: TestDatabase, { before, request, after }: Meeting<Result>): Promise<Result> {
  const someoneWaits = async () => {
    const rows = await db`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length > 0;
  };
  const [answer] = await owner.begin(async (tx) => {
    await before(tx);
    const pending = request();
    const early: Result[] = [];
    pending.then((result) => early.push(result)).catch(() => undefined);
    while (!(await someoneWaits())) {
      if (early.length > 0) throw new Error(`The request waited for nothing: ${JSON.stringify(early)}`);
      await delay(5);
    }
    await after?.(tx);
    // The promise is in an array, because a transaction waits for a promise that it returns.
    return [pending] as const;
  });
  return answer;
}

/** How many deadlocks PostgreSQL has resolved in this database. */
export async function deadlocksOf({ owner, db }: TestDatabase): Promise<number> {
  // Each connection reports what it has seen when it is idle for a moment; this makes all of them report at once.
  const poolSize = db.options.max;
  await Promise.all(Array.from({ length: poolSize * 2 }, () => db`SELECT pg_stat_force_next_flush()`));
  await eventually(async () => {
    const [row] = await owner<[{ busy: number }]>`
      SELECT count(*)::int AS busy FROM pg_stat_activity
      WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`;
    return row.busy === 0;
  });
  const [row] = await owner<[{ deadlocks: number }]>`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`;
  return row.deadlocks;
}
