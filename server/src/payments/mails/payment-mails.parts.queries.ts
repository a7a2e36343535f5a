import { amountDue } from '../../billing/invoices/record/state.parts.queries.ts';
import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';
import { joinPaymentSources } from '../payment/payment.parts.queries.ts';

/** What a mail about the row of `payments` tells, as jsonb, with its `invoices`, `cards` and `paypal_accounts`. */
export const paymentFacts = constantPart(
  (db) => db`
    jsonb_build_object(
      'about', invoices.number, 'paymentId', payments.id,
      'amount', ${inMajorUnits(db, db`payments.amount_minor + coalesce(payments.overpaid_minor, 0)`)},
      'credit', ${inMajorUnits(db, db`payments.credit_minor`)},
      'overpaid', ${inMajorUnits(db, db`coalesce(payments.overpaid_minor, 0)`)},
      'due', money_text(${amountDue(db)}, invoices.minor_unit_digits), 'currency', payments.currency,
      'paidAt', iso_instant(payments.updated_at), 'timezone', invoices.buyer ->> 'timezone',
      'source', CASE
        WHEN cards.id IS NOT NULL THEN jsonb_build_object('kind', 'card', 'brand', cards.brand, 'lastFour', cards.last_four)
        WHEN paypal_accounts.id IS NOT NULL THEN jsonb_build_object('kind', 'paypal', 'email', paypal_accounts.email)
      END)`,
);

function inMajorUnits(db: Queryable, minor: Part): Part {
  return db`money_text((${minor}) / 10::numeric ^ invoices.minor_unit_digits, invoices.minor_unit_digits)`;
}

/** The row of `payments` with its `invoices`, `cards` and `paypal_accounts`. */
export const joined = constantPart(
  (db) => db`
    payments JOIN invoices ON invoices.company_id = payments.company_id AND invoices.id = payments.invoice_id
    ${joinPaymentSources(db)}`,
);

/** The receipt of a payment, as `mailCompanies` takes it; none where nothing was to be paid. */
export function receiptMail(db: Queryable, companyId: string, paymentId: string): Part {
  return db`
    SELECT payments.company_id, payments.invoice_id, ${paymentFacts(db)} AS facts, 0 AS wait_seconds FROM ${joined(db)}
    WHERE payments.company_id = ${companyId} AND payments.id = ${paymentId} AND payments.amount_minor + payments.credit_minor > 0`;
}

/** The mail about a payment that waits for its customer, as `mailCompanies` takes it. */
export function confirmationMail(db: Queryable, companyId: string, paymentId: string): Part {
  return db`
    SELECT payments.company_id, payments.invoice_id, 0 AS wait_seconds,
           ${paymentFacts(db)} || jsonb_build_object('expiresAt', iso_instant(payments.expires_at)) AS facts
    FROM ${joined(db)}
    WHERE payments.company_id = ${companyId} AND payments.id = ${paymentId}`;
}

/** How long a mail waits for the collection to say what happens next. */
const WAIT_SECONDS = 10;

/**
 * The mail about a payment that was declined, as `mailCompanies` takes it. What happens next is known at once for a payment that the
 * collection has nothing to do with; `isFinal` says that the same card or account is never charged again.
 */
export function failedMail(
  db: Queryable,
  companyId: string,
  { paymentId, isFinal }: { paymentId: string; isFinal: boolean },
): Part {
  return db`
    SELECT payments.company_id, payments.invoice_id,
           ${paymentFacts(db)} || CASE WHEN next IS NULL THEN '{}' ELSE jsonb_build_object('next', next) END AS facts,
           CASE WHEN next IS NULL THEN ${WAIT_SECONDS} ELSE 0 END AS wait_seconds
    FROM ${joined(db)}
    LEFT JOIN collections ON collections.company_id = payments.company_id AND collections.invoice_id = payments.invoice_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN payments.collection_attempt IS NOT NULL OR collections.payment_id = payments.id OR collections.lease IS NOT NULL THEN NULL
      WHEN collections.state = 'exhausted' THEN jsonb_build_object('kind', 'none')
      WHEN NOT collects_automatically(payments.company_id, invoices.method, invoices.currency) THEN jsonb_build_object('kind', 'manual')
      WHEN collections.state = 'scheduled' AND NOT ${isFinal}
        THEN jsonb_build_object('kind', 'attempt', 'at', iso_instant(collections.next_attempt_at))
      WHEN collections.state IN ('scheduled', 'awaiting_payment_method') THEN jsonb_build_object('kind', 'payment_method')
      ELSE jsonb_build_object('kind', 'manual')
    END AS next) AS step
    WHERE payments.company_id = ${companyId} AND payments.id = ${paymentId}`;
}

/** What a mail about the row of `cards` tells, as jsonb. */
export const expiryFacts = constantPart(
  (db) => db`jsonb_build_object('about', last_four, 'brand', brand, 'year', exp_year, 'month', exp_month)`,
);

export type Expiring = { now: Date; days: number };

/** Whether the row of `cards` is a default card that expires within these days, of which its company was not told. */
export function expires(db: Queryable, { now, days }: Expiring): Part {
  const [year, instant] = [now.getUTCFullYear(), db`${now.toISOString()}::timestamptz AT TIME ZONE 'UTC'`];
  const end = db`(make_date(exp_year, exp_month, 1) + interval '1 month')`;
  return db`
    is_default AND deleted_at IS NULL AND exp_year BETWEEN ${year} AND ${year + 1}
    AND ${end} > ${instant} AND ${end} <= ${instant} + make_interval(days => ${days})
    AND expiry_noticed IS DISTINCT FROM make_date(exp_year, exp_month, 1)`;
}

/** Notes for up to `limit` such cards that their companies are told, and returns the mails as `mailCompanies` takes them. */
export function expiryMails(db: Queryable, { limit, ...expiring }: Expiring & { limit: number }): Part {
  return db`
    UPDATE cards SET expiry_noticed = make_date(exp_year, exp_month, 1)
    WHERE (company_id, id) IN (
      SELECT company_id, id FROM cards WHERE ${expires(db, expiring)}
      ORDER BY company_id, id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING company_id, NULL::uuid AS invoice_id, ${expiryFacts(db)} AS facts, 0 AS wait_seconds`;
}
