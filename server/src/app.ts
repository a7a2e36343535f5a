import type { FastifyInstance } from 'fastify';
import { recordAudit } from './audit/audit.service.ts';
import { findCompanyOfInvoice } from './billing/invoices/invoices.service.ts';
import { invoiceNumber } from './billing/invoices/record/invoices.parts.queries.ts';
import { selectBilledWithUsage, selectPeriodsSince } from './billing/periods/periods.operator.queries.ts';
import { catchUpJournal } from './continuity/journal/journal.service.ts';
import { invoiceIssued } from './documents/issued-mail.ts';
import {
  EVENT_CATALOGUE,
  FEATURES,
  JOB_TABLES,
  openMails,
  type RouteContext,
  type ServiceContext,
} from './features.ts';
import { type ApiKeys, rememberApiKeys } from './identity/api-keys/api-keys.service.ts';
import { looksLikeApiKey } from './identity/api-keys/key-text.ts';
import { companyName } from './identity/companies/names.parts.queries.ts';
import { findCustomerSession } from './identity/customer-sessions/customer-sessions.public.queries.ts';
import { createCustomerTokens } from './identity/customer-sessions/customer-tokens.ts';
import { rememberAllowedOrigins } from './identity/integration/integration.service.ts';
import { findLanguage } from './identity/mail-settings/mail-settings.service.ts';
import { lockMembers } from './identity/members/members.queries.ts';
import { findConsoleSession, findView } from './identity/operator-sessions/operator-sessions.public.queries.ts';
import { createOperatorTokens } from './identity/operator-sessions/operator-tokens.ts';
import {
  checkOperatorKey,
  looksLikeOperatorKey,
  type OperatorKeys,
  rememberOperatorKeys,
} from './identity/operators/operators.service.ts';
import { PASSWORD_COST, type PasswordCost } from './identity/passwords/password.ts';
import { saysCustomerSession } from './identity/sessions/access-tokens.ts';
import { createTokenAuthentication, type TokenAuthentication } from './identity/sessions/authentication.ts';
import { prepareFindingLivePayment, prepareReleasingSource } from './payments/charge/cancel-waiting.ts';
import { prepareDetaching } from './payments/detach/detach.ts';
import { prepareDescribing } from './payments/gateway-customers/gateway-customers.ts';
import { isCurrencyInUse } from './payments/payment/currency.queries.ts';
import { invoiceOfPayment } from './payments/payment/payment.parts.queries.ts';
import type { Db } from './platform/database/database.ts';
import { guardDatabase } from './platform/database/guard.ts';
import { registerDashboard } from './platform/http/dashboard/dashboard.ts';
import { createRateLimiter } from './platform/http/limits/rate-limits.ts';
import { createShares } from './platform/http/limits/shares.ts';
import { registerHealthRoutes } from './platform/http/metrics/health.ts';
import { createMetrics, type Metrics } from './platform/http/metrics/metrics.ts';
import { type AdmitScrape, createScrapeAccess } from './platform/http/metrics/metrics-access.ts';
import { addWorkQueueMetrics } from './platform/http/metrics/work-queues.ts';
import { registerReferenceRoutes } from './platform/http/reference/reference.ts';
import { prepareDrain } from './platform/http/server/connections.ts';
import { registerEntrance } from './platform/http/server/entrance.ts';
import { createServer } from './platform/http/server/server.ts';
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
  const apiKeys = rememberApiKeys(db, config);
  const findSessions = { customer: findCustomerSession, operator: findConsoleSession, view: findView };
  const tokens = withKeysOfUsers(createTokenAuthentication(db, keyring, config, findSessions), apiKeys);
  const operatorKeys = withSessionsOfKeys(rememberOperatorKeys(db), tokens);
  const allowedOrigins = rememberAllowedOrigins(db);
  const authenticators = { tokens, operatorKeys, apiKeys };
  server.decorate('http', {
    db,
    guard,
    authenticate: (credential) => authenticatorOf(credential, authenticators).authenticate(credential),
    limitRate: createRateLimiter(config.rateLimitPerMinute),
    hashRequest: keyring.hashRequest,
    vault: keyring,
    shares: createShares({ poolSize: config.databasePoolSize }),
    refuseIfHeld: (heldWithCharges) => {
      if (heldWithCharges === true || chargesHold.isDatabaseSuspect()) chargesHold.refuse();
    },
    beforeReplay: () => catchUpJournal(db),
    recordAudit,
    externalIds: context.externalIds,
    customerPages: { readOrigins: allowedOrigins.read, isOfCustomer: saysCustomerSession },
    operations: [],
  });
  const metrics = createMetrics(server, scrapeLifetimeMs);
  const { isDraining, drain } = prepareDrain(server);
  const isReady = async () => !isDraining() && (await guard.answers());
  const app = { server, metrics, drain: () => drain().finally(guard.stop) };

  const admitScrape = addMetrics(metrics, metricsDb, context);
  registerHealthRoutes(server, { isReady, currentHold: chargesHold.current, metrics, admitScrape });
  if (config.role === 'worker') return app;

  const ofTokens = { db, keyring, settings: config, forget: tokens.forget };
  const routeContext = {
    ...context,
    ...authenticators,
    allowedOrigins,
    otherTokens: [createCustomerTokens(ofTokens), ...createOperatorTokens(ofTokens)],
    passwordCost,
    recheckCompany: tokens.recheck,
    detachDeleted: prepareDetaching(context),
    describeCustomer: prepareDescribing(context),
    findLivePayment: prepareFindingLivePayment(context),
    releaseSource: prepareReleasingSource(context),
    invoiceOfPayment,
    nameParts: { companyName, invoiceNumber },
    mailTopics: { findCompanyOfInvoice, findLanguage },
    isCurrencyInUse,
    lockMembers,
    drawInvoice: (companyId: string, invoiceId: string) => invoiceIssued.draw(context, { companyId, invoiceId }),
    findBilledWithUsage: selectBilledWithUsage,
    findPeriodsSince: selectPeriodsSince,
    mails: openMails({ ...context, findPeriodsSince: selectPeriodsSince }),
    eventTypes: Object.keys(EVENT_CATALOGUE),
    jobTables: JOB_TABLES,
  };
  for (const feature of FEATURES) feature.routes?.(server, routeContext);
  registerReferenceRoutes(server, { webhooks: EVENT_CATALOGUE });
  registerDashboard(server, { facts: describeGateways(context.gateways, config) });
  registerEntrance(server, config);
  return app;
}

/** What the pages of the dashboard know about the gateways: whether real money moves, and which take new cards and accounts, and how. */
function describeGateways(
  { chosen, accounts, isReal }: RouteContext['gateways'],
  { rawCardNumbers }: ServiceContext['config'],
) {
  const { name } = chosen;
  const hasFields = chosen.fields !== undefined && (name === 'sandbox' || name === 'stripe');
  const cards = hasFields ? name : rawCardNumbers === 'on' ? 'numbers' : 'none';
  return { isReal, cards, gateways: [name, ...(accounts === null ? [] : [accounts.name])] } as const;
}

/** What changes for users changes for the keys that they have created too. */
function withKeysOfUsers(tokens: TokenAuthentication, apiKeys: ApiKeys): TokenAuthentication {
  return {
    ...tokens,
    forgetUser: (userId) => {
      tokens.forgetUser(userId);
      apiKeys.forget((key) => key.userId === userId);
    },
    recheck: (companyId) => {
      tokens.recheck(companyId);
      apiKeys.forget((key) => key.companyId === companyId);
    },
  };
}

/** Customer sessions, sessions of the console and views end with the key that has opened them. */
function withSessionsOfKeys(operatorKeys: OperatorKeys, tokens: TokenAuthentication): OperatorKeys {
  return {
    ...operatorKeys,
    forget: (isChanged) => {
      operatorKeys.forget(isChanged);
      tokens.recheckOfKeys();
    },
  };
}

type Authenticators = Pick<RouteContext, 'tokens' | 'operatorKeys' | 'apiKeys'>;

/** What knows the credentials that begin like this one. */
function authenticatorOf(credential: string, { tokens, operatorKeys, apiKeys }: Authenticators) {
  if (looksLikeOperatorKey(credential)) return operatorKeys;
  return looksLikeApiKey(credential) ? apiKeys : tokens;
}

/** All that the metrics ask goes over their own connection, who scrapes included. */
function addMetrics(metrics: Metrics, db: Db, context: ServiceContext): AdmitScrape {
  const work = { ...context, findPeriodsSince: selectPeriodsSince };
  const workContext = { ...work, mails: openMails(work) };
  for (const feature of FEATURES) feature.metrics?.(metrics, db, workContext);
  addWorkQueueMetrics(metrics, db, WORK_QUEUES);
  return createScrapeAccess(context.config.metricsToken, async (credential) =>
    looksLikeOperatorKey(credential) ? (await checkOperatorKey(db, credential)) !== null : false,
  );
}
