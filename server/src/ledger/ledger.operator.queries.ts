import { companyName } from '../identity/companies/names.parts.queries.ts';
import type { Queryable } from '../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../platform/operator-scope.ts';

export type PostingFilter = {
  companyId: string | null;
  account: string | null;
  invoiceId: string | null;
  sourceId: string | null;
  from: Date | null;
  to: Date | null;
};
/** Where a page ends. */
export type PostingPosition = { createdAt: Date; number: string };

export type PostingRow = {
  /** Null where it concerns no company. */
  companyId: string | null;
  kind: string;
  sourceId: string;
  invoiceId: string | null;
  companyName: string | null;
  invoiceNumber: string | null;
  account: string;
  currency: string;
  amountMinor: string;
  number: string;
  createdAt: Date;
};

/** Accounts that every invoice has are literals, so that the partial index on all other accounts can be used. */
function isOf(db: Queryable, account: string) {
  const isOfEachInvoice = account === 'receivable' || account === 'revenue';
  return db`AND account = ${account} ${isOfEachInvoice ? db`` : db`AND account NOT IN ('receivable', 'revenue')`}`;
}

function matches(db: Queryable, { companyId, account, invoiceId, sourceId, from, to }: PostingFilter) {
  return db`true
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${account === null ? db`` : isOf(db, account)}
    ${invoiceId === null ? db`` : db`AND invoice_id = ${invoiceId}`}
    ${sourceId === null ? db`` : db`AND source_id = ${sourceId}`}
    ${from === null ? db`` : db`AND created_at >= ${from}`}
    ${to === null ? db`` : db`AND created_at < ${to}`}`;
}

/** Postings after a position, oldest first. ORDER BY uses the table's number, because the answer's column is text. */
export async function selectPostings(
  db: Queryable,
  filter: PostingFilter,
  { after, limit }: { after: PostingPosition | null; limit: number },
): Promise<PostingRow[]> {
  return db<PostingRow[]>`
    SELECT nullif(company_id, ${OPERATOR_SCOPE}) AS "companyId", kind, source_id AS "sourceId", invoice_id AS "invoiceId", account,
           ${companyName(db, db`ledger_postings.company_id`)} AS "companyName",
           (SELECT invoices.number FROM invoices
            WHERE invoices.company_id = ledger_postings.company_id AND invoices.id = ledger_postings.invoice_id) AS "invoiceNumber",
           currency, amount_minor::text AS "amountMinor", number::text, created_at AS "createdAt"
    FROM ledger_postings
    WHERE ${matches(db, filter)}
      ${after === null ? db`` : db`AND (created_at, number) > (${after.createdAt}, ${after.number}::text::bigint)`}
    ORDER BY created_at, ledger_postings.number
    LIMIT ${limit}`;
}

/**
 * The balance of each account and currency, now or before an instant. For all companies it adds the postings since the
 * newest closed hour to that hour's balances. The ORDER BY makes PostgreSQL, which does not know that hour when it
 * plans, use the index by time.
 */
export async function sumPostings(
  db: Queryable,
  { companyId, to }: Pick<PostingFilter, 'companyId' | 'to'>,
): Promise<{ account: string; currency: string; balanceMinor: string }[]> {
  const before = to === null ? db`` : db`AND created_at < ${to}`;
  const postings =
    companyId !== null
      ? db`SELECT account, currency, amount_minor FROM ledger_postings WHERE company_id = ${companyId} ${before}`
      : db`SELECT account, currency, amount_minor FROM ledger_balances WHERE at = (SELECT at FROM closed)
           UNION ALL
           SELECT * FROM (
             SELECT account, currency, amount_minor FROM ledger_postings WHERE created_at >= (SELECT at FROM closed) ${before}
             ORDER BY created_at, number
           ) AS posted_since`;
  return db<{ account: string; currency: string; balanceMinor: string }[]>`
    WITH closed AS MATERIALIZED (
      SELECT coalesce(max(at), '-infinity') AS at FROM ledger_balances WHERE true ${to === null ? db`` : db`AND at <= ${to}`}
    )
    SELECT account, currency, sum(amount_minor)::text AS "balanceMinor"
    FROM (${postings}) AS parts
    GROUP BY account, currency
    ORDER BY currency, account`;
}

/** Closes the oldest ended hour of the ledger that is not closed. @returns whether there was one */
export async function closeLedgerHour(db: Queryable): Promise<boolean> {
  const [row] = await db<[{ closed: boolean }]>`SELECT close_ledger_hour() AS closed`;
  return row.closed;
}

/** Adds the oldest ended hour of the ledger to the sums of its month. @returns whether there was one */
export async function sumLedgerHour(db: Queryable): Promise<boolean> {
  const [row] = await db<[{ summed: boolean }]>`SELECT sum_ledger_hour() AS summed`;
  return row.summed;
}

/** What the ledger has of a month in one currency; a month is the text `2026-10`. */
export type MonthRow = {
  month: string;
  currency: string;
  billedMinor: string;
  collectedMinor: string;
  refundedMinor: string;
};

/**
 * What was billed, collected and refunded in each calendar month (UTC) since an instant, from the sums of the months and the postings since
 * the newest summed hour. The ORDER BY makes PostgreSQL, which does not know that hour when it plans, use the index by time.
 */
export async function sumMonths(db: Queryable, since: Date): Promise<MonthRow[]> {
  return db<MonthRow[]>`
    WITH summed AS MATERIALIZED (
      SELECT greatest(coalesce(max(up_to), '-infinity'), ${since}) AS at FROM ledger_months
    ), parts AS (
      SELECT month, kind, account, currency, amount_minor FROM ledger_months WHERE month >= ${since}
      UNION ALL
      SELECT date_trunc('month', created_at, 'UTC'), kind, account, currency, amount_minor
      FROM (
        SELECT created_at, kind, account, currency, amount_minor FROM ledger_postings WHERE created_at >= (SELECT at FROM summed)
        ORDER BY created_at, number
      ) AS posted_since
    )
    SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM') AS month, currency,
           coalesce(-sum(amount_minor) FILTER (WHERE account IN ('revenue', 'tax')), 0)::text AS "billedMinor",
           coalesce(sum(amount_minor) FILTER (WHERE is_cash AND kind = 'payment_captured'), 0)::text AS "collectedMinor",
           coalesce(-sum(amount_minor) FILTER (WHERE is_cash AND kind = 'refund_sent'), 0)::text AS "refundedMinor"
    FROM (SELECT *, starts_with(account, 'cash:') AS is_cash FROM parts) AS parts GROUP BY month, currency ORDER BY month, currency`;
}
