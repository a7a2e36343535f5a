import type { AlertedPayment, NewAlert } from '../../alerts/alerts.schema.ts';
import { insertAlertOnce } from '../../alerts/alerts.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { lockPayment } from './alert-once.queries.ts';

/** Raises an alert unless the payment has one of its kind. Locks the payment, so that two callers take turns. */
export async function alertOnce(
  tx: Tx,
  companyId: string,
  alert: NewAlert & { payment: AlertedPayment },
): Promise<boolean> {
  await lockPayment(tx, companyId, alert.payment.id);
  return insertAlertOnce(tx, companyId, alert);
}
