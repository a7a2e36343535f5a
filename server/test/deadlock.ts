import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../src/database/database.ts';
import type { TestDatabase } from './database.ts';
import type { Answer } from './request.ts';

/**
 * Brings a request into a deadlock that it loses: it looks for one a second after its wait began, the other side far later.
 * `before` locks what the request comes to last, `after` what it has locked by then.
 */
export async function provokeDeadlock(
  { owner, db }: TestDatabase,
  steps: { before: (tx: Tx) => Promise<unknown>; request: () => Promise<Answer>; after: (tx: Tx) => Promise<unknown> },
): Promise<Answer> {
  const someoneWaits = async () => {
    const rows = await db`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length > 0;
  };
  const answer = await owner.begin(async (tx) => {
    await tx`SET LOCAL deadlock_timeout = '30s'`;
    await steps.before(tx);
    const pending = steps.request();
    while (!(await someoneWaits())) await delay(5);
    await steps.after(tx);
    // In a list, since a transaction waits for a promise that it returns.
    return [pending] as const;
  });
  return answer[0];
}
