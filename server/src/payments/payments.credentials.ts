import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../database/database.ts';
import type { Payment } from './payments.payment.ts';
import { insertAlertUnlessRecent } from './payments.queries.ts';

/** Shorter than the time over which `paydesk_gateway_unauthorized_companies` counts, so that it does not waver. */
const REPEAT_AFTER_SECONDS = 600;

/**
 * The gateway refused our credentials. That says nothing about the card: it is an outage that only the operator can end, so
 * a person is told, once in ten minutes for each company.
 */
export async function alertUnauthorized(db: Db, { companyId, id: paymentId }: Payment): Promise<void> {
  const message = 'The gateway refuses our credentials: no charge gets through until they are mended.';
  const alert = { id: uuidv7(), kind: 'gateway_unauthorized', paymentId, message } as const;
  await insertAlertUnlessRecent(db, companyId, alert, REPEAT_AFTER_SECONDS);
}
