import { constantPart } from '../platform/database/database.ts';

/** The Alert of the API as JSON, from a row of `alerts`. */
export const alertJson = constantPart(
  (db) => db`
    json_build_object(
      'id', alerts.id, 'companyId', nullif(alerts.company_id, '00000000-0000-0000-0000-000000000000'),
      'kind', alerts.kind, 'paymentId', alerts.payment_id,
      'invoiceId', alerts.payment_invoice_id, 'message', alerts.message,
      'acknowledgedAt', iso_instant(alerts.acknowledged_at), 'createdAt', iso_instant(alerts.created_at)
    )`,
);
