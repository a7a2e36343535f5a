import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type App, buildApp } from './app.ts';
import type { Gateway } from './gateways/gateway/gateway.ts';
import { logFailures } from './gateways/gateways.log.ts';
import { createGateways } from './gateways/gateways.ts';
import { createSandboxGateway } from './gateways/sandbox/sandbox.gateway.ts';
import { startSandboxGateway } from './gateways/sandbox/server/server.ts';
import { ensureOperatorKey } from './identity/operators/operators.service.ts';
import { warmUpPasswords } from './identity/passwords/password.ts';
import { systemClock } from './platform/calendar/clock.ts';
import { openChargesHold } from './platform/charges-hold.ts';
import type { Config } from './platform/config/config.ts';
import { explained, StartError } from './platform/config/start-error.ts';
import type { Db } from './platform/database/database.ts';
import { startMetricsListener } from './platform/http/metrics/metrics-listener.ts';
import { openInstallationKeys } from './platform/keys/keys.installation.ts';
import { startHeartbeat } from './platform/processes/processes.service.ts';
import { startWorkers } from './workers.ts';

/** Puts the API, the work in the background or both, as the role says, on a database that is ready. @throws StartError */
export async function serve(
  { config, db, metricsDb, logger }: { config: Config; db: Db; metricsDb: Db; logger: Logger },
  undo: AsyncDisposableStack,
): Promise<{ url: string; operatorKeyFile: string | null }> {
  const gateways = createGateways(logFailures(await explained(openGateways(config, undo)), logger));
  const keyring = await explained(openInstallationKeys(db, config));
  // The embedded server was started by this process, and has lost all others.
  const heartbeat = await explained(startHeartbeat(db, { isAlone: config.databaseUrl === undefined }));
  undo.defer(heartbeat.stop);
  const clock = systemClock;
  const chargesHold = openChargesHold(config, clock());
  if (chargesHold !== null) logger.warn({ reason: chargesHold.reason }, 'charges are held');
  // Whoever does not serve the API knows no operator and no password.
  const [operatorKeyFile] =
    config.role === 'worker'
      ? [null]
      : await Promise.all([
          explained(ensureOperatorKey(db, config.dataDirectory, config.operatorKey, ownsDataDirectory(config))),
          warmUpPasswords(),
        ]);
  const context = { config, db, keyring, gateways, clock, logger, chargesHold };
  const app: App = await buildApp({ ...context, metricsDb });
  undo.defer(app.drain);
  const url = await explainListening(app.server.listen({ host: config.host, port: config.port }), 'PORT', config);
  await listenForScrapes(app, config, logger, undo);
  if (config.role !== 'api') {
    const workers = startWorkers(context);
    // Nothing new is begun while the last requests are answered.
    undo.defer(async () => {
      await Promise.all([app.drain(), workers.stop()]);
    });
  }
  return { url, operatorKeyFile };
}

/** Whoever shares keys from elsewhere may have a data directory of its own, and must not replace the operator's key by one from there. */
function ownsDataDirectory({ keys, keysFile }: Config): boolean {
  return keys === undefined && keysFile === undefined;
}

/** Where `METRICS_PORT` says so, the metrics stand at an address of their own too. */
async function listenForScrapes(
  { metrics }: App,
  { metricsHost: host, metricsPort: port, metricsToken: token }: Config,
  logger: Logger,
  undo: AsyncDisposableStack,
): Promise<void> {
  if (port === undefined) return;
  const listener = await explainListening(startMetricsListener(metrics, { host, port, token }), 'METRICS_PORT', {
    host,
    port,
  });
  undo.defer(listener.close);
  logger.info({ metricsUrl: listener.url }, 'serving metrics');
}

async function explainListening<T>(
  listening: Promise<T>,
  name: 'PORT' | 'METRICS_PORT',
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw new StartError(
          `Another program listens on port ${port} of ${host}. Stop it, or set ${name} to another one.`,
        );
      case 'EACCES':
        throw new StartError(`This user is not allowed to listen on port ${port}. Set ${name} to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new StartError(`${name.replace('PORT', 'HOST')} ${host} is not an address of this machine.`);
      default:
        throw error;
    }
  }
}

/** The one that takes new cards, and whichever others are configured: cards and payments stay with the gateway that has them. */
async function openGateways(config: Config, undo: AsyncDisposableStack): Promise<[Gateway, ...Gateway[]]> {
  const stripe = await openStripe(config);
  const paypal = await openPayPal(config);
  const others = paypal === null ? [] : [paypal];
  if (config.gateway === 'stripe' && stripe !== null) {
    if (config.sandboxGatewayUrl !== undefined) others.push(await openSandbox(config, undo));
    return [stripe, ...others];
  }
  if (stripe !== null) others.push(stripe);
  return [await openSandbox(config, undo), ...others];
}

/** Its package is imported only where it is needed. */
async function openStripe(config: Config): Promise<Gateway | null> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: baseUrl } = config;
  if (secretKey === undefined) return null;
  const { createStripeGateway } = await import('./gateways/stripe/stripe.gateway.ts');
  return createStripeGateway({ baseUrl, secretKey, webhookSecret, timeoutMs: config.gatewayTimeoutMs });
}

/** It takes no cards, so it is never the chosen one. Its package is imported only where it is needed. */
async function openPayPal(config: Config): Promise<Gateway | null> {
  const { paypalClientId: clientId, paypalClientSecret: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  const { createPayPalGateway } = await import('./gateways/paypal/paypal.gateway.ts');
  const { paypalApiBase: baseUrl, paypalWebhookId: webhookId, gatewayTimeoutMs: timeoutMs } = config;
  return createPayPalGateway({ baseUrl, clientId, clientSecret, webhookId, timeoutMs });
}

/** The sandbox, in this process unless its address is configured; spoken to over HTTP either way. */
async function openSandbox(config: Config, undo: AsyncDisposableStack): Promise<Gateway> {
  const { sandboxGatewayUrl, sandboxGatewaySecret, gatewayTimeoutMs: timeoutMs } = config;
  if (sandboxGatewayUrl !== undefined && sandboxGatewaySecret !== undefined) {
    return createSandboxGateway({ baseUrl: sandboxGatewayUrl, secret: sandboxGatewaySecret, timeoutMs });
  }
  if (config.role !== 'all') {
    throw new StartError(
      'With ROLE=api or ROLE=worker, the sandbox gateway must run as its own process that all of them can reach: ' +
        'set SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET.',
    );
  }
  const secret = randomBytes(32).toString('base64url');
  const ledgerPath = join(config.dataDirectory, 'sandbox-gateway.db');
  const sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
  undo.defer(sandbox.close);
  return createSandboxGateway({ baseUrl: sandbox.url, secret, timeoutMs });
}
