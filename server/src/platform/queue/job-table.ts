/** A table each of whose rows is a job until it is done. All texts but `kind` are SQL about a row of the table. */
export type JobTable = {
  /** The kind of its jobs in `GET /operator/jobs`, and the name of the queue in the metrics. */
  kind: string;
  table: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** Whether a process has claimed the job, worded as in the index of the claimed rows. */
  isClaimed: string;
  /** Assignments that undo a claim and make the job due. */
  release: string;
};

/** For tables with `lease`, `leased_until` and `process_id`. */
export const LEASED = {
  isClaimed: 'lease IS NOT NULL',
  release: 'lease = NULL, leased_until = NULL',
} as const satisfies Partial<JobTable>;
