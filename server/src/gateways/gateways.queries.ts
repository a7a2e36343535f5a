import type { Queryable, Tx } from '../platform/database/database.ts';

/**
 * The gateway's id of the company; null before its first card or account there, and where the gateway keeps no
 * customers.
 */
export async function selectGatewayCustomer(db: Queryable, companyId: string, gateway: string): Promise<string | null> {
  const [row] = await db<{ customer: string }[]>`
    SELECT customer FROM gateway_customers WHERE company_id = ${companyId} AND gateway = ${gateway}`;
  return row?.customer ?? null;
}

/** Stores the gateway's id of the company. Each token names its own customer, so the last write may win. */
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
