import type { AnsweredRequest } from '../../platform/http/route/idempotency.ts';

/** What must not be forgotten, when the database is. */
export type Mark = {
  companyId: string;
  /** Random, or the id of a payment or refund, which their objects at the gateway carry. */
  mark: string;
  /** One of the kinds that the features declare. */
  kind: string;
  /** The id of the row that it is about. */
  subject: string;
};

/** A mark as it is recorded. */
export type NewMark = Mark & {
  /** What the journal keeps with it, as JSON text. Without it the journal reads it from the database after the commit. */
  document?: string;
};

/** A line of the journal. */
export type JournalEntry = Mark & {
  /** When the journal got it. */
  at: string;
  /** The request that caused it, which a client may repeat. */
  request?: AnsweredRequest | undefined;
  /** JSON text of the row, as its kind says; `null` of one that was gone by then. */
  document: string;
};
