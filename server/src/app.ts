import type { FastifyInstance } from 'fastify';
import { createTokenAuthentication } from './accounts/accounts.authentication.ts';
import { PASSWORD_COST, type PasswordCost } from './accounts/accounts.password.ts';
import type { Config } from './config.ts';
import type { Db } from './database/database.ts';
import { guardDatabase } from './database/guard.ts';
import { EVENT_CATALOGUE, FEATURES, type ServiceContext } from './features.ts';
import { prepareDrain } from './http/connections.ts';
import { registerHealthRoutes } from './http/health.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { type AdmitScrape, createScrapeAccess } from './http/metrics-access.ts';
import { createRateLimiter } from './http/rate-limits.ts';
import { registerReferenceRoutes } from './http/reference.ts';
import { createServer } from './http/server.ts';
import { createShares } from './http/shares.ts';
import { authenticateOperator, looksLikeOperatorKey } from './operators/operators.service.ts';
import { addWorkQueueMetrics } from './work-queues.ts';
import { WORK_QUEUES } from './workers.ts';

const SCRAPE_LIFETIME_MS = 1_000;

export type AppDependencies = ServiceContext & {
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
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { metricsDb, scrapeLifetimeMs = SCRAPE_LIFETIME_MS, passwordCost = PASSWORD_COST, ...context } = dependencies;
  const { config, db, keyring, logger, chargesHold } = context;
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

  for (const feature of FEATURES)
    feature.routes?.(server, { ...context, tokens, passwordCost, eventTypes: Object.keys(EVENT_CATALOGUE) });
  registerReferenceRoutes(server, { webhooks: EVENT_CATALOGUE });
  return app;
}

/** All that the metrics ask goes over their own connection, who scrapes included. */
function addMetrics(metrics: Metrics, db: Db, { metricsToken }: Config): AdmitScrape {
  for (const feature of FEATURES) feature.metrics?.(metrics, db);
  addWorkQueueMetrics(metrics, db, WORK_QUEUES);
  return createScrapeAccess(metricsToken, async (credential) =>
    looksLikeOperatorKey(credential) ? (await authenticateOperator(db, credential)) !== null : false,
  );
}
