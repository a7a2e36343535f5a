import type { Queryable } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { BookedRow, BookRange } from './ledger.reconciliation.operator.queries.ts';

const FEE_COLUMNS = `
  nullif(company_id, '${OPERATOR_SCOPE}') AS "companyId", id, invoice_id AS "invoiceId", gateway_movement_id AS "gatewayId",
  gateway_payment_id AS "gatewayPaymentId", amount_minor::text AS "amountMinor", currency, 'charged' AS state, charged_at AS "createdAt"`;

const PAYOUT_COLUMNS = `
  NULL AS "companyId", id, NULL AS "invoiceId", gateway_payout_id AS "gatewayId", NULL AS "gatewayPaymentId",
  total_minor::text AS "amountMinor", currency, state, paid_out_at AS "createdAt"`;

/** Our fees with these ids of the gateway's movements, a JSON array. */
export async function selectFeesAt(db: Queryable, gateway: string, gatewayIds: string): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(FEE_COLUMNS)} FROM gateway_fees
    WHERE gateway = ${gateway} AND gateway_movement_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))`;
}

/** Our payouts with these ids of the gateway, a JSON array. */
export async function selectPayoutsAt(db: Queryable, gateway: string, gatewayIds: string): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(PAYOUT_COLUMNS)} FROM gateway_payouts
    WHERE gateway = ${gateway} AND gateway_payout_id IN (SELECT json_array_elements_text(${gatewayIds}::text::json))`;
}

/** Our fees that the gateway took in this interval, oldest first. */
export async function selectFees(
  db: Queryable,
  gateway: string,
  { from, to, after, limit }: BookRange,
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(FEE_COLUMNS)} FROM gateway_fees
    WHERE gateway = ${gateway} AND charged_at >= ${from} AND charged_at < ${to} AND (charged_at, id) > (${after.createdAt}, ${after.id})
    ORDER BY charged_at, id LIMIT ${limit}`;
}

/** Our payouts that the gateway made in this interval, oldest first. */
export async function selectPayouts(
  db: Queryable,
  gateway: string,
  { from, to, after, limit }: BookRange,
): Promise<BookedRow[]> {
  return db<BookedRow[]>`
    SELECT ${db.unsafe(PAYOUT_COLUMNS)} FROM gateway_payouts
    WHERE gateway = ${gateway} AND paid_out_at >= ${from} AND paid_out_at < ${to} AND (paid_out_at, id) > (${after.createdAt}, ${after.id})
    ORDER BY paid_out_at, id LIMIT ${limit}`;
}
