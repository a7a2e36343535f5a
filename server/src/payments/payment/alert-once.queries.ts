import type { Tx } from '../../platform/database/database.ts';

/** Locks the payment until the transaction ends. */
export async function lockPayment(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`SELECT 1 FROM payments WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
}
