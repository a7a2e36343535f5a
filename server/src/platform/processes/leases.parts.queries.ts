import { CLOCK_TOLERANCE_SECONDS } from '../calendar/clock.ts';
import type { Queryable } from '../database/database.ts';
import { PROCESS_ID } from './processes.service.ts';

/*
 * Rows that one worker at a time has for itself say so in `lease`, an id of the claim, `leased_until` and `process_id`. Whatever is
 * written of such a row names the lease, so that a worker that has lost it changes nothing.
 */

/** Says of a row that nobody has it: no lease, one that has run out, or one from before the database's clock was set back. */
export function isUnleased(db: Queryable, leaseSeconds: number) {
  return db`(
    leased_until IS NULL
    OR leased_until NOT BETWEEN now() AND now() + make_interval(secs => ${leaseSeconds + CLOCK_TOLERANCE_SECONDS})
  )`;
}

/** Gives the row to this process, as assignments of an update. */
export function takeLease(db: Queryable, lease: string, leaseSeconds: number) {
  return db`lease = ${lease}, ${keepLease(db, leaseSeconds)}, process_id = ${PROCESS_ID}`;
}

/** Lets a lease run for so long from now on, as an assignment of an update. */
export function keepLease(db: Queryable, leaseSeconds: number) {
  return db`leased_until = now() + make_interval(secs => ${leaseSeconds})`;
}

/** Says of a row that one of these processes has it. */
export function isLeasedBy(db: Queryable, processIds: readonly string[]) {
  return db`lease IS NOT NULL AND process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[])`;
}
