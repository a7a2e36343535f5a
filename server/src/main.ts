import { flushCompileCache } from 'node:module';
import { GATEWAYS } from './gateways/gateways.ts';
import { type Config, ConfigError, readConfig } from './platform/config/config.ts';
import { disableCoreDumps } from './platform/config/memory-dumps.ts';
import { armFailpoints } from './platform/failpoints.ts';
import { createLogger, openLog } from './platform/logging/logger.ts';
import { observeSteps } from './platform/steps.ts';
import { startService } from './service.ts';

/** How long a stop may take before the process ends regardless. */
const HARD_STOP_MS = 25_000;
/** Ctrl-C comes twice at once: from the terminal, and passed on by npm. Only a later one is another one. */
const SECOND_SIGNAL_AFTER_MS = 1_000;

/**
 * What the start has left behind is a fourth of the memory, and V8 would keep it until there is load. Collecting it takes a tenth of a
 * second, after the first requests of whoever waits for the start.
 */
const COLLECTS_AFTER_MS = 1_000;

// Whatever this process creates is for its owner alone.
process.umask(0o077);

try {
  await run(readConfig(GATEWAYS));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** Starts the service and leaves it running until a signal comes. */
async function run(config: Config): Promise<void> {
  disableCoreDumps();
  armFailpoints(config.failpoints);
  observeSteps(config.stepsFile);
  const log = openLog();
  const logger = createLogger(config.logLevel, log);

  const end = (code: number) => {
    try {
      log.flushSync();
    } finally {
      // Tells PostgreSQL, should it still run, to shut down.
      process.exit(code);
    }
  };
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error; the process ends');
    end(1);
  });

  let stop: (() => Promise<void>) | undefined;
  let stoppingSinceMs: number | undefined;
  const onSignal = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SECOND_SIGNAL_AFTER_MS) end(1);
      return;
    }
    stoppingSinceMs = performance.now();
    logger.info({ signal }, 'stopping');
    if (stop === undefined) return end(1);
    setTimeout(end, HARD_STOP_MS, 1).unref();
    try {
      await stop();
      logger.info('stopped');
      end(0);
    } catch (error) {
      logger.error({ err: error }, 'some parts could not be stopped');
      end(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);

  const service = await startService(config, logger);
  stop = service.stop;
  logger.info({ url: service.url, pid: process.pid }, 'ready');
  const url = addressForBrowsers(service.url, config);
  const reference = config.role === 'worker' ? '' : ` (API reference: ${url}/docs)`;
  process.stderr.write(`\nPaydesk is ready at ${url}${reference}\n`);
  if (config.role !== 'worker') process.stderr.write(whereToBegin(url, service.operatorKeyFile));
  flushCompileCache();
  const collect = () => globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  setTimeout(collect, COLLECTS_AFTER_MS).unref();
}

/** Leads whoever has started the service to its console. */
function whereToBegin(url: string, operatorKeyFile: string | null): string {
  const key = operatorKeyFile === null ? 'OPERATOR_KEY' : operatorKeyFile;
  return `Begin in the console at ${url}/console: log in with the operator key that is in ${key}\n\n`;
}

/** Where a browser on this machine opens the service: at `localhost` without `PUBLIC_URL`, whose cookies and passkeys belong to it. */
function addressForBrowsers(url: string, { isPublicUrlSet }: Config): string {
  return isPublicUrlSet ? url : url.replace(/(?<=^http:\/\/)(?:127\.0\.0\.1|\[::1\])(?=:)/, 'localhost');
}

/** The message for what the person at the terminal can mend; for a fault of ours, where it is. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isTheirs = error instanceof ConfigError || error.name === 'StartError';
  return isTheirs ? error.message : (error.stack ?? error.message);
}
