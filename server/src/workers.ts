import type { Logger } from 'pino';
import type { Worker } from './background.ts';
import { bringOnDueRuns } from './billing-runs/billing-runs.passes.ts';
import { readBillingQueue } from './billing-runs/billing-runs.run.queries.ts';
import { startBillingWorker } from './billing-runs/billing-runs.worker.ts';
import type { Clock } from './clock.ts';
import { readCollectionQueue } from './collection/collection.queries.ts';
import { startCollector } from './collection/collection.worker.ts';
import type { Db } from './database/database.ts';
import type { Gateways } from './gateways/gateways.ts';
import { startHousekeeping } from './housekeeping.ts';
import { readJobQueues } from './jobs/jobs.operator.queries.ts';
import { type Job, startJobs } from './jobs/jobs.service.ts';
import type { Keyring } from './keys/keys.ts';
import { readPaymentQueue } from './payments/payments.reconcile.queries.ts';
import { startReconciler } from './payments/payments.reconcile.ts';
import { readRefundQueue } from './refunds/refunds.reconcile.queries.ts';
import { startRefundReconciler } from './refunds/refunds.reconcile.ts';
import { readUsageQueue } from './usage/usage.rollup.queries.ts';
import { startUsageRollup } from './usage/usage.rollup.ts';
import { readThresholdQueue } from './usage-thresholds/usage-thresholds.check.queries.ts';
import { startThresholdWorker } from './usage-thresholds/usage-thresholds.worker.ts';
import { readWebhookQueue } from './webhooks/webhooks.delivery.queries.ts';
import { createSend } from './webhooks/webhooks.send.ts';
import { startWebhookWorker } from './webhooks/webhooks.worker.ts';
import type { ReadWorkQueues } from './work-queues.ts';

export type WorkerDependencies = {
  db: Db;
  gateways: Gateways;
  keyring: Keyring;
  webhookAllowedHosts: readonly string[];
  clock: Clock;
  logger: Logger;
};

/**
 * All work in the background, on one list. Any number of processes may do all of it on one database, and one that dies loses
 * nothing: what is to be done stands in the tables until it is done.
 */
export function startWorkers(dependencies: WorkerDependencies): Worker {
  const { db, gateways, keyring, webhookAllowedHosts, clock, logger } = dependencies;
  const workers: Worker[] = [
    startReconciler({ db, gateways }, logger),
    startRefundReconciler({ db, gateways }, logger),
    startHousekeeping(db, logger),
    startUsageRollup(db, logger),
    startThresholdWorker({ db, clock }, logger),
    startBillingWorker(db, logger),
    startCollector({ db, gateways, clock }, logger),
    startWebhookWorker({ db, keyring, send: createSend({ allowedHosts: webhookAllowedHosts }) }, logger),
    startJobs({ db, jobs: listJobs(db, clock) }, logger),
  ];
  return {
    stop: async () => {
      await Promise.all(workers.map(({ stop }) => stop()));
    },
  };
}

/** What is done by the clock, by all features. */
function listJobs(db: Db, clock: Clock): Job[] {
  return [{ name: 'billing-schedule', cron: '*/15 * * * *', work: () => bringOnDueRuns(db, clock()) }];
}

/** What waits to be done in the background, by all features: for the metrics. */
export const WORK_QUEUES: readonly ReadWorkQueues[] = [
  readJobQueues,
  readPaymentQueue,
  readRefundQueue,
  readUsageQueue,
  readThresholdQueue,
  readBillingQueue,
  readCollectionQueue,
  readWebhookQueue,
];
