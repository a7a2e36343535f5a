import { randomUUID } from 'node:crypto';
import type { TestService } from '../harness/service.ts';

/** Writes an alert about a payment, as a feature does that wants a person to look. @returns its id */
export async function insertAlert(
  { database }: TestService,
  { companyId, paymentId }: { companyId: string; paymentId: string },
): Promise<string> {
  const id = randomUUID();
  await database.owner`
    INSERT INTO alerts (company_id, id, kind, payment_id, message)
    VALUES (${companyId}, ${id}, 'payment_unresolved', ${paymentId}, 'Look at it.')`;
  return id;
}
