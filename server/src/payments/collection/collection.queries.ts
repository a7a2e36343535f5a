import type { Db, Queryable, Tx } from '../../platform/database/database.ts';

/** The database was away, say. */
const RETRY_SECONDS = 5;

/**
 * An invoice whose turn it is, leased to this worker. `attempt` is the number of the attempt to make; `foundPaymentId` is of a payment
 * that somebody else began, whose outcome takes its place.
 */
export type DueCollection = {
  companyId: string;
  invoiceId: string;
  attempt: number;
  foundPaymentId: string | null;
  /** Where its card or account is, as far as the collection knows. */
  gateway: string;
};

/** Leaves a collection that could not be dealt with to whoever comes some seconds later, unless somebody else has it by now. */
export async function shortenLease(
  db: Db,
  companyId: string,
  { invoiceId, lease }: { invoiceId: string; lease: string },
): Promise<void> {
  await db`
    UPDATE collections SET leased_until = now() + make_interval(secs => ${RETRY_SECONDS})
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND lease = ${lease}`;
}

/** What was noted of a collection. A source is a card, or for an invoice of the method `paypal` a PayPal account. */
export type Noted = { attempts: number; declines: number; outages: number; sourceId: string | null; dueAt: Date };

/**
 * Locks a collection until the transaction ends, unless the outcome of this attempt is noted already, which is null. What wakes a
 * collection waits for this lock or has committed before: so what is read after it says all there is to know.
 */
export async function lockCollection(
  tx: Tx,
  companyId: string,
  { invoiceId, attempt }: DueCollection,
): Promise<Noted | null> {
  const [row] = await tx<Noted[]>`
    SELECT attempts, declines, outages, coalesce(card_id, paypal_account_id) AS "sourceId", due_at AS "dueAt" FROM collections
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND attempts = ${attempt - 1}
    FOR NO KEY UPDATE`;
  return row ?? null;
}

/** What the outlook of a collection depends on, as it is now. */
export type Facts = {
  status: 'Processing' | 'Succeeded' | 'Failed';
  isVoided: boolean;
  /** It is of zero, or credited wholly: it is paid without a charge. */
  isNothingDue: boolean;
  isAutomatic: boolean;
  dunningDays: number[];
  /** What would be charged now, and why that was refused the last time that it was charged; null when it was not. */
  sourceId: string | null;
  lastDeclineCode: string | null;
  refusedLately: RefusedLately;
  /** The payment that this attempt began, or else the one that it found running. */
  payment: {
    id: string;
    state: string;
    failureReason: string | null;
    declineCode: string | null;
    sourceId: string | null;
  } | null;
};

/** What the bank has refused the company in the last hour, whoever asked for it. */
export type RefusedLately = {
  ofInvoice: number;
  /** How many cards and accounts were refused. */
  sources: number;
  /** The newest; null when there is none. */
  paymentId: string | null;
};

/** As JSON. Ids begin with the time at which they were made, by a clock that is less than a day from the database's. */
function refusedLately(db: Queryable, companyId: string, invoiceId: string) {
  return db`(
    SELECT json_build_object('ofInvoice', count(*) FILTER (WHERE payments.invoice_id = ${invoiceId}),
                             'sources', count(DISTINCT coalesce(payments.card_id, payments.paypal_account_id)),
                             'paymentId', (array_agg(payments.id ORDER BY payments.created_at DESC))[1])
    FROM payments
    WHERE payments.company_id = ${companyId} AND payments.created_at > now() - interval '1 hour'
      AND payments.id >= rpad(lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      AND payments.state = 'failed' AND payments.failure_reason IN ('declined', 'rejected')
  )`;
}

/** Reads them in one statement. */
export async function selectFacts(
  db: Queryable,
  companyId: string,
  { invoiceId, attempt, foundPaymentId }: DueCollection,
): Promise<Facts> {
  const [row] = await db<[Facts]>`
    SELECT invoices.status, invoices.voided_at IS NOT NULL AS "isVoided",
           invoices.total <= invoices.credited_total AS "isNothingDue",
           collects_automatically(companies.id, invoices.method) AS "isAutomatic", companies.dunning_days AS "dunningDays",
           chargeable.id AS "sourceId", (
             SELECT decline_code FROM payments
             WHERE payments.company_id = ${companyId} AND coalesce(payments.card_id, payments.paypal_account_id) = chargeable.id
               AND (state = 'captured' OR failure_reason = 'declined')
             ORDER BY payments.created_at DESC, payments.id DESC LIMIT 1
           ) AS "lastDeclineCode", (
             SELECT json_build_object('id', id, 'state', state, 'failureReason', failure_reason, 'declineCode', decline_code,
                                      'sourceId', coalesce(card_id, paypal_account_id))
             FROM payments
             WHERE payments.company_id = ${companyId} AND payments.invoice_id = ${invoiceId}
               AND (collection_attempt = ${attempt} OR payments.id = ${foundPaymentId}::uuid)
             ORDER BY collection_attempt NULLS LAST LIMIT 1
           ) AS payment,
           ${refusedLately(db, companyId, invoiceId)} AS "refusedLately"
    FROM invoices
    JOIN companies ON companies.id = invoices.company_id
    CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method) AS chargeable
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  return row;
}

type CollectionState = 'scheduled' | 'awaiting_outcome' | 'awaiting_payment_method' | 'manual' | 'exhausted' | 'closed';

/** What comes next of a collection. */
export type Outlook = Omit<Noted, 'dueAt'> & {
  state: CollectionState;
  nextAttemptAt: Date | null;
  paymentId: string | null;
};

/** Notes what comes next, and where by now, and gives the lease back. */
export async function updateCollection(
  tx: Tx,
  companyId: string,
  { invoiceId }: DueCollection,
  { state, nextAttemptAt, attempts, declines, outages, sourceId, paymentId }: Outlook,
): Promise<void> {
  await tx`
    UPDATE collections
    SET state = ${state}, next_attempt_at = ${nextAttemptAt}, attempts = ${attempts}, declines = ${declines}, outages = ${outages},
        card_id = (SELECT id FROM cards WHERE company_id = ${companyId} AND id = ${sourceId}),
        paypal_account_id = (SELECT id FROM paypal_accounts WHERE company_id = ${companyId} AND id = ${sourceId}),
        payment_id = ${paymentId}, lease = NULL, leased_until = NULL, updated_at = now(),
        gateway = CASE ${state} WHEN 'closed' THEN gateway ELSE (
          SELECT chargeable.gateway FROM invoices CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method) AS chargeable
          WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}
        ) END
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}`;
}
