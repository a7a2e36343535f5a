import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createTokenAuthentication } from './accounts/accounts.authentication.ts';
import { PASSWORD_COST, type PasswordCost } from './accounts/accounts.password.ts';
import { registerAccountRoutes } from './accounts/accounts.routes.ts';
import { registerAddressRoutes } from './addresses/addresses.routes.ts';
import { addAlertMetrics } from './alerts/alerts.metrics.ts';
import { registerAlertRoutes } from './alerts/alerts.routes.ts';
import { registerBillingInformationRoutes } from './billing-information/billing-information.routes.ts';
import { registerBillingPreviewRoutes } from './billing-previews/billing-previews.routes.ts';
import { registerBillingRunRoutes } from './billing-runs/billing-runs.routes.ts';
import { registerCardRoutes } from './cards/cards.routes.ts';
import type { ChargesHold } from './charges-hold.ts';
import type { Clock } from './clock.ts';
import { registerCompanyRoutes } from './companies/companies.routes.ts';
import type { Config } from './config.ts';
import { registerCreditRoutes } from './credits/credits.routes.ts';
import type { Db } from './database/database.ts';
import { guardDatabase } from './database/guard.ts';
import { registerDisputeRoutes } from './disputes/disputes.routes.ts';
import { EVENT_CATALOGUE } from './events/events.catalogue.ts';
import { registerEventRoutes } from './events/events.routes.ts';
import type { Gateways } from './gateways/gateways.ts';
import { prepareDrain } from './http/connections.ts';
import { registerHealthRoutes } from './http/health.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { type AdmitScrape, createScrapeAccess } from './http/metrics-access.ts';
import { createRateLimiter } from './http/rate-limits.ts';
import { registerReferenceRoutes } from './http/reference.ts';
import { createServer } from './http/server.ts';
import { createShares } from './http/shares.ts';
import { registerCorrectionRoutes } from './invoices/invoices.corrections.routes.ts';
import { registerInvoiceDocumentRoutes } from './invoices/invoices.document.routes.ts';
import { registerInvoiceReadRoutes } from './invoices/invoices.read.routes.ts';
import { registerInvoiceRoutes } from './invoices/invoices.routes.ts';
import { registerJobRoutes } from './jobs/jobs.routes.ts';
import type { Keyring } from './keys/keys.ts';
import { registerItemRoutes } from './items/items.routes.ts';
import { registerLabelRoutes } from './labels/labels.routes.ts';
import { registerLedgerRoutes } from './ledger/ledger.routes.ts';
import { registerNumberingRoutes } from './numbering/numbering.routes.ts';
import { authenticateOperator, looksLikeOperatorKey } from './operators/operators.service.ts';
import { registerDisputeLookRoutes } from './payments/payments.disputes.routes.ts';
import { addPaymentMetrics } from './payments/payments.metrics.ts';
import { registerNoticeRoutes } from './payments/payments.notices.routes.ts';
import { registerRefundLookRoutes } from './payments/payments.refunds.routes.ts';
import { registerPaymentResolveRoutes } from './payments/payments.resolve.routes.ts';
import { registerOperatorListRoutes } from './operator-lists/operator-lists.routes.ts';
import { registerPaymentRoutes } from './payments/payments.routes.ts';
import { registerPaypalAccountRoutes } from './paypal-accounts/paypal-accounts.routes.ts';
import { registerPriceRoutes } from './prices/prices.routes.ts';
import { registerRefundResolveRoutes } from './refunds/refunds.resolve.routes.ts';
import { registerRefundRoutes } from './refunds/refunds.routes.ts';
import { registerSellerRoutes } from './seller/seller.routes.ts';
import { registerUsageRoutes } from './usage/usage.routes.ts';
import { registerUsageThresholdRoutes } from './usage-thresholds/usage-thresholds.routes.ts';
import { registerWebhookRoutes } from './webhooks/webhooks.routes.ts';
import { addWorkQueueMetrics } from './work-queues.ts';
import { WORK_QUEUES } from './workers.ts';

const SCRAPE_LIFETIME_MS = 1_000;

export type AppDependencies = {
  config: Config;
  db: Db;
  keyring: Keyring;
  gateways: Gateways;
  clock: Clock;
  logger: Logger;
  /** Why charges are held; null while they are not. */
  chargesHold: ChargesHold | null;
  /** A connection apart from those that serve requests, for what the metrics ask. */
  metricsDb: Db;
  /** How long a scrape is good for others. */
  scrapeLifetimeMs?: number;
  /** Of new passwords. */
  passwordCost?: PasswordCost;
};

export type App = {
  server: FastifyInstance;
  metrics: Metrics;
  /** Answers what came in, then closes. Readiness says no meanwhile. */
  drain: () => Promise<void>;
};

/** The whole API on one list; a worker answers no more than what the machine around it asks. Everything that it needs is handed in. */
export async function buildApp({
  config,
  db,
  keyring,
  gateways,
  clock,
  logger,
  chargesHold,
  metricsDb,
  scrapeLifetimeMs = SCRAPE_LIFETIME_MS,
  passwordCost = PASSWORD_COST,
}: AppDependencies): Promise<App> {
  const server = await createServer({ ...config, logger });
  const guard = guardDatabase(db);
  const tokens = createTokenAuthentication(db, keyring, config);
  server.decorate('http', {
    db,
    guard,
    authenticate: (credential) =>
      looksLikeOperatorKey(credential) ? authenticateOperator(db, credential) : tokens.authenticate(credential),
    limitRate: createRateLimiter(config.rateLimitPerMinute),
    hashRequest: keyring.hashRequest,
    vault: keyring,
    shares: createShares({ poolSize: config.databasePoolSize }),
    chargesHold,
    operations: [],
  });
  const metrics = createMetrics(server, scrapeLifetimeMs);
  const { isDraining, drain } = prepareDrain(server);
  const isReady = async () => !isDraining() && (await guard.answers());
  const app = { server, metrics, drain: () => drain().finally(guard.stop) };

  const admitScrape = addMetrics(metrics, metricsDb, config);
  registerHealthRoutes(server, { isReady, chargesHold, metrics, admitScrape });
  if (config.role === 'worker') return app;

  registerAccountRoutes(server, { db, keyring, tokens: config, limits: config, passwordCost }, tokens);
  registerCardRoutes(server, { db, gateway: gateways.chosen, keyring, limits: config.refusedCharges });
  registerPaypalAccountRoutes(server, { db, gateway: gateways.accounts, limits: config.refusedCharges });
  registerBillingInformationRoutes(server);
  registerInvoiceRoutes(server, { clock, needsSeller: gateways.isReal });
  registerInvoiceReadRoutes(server, { clock });
  registerInvoiceDocumentRoutes(server, { hasSamples: !gateways.isReal });
  registerCorrectionRoutes(server);
  registerPaymentRoutes(server, { db, gateways }, config.refusedCharges);
  registerNoticeRoutes(server, { db, gateways });
  registerAddressRoutes(server);
  registerLabelRoutes(server, { db });
  registerCompanyRoutes(server);
  registerCreditRoutes(server);
  registerRefundAndDisputeRoutes(server, { db, gateways });
  registerOperatorListRoutes(server);
  registerLedgerRoutes(server, { db, gateways });
  registerPriceRoutes(server);
  registerUsageRoutes(server, { db, clock });
  registerUsageThresholdRoutes(server, { clock });
  registerBillingRoutes(server, { clock, needsSeller: gateways.isReal });
  registerSellerRoutes(server);
  registerNumberingRoutes(server);
  registerJobRoutes(server, { db });
  registerAlertRoutes(server);
  registerEventRoutes(server);
  registerWebhookRoutes(server, { keyring, allowedHosts: config.webhookAllowedHosts });
  registerReferenceRoutes(server, { webhooks: EVENT_CATALOGUE });
  return app;
}

/** What is given back, what cardholders want back, and what the operator says of both. */
function registerRefundAndDisputeRoutes(server: FastifyInstance, dependencies: { db: Db; gateways: Gateways }): void {
  registerRefundRoutes(server, dependencies);
  registerRefundResolveRoutes(server, dependencies);
  registerPaymentResolveRoutes(server, dependencies);
  registerDisputeRoutes(server);
  registerDisputeLookRoutes(server, dependencies);
  registerRefundLookRoutes(server, dependencies);
}

/** Billing runs, what they would issue, and what joins their invoices. */
function registerBillingRoutes(server: FastifyInstance, dependencies: { clock: Clock; needsSeller: boolean }): void {
  registerBillingRunRoutes(server, dependencies);
  registerBillingPreviewRoutes(server, dependencies);
  registerItemRoutes(server, dependencies);
}

/** All that the metrics ask goes over their own connection, who scrapes included. */
function addMetrics(metrics: Metrics, db: Db, { metricsToken }: Config): AdmitScrape {
  addPaymentMetrics(metrics, db);
  addAlertMetrics(metrics, db);
  addWorkQueueMetrics(metrics, db, WORK_QUEUES);
  return createScrapeAccess(metricsToken, async (credential) =>
    looksLikeOperatorKey(credential) ? (await authenticateOperator(db, credential)) !== null : false,
  );
}
