import type { Queryable } from '../database/database.ts';

/** A job that has failed, by its kind and record (see `JobTable`). */
export type FailedJob = { kind: string; record: string };

/** Records the latest error of a job, which `GET /operator/jobs` shows for as long as the job is not done. */
export async function upsertJobFailure(
  db: Queryable,
  companyId: string,
  { kind, record }: FailedJob,
  error: string,
): Promise<void> {
  await db`
    INSERT INTO job_failures AS known (company_id, kind, record, error) VALUES (${companyId}, ${kind}, ${record}, ${error})
    ON CONFLICT (company_id, kind, record) DO UPDATE SET failures = known.failures + 1, error = excluded.error, failed_at = now()`;
}

/** Forgets that a job has failed, for a record that is the record of further jobs. */
export async function deleteJobFailure(db: Queryable, companyId: string, { kind, record }: FailedJob): Promise<void> {
  await db`DELETE FROM job_failures WHERE company_id = ${companyId} AND kind = ${kind} AND record = ${record}`;
}
