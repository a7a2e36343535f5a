import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { Db } from '../../platform/database/database.ts';
import { findMissingObjects } from './compare.ts';
import { beginComparison, endComparison, selectNewestMark } from './compare.worker.queries.ts';

/** What is made later at a gateway than its mark here was written, at most. */
export const BEFORE_NEWEST_MS = 900_000;

/**
 * How much earlier a comparison begins that also finds what a gateway lists late: such comparisons are a quarter of an hour apart, and the
 * ones in between did not see it.
 */
export function beforeWithLag(lagSeconds: number): number {
  return 2 * BEFORE_NEWEST_MS + lagSeconds * 1_000;
}

/* Why charges have to be held: what a comparison finds, for people. */

const WHY =
  'the database was restored, a failover lost its last transactions, or another database uses the same journal or gateway';

/** Why charges are held when a mark of a journal is missing. */
export const MISSING_MARK = `The database lacks what the journal has: ${WHY}.`;

/**
 * Compares what a gateway has made since a quarter of an hour before it was last compared, or before the newest mark when it never was. The
 * first comparison in each quarter of an hour, and one in doubt, goes back further, because the gateway may list late what it has made.
 * @param everySeconds - does nothing if a process has begun to compare it within this time; 0 in doubt
 * @returns why charges have to be held; null when everything is there
 * @throws GatewayError when the gateway can't be asked
 */
export async function checkGateway(
  db: Db,
  gateway: Gateway,
  { everySeconds, lagSeconds }: { everySeconds: number; lagSeconds: number },
  signal?: AbortSignal,
): Promise<string | null> {
  const newest = await selectNewestMark(db);
  const comparison = newest === null ? null : await beginComparison(db, gateway.name, everySeconds);
  if (newest === null || comparison === null) return null;
  const { begunAt, comparedAt } = comparison;
  // A time that is still to come was written before the clock was set back.
  const known = comparedAt !== null && comparedAt <= begunAt ? comparedAt : newest.writtenAt;
  const isFirst = everySeconds === 0 || quarterOf(known) !== quarterOf(begunAt);
  const earlierMs = isFirst ? beforeWithLag(lagSeconds) : BEFORE_NEWEST_MS;
  const since = new Date(Math.min(known.getTime(), begunAt.getTime()) - earlierMs);
  const missing = findMissingObjects({ db, gateways: { configured: [gateway] } }, { since, signal });
  for await (const [first] of missing) {
    if (first === undefined) continue;
    const { kind, id } = first.object;
    return `The database lacks a ${kind} that the gateway ${gateway.name} has (${id}): ${WHY}.`;
  }
  if (!signal?.aborted) await endComparison(db, gateway.name, begunAt);
  return null;
}

function quarterOf(time: Date): number {
  return Math.floor(time.getTime() / BEFORE_NEWEST_MS);
}
