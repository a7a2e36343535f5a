/** Requests that conflict with another transaction in the database. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../../../src/platform/database/database.ts';
import type { Answer } from '../request.ts';
import type { TestDatabase } from './database.ts';

type Send = () => Promise<Answer>;

/**
 * Sends a request that has to wait for a transaction that has made `change`. Once the request waits, that transaction does the rest and
 * commits.
 */
export function sendDuring(
  database: TestDatabase,
  change: (tx: Tx) => Promise<unknown>,
  send: Send,
  rest: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<Answer> {
  return meet(database, { before: change, request: send, after: rest });
}

/**
 * Brings a request into a deadlock that it loses, because it checks for deadlocks after one second and the other side much later. `before`
 * locks what the request locks last, `after` what the request has locked by then.
 */
export function provokeDeadlock(
  database: TestDatabase,
  steps: { before: (tx: Tx) => Promise<unknown>; request: Send; after: (tx: Tx) => Promise<unknown> },
): Promise<Answer> {
  return meet(database, {
    ...steps,
    before: async (tx) => {
      await tx`SET LOCAL deadlock_timeout = '30s'`;
      await steps.before(tx);
    },
  });
}

type Meeting = { before: (tx: Tx) => Promise<unknown>; request: Send; after?: (tx: Tx) => Promise<unknown> };

async function meet({ owner, db }: TestDatabase, { before, request, after }: Meeting): Promise<Answer> {
  const someoneWaits = async () => {
    const rows = await db`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length > 0;
  };
  const [answer] = await owner.begin(async (tx) => {
    await before(tx);
    const pending = request();
    let early: Answer | null = null;
    pending.then((it) => (early = it)).catch(() => undefined);
    while (!(await someoneWaits())) {
      if (early) throw new Error(`The request waited for nothing: ${JSON.stringify(early)}`);
      await delay(5);
    }
    await after?.(tx);
    // The promise is in an array, because a transaction waits for a promise that it returns.
    return [pending] as const;
  });
  return answer;
}
