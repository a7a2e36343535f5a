import type { Db, Queryable, Tx } from '../database/database.ts';

/** A payment is one attempt to charge an invoice; ARCHITECTURE.md draws its states. */
export type PaymentState = 'created' | 'sending' | 'unknown' | 'needs_review' | 'captured' | 'failed';
export type FailureReason = 'declined' | 'not_sent' | 'rejected' | 'canceled';

export type Payment = {
  companyId: string;
  id: string;
  invoiceId: string;
  cardId: string | null;
  gateway: string;
  gatewayToken: string | null;
  amountMinor: bigint;
  currency: string;
  state: PaymentState;
  gatewayPaymentId: string | null;
  declineCode: string | null;
  failureReason: FailureReason | null;
  reconcileCount: number;
};

type Row = Omit<Payment, 'amountMinor'> & { amountMinor: string };

function columns(db: Queryable) {
  return db`
    company_id AS "companyId", id, invoice_id AS "invoiceId", card_id AS "cardId", gateway, gateway_token AS "gatewayToken",
    amount_minor::text AS "amountMinor", currency, state, gateway_payment_id AS "gatewayPaymentId",
    decline_code AS "declineCode", failure_reason AS "failureReason", reconcile_count AS "reconcileCount"`;
}

function toPayment(row: Row): Payment {
  return { ...row, amountMinor: BigInt(row.amountMinor) };
}

export type NewPayment = Pick<
  Payment,
  'id' | 'invoiceId' | 'cardId' | 'gateway' | 'gatewayToken' | 'amountMinor' | 'currency' | 'state'
> & { method: string };

/** The first look of the reconciler at a payment whose request may have died. */
const FIRST_LOOK_SECONDS = 15;

/** Writes the intent to charge. The index `payments_one_live` refuses a second one for the same invoice. */
export async function insertPayment(tx: Tx, companyId: string, payment: NewPayment): Promise<Payment> {
  const [row] = await tx<[Row]>`
    INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, currency, state, reconcile_at)
    VALUES (${companyId}, ${payment.id}, ${payment.invoiceId}, ${payment.cardId}, ${payment.method}, ${payment.gateway},
            ${payment.gatewayToken}, ${payment.amountMinor.toString()}, ${payment.currency}, ${payment.state},
            now() + make_interval(secs => ${FIRST_LOOK_SECONDS}))
    RETURNING ${columns(tx)}`;
  return toPayment(row);
}

/** The invoice's payment that is not failed, or null. */
export async function selectLivePayment(db: Queryable, companyId: string, invoiceId: string): Promise<Payment | null> {
  const [row] = await db<Row[]>`
    SELECT ${columns(db)} FROM payments WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND state <> 'failed'`;
  return row === undefined ? null : toPayment(row);
}

/** The payment as it stands now. */
export async function selectPayment(db: Queryable, companyId: string, id: string): Promise<Payment> {
  const [row] = await db<[Row]>`SELECT ${columns(db)} FROM payments WHERE company_id = ${companyId} AND id = ${id}`;
  return toPayment(row);
}

/** created or unknown → sending, with the gateway's id. False when somebody else moved the payment on. */
export async function markSending(
  db: Queryable,
  companyId: string,
  id: string,
  gatewayPaymentId: string,
): Promise<boolean> {
  const rows = await db`
    UPDATE payments
    SET state = 'sending', gateway_payment_id = ${gatewayPaymentId}, updated_at = now(),
        reconcile_at = now() + make_interval(secs => ${FIRST_LOOK_SECONDS})
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'unknown')
      AND (gateway_payment_id IS NULL OR gateway_payment_id = ${gatewayPaymentId})
    RETURNING 1`;
  return rows.length === 1;
}

/** created or sending → unknown: the reconciler finds out, first in this many seconds. */
export async function markUnknown(
  db: Queryable,
  companyId: string,
  id: string,
  nextLookSeconds: number,
): Promise<void> {
  await db`
    UPDATE payments
    SET state = 'unknown', updated_at = now(), reconcile_at = now() + make_interval(secs => ${nextLookSeconds})
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'unknown')`;
}

/** → captured, which is final. False when the payment had ended already. */
export async function markCaptured(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE payments SET state = 'captured', reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}

/** → failed, which is final. False when the payment had ended already. */
export async function markFailed(
  tx: Tx,
  companyId: string,
  id: string,
  { reason, declineCode }: { reason: FailureReason; declineCode: string | null },
): Promise<boolean> {
  const rows = await tx`
    UPDATE payments
    SET state = 'failed', failure_reason = ${reason}, decline_code = ${declineCode}, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}

/** → needs_review: a person has to look. False when the payment had ended already. */
export async function markNeedsReview(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE payments SET state = 'needs_review', reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}

export type NewAlert = {
  id: string;
  kind: 'payment_mismatch' | 'payment_unresolved';
  paymentId: string;
  message: string;
};

/** Writes down what a person has to look at. */
export async function insertAlert(tx: Tx, companyId: string, alert: NewAlert): Promise<void> {
  await tx`
    INSERT INTO alerts (company_id, id, kind, payment_id, message)
    VALUES (${companyId}, ${alert.id}, ${alert.kind}, ${alert.paymentId}, ${alert.message})`;
}

/** A probe is looked at out of turn; its turn stays where it was. */
export type ClaimedPayment = Payment & { isProbe: boolean };

/** How long a claimed payment is left alone; longer than the gateway calls that resolving one takes. */
const LEASE_SECONDS = 60;
/** While the gateway is away, one payment tries it this often, so that its return is seen within half a minute. */
const PROBE_SECONDS = 30;

/**
 * Claims payments, of every company, that are due for a look, and the one that has waited longest since its last look as
 * a probe. Two reconcilers never claim the same one; a claim that its process did not live to use runs out.
 */
export async function claimDuePayments(db: Db, limit: number): Promise<ClaimedPayment[]> {
  const rows = await db<(Row & { isProbe: boolean })[]>`
    WITH overdue AS (
      SELECT company_id, id, false AS is_probe FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), probe AS (
      SELECT company_id, id, true AS is_probe FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND reconcile_at > now()
        AND last_reconciled_at < now() - make_interval(secs => ${PROBE_SECONDS})
        AND reconcile_at > last_reconciled_at + make_interval(secs => ${LEASE_SECONDS})
      ORDER BY last_reconciled_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT * FROM overdue UNION ALL SELECT * FROM probe
    )
    UPDATE payments
    SET reconcile_at = CASE WHEN is_probe THEN reconcile_at ELSE now() + make_interval(secs => ${LEASE_SECONDS}) END,
        reconcile_count = reconcile_count + CASE WHEN is_probe THEN 0 ELSE 1 END,
        last_reconciled_at = now()
    FROM due
    WHERE payments.company_id = due.company_id AND payments.id = due.id
    RETURNING ${prefixedColumns(db)}, is_probe AS "isProbe"`;
  return rows.map((row) => ({ ...toPayment(row), isProbe: row.isProbe }));
}

function prefixedColumns(db: Queryable) {
  return db`
    payments.company_id AS "companyId", payments.id, invoice_id AS "invoiceId", card_id AS "cardId", gateway,
    gateway_token AS "gatewayToken", amount_minor::text AS "amountMinor", currency, state,
    gateway_payment_id AS "gatewayPaymentId", decline_code AS "declineCode", failure_reason AS "failureReason",
    reconcile_count AS "reconcileCount"`;
}

/** The gateway answers again: whatever waited for it, of every company, is due now. */
export async function expediteWaiting(db: Db, gateway: string): Promise<void> {
  await db`
    UPDATE payments SET reconcile_at = now()
    WHERE gateway = ${gateway} AND state IN ('created', 'sending', 'unknown')
      AND reconcile_at > last_reconciled_at + make_interval(secs => ${LEASE_SECONDS})`;
}

export type PaymentBacklog = { waiting: number; needsReview: number; oldestSeconds: number };

/** What is not settled yet, over all companies: for the metrics. */
export async function countBacklog(db: Db): Promise<PaymentBacklog> {
  const [row] = await db<[PaymentBacklog]>`
    SELECT count(*) FILTER (WHERE state <> 'needs_review')::int AS waiting,
           count(*) FILTER (WHERE state = 'needs_review')::int AS "needsReview",
           coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE state <> 'needs_review')), 0)::float AS "oldestSeconds"
    FROM payments
    WHERE state IN ('created', 'sending', 'unknown', 'needs_review')`;
  return row;
}
