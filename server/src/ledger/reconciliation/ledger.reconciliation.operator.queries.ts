import type { Queryable } from '../../platform/database/database.ts';

/** A payment, refund or dispute by which money moved, or was to move, at a gateway. */
export type BookedRow = {
  /** Null for a capture that belongs to no company here, and for its refund. */
  companyId: string | null;
  id: string;
  invoiceId: string | null;
  gatewayId: string | null;
  /** For a refund or a dispute, the id of its payment. */
  gatewayPaymentId: string | null;
  amountMinor: string;
  currency: string;
  state: string;
  createdAt: Date;
};

const PAYMENT_COLUMNS = `
  company_id AS "companyId", id, invoice_id AS "invoiceId", gateway_payment_id AS "gatewayId", gateway_payment_id AS "gatewayPaymentId",
  (amount_minor + overpaid_minor)::text AS "amountMinor", currency, state, created_at AS "createdAt"`;

/** Payments with what was captured: also a failed one whose capture was refunded by a review. */
const PAYMENTS_WITH_RETURNS = `(
  SELECT payments.company_id, payments.id, payments.invoice_id, payments.gateway, gateway_payment_id, overpaid_minor, payments.created_at,
         coalesce(returned.amount_minor, payments.amount_minor) AS amount_minor, coalesce(returned.currency, payments.currency) AS currency,
         CASE WHEN returned.id IS NULL THEN payments.state ELSE 'captured' END AS state
  FROM payments LEFT JOIN refunds AS returned ON returned.company_id = payments.company_id AND payment_id = payments.id
    AND returns_capture AND returned.state = 'succeeded'
) AS payments`;

const REFUND_COLUMNS = `
  refunds.company_id AS "companyId", refunds.id, refunds.invoice_id AS "invoiceId", gateway_refund_id AS "gatewayId",
  gateway_payment_id AS "gatewayPaymentId", refunds.amount_minor::text AS "amountMinor", refunds.currency, refunds.state,
  refunds.created_at AS "createdAt"`;

/** Our payments that own these objects of the gateway, or that have these ids and own none. Both are JSON arrays. */
export async function selectPaymentsAt(
  db: Queryable,
  gateway: string,
  { gatewayIds, ids }: { gatewayIds: string; ids: string },
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM ${db.unsafe(PAYMENTS_WITH_RETURNS)}
    WHERE gateway = ${gateway} AND gateway_payment_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))
      AND NOT EXISTS (
        SELECT FROM unallocated_captures AS unallocated
        WHERE unallocated.gateway = payments.gateway AND unallocated.gateway_payment_id = payments.gateway_payment_id
          AND allocated_at IS NULL
      )
    UNION
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments
    WHERE gateway = ${gateway} AND gateway_payment_id IS NULL
      AND id IN (SELECT value::uuid FROM json_array_elements_text(${ids}::text::json))
    UNION
    SELECT NULL, id, NULL, gateway_payment_id, gateway_payment_id, captured_minor::text, currency, 'captured', created_at
    FROM unallocated_captures
    WHERE gateway = ${gateway} AND allocated_at IS NULL
      AND gateway_payment_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))`;
}

/** What identifies an invoice at the gateway. `debt` is null for an invoice from before debts had names. */
export type InvoiceOfDebt = { companyId: string; id: string; debt: string | null };

/** The invoices with these ids, or with one of these debts. Both are JSON arrays. */
export async function selectInvoicesOf(
  db: Queryable,
  { ids, debts }: { ids: string; debts: string },
): Promise<InvoiceOfDebt[]> {
  return db<InvoiceOfDebt[]>`
    SELECT company_id AS "companyId", id, debt FROM invoices
    WHERE id IN (SELECT value::uuid FROM json_array_elements_text(${ids}::text::json))
    UNION
    SELECT invoices.company_id, id, invoices.debt
    FROM (
      SELECT value AS debt, split_part(value, ':', 2)::uuid AS company_id FROM json_array_elements_text(${debts}::text::json)
    ) AS given
    JOIN invoices ON invoices.company_id = given.company_id AND invoices.debt = given.debt`;
}

/** Our refunds with these ids, the gateway's or ours. Both are JSON arrays. */
export async function selectRefundsAt(
  db: Queryable,
  gateway: string,
  { gatewayIds, ids }: { gatewayIds: string; ids: string },
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(REFUND_COLUMNS)}
    FROM refunds JOIN payments ON payments.company_id = refunds.company_id AND payments.id = payment_id
    WHERE refunds.gateway = ${gateway} AND gateway_refund_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))
    UNION
    SELECT ${db.unsafe(REFUND_COLUMNS)}
    FROM (SELECT value::uuid AS id FROM json_array_elements_text(${ids}::text::json)) AS given
    JOIN refunds ON refunds.id = given.id AND refunds.gateway = ${gateway}
    JOIN payments ON payments.company_id = refunds.company_id AND payments.id = payment_id
    UNION
    SELECT NULL, refund_id, NULL, gateway_refund_id, gateway_payment_id, amount_minor::text, currency,
           CASE WHEN refunded_at IS NULL THEN 'created' ELSE 'succeeded' END, created_at
    FROM unallocated_captures
    WHERE gateway = ${gateway} AND refund_id IN (SELECT value::uuid FROM json_array_elements_text(${ids}::text::json))
    UNION
    SELECT NULL, earlier.id, NULL, earlier.gateway_refund_id, gateway_payment_id, earlier.amount_minor::text, currency, 'succeeded',
           earlier.created_at
    FROM unallocated_refunds AS earlier JOIN unallocated_captures AS capture ON capture.id = capture_id
    WHERE gateway = ${gateway} AND allocated_at IS NULL
      AND earlier.gateway_refund_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))`;
}

const DISPUTE_COLUMNS = `
  disputes.company_id AS "companyId", disputes.id, disputes.invoice_id AS "invoiceId", gateway_dispute_id AS "gatewayId",
  gateway_payment_id AS "gatewayPaymentId", disputes.withdrawn_minor::text AS "amountMinor", disputes.currency, disputes.state,
  disputes.opened_at AS "createdAt"`;

/** Our disputes with these ids of the gateway, with what was withdrawn for them. `gatewayIds` is a JSON array. */
export async function selectDisputesAt(db: Queryable, gateway: string, gatewayIds: string): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(DISPUTE_COLUMNS)}
    FROM disputes JOIN payments ON payments.company_id = disputes.company_id AND payments.id = payment_id
    WHERE disputes.gateway = ${gateway} AND gateway_dispute_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))`;
}

/** Our disputes at the gateway that were opened in this interval, oldest first. */
export async function selectDisputed(
  db: Queryable,
  gateway: string,
  { from, to, after, limit }: BookRange,
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(DISPUTE_COLUMNS)}
    FROM disputes JOIN payments ON payments.company_id = disputes.company_id AND payments.id = payment_id
    WHERE disputes.gateway = ${gateway} AND opened_at >= ${from} AND opened_at < ${to}
      AND (opened_at, disputes.id) > (${after.createdAt}, ${after.id})
    ORDER BY opened_at, disputes.id LIMIT ${limit}`;
}

export type BookRange = { from: Date; to: Date; after: { createdAt: Date; id: string }; limit: number };

/** Our payments captured at the gateway that were created in this interval, oldest first. */
export async function selectCaptured(
  db: Queryable,
  gateway: string,
  { from, to, after, limit }: BookRange,
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments
    WHERE gateway = ${gateway} AND state = 'captured' AND created_at >= ${from} AND created_at < ${to}
      AND (created_at, id) > (${after.createdAt}, ${after.id})
    ORDER BY created_at, id LIMIT ${limit}`;
}

/** Our refunds succeeded at the gateway that were created in this interval, oldest first. */
export async function selectSucceededRefunds(
  db: Queryable,
  gateway: string,
  { from, to, after, limit }: BookRange,
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(REFUND_COLUMNS)}
    FROM refunds JOIN payments ON payments.company_id = refunds.company_id AND payments.id = payment_id
    WHERE refunds.gateway = ${gateway} AND refunds.state = 'succeeded' AND refunds.amount_minor > 0
      AND refunds.created_at >= ${from} AND refunds.created_at < ${to}
      AND (refunds.created_at, refunds.id) > (${after.createdAt}, ${after.id})
    ORDER BY refunds.created_at, refunds.id LIMIT ${limit}`;
}
