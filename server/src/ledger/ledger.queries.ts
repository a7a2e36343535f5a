import type { Queryable } from '../database/database.ts';

export type PostingFilter = { companyId: string | null; account: string | null; from: Date | null; to: Date | null };
/** Where a page ends. */
export type PostingPlace = { createdAt: Date; number: string };

export type PostingRow = {
  companyId: string;
  kind: string;
  sourceId: string;
  invoiceId: string | null;
  account: string;
  currency: string;
  amountMinor: string;
  number: string;
  createdAt: Date;
};

function matches(db: Queryable, { companyId, account, from, to }: PostingFilter) {
  return db`true
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${account === null ? db`` : db`AND account = ${account}`}
    ${from === null ? db`` : db`AND created_at >= ${from}`}
    ${to === null ? db`` : db`AND created_at < ${to}`}`;
}

/** Postings after a place, the oldest first. The table's number is what they are sorted by: the column of the answer is a text. */
export async function selectPostings(
  db: Queryable,
  filter: PostingFilter,
  { after, limit }: { after: PostingPlace | null; limit: number },
): Promise<PostingRow[]> {
  return db<PostingRow[]>`
    SELECT company_id AS "companyId", kind, source_id AS "sourceId", invoice_id AS "invoiceId", account, currency,
           amount_minor::text AS "amountMinor", number::text, created_at AS "createdAt"
    FROM ledger_postings
    WHERE ${matches(db, filter)}
      ${after === null ? db`` : db`AND (created_at, number) > (${after.createdAt}, ${after.number}::text::bigint)`}
    ORDER BY created_at, ledger_postings.number
    LIMIT ${limit}`;
}

/** What the postings of each account and currency come to. */
export async function sumPostings(
  db: Queryable,
  filter: PostingFilter,
): Promise<{ account: string; currency: string; balanceMinor: string }[]> {
  return db<{ account: string; currency: string; balanceMinor: string }[]>`
    SELECT account, currency, sum(amount_minor)::text AS "balanceMinor"
    FROM ledger_postings
    WHERE ${matches(db, filter)}
    GROUP BY account, currency
    ORDER BY currency, account`;
}
