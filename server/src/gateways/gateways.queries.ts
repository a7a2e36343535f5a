import type { Queryable, Tx } from '../platform/database/database.ts';
import type { CardHolder } from './gateway/gateway.ts';

/**
 * The company as the holder of a card or an account. The gateway's id is null before its first one there, and where the gateway keeps no
 * customers.
 */
export async function selectCardHolder(db: Queryable, companyId: string, gateway: string): Promise<CardHolder> {
  const [row] = await db<CardHolder[]>`
    SELECT id AS "companyId", external_id AS "companyExternalId",
           (SELECT customer FROM gateway_customers WHERE company_id = companies.id AND gateway = ${gateway}) AS customer
    FROM companies WHERE id = ${companyId}`;
  return row ?? { companyId, customer: null };
}

/**
 * Stores the gateway's id of the company, and queues it to be described. Each token names its own customer, so the last write may win.
 * @returns whether it is a new one
 */
export async function upsertGatewayCustomer(
  tx: Tx,
  companyId: string,
  gateway: string,
  customer: string,
): Promise<boolean> {
  const rows = await tx`
    INSERT INTO gateway_customers AS known (company_id, gateway, customer) VALUES (${companyId}, ${gateway}, ${customer})
    ON CONFLICT (company_id, gateway) DO UPDATE SET customer = excluded.customer, describe_at = now(), changed_at = now()
    WHERE known.customer <> excluded.customer
    RETURNING 1`;
  return rows.length === 1;
}
