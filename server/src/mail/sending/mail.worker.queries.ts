import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import type { Db, Queryable } from '../../platform/database/database.ts';
import type { MailFacts } from '../../platform/feature/mail-declaration.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../platform/http/metrics/work-queues.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { chooseByLane, claimJobs, isChosen } from '../../platform/queue/claim.parts.queries.ts';
import { type JobTable, LEASED } from '../../platform/queue/job-table.ts';
import { acquireLease } from '../../platform/queue/leases.parts.queries.ts';

/** The name of the seller, for whom all mails are sent; empty while none is set. */
export async function selectSellerName(db: Queryable): Promise<string> {
  const [row] = await db<[{ name: string }]>`SELECT name FROM seller`;
  return row.name;
}

export type ClaimedMail = {
  companyId: string;
  id: string;
  type: string;
  invoiceId: string | null;
  language: string;
  to: string[];
  /** Encrypted, of a mail about an account. */
  content: Uint8Array | null;
  /** Of a mail about money. */
  facts: MailFacts | null;
  /** The number of attempts before this one. */
  attempts: number;
  createdAt: Date;
  /** Until it is given up; negative when that time has passed. */
  secondsLeft: number;
};

/** Longer than an attempt can take. */
const LEASE_SECONDS = 240;

/** Mails that are to be sent. A process that only stalled may have sent a released mail too, with the same Message-ID. */
export const MAIL_JOBS: JobTable = {
  kind: 'mails',
  table: 'mails',
  key: ['company_id', 'id'],
  company: `nullif(company_id, '${OPERATOR_SCOPE}')`,
  record: 'id::text',
  isNamed: 'company_id = failed_company AND id = failed_record::uuid',
  isOpen: 'next_attempt_at IS NOT NULL',
  dueAt: 'next_attempt_at',
  isRunning: LEASED.isRunning,
  attempts: 'attempts',
  makeDue: 'next_attempt_at = now()',
  claim: { isClaimed: LEASED.claim.isClaimed, release: `next_attempt_at = now(), ${LEASED.claim.release}` },
};

/**
 * Claims due mails of all companies: at most `limit`, and of each company at most as many as keep those in flight, by
 * any process, below `perCompany`. While the database or this process (`isHeld`) holds charges it claims only mails
 * that say so: the accounts that the others are about may be lost again.
 */
export async function claimMails(
  db: Queryable,
  { lease, limit, perCompany, isHeld }: { lease: string; limit: number; perCompany: number; isHeld: boolean },
): Promise<ClaimedMail[]> {
  return db<ClaimedMail[]>`
    WITH RECURSIVE ${chooseByLane(db, MAIL_JOBS, {
      lane: ['company_id'],
      where: db`(type = 'charges_held' OR NOT ${isHeld}::boolean AND NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL))`,
      limit,
      perLane: perCompany,
      leaseSeconds: LEASE_SECONDS,
    })}, ${claimJobs(db, MAIL_JOBS, {
      where: isChosen(db, MAIL_JOBS, 'chosen'),
      set: db`
        ${acquireLease(db, lease, LEASE_SECONDS)}, attempted_at = now(), next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})`,
    })}
    SELECT company_id AS "companyId", id, type, invoice_id AS "invoiceId", language, recipients AS to, content, facts, attempts,
           created_at AS "createdAt", extract(epoch FROM give_up_at - now())::float AS "secondsLeft"
    FROM claimed`;
}

/** An attempt's outcome: the new status, and the seconds until the next attempt of a mail that stays queued. */
export type MailAttempt = {
  companyId: string;
  id: string;
  lease: string;
  status: 'queued' | 'sent' | 'failed';
  retryDelaySeconds: number | null;
  /** Empties the content, which nobody may see once it has ended. */
  forgetsContent: boolean;
  /** Of the files that were drawn, in bytes. */
  sizes: readonly number[];
};

/** Records an attempt. A mail whose lease was lost is not changed. */
export async function recordMailAttempt(db: Queryable, attempt: MailAttempt): Promise<void> {
  const { companyId, id, lease, status, retryDelaySeconds, forgetsContent, sizes } = attempt;
  await db`
    UPDATE mails
    SET status = ${status}, attempts = attempts + 1, lease = NULL, leased_until = NULL,
        sent_at = CASE WHEN ${status === 'sent'} THEN now() END,
        next_attempt_at = now() + make_interval(secs => ${retryDelaySeconds}),
        content = CASE WHEN ${forgetsContent} THEN NULL ELSE content END,
        attachments = coalesce((
          SELECT jsonb_agg(file || jsonb_build_object('size', size) ORDER BY place)
          FROM jsonb_array_elements(attachments) WITH ORDINALITY AS files (file, place)
          JOIN json_array_elements(${JSON.stringify(sizes)}::text::json) WITH ORDINALITY AS sizes (size, place) USING (place)
        ), attachments)
    WHERE company_id = ${companyId} AND id = ${id} AND lease = ${lease}`;
}

/** After the database's clock was set back: makes due what was written or tried in what is now the future. */
export async function rescheduleMailsAfterClockChange(db: Db): Promise<void> {
  await db`
    WITH early AS (
      SELECT company_id, id FROM mails
      WHERE next_attempt_at IS NOT NULL AND attempted_at > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
      ORDER BY company_id, id FOR NO KEY UPDATE
    )
    UPDATE mails SET next_attempt_at = now(), attempted_at = now(), lease = NULL, leased_until = NULL
    FROM early
    WHERE mails.company_id = early.company_id AND mails.id = early.id`;
}

/** The queue for the metrics; a mail is dead when it was refused or given up. */
export async function readMailQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'mails' AS name, count(*)::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0))::float AS "oldestSeconds",
           (count(*) FILTER (WHERE attempts > 0))::int AS retries,
           (SELECT count(*)::int FROM (SELECT FROM mails WHERE status = 'failed' LIMIT ${COUNT_LIMIT}) AS failed) AS dead
    FROM (
      SELECT next_attempt_at, attempts FROM mails WHERE next_attempt_at <= now() LIMIT ${COUNT_LIMIT}
    ) AS due`;
}

/** Removes up to `limit` mails that were written more than two years ago. @returns how many were removed */
export async function removeOldMails(db: Queryable, limit: number): Promise<number> {
  const mails = await db`
    DELETE FROM mails WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM mails
      WHERE created_at < now() - interval '2 years' AND next_attempt_at IS NULL
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return mails.count;
}

/** Empties up to `limit` mails that ended, or were kept, and are more than thirty days old. @returns how many were emptied */
export async function emptyOldMails(db: Queryable, limit: number): Promise<number> {
  const mails = await db`
    UPDATE mails SET facts = NULL, content = NULL WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM mails
      WHERE (facts IS NOT NULL OR content IS NOT NULL) AND created_at < now() - interval '30 days' AND next_attempt_at IS NULL
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return mails.count;
}

/** Says whether there is a mail server, for mails that statements write. */
export async function updateMailServer(db: Queryable, isSet: boolean): Promise<void> {
  await db`UPDATE mail_server SET is_set = ${isSet} WHERE is_set <> ${isSet}`;
}
