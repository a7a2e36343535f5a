import { chargesHeld } from '../../continuity/hold/charges-hold.service.ts';
import { emptyPart, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';
import { missingRow } from '../../platform/errors.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';
import type { OutcomeQueue } from '../outcomes/outcomes.queries.ts';
import { type Payment, type PaymentAction, type PaymentRow, toPayment } from './payment.ts';

/** The columns of a `PaymentRow`; every query of payments reads the same ones. */
export const PAYMENT_COLUMNS = `
  payments.company_id AS "companyId", payments.id, invoice_id AS "invoiceId", card_id AS "cardId",
  paypal_account_id AS "paypalAccountId", gateway, gateway_token AS "gatewayToken", amount_minor::text AS "amountMinor",
  credit_minor::text AS "creditMinor", currency, on_session AS "isOnSession", state,
  gateway_payment_id AS "gatewayPaymentId", debt_sequence AS "sequence",
  decline_code AS "declineCode", failure_reason AS "failureReason", action, expires_at AS "expiresAt",
  coalesce(expires_at <= now(), false) AS "isExpired", reconcile_count AS "reconcileCount"`;

/**
 * The same as `PAYMENT_QUEUE.isOpen`, for a payment whose id is known. It names the other states, because for those of the queue PostgreSQL
 * would search the queue's index, which is the smallest and is full of what has just left it, in place of the primary key.
 */
const IS_STILL_OPEN = "state NOT IN ('needs_review', 'captured', 'failed')";

/** Payments without an outcome. */
export const PAYMENT_QUEUE: OutcomeQueue<PaymentRow, Payment> = {
  name: 'payments',
  table: 'payments',
  waitsAs: 'unknown',
  isOpen: "state IN ('created', 'sending', 'unknown')",
  lastCheckedAt: 'coalesce(last_reconciled_at, created_at)',
  checkedAtColumn: 'last_reconciled_at',
  read: `${PAYMENT_COLUMNS} FROM payments`,
  toJob: toPayment,
};

/** Payments that wait until the customer has confirmed them. */
export const CONFIRMATION_QUEUE: OutcomeQueue<PaymentRow, Payment> = {
  ...PAYMENT_QUEUE,
  name: 'confirmations',
  waitsAs: 'requires_action',
  isOpen: "state = 'requires_action'",
};

/** Direct debits whose money is on its way. */
export const DEBIT_QUEUE: OutcomeQueue<PaymentRow, Payment> = {
  ...PAYMENT_QUEUE,
  name: 'debits',
  waitsAs: 'processing',
  isOpen: "state = 'processing'",
};

export type NewPayment = Pick<
  Payment,
  | 'id'
  | 'invoiceId'
  | 'cardId'
  | 'paypalAccountId'
  | 'gateway'
  | 'gatewayToken'
  | 'amountMinor'
  | 'creditMinor'
  | 'currency'
  | 'isOnSession'
> & { method: string; state: 'created' | 'captured'; collectionAttempt: number | null };

/** When the reconciler first checks a payment whose request may hang; sooner if its process is known to be dead. */
const FIRST_CHECK_SECONDS = 15;

/**
 * Writes the intent to charge, with its audit entry where there is one. The index `payments_one_live` refuses a second payment for the same
 * invoice.
 */
export async function insertPayment(
  tx: Tx,
  companyId: string,
  payment: NewPayment,
  audited: Part | null = null,
): Promise<Payment> {
  const firstCheckSeconds = payment.state === 'captured' ? null : FIRST_CHECK_SECONDS;
  const [row] = await tx<[PaymentRow]>`
    ${audited === null ? emptyPart(tx) : tx`WITH ${audited}`}
    INSERT INTO payments (company_id, id, invoice_id, card_id, paypal_account_id, method, gateway, gateway_token, amount_minor,
                          credit_minor, currency, state, collection_attempt, debt_sequence, process_id, reconcile_at, on_session)
    VALUES (${companyId}, ${payment.id}, ${payment.invoiceId}, ${payment.cardId}, ${payment.paypalAccountId}, ${payment.method},
            ${payment.gateway}, ${payment.gatewayToken}, ${payment.amountMinor.toString()}, ${payment.creditMinor.toString()},
            ${payment.currency}, ${payment.state}, ${payment.collectionAttempt}, 0,
            ${PROCESS_ID}, now() + make_interval(secs => ${firstCheckSeconds}), ${payment.isOnSession})
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return toPayment(row);
}

/** Reads the invoice's payment that has neither failed nor paid only a part, or null. */
export async function selectLivePayment(db: Queryable, companyId: string, invoiceId: string): Promise<Payment | null> {
  const rows = await db<PaymentRow[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND state <> 'failed' AND NOT is_part`;
  return firstOf(rows);
}

/** Reads the payments, of one company, that wait for their customer and charge this card or account. */
export async function selectWaitingOf(db: Queryable, companyId: string, sourceId: string): Promise<Payment[]> {
  const rows = await db<PaymentRow[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments
    WHERE company_id = ${companyId} AND coalesce(card_id, paypal_account_id) = ${sourceId} AND state = 'requires_action'`;
  return rows.map(toPayment);
}

/** Reads the payment's current state. @throws ApiError service_unavailable when the database went back to before it */
export async function selectPayment(db: Queryable, companyId: string, id: string): Promise<Payment> {
  const [row] = await db<PaymentRow[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments WHERE company_id = ${companyId} AND id = ${id}`;
  if (row === undefined) throw missingRow('payment');
  return toPayment(row);
}

/** Whether an earlier payment of the invoice was declined or rejected, which made the invoice Failed. */
export async function wasRefused(db: Queryable, companyId: string, invoiceId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM payments
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND state = 'failed' AND failure_reason NOT IN ('not_sent', 'superseded')
    LIMIT 1`;
  return rows.length === 1;
}

/**
 * created or unknown → sending, with the gateway's id, which never changes again: only an object that is recorded here may be confirmed.
 * A lease that lasts longer keeps its end. False when another process has continued the payment.
 * @throws ApiError charges_held, and nothing is recorded
 */
export async function markSending(
  db: Queryable,
  companyId: string,
  id: string,
  { gatewayPaymentId, sequence }: { gatewayPaymentId: string; sequence: number },
): Promise<boolean> {
  const [row] = await db<[{ isRecorded: boolean; isHeld: boolean }]>`
    WITH hold AS (SELECT FROM charges_holds WHERE ended_at IS NULL), recorded AS (
      UPDATE payments
      SET state = 'sending', gateway_payment_id = ${gatewayPaymentId}, debt_sequence = ${sequence}, updated_at = now(),
          reconcile_at = greatest(reconcile_at, now() + make_interval(secs => ${FIRST_CHECK_SECONDS}))
      WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(IS_STILL_OPEN)}
        AND state NOT IN ('sending', 'requires_action', 'processing')
        AND (gateway_payment_id IS NULL OR gateway_payment_id = ${gatewayPaymentId})
        AND NOT EXISTS (SELECT FROM hold)
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM recorded) AS "isRecorded", EXISTS (SELECT FROM hold) AS "isHeld"`;
  if (row.isHeld) throw chargesHeld();
  return row.isRecorded;
}

/** When a payment that waits for its customer is looked at first. */
const FIRST_LOOK_SECONDS = 5;

/**
 * Open → requires_action: the bank asks the customer about the payment's object. Null when the payment waits or has ended already, or has
 * another object.
 * @param windowSeconds - how long it waits, from its creation on
 */
export async function markRequiresAction(
  tx: Tx,
  companyId: string,
  id: string,
  {
    gatewayPaymentId,
    action,
    windowSeconds,
  }: { gatewayPaymentId: string; action: PaymentAction; windowSeconds: number },
): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments
    SET state = 'requires_action', action = ${JSON.stringify(action)}::text::json, decline_code = NULL,
        expires_at = created_at + make_interval(secs => ${windowSeconds}), reconcile_count = 0, last_reconciled_at = NULL,
        reconcile_at = now() + make_interval(secs => ${FIRST_LOOK_SECONDS}), process_id = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(PAYMENT_QUEUE.isOpen)} AND gateway_payment_id = ${gatewayPaymentId}
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}

/** How long a debit may be on its way; its bank has 5 business days, and holidays (https://docs.stripe.com/payments/sepa-debit). */
const DEBIT_DAYS = 14;

/** Open → processing: the money of this object is on its way. Null when that is known or the payment has ended, or has another object. */
export async function markProcessing(
  tx: Tx,
  companyId: string,
  id: string,
  gatewayPaymentId: string,
): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments
    SET state = 'processing', action = NULL, decline_code = NULL, expires_at = now() + make_interval(days => ${DEBIT_DAYS}),
        reconcile_count = 0, last_reconciled_at = NULL, reconcile_at = now() + make_interval(secs => ${FIRST_LOOK_SECONDS}),
        process_id = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(IS_STILL_OPEN)} AND state <> 'processing'
      AND gateway_payment_id = ${gatewayPaymentId}
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}

/** Changes where the invoice of a payment that waits is paid. */
export async function updateActionUrl(db: Queryable, companyId: string, invoiceId: string, url: string): Promise<void> {
  await db`
    UPDATE payments SET action = jsonb_set(action::jsonb, '{url}', to_jsonb(${url}::text))::json
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND state = 'requires_action'`;
}

/** Notes the bank's page of a payment that waits. */
export async function updateActionRedirect(
  db: Queryable,
  companyId: string,
  id: string,
  redirectUrl: string,
): Promise<void> {
  await db`
    UPDATE payments SET action = jsonb_set(action::jsonb, '{redirectUrl}', to_jsonb(${redirectUrl}::text))::json
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'requires_action'`;
}

/** Records the decline before the gateway's object is canceled, because the gateway gives no reason afterwards. */
export async function recordDecline(
  db: Queryable,
  companyId: string,
  id: string,
  declineCode: string | null,
): Promise<void> {
  await db`
    UPDATE payments SET decline_code = ${declineCode}
    WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(IS_STILL_OPEN)}`;
}

/**
 * → captured by this object, which is final. Null when the payment had ended already, or has another object: then the next question for
 * the debt finds the capture.
 */
export async function markCaptured(
  tx: Tx,
  companyId: string,
  id: string,
  gatewayPaymentId: string | null,
): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments
    SET state = 'captured', gateway_payment_id = coalesce(gateway_payment_id, ${gatewayPaymentId}), decline_code = NULL,
        action = NULL, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(IS_STILL_OPEN)}
      AND (gateway_payment_id IS NULL OR ${gatewayPaymentId}::text IS NULL OR gateway_payment_id = ${gatewayPaymentId})
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}

function firstOf([row]: readonly PaymentRow[]): Payment | null {
  return row === undefined ? null : toPayment(row);
}

export type AcceptedAmount = {
  /** What of the invoice the gateway's capture pays. */
  amountMinor: bigint;
  /** What is more than was due. */
  overpaidMinor: bigint;
  /** Whether less was captured than was due. */
  isPart: boolean;
};

/** → captured with another amount than was intended, which a person has accepted. */
export async function markAccepted(tx: Tx, companyId: string, id: string, accepted: AcceptedAmount): Promise<void> {
  await tx`
    UPDATE payments
    SET state = 'captured', amount_minor = ${accepted.amountMinor.toString()}, overpaid_minor = ${accepted.overpaidMinor.toString()},
        is_part = ${accepted.isPart}, decline_code = NULL, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'unknown'`;
}

/**
 * → failed, which is final, because this object at the gateway is canceled. Null when the payment had ended already, or has another
 * object, or none, in which case another process may still send one.
 */
export async function markCanceled(
  tx: Tx,
  companyId: string,
  id: string,
  gatewayPaymentId: string,
): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments
    SET state = 'failed', failure_reason = CASE WHEN decline_code IS NULL THEN 'canceled' ELSE 'declined' END,
        action = NULL, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(IS_STILL_OPEN)}
      AND gateway_payment_id = ${gatewayPaymentId}
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}

/**
 * → failed, which is final, because the gateway has no object that could be confirmed. Null when the payment had ended already, or when
 * another process has recorded such an object in the meantime.
 */
export async function markUnsent(
  tx: Tx,
  companyId: string,
  id: string,
  { reason, declineCode }: { reason: 'not_sent' | 'rejected'; declineCode: string | null },
): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments
    SET state = 'failed', failure_reason = ${reason}, decline_code = ${declineCode}, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(IS_STILL_OPEN)} AND state <> 'sending'
      AND gateway_payment_id IS NULL
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}

/** → needs_review: a person has to decide. Null when the payment had ended already. */
export async function markNeedsReview(tx: Tx, companyId: string, id: string): Promise<Payment | null> {
  const rows = await tx<PaymentRow[]>`
    UPDATE payments SET state = 'needs_review', action = NULL, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND ${tx.unsafe(IS_STILL_OPEN)}
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return firstOf(rows);
}
