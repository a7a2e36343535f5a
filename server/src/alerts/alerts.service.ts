import type { Queryable, Tx } from '../platform/database/database.ts';
import { notFound } from '../platform/errors.ts';
import { type Json, withData } from '../platform/http/schema/json.ts';
import { acknowledge, selectAlerts } from './alerts.operator.queries.ts';
import type { Alert, AlertList, AlertQuery } from './alerts.schema.ts';

// For other features to raise alerts.
export {
  appendToLastAlert,
  insertAlert,
  insertAlertOnce,
  insertAlertUnlessOpen,
  insertAlertUnlessRecent,
} from './alerts.queries.ts';

/** A page of alerts as JSON text. Filters combine with AND. @throws ApiError 400 */
export async function listAlerts(db: Queryable, query: AlertQuery): Promise<Json<typeof AlertList>> {
  const { page, perPage, state } = query;
  const [kind, companyId] = [query.kind ?? null, query.companyId ?? null];
  const isAcknowledged = state === undefined ? null : state === 'acknowledged';
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const { total, data } = await selectAlerts(db, { companyId, kind, isAcknowledged }, range);
  return withData({ total, page, perPage }, data);
}

/** Acknowledges an alert; a repeat changes nothing. @returns it as JSON text. @throws ApiError not_found */
export async function acknowledgeAlert(tx: Tx, id: string): Promise<Json<typeof Alert>> {
  const alert = await acknowledge(tx, id);
  if (alert === null) throw notFound('alert');
  return alert;
}
