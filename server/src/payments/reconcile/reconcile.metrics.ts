import type { Db } from '../../platform/database/database.ts';
import { type Metrics, shareFor } from '../../platform/http/metrics/metrics.ts';
import { countBacklog } from './reconcile.worker.queries.ts';

/** Adds the metrics that an operator needs alerts for: payments that are not settled, and payments under review. */
export function addPaymentMetrics(metrics: Metrics, db: Db): void {
  const backlog = shareFor(0, () =>
    countBacklog(db).catch(() => ({
      waiting: Number.NaN,
      needsReview: Number.NaN,
      oldestSeconds: Number.NaN,
      unauthorizedCompanies: Number.NaN,
    })),
  );
  metrics.addGauge(
    'paydesk_payments_waiting',
    'Payments without an outcome yet.',
    async () => (await backlog()).waiting,
  );
  metrics.addGauge(
    'paydesk_payments_needs_review',
    'Payments that a person has to look at.',
    async () => (await backlog()).needsReview,
  );
  metrics.addGauge(
    'paydesk_payments_oldest_waiting_seconds',
    'Age of the oldest payment without an outcome.',
    async () => (await backlog()).oldestSeconds,
  );
  metrics.addGauge(
    'paydesk_gateway_unauthorized_companies',
    'Companies whose gateway refused our credentials, or was not configured, within the last quarter of an hour.',
    async () => (await backlog()).unauthorizedCompanies,
  );
}
