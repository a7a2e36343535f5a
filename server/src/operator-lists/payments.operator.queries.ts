import {
  joinPaymentSources,
  nextActionForOthers,
  paymentAmount,
  paymentFields,
} from '../payments/payment/payment.parts.queries.ts';
import type { Part, Queryable } from '../platform/database/database.ts';
import type { Json, JsonList } from '../platform/http/schema/json.ts';
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
import type { OperatorPayment, OperatorPaymentList } from './operator-lists.schema.ts';

export type PaymentFilter = CommonFilter & {
  status: 'Processing' | 'Succeeded' | 'Failed' | 'RequiresAction' | 'NeedsReview' | null;
  method: 'Card' | 'paypal' | null;
};

/** The states are literals, so that the partial indexes on failed and unresolved payments can be used. */
function hasStatus(db: Queryable, status: PaymentFilter['status'] & string): Part {
  return {
    Processing: db`state IN ('created', 'sending', 'processing', 'unknown')`,
    RequiresAction: db`state = 'requires_action'`,
    NeedsReview: db`state = 'needs_review'`,
    Failed: db`state = 'failed'`,
    Succeeded: db`state = 'captured'`,
  }[status];
}

function matches(db: Queryable, { status, method, ...common }: PaymentFilter): Part {
  const amounts = {
    hasCurrency: (currency: string) => db`currency = ${currency}`,
    amount: inMajorUnits(db, paymentAmount(db)),
  };
  return db`${matchesCommon(db, common, amounts)}
    ${status === null ? db`` : db`AND ${hasStatus(db, status)}`}
    ${method === null ? db`` : db`AND method = ${method}`}`;
}

/** A row of `payments` with its `company_names`, as the operator's list shows it. */
function operatorPayment(db: Queryable): Part {
  return db`(
    SELECT json_build_object(${paymentFields(db)}, 'nextAction', ${nextActionForOthers(db)}, 'companyId', payments.company_id,
                             'companyName', company_names.name, 'invoiceNumber', invoices.number)
    FROM invoices ${joinPaymentSources(db)}
    WHERE invoices.company_id = payments.company_id AND invoices.id = payments.invoice_id
  )`;
}

/** A page of the payments of all companies as JSON text, newest first. */
export async function selectPaymentsOfAll(
  db: Queryable,
  filter: PaymentFilter,
  range: Range,
): Promise<JsonList<typeof OperatorPaymentList>> {
  const isNarrow = filter.companyId !== null || filter.invoiceId !== null;
  const [row] = await db<[{ data: JsonList<typeof OperatorPaymentList> }]>`
    WITH page AS MATERIALIZED (${selectPage(db, 'payments', { matches: matches(db, filter), isNarrow, ...range })}), ${companyNames(db)}
    SELECT coalesce(json_agg(${operatorPayment(db)} ORDER BY payments.created_at DESC, payments.id DESC), '[]')::text AS data
    FROM page AS payments JOIN company_names ON company_names.company_id = payments.company_id`;
  return row.data;
}

/** A payment of any company as JSON text, in the list's shape; null when there is none with this id. */
export async function selectPaymentOfAny(db: Queryable, id: string): Promise<Json<typeof OperatorPayment> | null> {
  const [row] = await db<{ json: Json<typeof OperatorPayment> }[]>`
    WITH page AS MATERIALIZED (SELECT * FROM payments WHERE id = ${id}), ${companyNames(db)}
    SELECT ${operatorPayment(db)}::text AS json
    FROM page AS payments JOIN company_names ON company_names.company_id = payments.company_id`;
  return row?.json ?? null;
}

/** How many payments match. Succeeded ones are the total less the others, which are few and have partial indexes. */
export async function countPaymentsOfAll(db: Queryable, filter: PaymentFilter): Promise<string> {
  const { status, ...others } = filter;
  const isCounted = hasNoFilter(others) && (status === null || status === 'Succeeded');
  const notCaptured = db`(SELECT count(*) FROM payments WHERE state = 'failed') - (
    SELECT count(*) FROM payments WHERE state IN ('created', 'sending', 'unknown', 'needs_review')
  ) - (SELECT count(*) FROM payments WHERE state = 'requires_action') - (SELECT count(*) FROM payments WHERE state = 'processing')`;
  const [row] = isCounted
    ? await db<[{ total: string }]>`
        SELECT (${countAll(db, 'payments')} ${status === null ? db`` : db`- ${notCaptured}`})::text AS total`
    : await db<[{ total: string }]>`SELECT count(*)::text AS total FROM payments WHERE ${matches(db, filter)}`;
  return row.total;
}
