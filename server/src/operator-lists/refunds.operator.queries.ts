import { REFUND_COLUMNS, type Refund, type RefundRow, toRefund } from '../payments/refunds/issue/refunds.service.ts';
import type { Part, Queryable } from '../platform/database/database.ts';
import {
  type CommonFilter,
  companyNames,
  countAll,
  hasNoFilter,
  inMajorUnits,
  matchesCommon,
  type Range,
  selectPage,
} from './lists.parts.queries.ts';

export type RefundFilter = CommonFilter & {
  paymentId: string | null;
  status: 'Processing' | 'Succeeded' | 'Failed' | 'NeedsReview' | null;
};

/** The states are literals, so that the partial index on refunds that have not succeeded can be used. */
function hasStatus(db: Queryable, status: RefundFilter['status'] & string): Part {
  return {
    Processing: db`state IN ('created', 'unknown')`,
    NeedsReview: db`state = 'needs_review'`,
    Failed: db`state = 'failed'`,
    Succeeded: db`state = 'succeeded'`,
  }[status];
}

function matches(db: Queryable, { paymentId, status, ...common }: RefundFilter): Part {
  const amounts = {
    hasCurrency: (currency: string) => db`currency = ${currency}`,
    amount: inMajorUnits(db, db`(amount_minor + credit_minor)`),
  };
  const ofPayment = db`
    AND company_id = (SELECT company_id FROM payments WHERE id = ${paymentId} LIMIT 1) AND payment_id = ${paymentId}`;
  return db`${matchesCommon(db, common, amounts)}
    ${paymentId === null ? db`` : ofPayment}
    ${status === null ? db`` : db`AND ${hasStatus(db, status)}`}`;
}

/** A page of the refunds of all companies, newest first. */
export async function selectRefundsOfAll(
  db: Queryable,
  filter: RefundFilter,
  range: Range,
): Promise<(Refund & { companyName: string })[]> {
  const isNarrow = filter.companyId !== null || filter.invoiceId !== null || filter.paymentId !== null;
  const rows = await db<(RefundRow & { companyName: string })[]>`
    WITH page AS MATERIALIZED (${selectPage(db, 'refunds', { matches: matches(db, filter), isNarrow, ...range })}), ${companyNames(db)}
    SELECT ${db.unsafe(REFUND_COLUMNS)}, company_names.name AS "companyName"
    FROM page AS refunds JOIN company_names ON company_names.company_id = refunds.company_id
    CROSS JOIN LATERAL (
      SELECT gateway_payment_id FROM payments
      WHERE payments.company_id = refunds.company_id AND payments.id = refunds.payment_id OFFSET 0
    ) AS payments
    ORDER BY refunds.created_at DESC, refunds.id DESC`;
  return rows.map(({ companyName, ...row }) => ({ ...toRefund(row), companyName }));
}

/** How many refunds match. Succeeded ones are the total less the others, which are few and have a partial index. */
export async function countRefundsOfAll(db: Queryable, filter: RefundFilter): Promise<string> {
  const { status, ...others } = filter;
  const isCounted = hasNoFilter(others) && (status === null || status === 'Succeeded');
  const notSucceeded = db`(SELECT count(*) FROM refunds WHERE state <> 'succeeded')`;
  const [row] = isCounted
    ? await db<[{ total: string }]>`
        SELECT (${countAll(db, 'refunds')} ${status === null ? db`` : db`- ${notSucceeded}`})::text AS total`
    : await db<[{ total: string }]>`SELECT count(*)::text AS total FROM refunds WHERE ${matches(db, filter)}`;
  return row.total;
}
