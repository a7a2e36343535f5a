import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from '../../src/app.ts';
import { type ChargesHold, openChargesHold } from '../../src/continuity/hold/charges-hold.service.ts';
import { type Journal, startJournal } from '../../src/continuity/journal/journal.service.ts';
import { rememberExternalIds } from '../../src/customers/companies/external-ids/external-ids.service.ts';
import { EVENT_DATA, JOURNALED } from '../../src/features.ts';
import type { Gateway } from '../../src/gateways/gateway/gateway.ts';
import { holdWithCharges } from '../../src/gateways/gateways.hold.ts';
import { logFailures } from '../../src/gateways/gateways.log.ts';
import { createGateways, GATEWAYS, type Gateways } from '../../src/gateways/gateways.ts';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { createSandboxGateway } from '../../src/gateways/sandbox/sandbox.gateway.ts';
import type { SandboxSettings } from '../../src/gateways/sandbox/sandbox.ts';
import { startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import { ensureOperatorKey } from '../../src/identity/operators/operators.service.ts';
import type { PasswordCost } from '../../src/identity/passwords/password.ts';
import { noteMailServer } from '../../src/mail/mail.service.ts';
import { confirmationsOf } from '../../src/payments/links/confirmations.ts';
import { startReconciler } from '../../src/payments/outcomes/reconciler.ts';
import { PAYMENTS } from '../../src/payments/reconcile/reconcile-payments.ts';
import { type Clock, systemClock } from '../../src/platform/calendar/clock.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import type { ExternalIds } from '../../src/platform/http/company-ids/external-ids.ts';
import type { Operation } from '../../src/platform/http/route/operation.ts';
import { openKeyring } from '../../src/platform/keys/keys.ts';
import { createLogger } from '../../src/platform/logging/logger.ts';
import { cloneDatabase, type TestDatabase } from './database/database.ts';
import { freePort, keepPort } from './network/kept-port.ts';
import { lookAtConfirmations, lookAtDebits, reconcileDue } from './reconcilers.ts';
import { type Answer, createCaller, type Request } from './request.ts';

export type TestService = {
  url: string;
  config: Config;
  database: TestDatabase;
  operatorKey: string;
  operations: readonly Operation[];
  /** The server itself, for tests of what HTTP does not show: its routes and its limits. */
  server: FastifyInstance;
  gateways: Gateways;
  /** The hold as the service knows it; tests refresh it. */
  chargesHold: ChargesHold;
  /** Controls the sandbox gateway: arms faults, reads its books. */
  sandbox: SandboxControl;
  /** Sends a request; every answer is checked against the API reference. */
  call: (method: string, path: string, request?: Request) => Promise<Answer>;
  /** Everything that was logged so far. */
  logs: () => string;
  /** Makes every payment without an outcome due, also those that wait for their customer or bank, and runs the reconcilers once. */
  reconcileNow: () => Promise<void>;
  /** Its journal, with `withJournal`. */
  journal: Journal | null;
  /** Stops the service, so that connections are refused. Its data stays. */
  takeAway: () => Promise<void>;
  /** Starts it again, at the same address. */
  bringBack: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Makes passwords cheap, since thousands of tests need an account. */
const QUICK: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

export type TestServiceOptions = Partial<Config> & {
  /** The cost of new passwords; almost none by default. */
  passwordCost?: PasswordCost;
  /** Without it, tests run the reconciler with `reconcileNow`. */
  withReconciler?: boolean;
  poolSize?: number;
  /** A factor for how long it waits for its database; large by default. */
  databaseTimeoutFactor?: number;
  /** The billing clock; the machine's by default. */
  clock?: Clock;
  /** Keeps a journal, in `config.journalDirectory` or beside the data. */
  withJournal?: boolean;
  /** Sets no seller; real gateways get no invoices without one. */
  withoutSeller?: boolean;
  /** How long other scrapes get a copy of the metrics; by default none do. */
  scrapeLifetimeMs?: number;
  /** The gateways, of which the first takes new cards; by default the sandbox alone. */
  chooseGateways?: (sandbox: Gateway, config: Config) => [Gateway, ...Gateway[]];
};

/** Starts the service in this process, with a database, a gateway and a data directory of its own, reached over HTTP. */
export async function startTestService({
  withReconciler,
  withJournal = false,
  poolSize,
  databaseTimeoutFactor,
  clock = systemClock,
  passwordCost = QUICK,
  withoutSeller = false,
  scrapeLifetimeMs = 0,
  chooseGateways = (sandbox) => [sandbox],
  ...overrides
}: TestServiceOptions = {}): Promise<TestService> {
  const database = await cloneDatabase({ poolSize, timeoutFactor: databaseTimeoutFactor });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-service-'));
  const config: Config = {
    ...readConfig(GATEWAYS, {}),
    dataDirectory,
    port: 0,
    gatewayTimeoutMs: 10_000,
    ...overrides,
  };
  const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
  await ensureOperatorKey(database.db, dataDirectory, operatorKey);
  await noteMailServer(database.db, config);

  const { sandbox, access } = await startSandbox(dataDirectory, config);
  const sandboxGateway = createSandboxGateway({ ...access, timeoutMs: config.gatewayTimeoutMs });
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
  const { db, metricsDb } = database;
  const chargesHold = openChargesHold(config, db, clock());
  const opened = logFailures(chooseGateways(sandboxGateway, config), logger);
  const keyring = openKeyring(dataDirectory);
  const gateways = createGateways(holdWithCharges(opened, chargesHold.refuse), confirmationsOf({ config, keyring }));

  if (gateways.isReal && !withoutSeller) await database.owner`UPDATE seller SET name = 'Northwind Interfaces Ltd'`;
  const externalIds = rememberExternalIds(db);
  const journal = withJournal ? keepJournal(dataDirectory, db, externalIds, logger) : null;
  const events = { externalIds, eventData: EVENT_DATA };
  const given = { config, db, metricsDb, keyring, gateways, clock, logger, chargesHold, ...events, journal };
  const build = () => buildApp({ ...given, scrapeLifetimeMs, passwordCost });
  const app = await build();
  let running = app;
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  const reconciler = withReconciler ? startReconciler(PAYMENTS, { db: database.db, gateways }, app.server.log) : null;
  const { operations } = app.server.http;

  return {
    url,
    config,
    database,
    operatorKey,
    operations,
    server: app.server,
    gateways,
    chargesHold,
    sandbox: createSandboxControl(access),
    call: createCaller(url, operations, () => lines.join('')),
    logs: () => lines.join(''),
    journal,
    reconcileNow: async () => {
      await database.owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE reconcile_at IS NOT NULL`;
      await reconcileDue({ db: database.db, gateways }, app.server.log);
      await lookAtConfirmations({ db: database.db, gateways }, app.server.log);
      await lookAtDebits({ db: database.db, gateways }, app.server.log);
    },
    takeAway: async () => {
      await running.drain();
      await keepPort(port);
    },
    bringBack: async () => {
      running = await build();
      await running.server.listen({ host: '127.0.0.1', port });
      freePort(port);
    },
    stop: async () => {
      await reconciler?.stop();
      await running.drain();
      await journal?.stop();
      await sandbox.close();
      await database.drop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

function keepJournal(dataDirectory: string, db: TestDatabase['db'], externalIds: ExternalIds, logger: Logger): Journal {
  const directory = join(dataDirectory, 'journal');
  const journal = startJournal({
    ...{ db, directory, kinds: JOURNALED, readExternalIds: externalIds.of, logger },
    onProblem: () => undefined,
  });
  journal.begin();
  return journal;
}

/** Starts a sandbox gateway. @returns also how to reach it, or the one of the configuration */
async function startSandbox(dataDirectory: string, config: Config) {
  const secret = randomBytes(24).toString('base64url');
  const ledgerPath = join(dataDirectory, 'sandbox-gateway.db');
  const sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
  const { server } = config.gateways.sandbox as SandboxSettings;
  return { sandbox, access: server ?? { baseUrl: sandbox.url, secret } };
}
