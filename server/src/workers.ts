import type { Logger } from 'pino';
import type { Worker } from './background.ts';
import { startPreviewWorker } from './billing-previews/billing-previews.worker.ts';
import { releasePreviews } from './billing-previews/billing-previews.operator.queries.ts';
import { bringOnDueRuns } from './billing-runs/billing-runs.passes.ts';
import { readBillingQueue, releaseRuns } from './billing-runs/billing-runs.run.queries.ts';
import { startBillingWorker } from './billing-runs/billing-runs.worker.ts';
import type { ChargesHold } from './charges-hold.ts';
import type { Clock } from './clock.ts';
import { readCollectionQueue, releaseCollections } from './collection/collection.queries.ts';
import { startCollector } from './collection/collection.worker.ts';
import type { RefusalLimits } from './config.ts';
import type { Db } from './database/database.ts';
import { readDetachQueue } from './gateways/gateways.detach.queries.ts';
import { startDetaching } from './gateways/gateways.detach.ts';
import type { Gateways } from './gateways/gateways.ts';
import { startHousekeeping } from './housekeeping.ts';
import { readJobQueues } from './jobs/jobs.operator.queries.ts';
import { type Job, startJobs } from './jobs/jobs.service.ts';
import type { Keyring } from './keys/keys.ts';
import { readPaymentQueue, releasePayments } from './payments/payments.reconcile.queries.ts';
import { startReconciler } from './payments/payments.reconcile.ts';
import { readRefundQueue, releaseRefunds } from './refunds/refunds.reconcile.queries.ts';
import { startRefundReconciler } from './refunds/refunds.reconcile.ts';
import { type ReleaseLeases, startReleasing } from './processes/processes.worker.ts';
import { hasSeller } from './seller/seller.service.ts';
import { readUsageQueue } from './usage/usage.rollup.queries.ts';
import { startUsageRollup } from './usage/usage.rollup.ts';
import { readThresholdQueue } from './usage-thresholds/usage-thresholds.check.queries.ts';
import { startThresholdWorker } from './usage-thresholds/usage-thresholds.worker.ts';
import { readWebhookQueue, releaseDeliveries } from './webhooks/webhooks.delivery.queries.ts';
import { createSend } from './webhooks/webhooks.send.ts';
import { startWebhookWorker } from './webhooks/webhooks.worker.ts';
import type { ReadWorkQueues } from './work-queues.ts';

export type WorkerDependencies = {
  db: Db;
  gateways: Gateways;
  keyring: Keyring;
  webhookAllowedHosts: readonly string[];
  usageRetentionYears: number;
  limits: RefusalLimits;
  clock: Clock;
  logger: Logger;
  /** Why charges are held; null while they are not. */
  chargesHold: ChargesHold | null;
};

/**
 * All work in the background, on one list. Any number of processes may do all of it on one database, and one that dies loses
 * nothing: what is to be done stands in the tables until it is done.
 */
export function startWorkers(dependencies: WorkerDependencies): Worker {
  const { db, keyring, webhookAllowedHosts, usageRetentionYears, clock, logger, chargesHold } = dependencies;
  const workers: Worker[] = [
    ...(chargesHold === null ? startMovingMoney(dependencies) : []),
    startReleasing(db, RELEASES, logger),
    startHousekeeping({ db, usageRetentionYears }, logger),
    startPreviewWorker(db, logger),
    startDetaching({ db, gateways: dependencies.gateways }, logger),
    startUsageRollup(db, logger),
    startThresholdWorker({ db, clock }, logger),
    startWebhookWorker({ db, keyring, send: createSend({ allowedHosts: webhookAllowedHosts }) }, logger),
    startJobs({ db, jobs: listJobs(dependencies) }, logger),
  ];
  return {
    stop: async () => {
      await Promise.all(workers.map(({ stop }) => stop()));
    },
  };
}

/** What charges, gives back or bills, and does not run while charges are held. */
function startMovingMoney({ db, gateways, clock, limits, logger }: WorkerDependencies): Worker[] {
  return [
    startReconciler({ db, gateways }, logger),
    startRefundReconciler({ db, gateways }, logger),
    startBillingWorker(db, logger, { needsSeller: gateways.isReal }),
    startCollector({ db, gateways, clock, limits }, logger),
  ];
}

/** What is done by the clock, by all features. */
function listJobs({ db, gateways, clock, logger, chargesHold }: WorkerDependencies): Job[] {
  const schedule = async () => {
    if (chargesHold !== null) return;
    if (gateways.isReal && !(await hasSeller(db))) {
      logger.warn('no invoices are made before PUT /operator/seller says who issues them');
    } else await bringOnDueRuns(db, clock());
  };
  return [{ name: 'billing-schedule', cron: '*/15 * * * *', work: schedule }];
}

/** What a process may have in hand when it dies, of all features. */
export const RELEASES: readonly ReleaseLeases[] = [
  releasePayments,
  releaseRefunds,
  releaseCollections,
  releaseRuns,
  releasePreviews,
  releaseDeliveries,
];

/** What waits to be done in the background, by all features: for the metrics. */
export const WORK_QUEUES: readonly ReadWorkQueues[] = [
  readJobQueues,
  readPaymentQueue,
  readRefundQueue,
  readDetachQueue,
  readUsageQueue,
  readThresholdQueue,
  readBillingQueue,
  readCollectionQueue,
  readWebhookQueue,
];
