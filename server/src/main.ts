import { enableCompileCache } from 'node:module';
import { destination, pino } from 'pino';
import { ConfigError, readConfig } from './config.ts';
import { armFailpoints } from './failpoints.ts';
import { startService } from './service.ts';

enableCompileCache();

/** How long a stop may take before the process ends regardless. */
const HARD_STOP_MS = 25_000;

try {
  const config = readConfig();
  armFailpoints(config.failpoints);
  const logDestination = destination({ dest: 1, sync: false, minLength: 0 });
  const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, logDestination);
  const service = await startService(config, logger);

  const stop = async (signal: string) => {
    setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
    logger.info({ signal }, 'stopping');
    await service.stop();
    logger.info('stopped');
    logDestination.flushSync();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  logger.info({ url: service.url, pid: process.pid }, 'ready');
  process.stderr.write(`\nPaydesk is ready at ${service.url} (API reference: ${service.url}/docs)\n`);
  if (service.operatorKeyFile !== null) process.stderr.write(`The operator's key is in ${service.operatorKeyFile}\n\n`);
} catch (error) {
  const known = error instanceof ConfigError || (error instanceof Error && error.name === 'AlreadyRunningError');
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
