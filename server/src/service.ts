import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { warmUpPasswords } from './accounts/accounts.password.ts';
import { type App, buildApp } from './app.ts';
import type { Config } from './config.ts';
import { lockDataDirectory } from './database/embedded/embedded.ts';
import { openDatabase } from './database/open.ts';
import type { Gateway } from './gateways/gateway.ts';
import { createSandboxGateway } from './gateways/sandbox/sandbox.gateway.ts';
import { startSandboxGateway } from './gateways/sandbox/sandbox.server.ts';
import { startHousekeeping } from './housekeeping.ts';
import { openKeyring } from './keys/keys.ts';
import { ensureOperatorKey } from './operators/operators.service.ts';
import { startReconciler } from './payments/payments.reconcile.ts';

export type Service = {
  url: string;
  /** The file that holds the operator's key, or null when the environment does. */
  operatorKeyFile: string | null;
  /** Answers what came in, ends the work in the background and closes everything. */
  stop: () => Promise<void>;
};

/** Starts everything that the configuration asks for. What was started is stopped again when a later step fails. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await start(config, logger, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How to take back what was started goes into `undo`, step by step. */
async function start(config: Config, logger: Logger, undo: (() => Promise<unknown>)[]): Promise<Omit<Service, 'stop'>> {
  // Processes that share one DATABASE_URL may share the keys in a data directory too; an embedded server has one owner.
  if (config.databaseUrl === undefined) undo.push(await lockDataDirectory(config.dataDirectory));
  else mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });

  const database = await openDatabase(config, logger);
  undo.push(database.close);
  const { db } = database;
  const keyring = openKeyring(config.dataDirectory);
  const gateway = await openGateway(config, undo);
  const [operatorKeyFile] = await Promise.all([
    ensureOperatorKey(db, config.dataDirectory, config.operatorKey),
    warmUpPasswords(),
  ]);

  const app: App = await buildApp({ config, db, keyring, gateway, logger });
  const url = await app.server.listen({ host: config.host, port: config.port });
  const reconciler = startReconciler({ db, gateway }, logger);
  const housekeeping = startHousekeeping(db, logger);
  undo.push(reconciler.stop, housekeeping.stop, app.drain);
  return { url, operatorKeyFile };
}

/** The sandbox, in this process unless its address is configured; spoken to over HTTP either way. */
async function openGateway(config: Config, undo: (() => Promise<unknown>)[]): Promise<Gateway> {
  const { sandboxGatewayUrl, sandboxGatewaySecret, gatewayTimeoutMs: timeoutMs } = config;
  if (sandboxGatewayUrl !== undefined && sandboxGatewaySecret !== undefined) {
    return createSandboxGateway({ baseUrl: sandboxGatewayUrl, secret: sandboxGatewaySecret, timeoutMs });
  }
  const secret = randomBytes(32).toString('base64url');
  const ledgerPath = join(config.dataDirectory, 'sandbox-gateway.db');
  const sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
  undo.push(sandbox.close);
  return createSandboxGateway({ baseUrl: sandbox.url, secret, timeoutMs });
}
