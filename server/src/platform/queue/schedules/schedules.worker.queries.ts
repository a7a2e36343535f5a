import { CLOCK_TOLERANCE_SECONDS } from '../../calendar/clock.ts';
import type { Db } from '../../database/database.ts';
import { claimJobs } from '../claim.parts.queries.ts';
import { type JobTable, LEASED } from '../job-table.ts';
import { acquireLease, isUnleased } from '../leases.parts.queries.ts';

/** Longer than scheduled work takes. If it does take longer, another process may do the same work, which does no harm. */
const LEASE_SECONDS = 15 * 60;

/** Work that is begun by the clock. */
export const SCHEDULE_JOBS: JobTable = {
  kind: 'schedules',
  table: 'schedules',
  key: ['name'],
  company: 'NULL::uuid',
  record: 'name',
  isNamed: 'name = failed_record',
  isOpen: 'true',
  dueAt: 'next_at',
  attempts: 'attempts',
  makeDue: 'next_at = least(next_at, now())',
  ...LEASED,
};

/** Makes schedules due that no process works on, and adds those that are new. */
export async function makeSchedulesDue(db: Db, names: readonly string[]): Promise<void> {
  await db`
    INSERT INTO schedules (name) SELECT unnest(string_to_array(${names.join()}, ','))
    ON CONFLICT (name) DO UPDATE SET next_at = now() WHERE schedules.lease IS NULL`;
}

export type ClaimedSchedule = { name: string; lease: string; attempts: number };

/**
 * Claims due schedules with these names. One whose time is further ahead than its interval is due too, since the database's clock was set
 * back.
 */
export async function claimSchedules(
  db: Db,
  { lease, intervals, limit }: { lease: string; intervals: Readonly<Record<string, number>>; limit: number },
): Promise<ClaimedSchedule[]> {
  const given = JSON.stringify(intervals);
  return db<ClaimedSchedule[]>`
    WITH ${claimJobs(db, SCHEDULE_JOBS, {
      where: db`
        ${given}::text::jsonb ? name AND ${isUnleased(db, LEASE_SECONDS)}
        AND next_at NOT BETWEEN now()
                        AND now() + make_interval(secs => (${given}::text::jsonb ->> name)::integer + ${CLOCK_TOLERANCE_SECONDS}::integer)`,
      first: db`ORDER BY next_at LIMIT ${limit}`,
      set: acquireLease(db, lease, LEASE_SECONDS),
    })}
    SELECT name, lease, attempts FROM claimed`;
}

/** Records that the work was done; it is due again at the next multiple of the interval. */
export async function recordRun(db: Db, { name, lease }: ClaimedSchedule, intervalSeconds: number): Promise<void> {
  await db`
    UPDATE schedules
    SET last_run_at = now(), attempts = 0, lease = NULL, leased_until = NULL,
        next_at = to_timestamp((floor(extract(epoch FROM now()) / ${intervalSeconds}::integer) + 1) * ${intervalSeconds}::integer)
    WHERE name = ${name} AND lease = ${lease}`;
}

/** Records that the work has failed, and is due again after a delay. */
export async function recordFailedRun(db: Db, { name, lease }: ClaimedSchedule, delaySeconds: number): Promise<void> {
  await db`
    UPDATE schedules
    SET attempts = attempts + 1, lease = NULL, leased_until = NULL, next_at = now() + make_interval(secs => ${delaySeconds})
    WHERE name = ${name} AND lease = ${lease}`;
}
