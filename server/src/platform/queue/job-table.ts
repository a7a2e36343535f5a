/** A table whose rows are jobs until they are done. All texts but the names are SQL about a row of the table. */
export type JobTable = {
  /** The kind of its jobs in `GET /operator/jobs`, and the name of the queue in the metrics. */
  kind: string;
  table: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** The company that the job is about, or NULL. */
  company: string;
  /** The text that names the job to the operator. */
  record: string;
  /** Whether a row is the job that `failed_company` (the nil UUID for no company) and `failed_record` name, for the primary key's index. */
  isNamed: string;
  /** Whether the job is still to be done, worded as in the index of such rows. */
  isOpen: string;
  /** When the job is, or was, due; ignored while it runs. */
  dueAt: string;
  /** Whether a process does the job now. */
  isRunning: string;
  /** How many attempts were in vain so far; `failed_count` and `failed_at` are those of `job_failures`. */
  attempts: string;
  /** Assignments that make the job due now. */
  makeDue: string;
  /** Null for a table whose jobs are claimed by the transaction that does them. */
  claim: {
    /** Whether a process has claimed the job, worded as in the index of such rows. */
    isClaimed: string;
    /** Assignments that undo the claim of a dead process. */
    release: string;
  } | null;
};

/** How many attempts were in vain, for a table that does not count them. */
export const COUNTED_FAILURES = 'coalesce(failed_count, 0)';

/** For tables with `lease`, `leased_until` and `process_id`. */
export const LEASED = {
  isRunning: 'lease IS NOT NULL AND leased_until > now()',
  claim: { isClaimed: 'lease IS NOT NULL', release: 'lease = NULL, leased_until = NULL' },
} as const;

/**
 * For tables with `process_id`, where a claim moves the time of the next attempt.
 * @param isOpen - whether the job is still to be done, worded as in the indexes
 */
export function movedAhead(column: string, isOpen: string) {
  const makeDue = `${column} = least(${column}, now())`;
  return {
    isOpen,
    dueAt: column,
    isRunning: `process_id IS NOT NULL AND ${column} > now()`,
    makeDue,
    claim: { isClaimed: `process_id IS NOT NULL AND ${isOpen}`, release: `${makeDue}, process_id = NULL` },
  };
}
