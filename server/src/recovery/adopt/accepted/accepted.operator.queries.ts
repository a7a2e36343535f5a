import type { Queryable } from '../../../platform/database/database.ts';
import { caseColumns } from '../../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../../marks/cases.ts';

/** A capture that became credit of a company as a whole. */
export type AcceptedCapture = {
  gateway: string;
  gatewayPaymentId: string;
  companyId: string;
  paymentId: string;
  invoiceId: string;
  /** In minor units, as the database stores them. */
  creditedMinor: string;
  currency: string;
};

/** Reads the payment, of any company, that has this object and became credit as a whole; null when there is none. */
export async function selectAccepted(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<AcceptedCapture | null> {
  const [row] = await db<AcceptedCapture[]>`
    SELECT gateway, gateway_payment_id AS "gatewayPaymentId", company_id AS "companyId", id AS "paymentId",
           invoice_id AS "invoiceId", overpaid_minor::text AS "creditedMinor", currency
    FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND is_part AND overpaid_minor > 0`;
  return row ?? null;
}

/** Reads the case of the payment's object that waits for a person; the newest one if several holds found it. */
export async function selectCaseOfPerson(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<RecoveryCase> {
  const [row] = await db<[RecoveryCase]>`
    SELECT ${caseColumns(db)} FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId} AND state = 'person'
    ORDER BY found_at DESC LIMIT 1`;
  return row;
}
