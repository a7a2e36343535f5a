import type { Queryable } from '../database/database.ts';
import { describeFailure } from '../logging/logger.ts';
import { OPERATOR_SCOPE } from '../operator-scope.ts';
import { deleteJobFailure, type FailedJob, upsertJobFailure } from './failures.queries.ts';

/**
 * Records for the operator why an attempt of a job was in vain, without values. It never rejects, because nothing depends on it.
 * @param companyId - null for a job of no company
 * @param failure - an error, or what happened in a few words
 */
export async function noteFailure(
  db: Queryable,
  companyId: string | null,
  job: FailedJob,
  failure: unknown,
): Promise<void> {
  const error = typeof failure === 'string' ? failure : describeFailure(failure);
  await upsertJobFailure(db, companyId ?? OPERATOR_SCOPE, job, error).catch(() => undefined);
}

/** Forgets the failures of a job that has succeeded, where its record is the record of further jobs. */
export async function forgetFailure(db: Queryable, companyId: string | null, job: FailedJob): Promise<void> {
  await deleteJobFailure(db, companyId ?? OPERATOR_SCOPE, job);
}
