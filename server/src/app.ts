import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createTokenAuthentication } from './accounts/accounts.authentication.ts';
import { registerAccountRoutes } from './accounts/accounts.routes.ts';
import { registerAddressRoutes } from './addresses/addresses.routes.ts';
import { registerBillingInformationRoutes } from './billing-information/billing-information.routes.ts';
import { registerBillingRunRoutes } from './billing-runs/billing-runs.routes.ts';
import { registerCardRoutes } from './cards/cards.routes.ts';
import type { Clock } from './clock.ts';
import { registerCompanyRoutes } from './companies/companies.routes.ts';
import type { Config } from './config.ts';
import { registerCreditRoutes } from './credits/credits.routes.ts';
import type { Db } from './database/database.ts';
import { guardDatabase } from './database/guard.ts';
import type { Gateway } from './gateways/gateway.ts';
import { prepareDrain } from './http/connections.ts';
import { registerHealthRoutes } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { createRateLimiter } from './http/rate-limits.ts';
import { registerReferenceRoutes } from './http/reference.ts';
import { createServer } from './http/server.ts';
import { registerCorrectionRoutes } from './invoices/invoices.corrections.routes.ts';
import { registerInvoiceDocumentRoutes } from './invoices/invoices.document.routes.ts';
import { registerInvoiceRoutes } from './invoices/invoices.routes.ts';
import type { Keyring } from './keys/keys.ts';
import { registerLabelRoutes } from './labels/labels.routes.ts';
import { authenticateOperator, looksLikeOperatorKey } from './operators/operators.service.ts';
import { addPaymentMetrics } from './payments/payments.metrics.ts';
import { registerPaymentRoutes } from './payments/payments.routes.ts';
import { registerPriceRoutes } from './prices/prices.routes.ts';
import { registerSellerRoutes } from './seller/seller.routes.ts';
import { registerUsageRoutes } from './usage/usage.routes.ts';

export type AppDependencies = {
  config: Config;
  db: Db;
  keyring: Keyring;
  gateway: Gateway;
  clock: Clock;
  logger: Logger;
};

export type App = {
  server: FastifyInstance;
  /** Answers what came in, then closes. Readiness says no meanwhile. */
  drain: () => Promise<void>;
};

/** The whole API on one list. Everything that it needs is handed in. */
export async function buildApp({ config, db, keyring, gateway, clock, logger }: AppDependencies): Promise<App> {
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
    operations: [],
  });
  const metrics = createMetrics(server);
  const { isDraining, drain } = prepareDrain(server);
  const isReady = async () => !isDraining() && (await guard.answers());

  registerAccountRoutes(server, { db, keyring, tokens: config }, tokens);
  registerCardRoutes(server, { gateway, keyring });
  registerBillingInformationRoutes(server);
  registerInvoiceRoutes(server);
  registerInvoiceDocumentRoutes(server);
  registerCorrectionRoutes(server);
  registerPaymentRoutes(server, { db, gateway });
  registerAddressRoutes(server);
  registerLabelRoutes(server, { db });
  registerCompanyRoutes(server);
  registerCreditRoutes(server);
  registerPriceRoutes(server, { clock });
  registerUsageRoutes(server, { db, clock });
  registerBillingRunRoutes(server, { clock });
  registerSellerRoutes(server);
  registerHealthRoutes(server, { isReady, metrics });
  registerReferenceRoutes(server);
  addPaymentMetrics(metrics, db);

  return { server, drain: () => drain().finally(guard.stop) };
}
