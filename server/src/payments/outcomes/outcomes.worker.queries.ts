import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import { constantPart, type Db } from '../../platform/database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../platform/http/metrics/work-queues.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../platform/queue/due/due.ts';
import { type JobTable, movedAhead } from '../../platform/queue/job-table.ts';
import { distinctGateways } from './gateways.parts.queries.ts';
import type { OpenJob, OutcomeQueue } from './outcomes.queries.ts';

/** How long a claimed job is left to its process. Two checks of one job at the same time do no harm; they only waste calls. */
export const LEASE_SECONDS = 45;

const KEY = ['company_id', 'id'];

type AnyQueue = Pick<OutcomeQueue<never, never>, 'name' | 'table' | 'isOpen'>;

/** Whether a job of any company is open; of those that wait for their customers, which may take a day, whether one is due. */
export function openJobsOf({
  name,
  table,
  waitsAs,
  isOpen,
}: AnyQueue & Pick<OutcomeQueue<never, never>, 'waitsAs'>): Question {
  const awaited = waitsAs === 'unknown' ? isOpen : `${isOpen} AND reconcile_at <= now()`;
  const isAny = `(SELECT min(gateway) FROM ${table} WHERE ${awaited}) IS NOT NULL`;
  return { name, isDue: constantPart((db) => db`${db.unsafe(isAny)}`) };
}

/** Lists the gateways at which a job, of any company, is due or waits for its next check. */
export async function selectGatewaysWithOpenJobs(db: Db, { table, isOpen }: AnyQueue): Promise<string[]> {
  const rows = await db<{ gateway: string }[]>`
    WITH RECURSIVE ${db.unsafe(distinctGateways(table, isOpen))}
    SELECT gateway FROM awaited WHERE gateway IS NOT NULL`;
  return rows.map(({ gateway }) => gateway);
}

/**
 * Claims jobs, of every company, that are due at this gateway. Two reconcilers never claim the same job; a claim of a dead process
 * expires. Every time here is the database's; a job whose last check lies in the future is due, since the database's clock was set back.
 */
export async function claimDue<Row extends object, Job extends OpenJob>(
  db: Db,
  { table, isOpen, lastCheckedAt, checkedAtColumn, read, toJob }: OutcomeQueue<Row, Job>,
  { gateway, limit }: { gateway: string; limit: number },
): Promise<Job[]> {
  const rows = await db<Row[]>`
    WITH ${claimJobs(
      db,
      { table, key: KEY },
      {
        where: db`${db.unsafe(isOpen)} AND gateway = ${gateway} AND reconcile_at <= now()`,
        first: db`ORDER BY reconcile_at LIMIT ${limit}`,
        also: {
          where: db`
            ${db.unsafe(isOpen)} AND gateway = ${gateway}
            AND ${db.unsafe(lastCheckedAt)} > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`,
          first: db`LIMIT ${limit}`,
        },
        set: db`
          reconcile_at = now() + make_interval(secs => ${LEASE_SECONDS}), reconcile_count = reconcile_count + 1,
          ${db(checkedAtColumn)} = now(), process_id = ${PROCESS_ID}`,
        as: table,
      },
    )}
    SELECT ${db.unsafe(read)}`;
  return rows.map(toJob);
}

/**
 * Payments or refunds without an outcome, which a process has begun or claimed. A process that was only suspended continues, and whatever
 * it writes then depends on the state, the gateway's object or `reconcile_count`.
 */
export function outcomeJobs({ name, table, isOpen }: AnyQueue): JobTable {
  return {
    kind: name,
    table,
    key: KEY,
    company: 'company_id',
    record: 'id::text',
    isNamed: 'company_id = failed_company AND id = failed_record::uuid',
    attempts: 'reconcile_count',
    ...movedAhead('reconcile_at', isOpen),
  };
}

/** Counts the jobs that are overdue for a check, and those that the reconciler has left to a person. */
export async function readOpenQueue(db: Db, { name, table, isOpen }: AnyQueue): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    WITH RECURSIVE ${db.unsafe(distinctGateways(table, isOpen))}
    SELECT ${name} AS name, least(count(*), ${COUNT_LIMIT})::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(reconcile_at)), 0))::float AS "oldestSeconds",
           least(count(*) FILTER (WHERE reconcile_count > 0), ${COUNT_LIMIT})::int AS retries,
           (SELECT count(*)::int FROM (
             SELECT FROM ${db(table)} WHERE state = 'needs_review' AND ${name} = ${table} LIMIT ${COUNT_LIMIT}
           ) AS under_review) AS dead
    FROM awaited CROSS JOIN LATERAL (
      SELECT reconcile_at, reconcile_count FROM ${db(table)}
      WHERE ${db.unsafe(isOpen)} AND ${db(table)}.gateway = awaited.gateway AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${COUNT_LIMIT}
    ) AS due`;
}
