import type { Db } from '../database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../http/metrics/work-queues.ts';
import { OPERATOR_SCOPE } from '../operator-scope.ts';
import type { JobTable } from './job-table.ts';

/** Counts the due jobs of tables that have one kind, and that never give a job up. */
export async function readJobQueue(db: Db, tables: readonly JobTable[]): Promise<WorkQueue[]> {
  const due = tables.map(
    ({ table, kind, company, record, isOpen, dueAt, attempts }) => `(
      SELECT ${dueAt} AS due_at, ${attempts} AS attempts
      FROM ${table}
      LEFT JOIN (
        SELECT company_id AS failed_company, record AS failed_record, failures AS failed_count, failed_at
        FROM job_failures WHERE kind = '${kind}'
      ) AS failed ON failed_company = coalesce(${company}, '${OPERATOR_SCOPE}') AND failed_record = ${record}
      WHERE ${isOpen} AND ${dueAt} <= now()
      LIMIT ${COUNT_LIMIT}
    )`,
  );
  return db<WorkQueue[]>`
    SELECT ${tables[0]?.kind ?? ''} AS name, least(count(*), ${COUNT_LIMIT})::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0))::float AS "oldestSeconds",
           least(count(*) FILTER (WHERE attempts > 0), ${COUNT_LIMIT})::int AS retries, 0 AS dead
    FROM (${db.unsafe(due.join(' UNION ALL '))}) AS due`;
}
