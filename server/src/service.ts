import type { Logger } from 'pino';
import type { Config } from './platform/config/config.ts';
import { makeDataDirectory } from './platform/data-directory.ts';
import { openDatabase } from './platform/database/open.ts';

export type Service = {
  url: string;
  /** The file that holds the operator's key, or null when the environment does. */
  operatorKeyFile: string | null;
  /** Answers what came in, ends the work in the background and closes everything. Later calls wait for the same. */
  stop: () => Promise<void>;
};

/**
 * Starts everything that the configuration asks for. What was started is stopped again when a later step fails.
 * @throws StartError
 */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const undo = new AsyncDisposableStack();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= takeBack(undo);
    return stopped;
  };
  try {
    return { ...(await start(config, logger, undo)), stop };
  } catch (error) {
    const [reason, ...others] = failuresOf(error);
    await stop().catch((failure) => others.push(failure));
    for (const failure of others) logger.error({ err: failure }, 'some parts could not be stopped');
    throw reason;
  }
}

/** The newest first, and each of them whatever happens to the others. */
async function takeBack(undo: AsyncDisposableStack): Promise<void> {
  try {
    await undo.disposeAsync();
  } catch (error) {
    const failures = failuresOf(error);
    throw new AggregateError(failures, 'Not everything could be stopped.', { cause: failures[0] });
  }
}

/** An error, and before it those that it came upon. */
function failuresOf(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...failuresOf(error.suppressed), error.error] : [error];
}

/** How to take back what was started goes into `undo`, step by step. */
async function start(config: Config, logger: Logger, undo: AsyncDisposableStack): Promise<Omit<Service, 'stop'>> {
  // Processes that share one DATABASE_URL may share the keys in a data directory too; an embedded server has one owner.
  if (config.databaseUrl !== undefined) await makeDataDirectory(config.dataDirectory);

  // The rest of the program is imported while PostgreSQL starts.
  let importing: Promise<typeof import('./serve.ts')> | undefined;
  const importRest = () => {
    importing ??= import('./serve.ts');
    importing.catch(() => undefined); // It is heard below, unless the database fails first.
    return importing;
  };
  const database = await openDatabase(config, logger, importRest);
  undo.defer(database.close);
  const { serve } = await importRest();
  return serve({ config, ...database, logger }, undo);
}
