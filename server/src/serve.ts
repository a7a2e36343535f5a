import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { warmUpPasswords } from './accounts/accounts.password.ts';
import { type App, buildApp } from './app.ts';
import { bringOnDueRuns } from './billing-runs/billing-runs.passes.ts';
import { startBillingWorker } from './billing-runs/billing-runs.worker.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './database/database.ts';
import type { Gateway } from './gateways/gateway.ts';
import { createSandboxGateway } from './gateways/sandbox/sandbox.gateway.ts';
import { startSandboxGateway } from './gateways/sandbox/sandbox.server.ts';
import { startHousekeeping } from './housekeeping.ts';
import { type Job, startJobs } from './jobs/jobs.service.ts';
import { openKeyring } from './keys/keys.ts';
import { ensureOperatorKey } from './operators/operators.service.ts';
import { startReconciler } from './payments/payments.reconcile.ts';
import { StartError } from './start-error.ts';
import { startUsageRollup } from './usage/usage.rollup.ts';

/** How to take back what was started, the oldest first. */
export type Undo = (() => Promise<unknown>)[];

/** Puts the API and the work in the background on a database that is ready. @throws StartError */
export async function serve(
  { config, db, logger }: { config: Config; db: Db; logger: Logger },
  undo: Undo,
): Promise<{ url: string; operatorKeyFile: string | null }> {
  const keyring = openKeyring(config.dataDirectory);
  const gateway = await openGateway(config, undo);
  const [operatorKeyFile] = await Promise.all([
    ensureOperatorKey(db, config.dataDirectory, config.operatorKey),
    warmUpPasswords(),
  ]);

  const clock = systemClock;
  const app: App = await buildApp({ config, db, keyring, gateway, clock, logger });
  undo.push(app.drain);
  const url = await listen(app, config);
  const reconciler = startReconciler({ db, gateway }, logger);
  const housekeeping = startHousekeeping(db, logger);
  const rollup = startUsageRollup(db, logger);
  const billing = startBillingWorker(db, logger);
  const jobs = startJobs({ db, jobs: listJobs(db, clock) }, logger);
  // Nothing new is begun while the last requests are answered.
  const background = [reconciler, housekeeping, rollup, billing, jobs];
  undo.push(() => Promise.all([app.drain(), ...background.map(({ stop }) => stop())]));
  return { url, operatorKeyFile };
}

/** What is done by the clock, by all features. */
function listJobs(db: Db, clock: Clock): Job[] {
  return [{ name: 'billing-schedule', cron: '*/15 * * * *', work: () => bringOnDueRuns(db, clock()) }];
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.server.listen({ host, port });
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw new StartError(
          `Another program listens on port ${port} of ${host}. Stop it, or set PORT to another one.`,
        );
      case 'EACCES':
        throw new StartError(`This user may not listen on port ${port}. Set PORT to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new StartError(`HOST ${host} is no address of this machine.`);
      default:
        throw error;
    }
  }
}

/** The sandbox, in this process unless its address is configured; spoken to over HTTP either way. */
async function openGateway(config: Config, undo: Undo): Promise<Gateway> {
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
