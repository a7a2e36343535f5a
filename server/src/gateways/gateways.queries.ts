import type { Queryable, Tx } from '../database/database.ts';

/** What a gateway calls the company; null before its first card or account there, and where the gateway keeps no customers. */
export async function selectGatewayCustomer(db: Queryable, companyId: string, gateway: string): Promise<string | null> {
  const [row] = await db<{ customer: string }[]>`
    SELECT customer FROM gateway_customers WHERE company_id = ${companyId} AND gateway = ${gateway}`;
  return row?.customer ?? null;
}

/** Notes what a gateway calls the company. Each token names its own customer, so the last word may win. */
export async function upsertGatewayCustomer(
  tx: Tx,
  companyId: string,
  gateway: string,
  customer: string,
): Promise<void> {
  await tx`
    INSERT INTO gateway_customers AS known (company_id, gateway, customer) VALUES (${companyId}, ${gateway}, ${customer})
    ON CONFLICT (company_id, gateway) DO UPDATE SET customer = excluded.customer WHERE known.customer <> excluded.customer`;
}

/**
 * `WITH RECURSIVE` of this names each gateway that rows of the table wait for, null at the end: one entry of the table's index by gateway
 * for each, however many wait.
 * @param waiting - says of a row that it waits, as the index does
 */
export function awaitedGateways(table: 'collections' | 'payments' | 'refunds', waiting: string): string {
  return `
    awaited (gateway) AS (
      SELECT min(gateway) FROM ${table} WHERE ${waiting}
      UNION ALL
      SELECT (SELECT min(${table}.gateway) FROM ${table} WHERE ${waiting} AND ${table}.gateway > awaited.gateway)
      FROM awaited WHERE awaited.gateway IS NOT NULL
    )`;
}

export type RepeatedAlert = {
  id: string;
  kind: 'gateway_unauthorized' | 'gateway_not_configured' | 'card_testing_suspected';
  /** Null for what is about none. */
  paymentId: string | null;
  message: string;
};

/** Writes it down unless the company has an alert of this kind from the last so many seconds. */
export async function insertAlertUnlessRecent(
  db: Queryable,
  companyId: string,
  { id, kind, paymentId, message }: RepeatedAlert,
  recentSeconds: number,
): Promise<void> {
  await db`
    INSERT INTO alerts (company_id, id, kind, payment_id, message)
    SELECT ${companyId}, ${id}, ${kind}, ${paymentId}, ${message}
    WHERE NOT EXISTS (
      SELECT 1 FROM alerts
      WHERE company_id = ${companyId} AND kind = ${kind} AND created_at > now() - make_interval(secs => ${recentSeconds}))`;
}
