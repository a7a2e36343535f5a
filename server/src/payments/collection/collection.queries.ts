import type { AlertedPayment } from '../../alerts/alerts.schema.ts';
import { amountLeft } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Db, Queryable, Tx } from '../../platform/database/database.ts';

/** When to try again after an error, for example of the database. */
const RETRY_SECONDS = 5;

/**
 * An invoice whose collection is due, leased to this worker. `attempt` is the number of the attempt to make. `foundPaymentId` is a
 * payment that another caller began, whose outcome counts instead.
 */
export type DueCollection = {
  companyId: string;
  invoiceId: string;
  attempt: number;
  foundPaymentId: string | null;
  /** The gateway of its card or account, as far as the collection knows. */
  gateway: string;
};

/** Makes a collection that failed with an error due again in some seconds, unless another worker has the lease. */
export async function shortenLease(
  db: Db,
  companyId: string,
  { invoiceId, lease }: { invoiceId: string; lease: string },
): Promise<void> {
  await db`
    UPDATE collections SET leased_until = now() + make_interval(secs => ${RETRY_SECONDS})
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND lease = ${lease}`;
}

/** What is recorded of a collection. A source is a card, or a PayPal account for an invoice with the method `paypal`. */
export type CollectionRecord = {
  attempts: number;
  declines: number;
  outages: number;
  sourceId: string | null;
  dueAt: Date;
};

/**
 * Locks a collection until the transaction ends; null when the outcome of this attempt is recorded already. Every change that makes a
 * collection due takes this lock, so whatever is read after it is complete.
 */
export async function lockCollection(
  tx: Tx,
  companyId: string,
  { invoiceId, attempt }: DueCollection,
): Promise<CollectionRecord | null> {
  const [row] = await tx<CollectionRecord[]>`
    SELECT attempts, declines, outages, coalesce(card_id, paypal_account_id) AS "sourceId", due_at AS "dueAt" FROM collections
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND attempts = ${attempt - 1}
    FOR NO KEY UPDATE`;
  return row ?? null;
}

/** What the next step of a collection depends on, as it is now. */
export type Facts = {
  status: 'Processing' | 'Succeeded' | 'Failed';
  isVoided: boolean;
  /** The invoice is of zero, or credit notes and part payments cover it, so it is paid without a charge. */
  isNothingDue: boolean;
  isAutomatic: boolean;
  dunningDays: number[];
  /** What would be charged now, and why its last charge was declined; null when it was not. */
  sourceId: string | null;
  lastDeclineCode: string | null;
  recentDeclines: RecentDeclines;
  /** The payment that this attempt began, or else the one that it found running. */
  payment: {
    id: string;
    state: string;
    failureReason: string | null;
    declineCode: string | null;
    sourceId: string | null;
    /** Whether its card was changed since it began: the bank may have judged it by the former expiry. */
    isSourceChanged: boolean;
    /** Whether it waits, or has waited, for its customer. */
    hasWaited: boolean;
  } | null;
};

/** The company's declined charges of the last hour, whoever requested them. */
export type RecentDeclines = {
  ofInvoice: number;
  /** How many cards and accounts were declined. */
  sources: number;
  /** The newest such payment; null when there is none. */
  payment: AlertedPayment | null;
};

/** As JSON. Selects by id as well, since an id begins with its time of creation, by a clock that is less than a day from the database's. */
function recentDeclines(db: Queryable, companyId: string, invoiceId: string) {
  return db`(
    SELECT json_build_object('ofInvoice', count(*) FILTER (WHERE payments.invoice_id = ${invoiceId}),
                             'sources', count(DISTINCT coalesce(payments.card_id, payments.paypal_account_id)),
                             'payment', (array_agg(json_build_object('id', payments.id, 'invoiceId', payments.invoice_id)
                                                   ORDER BY payments.created_at DESC))[1])
    FROM payments
    WHERE payments.company_id = ${companyId} AND payments.created_at > now() - interval '1 hour'
      AND payments.id >= rpad(lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      AND payments.state = 'failed' AND payments.failure_reason IN ('declined', 'rejected')
  )`;
}

/** Reads the facts in one statement, so that they are of one moment. */
export async function selectFacts(
  db: Queryable,
  companyId: string,
  { invoiceId, attempt, foundPaymentId }: DueCollection,
): Promise<Facts> {
  const [row] = await db<[Facts]>`
    SELECT invoices.status, invoices.voided_at IS NOT NULL AS "isVoided",
           ${amountLeft(db)} <= 0 AS "isNothingDue",
           collects_automatically(companies.id, invoices.method, invoices.currency) AS "isAutomatic",
           companies.dunning_days AS "dunningDays",
           chargeable.id AS "sourceId", (
             SELECT decline_code FROM payments
             WHERE payments.company_id = ${companyId} AND coalesce(payments.card_id, payments.paypal_account_id) = chargeable.id
               AND (state = 'captured' OR failure_reason = 'declined')
             ORDER BY payments.created_at DESC, payments.id DESC LIMIT 1
           ) AS "lastDeclineCode", (
             SELECT json_build_object('id', id, 'state', state, 'failureReason', failure_reason, 'declineCode', decline_code,
                                      'sourceId', coalesce(card_id, paypal_account_id), 'hasWaited', expires_at IS NOT NULL,
                                      'isSourceChanged', EXISTS (
                                        SELECT FROM cards
                                        WHERE cards.company_id = payments.company_id AND cards.id = payments.card_id
                                          AND cards.updated_at > greatest(cards.created_at, payments.created_at)))
             FROM payments
             WHERE payments.company_id = ${companyId} AND payments.invoice_id = ${invoiceId}
               AND (collection_attempt = ${attempt} OR payments.id = ${foundPaymentId}::uuid)
             ORDER BY collection_attempt NULLS LAST LIMIT 1
           ) AS payment,
           ${recentDeclines(db, companyId, invoiceId)} AS "recentDeclines"
    FROM invoices
    JOIN companies ON companies.id = invoices.company_id
    CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method, invoices.currency) AS chargeable
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  return row;
}

type CollectionState =
  | 'scheduled'
  | 'awaiting_outcome'
  | 'awaiting_confirmation'
  | 'awaiting_payment_method'
  | 'manual'
  | 'exhausted'
  | 'closed';

/** What comes next for a collection. */
export type CollectionPlan = Omit<CollectionRecord, 'dueAt'> & {
  state: CollectionState;
  nextAttemptAt: Date | null;
  paymentId: string | null;
};

/** Records what comes next, and at which gateway, and releases the lease. */
export async function updateCollection(
  tx: Tx,
  companyId: string,
  { invoiceId }: DueCollection,
  { state, nextAttemptAt, attempts, declines, outages, sourceId, paymentId }: CollectionPlan,
): Promise<void> {
  await tx`
    UPDATE collections
    SET state = ${state}, next_attempt_at = ${nextAttemptAt}, attempts = ${attempts}, declines = ${declines}, outages = ${outages},
        card_id = (SELECT id FROM cards WHERE company_id = ${companyId} AND id = ${sourceId}),
        paypal_account_id = (SELECT id FROM paypal_accounts WHERE company_id = ${companyId} AND id = ${sourceId}),
        payment_id = ${paymentId}, lease = NULL, leased_until = NULL, updated_at = now(),
        gateway = CASE ${state} WHEN 'closed' THEN gateway ELSE (
          SELECT chargeable.gateway
          FROM invoices CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method, invoices.currency) AS chargeable
          WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}
        ) END
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}`;
}
