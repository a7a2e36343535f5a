import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/**
 * The name of an invoice's debt, which follows from what is owed and so outlives the database, and the invoice's id. A
 * billing run's id is derived from the name (RFC 9562, version 7: its time is the period's end, its other bits are a
 * hash), so the same run after a restore gives it again.
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
  const random = createHash('sha256').update(debt).digest();
  return { id: uuidv7({ msecs: periodEndAt.getTime(), random }), debt };
}
