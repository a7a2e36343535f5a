import type { Queryable } from '../../platform/database/database.ts';

/**
 * Whether the company has credit, a payment or refund that may still return some, or items that wait for an invoice.
 */
export async function isCurrencyInUse(db: Queryable, companyId: string): Promise<boolean> {
  const [row] = await db<[{ held: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM credit_balances WHERE company_id = ${companyId} AND balance_minor > 0)
      OR EXISTS (
        SELECT 1 FROM payments
        WHERE company_id = ${companyId} AND credit_minor > 0
          AND state IN ('created', 'sending', 'requires_action', 'processing', 'unknown', 'needs_review')
      )
      OR EXISTS (
        SELECT 1 FROM refunds WHERE company_id = ${companyId} AND state IN ('created', 'unknown', 'needs_review') AND credit_minor > 0
      )
      OR EXISTS (SELECT 1 FROM items WHERE company_id = ${companyId} AND invoice_id IS NULL) AS held`;
  return row.held;
}
