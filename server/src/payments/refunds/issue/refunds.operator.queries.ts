import type { Queryable } from '../../../platform/database/database.ts';

/** Reads the company of the payment; null when no payment has this id. */
export async function selectPaymentCompany(db: Queryable, paymentId: string): Promise<string | null> {
  const [row] = await db<
    { companyId: string }[]
  >`SELECT company_id AS "companyId" FROM payments WHERE id = ${paymentId}`;
  return row?.companyId ?? null;
}
