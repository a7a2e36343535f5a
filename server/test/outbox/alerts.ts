import type { AlertKind } from '../../src/alerts/alerts.schema.ts';
import { insertAlert } from '../../src/alerts/alerts.service.ts';
import type { TestService } from '../harness/service.ts';

/** Raises an alert about a payment, as a feature does when a person has to look at it. @returns its id */
export async function raiseAlert(
  { database }: TestService,
  { companyId, paymentId, kind = 'payment_unresolved' }: { companyId: string; paymentId: string; kind?: AlertKind },
): Promise<string> {
  const [payment] = await database.owner<[{ id: string; invoiceId: string }]>`
    SELECT id, invoice_id AS "invoiceId" FROM payments WHERE company_id = ${companyId} AND id = ${paymentId}`;
  await insertAlert(database.db, companyId, { kind, payment, message: `About ${kind}` });
  const [row] = await database.owner<[{ id: string }]>`
    SELECT id FROM alerts WHERE company_id = ${companyId} AND kind = ${kind} ORDER BY id DESC LIMIT 1`;
  return row.id;
}
