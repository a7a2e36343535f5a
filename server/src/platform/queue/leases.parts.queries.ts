import { CLOCK_TOLERANCE_SECONDS } from '../calendar/clock.ts';
import type { Queryable } from '../database/database.ts';
import { PROCESS_ID } from '../processes/processes.service.ts';

/*
 * A row that only one worker at a time may process has `lease` (an id of the claim), `leased_until` and `process_id`. Every write to such a
 * row names the lease, so that a worker that has lost it changes nothing.
 */

/** A condition: the row has no lease, an expired one, or one from before the database's clock was set back. */
export function isUnleased(db: Queryable, leaseSeconds: number) {
  return db`(
    leased_until IS NULL
    OR leased_until NOT BETWEEN now() AND now() + make_interval(secs => ${leaseSeconds + CLOCK_TOLERANCE_SECONDS})
  )`;
}

/** Assignments of an update that give the row to this process. */
export function acquireLease(db: Queryable, lease: string, leaseSeconds: number) {
  return db`lease = ${lease}, ${extendLease(db, leaseSeconds)}, process_id = ${PROCESS_ID}`;
}

/** An assignment of an update that extends a lease from now on. */
export function extendLease(db: Queryable, leaseSeconds: number) {
  return db`leased_until = now() + make_interval(secs => ${leaseSeconds})`;
}
