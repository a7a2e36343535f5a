import { isKeyOf, shortenKey } from '../../../gateways/gateway/gateway.keys.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { missingRow } from '../../../platform/errors.ts';
import { PROCESS_ID } from '../../../platform/processes/processes.service.ts';
import type { OutcomeQueue } from '../../outcomes/outcomes.queries.ts';
import { type Refund, type RefundRow, type RefundState, toRefund } from './refund.ts';

/** The columns of a `RefundRow`, from a refund with its payment. */
export const REFUND_COLUMNS = `
  refunds.company_id AS "companyId", refunds.id, refunds.payment_id AS "paymentId", refunds.invoice_id AS "invoiceId",
  credit_note_id AS "creditNoteId", refunds.gateway, payments.gateway_payment_id AS "gatewayPaymentId",
  refunds.amount_minor::text AS "amountMinor", refunds.credit_minor::text AS "creditMinor", refunds.currency,
  refunds.reason, refunds.source, refunds.state, idempotency_key AS "idempotencyKey", refunds.reconcile_count AS "reconcileCount",
  refunds.created_at AS "createdAt", refunds.updated_at AS "updatedAt"`;

/** Refunds, each with its payment. */
export const REFUNDS_AND_PAYMENTS =
  'refunds JOIN payments ON payments.company_id = refunds.company_id AND payments.id = refunds.payment_id';

/** Refunds without an outcome. */
export const REFUND_QUEUE: OutcomeQueue<RefundRow, Refund> = {
  name: 'refunds',
  table: 'refunds',
  waitsAs: 'unknown',
  isOpen: "state IN ('created', 'unknown')",
  lastCheckedAt: 'updated_at',
  checkedAtColumn: 'updated_at',
  read: `${REFUND_COLUMNS} FROM ${REFUNDS_AND_PAYMENTS}`,
  toJob: toRefund,
};

/** When the reconciler first checks a refund whose request may hang; sooner if its process is known to be dead. */
const FIRST_CHECK_SECONDS = 30;

/** Reads where a payment was captured; null for one that took no money at a gateway. */
export async function selectPaymentAtGateway(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<{ id: string; invoiceId: string; gateway: string; gatewayPaymentId: string } | null> {
  const [row] = await db<{ id: string; invoiceId: string; gateway: string; gatewayPaymentId: string }[]>`
    SELECT id, invoice_id AS "invoiceId", gateway, gateway_payment_id AS "gatewayPaymentId"
    FROM payments
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'captured' AND gateway_payment_id IS NOT NULL`;
  return row ?? null;
}

/** In minor units: what the payment took from the card and from credit, and how much of each is refunded or being refunded. */
export type RefundablePayment = {
  invoiceId: string;
  state: string;
  gateway: string;
  currency: string;
  amountMinor: bigint;
  creditMinor: bigint;
  refundedMinor: bigint;
  refundedCreditMinor: bigint;
  /** What disputes have taken of the card's part. */
  withdrawnMinor: bigint;
  /** The sum of the credit notes after the payment, without what refunds of the invoice's other payments have of it. */
  creditedMinor: bigint;
  /** It paid a part of an invoice that is not paid yet. */
  isPartOfUnpaid: boolean;
};

type RefundableRow = {
  [Name in keyof RefundablePayment]: RefundablePayment[Name] extends bigint ? string : RefundablePayment[Name];
};

/** Reads the company's payment, for callers that hold its invoice's lock. */
export async function selectPaymentToRefund(tx: Tx, companyId: string, paymentId: string): Promise<RefundablePayment> {
  const [row] = await tx<[RefundableRow]>`
    SELECT payments.invoice_id AS "invoiceId", payments.state, gateway, payments.currency, payments.amount_minor::text AS "amountMinor",
           payments.credit_minor::text AS "creditMinor", given.amount_minor::text AS "refundedMinor",
           given.credit_minor::text AS "refundedCreditMinor", greatest(withdrawn_minor, 0)::text AS "withdrawnMinor",
           (credited.total_minor - others.given_minor)::text AS "creditedMinor", is_part AND NOT credited.is_paid AS "isPartOfUnpaid"
    FROM payments, LATERAL (
      SELECT coalesce(sum(amount_minor), 0) AS amount_minor, coalesce(sum(credit_minor), 0) AS credit_minor
      FROM refunds WHERE company_id = payments.company_id AND payment_id = payments.id AND state <> 'failed'
    ) AS given, LATERAL (
      SELECT invoices.status = 'Succeeded' AS is_paid, coalesce((
               SELECT sum(minor_units(credit_notes.total, minor_unit_digits)) FROM credit_notes
               WHERE credit_notes.company_id = payments.company_id AND credit_notes.invoice_id = payments.invoice_id AND after_payment
             ), 0) AS total_minor
      FROM invoices WHERE invoices.company_id = payments.company_id AND invoices.id = payments.invoice_id
    ) AS credited, LATERAL (
      SELECT coalesce(sum(amount_minor + credit_minor), 0) AS given_minor
      FROM refunds
      WHERE company_id = payments.company_id AND invoice_id = payments.invoice_id AND payment_id <> payments.id
        AND state <> 'failed' AND NOT returns_capture
    ) AS others
    WHERE payments.company_id = ${companyId} AND payments.id = ${paymentId}`;
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    creditMinor: BigInt(row.creditMinor),
    refundedMinor: BigInt(row.refundedMinor),
    refundedCreditMinor: BigInt(row.refundedCreditMinor),
    withdrawnMinor: BigInt(row.withdrawnMinor),
    creditedMinor: BigInt(row.creditedMinor),
  };
}

/** Reads the invoice that the payment is for. */
export async function selectInvoiceOfPayment(db: Queryable, companyId: string, paymentId: string): Promise<string> {
  const [row] = await db<[{ invoiceId: string }]>`
    SELECT invoice_id AS "invoiceId" FROM payments WHERE company_id = ${companyId} AND id = ${paymentId}`;
  return row.invoiceId;
}

export type NewRefund = Pick<
  Refund,
  | 'id'
  | 'paymentId'
  | 'invoiceId'
  | 'creditNoteId'
  | 'gateway'
  | 'amountMinor'
  | 'creditMinor'
  | 'currency'
  | 'reason'
  | 'source'
  | 'idempotencyKey'
> & {
  /** It returns a capture that is under review, which the books do not have otherwise. */
  returnsCapture?: boolean;
};

/** Writes the intent to refund. The database refuses more than the payment took. */
export async function insertRefund(tx: Tx, companyId: string, refund: NewRefund): Promise<void> {
  await tx`
    INSERT INTO refunds (company_id, id, payment_id, invoice_id, credit_note_id, gateway, amount_minor, credit_minor, currency, reason,
                         source, idempotency_key, returns_capture, state, process_id, reconcile_at)
    VALUES (${companyId}, ${refund.id}, ${refund.paymentId}, ${refund.invoiceId}, ${refund.creditNoteId}, ${refund.gateway},
            ${refund.amountMinor.toString()}, ${refund.creditMinor.toString()}, ${refund.currency}, ${refund.reason},
            ${refund.source}, ${refund.idempotencyKey}, ${refund.returnsCapture ?? false}, 'created', ${PROCESS_ID},
            now() + make_interval(secs => ${FIRST_CHECK_SECONDS}))`;
}

/** Reads the refund's current state. @throws ApiError service_unavailable when the database went back to before it */
export async function selectRefund(db: Queryable, companyId: string, id: string): Promise<Refund> {
  const [row] = await db<RefundRow[]>`
    SELECT ${db.unsafe(REFUND_COLUMNS)} FROM ${db.unsafe(REFUNDS_AND_PAYMENTS)}
    WHERE refunds.company_id = ${companyId} AND refunds.id = ${id}`;
  if (row === undefined) throw missingRow('refund');
  return toRefund(row);
}

/**
 * Reads the refund that was requested with this key before, or null. An imported refund has its key only as far as its gateway stores it.
 */
export async function selectRefundByKey(
  db: Queryable,
  companyId: string,
  paymentId: string,
  idempotencyKey: string,
): Promise<{ id: string } | null> {
  const [row] = await db<{ id: string }[]>`
    SELECT id FROM refunds
    WHERE company_id = ${companyId} AND payment_id = ${paymentId}
      AND (idempotency_key = ${idempotencyKey} OR idempotency_key = ${shortenKey(idempotencyKey)})
    ORDER BY idempotency_key = ${idempotencyKey} DESC
    LIMIT 1`;
  return row ?? null;
}

/** Reads what a refund's object at the gateway carries, so that lost books can be restored from it. */
export async function selectRefundOrigin(
  db: Queryable,
  companyId: string,
  creditNoteId: string | null,
): Promise<{ installation: string; creditNoteNumber: string | null }> {
  const [row] = await db<[{ installation: string; creditNoteNumber: string | null }]>`
    SELECT id AS installation,
           (SELECT number FROM credit_notes WHERE company_id = ${companyId} AND credit_notes.id = ${creditNoteId}) AS "creditNoteNumber"
    FROM installation`;
  return row;
}

/** Whether the invoice has this credit note. */
export async function hasCreditNote(
  db: Queryable,
  companyId: string,
  { invoiceId, id }: { invoiceId: string; id: string },
): Promise<boolean> {
  const rows =
    await db`SELECT 1 FROM credit_notes WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND id = ${id}`;
  return rows.length === 1;
}

/** Whether a refund has this id. */
export async function isRefundIdTaken(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM refunds WHERE company_id = ${companyId} AND id = ${id}`;
  return rows.length === 1;
}

/**
 * Reads our refund that this refund at the gateway belongs to: by our reference, by the operator's key, or because it was recorded
 * before.
 */
export async function selectKnownRefund(
  tx: Tx,
  companyId: string,
  { paymentId, gateway, gatewayRefundId, reference, key }: KnownRefundKey,
): Promise<KnownRefund | null> {
  const refunds = await tx<(KnownRefund & { gatewayRefundId: string | null; key: string | null })[]>`
    SELECT id, state, gateway_refund_id AS "gatewayRefundId", idempotency_key AS key FROM refunds
    WHERE company_id = ${companyId} AND payment_id = ${paymentId} AND gateway = ${gateway}`;
  const known =
    refunds.find((refund) => refund.gatewayRefundId === gatewayRefundId) ??
    refunds.find((refund) => refund.id === reference || (refund.key !== null && isKeyOf(key ?? undefined, refund.key)));
  return known ?? null;
}

type KnownRefund = { id: string; state: RefundState };

export type KnownRefundKey = {
  paymentId: string;
  gateway: string;
  gatewayRefundId: string;
  reference: string | null;
  /** The operator's key. */
  key: string | null;
};

/** Makes the payment's refunds without an outcome due for the reconciler at once. @returns how many there are */
export async function expediteRefundChecks(tx: Tx, companyId: string, paymentId: string): Promise<number> {
  const rows = await tx`
    UPDATE refunds SET reconcile_at = CASE WHEN state = 'unknown' THEN least(reconcile_at, now()) ELSE reconcile_at END
    WHERE company_id = ${companyId} AND payment_id = ${paymentId} AND state IN ('created', 'unknown')
    RETURNING 1`;
  return rows.length;
}

/** Reads a page of the payment's refunds, the newest first, and how many there are. */
export async function selectRefunds(
  db: Queryable,
  companyId: string,
  paymentId: string,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<{ total: number; refunds: Refund[] }> {
  const [counted] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM refunds WHERE company_id = ${companyId} AND payment_id = ${paymentId}`;
  const rows = await db<RefundRow[]>`
    SELECT ${db.unsafe(REFUND_COLUMNS)} FROM ${db.unsafe(REFUNDS_AND_PAYMENTS)}
    WHERE refunds.company_id = ${companyId} AND refunds.payment_id = ${paymentId}
    ORDER BY refunds.id DESC
    LIMIT ${limit} OFFSET ${offset}`;
  return { total: counted.total, refunds: rows.map(toRefund) };
}

/** Locks the refund until the transaction ends; false when it has ended. */
export async function lockOpenRefund(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM refunds WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'unknown') FOR UPDATE`;
  return rows.length === 1;
}

/** created or unknown → an end. False when the refund had ended already. */
export async function endRefund(
  tx: Tx,
  companyId: string,
  id: string,
  {
    state,
    gatewayRefundId,
  }: { state: RefundState & ('succeeded' | 'failed' | 'needs_review'); gatewayRefundId: string | null },
): Promise<boolean> {
  const rows = await tx`
    UPDATE refunds SET state = ${state}, gateway_refund_id = ${gatewayRefundId}, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}
