import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import { readDatabaseUrl } from '../config/database-address.ts';
import { StartError } from '../config/start-error.ts';
import { startEmbeddedPostgres } from '../data-directory.ts';
import { type Db, databaseErrorCode, isDatabaseUnavailable } from './database.ts';
import { checkServer, countAsynchronousStandbys, migrate } from './migrate.ts';
import { APPLICATION_ROLE, type ConnectOptions, connect, connectAsOwner } from './pool.ts';
import { checkRights, setApplicationPassword } from './roles.worker.queries.ts';
import { checkSessions } from './shared-session.ts';

const CLOSE_TIMEOUT_SECONDS = 5;

export type OpenDatabase = {
  db: Db;
  /** An additional connection for the metrics, so that they and requests never wait for each other. */
  metricsDb: Db;
  /** Closes the pool, and stops the embedded server if there is one. */
  close: () => Promise<void>;
};

/**
 * Starts the embedded server unless `DATABASE_URL` is set, migrates the schema and opens the pool. Calls `onWait`,
 * possibly more than once, when it begins to wait for PostgreSQL, so that other work can be done.
 * @throws StartError when there is no usable database
 */
export async function openDatabase(config: Config, log: FastifyBaseLogger, onWait: () => void): Promise<OpenDatabase> {
  await using undo = new AsyncDisposableStack();
  const { databaseUrl, databasePoolSize: poolSize } = config;
  const { target, ...prepared } =
    databaseUrl === undefined ? await startEmbedded(config, log, onWait, undo) : await reach(databaseUrl, log, onWait);
  const db = connect({ target, poolSize, ...prepared });
  const metricsDb = connect({ target, poolSize: 1, ...prepared });
  undo.defer(async () => {
    await Promise.all([db, metricsDb].map((pool) => pool.end({ timeout: CLOSE_TIMEOUT_SECONDS })));
  });
  if (databaseUrl !== undefined) await explainedFor(databaseUrl, checkSessions(db));
  const opened = undo.move();
  return { db, metricsDb, close: () => opened.disposeAsync() };
}

type Reached = Prepared & Pick<ConnectOptions, 'target'>;

async function reach(target: string, log: FastifyBaseLogger, onWait: () => void): Promise<Reached> {
  const preparing = explainedFor(target, prepare(target, log));
  onWait();
  return { target, ...(await preparing) };
}

async function startEmbedded(
  { dataDirectory, gatewayFiles }: Config,
  log: FastifyBaseLogger,
  onLaunch: () => void,
  undo: AsyncDisposableStack,
): Promise<Reached> {
  const server = await startEmbeddedPostgres({ dataDirectory, gatewayFiles, log, onLaunch });
  undo.defer(server.stop);
  const { user, ...address } = server.connection;
  // The service logs in as its own role, with a password that lives as long as this process.
  const password = randomBytes(24).toString('base64url');
  const prepared = await prepare({ ...address, username: user }, log, password);
  return { target: { ...address, username: APPLICATION_ROLE, password }, ...prepared };
}

/** @throws StartError that names the address and never the login */
async function explainedFor<T>(url: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !isLoginRefused(error)) throw error;
    const { hosts, database } = readDatabaseUrl(url);
    const address = `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database of DATABASE_URL (${address}) can't be opened: ${reason}`, { cause: error });
  }
}

/**
 * Wrong user or password (28xxx), unknown database (3D000), missing right (42501), unknown parameter (42704) or invalid
 * value (22023).
 */
function isLoginRefused(error: unknown): boolean {
  return /^(28|3D|42501|42704|22023)/.test(databaseErrorCode(error) ?? '');
}

type Prepared = Required<Pick<ConnectOptions, 'serverVersion' | 'applicationRole'>>;

async function prepare(target: ConnectOptions['target'], log: FastifyBaseLogger, password?: string): Promise<Prepared> {
  const owner = connectAsOwner(target);
  try {
    const serverVersion = await checkServer(owner);
    const standbys = await countAsynchronousStandbys(owner);
    if (standbys > 0) log.warn({ standbys }, 'standbys are asynchronous: a failover may lose acknowledged payments');
    const { applied, applicationRole } = await migrate(owner);
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    await checkRights(owner, applicationRole);
    if (password !== undefined) await setApplicationPassword(owner, password);
    return { serverVersion, applicationRole: applicationRole.name };
  } finally {
    await owner.end({ timeout: CLOSE_TIMEOUT_SECONDS });
  }
}
