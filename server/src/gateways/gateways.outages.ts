import type { AlertedPayment } from '../alerts/alerts.schema.ts';
import { insertAlertUnlessRecent } from '../alerts/alerts.service.ts';
import type { Db } from '../platform/database/database.ts';
import type { GatewayErrorKind } from './gateway/gateway.ts';

/** Shorter than the time over which `paydesk_gateway_unauthorized_companies` counts, so that the metric is steady. */
const REPEAT_AFTER_SECONDS = 600;

/**
 * Raises an alert when the gateway refused our credentials, or is not configured any more: only the operator can end
 * such an outage, and it says nothing about the card. Once in ten minutes for each company.
 * @returns what to log, or null when the error is not such an outage
 */
export async function alertOutage(
  db: Db,
  { companyId, id, invoiceId, gateway }: AlertedPayment & { companyId: string; gateway: string },
  kind: GatewayErrorKind,
): Promise<string | null> {
  const outage = outageOf(kind, gateway);
  if (outage === null) return null;
  const alert = { kind: outage.kind, payment: { id, invoiceId }, message: outage.message };
  await insertAlertUnlessRecent(db, companyId, alert, REPEAT_AFTER_SECONDS);
  return outage.log;
}

function outageOf(kind: GatewayErrorKind, gateway: string) {
  if (kind === 'unauthorized') {
    const message =
      'The gateway refuses the configured credentials: no charge or refund succeeds until they are corrected.';
    return { kind: 'gateway_unauthorized', message, log: 'the gateway refuses our credentials' } as const;
  }
  if (kind !== 'not_configured') return null;
  const message = `The gateway ${gateway} is not configured: its cards cannot be charged, and its payments cannot be refunded.`;
  return { kind: 'gateway_not_configured', message, log: 'the gateway of a payment is not configured' } as const;
}
