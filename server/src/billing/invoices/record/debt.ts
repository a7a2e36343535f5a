import { v7 as uuidv7 } from 'uuid';
import { deriveId } from '../../../platform/derive-id.ts';

/**
 * Returns an invoice's id and the name of its debt. The name follows from what is owed, so it outlives the database.
 * The id of a billing run's invoice is derived from the name and the end of the period, so the same run gives the same id
 * again after a restore.
 */
export function nameDebt(
  companyId: string,
  { month, reference, periodEndAt }: { month: string | null; reference: string | null; periodEndAt: Date },
): { id: string; debt: string } {
  if (month === null) {
    const id = uuidv7();
    return { id, debt: `ref:${companyId}:${reference ?? id}` };
  }
  const debt = `usage:${companyId}:${month}`;
  return { id: deriveId(debt, periodEndAt), debt };
}
