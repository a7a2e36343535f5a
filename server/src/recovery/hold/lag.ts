import type { Db } from '../../platform/database/database.ts';

/** A hold as it was read: all times are the database's. */
type ReadHold = { id: string; begunAt: Date; readAt: Date };

/** When this process first saw the hold that it knows, by its own clock, which nobody sets, and how long that had lasted by then. */
type Seen = { id: string; begunAtMs: number; lastedMs: number; seenAtMs: number };

const TOLERANCE_MS = 1_000;
const seen = new WeakMap<Db, Seen>();

/**
 * Whether a hold has lasted so long: by the database's clock, and for as long as this process has seen it also by its own. A clock that was
 * behind and is set right does not end the gateways' lag early.
 */
export function hasLasted(db: Db, { id, begunAt, readAt }: ReadHold, seconds: number): boolean {
  const begunAtMs = begunAt.getTime();
  // The database rounds the beginning up.
  const lastedMs = Math.max(0, readAt.getTime() - begunAtMs);
  const nowMs = performance.now();
  let known = seen.get(db);
  if (known?.id !== id || known.begunAtMs !== begunAtMs) known = { id, begunAtMs, lastedMs, seenAtMs: nowMs };
  seen.set(db, known);
  const steadyMs = known.lastedMs + nowMs - known.seenAtMs;
  return Math.min(lastedMs, steadyMs + TOLERANCE_MS) >= seconds * 1_000;
}
