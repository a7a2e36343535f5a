import type { Db } from '../platform/database/database.ts';
import { type Metrics, shareFor } from '../platform/http/metrics/metrics.ts';
import { countOpenAlerts } from './alerts.operator.queries.ts';

/** How many alerts of any kind nobody has acknowledged: what an operator should be paged for. */
export function addAlertMetrics(metrics: Metrics, db: Db): void {
  const open = shareFor(0, () => countOpenAlerts(db).catch(() => Number.NaN));
  metrics.addGauge('paydesk_alerts_open', 'Alerts that nobody has acknowledged yet, up to 100,000.', open);
}
