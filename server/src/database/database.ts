import postgres from 'postgres';
import { ApiError } from '../errors.ts';

/** The connection pool. Statements on it commit one by one. */
export type Db = postgres.Sql;
/** Inside a transaction. Functions that lock or write more than once demand it. */
export type Tx = postgres.TransactionSql;
/** Either: for a single statement that is right on its own and inside a transaction. */
export type Queryable = postgres.ISql<Record<never, never>>;

/** The role that the service works as: it owns nothing and may only read and write rows. Migrations create it. */
export const APPLICATION_ROLE = 'paydesk_application';

const ACQUIRE_TIMEOUT_MS = 2_000;

/** Bounds on what one statement or transaction may hold up, in milliseconds. PostgreSQL has none of them on by default. */
const TIMEOUTS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** `host` is the directory of the Unix socket. */
type SocketTarget = { host: string; port: number; username: string; password: string; database: string };

export type ConnectOptions = {
  /** A URL, or the parts of one for a Unix socket. */
  target: string | SocketTarget;
  poolSize: number;
  /** Adds `transaction_timeout`, which PostgreSQL 17 brought. */
  serverVersion: number;
};

/** Opens the pool as the application role. Connects at the first query; lost connections come back by themselves. */
export function connect({ target, poolSize, serverVersion }: ConnectOptions): Db {
  const transactionTimeout = serverVersion >= 170_000 ? { transaction_timeout: 15_000 } : {};
  return open(target, poolSize, { role: APPLICATION_ROLE, ...TIMEOUTS, ...transactionTimeout });
}

/** Opens one connection as the owner, for migrations and start-up checks. */
export function connectAsOwner(target: ConnectOptions['target']): Db {
  return open(target, 1, {});
}

function open(target: ConnectOptions['target'], poolSize: number, settings: Record<string, string | number>): Db {
  const options = {
    max: poolSize,
    connect_timeout: 2,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    connection: { application_name: 'paydesk', ...settings } as Record<string, string>,
    onnotice: () => undefined,
    fetch_types: false,
  };
  const place = typeof target === 'string' ? readSocketUrl(target) : target;
  if (place === null) return postgres(target as string, options);
  return postgres({ ...place, path: `${place.host}/.s.PGSQL.${place.port}`, ...options });
}

/** A URL of a Unix socket, in either form that libpq knows: `postgres://user@%2Frun/db` or `postgres:///db?host=/run`; else null. */
function readSocketUrl(text: string): SocketTarget | null {
  const url = new URL(text);
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (!host.startsWith('/')) return null;
  return {
    host,
    port: Number(url.port || url.searchParams.get('port') || 5432),
    username: decodeURIComponent(url.username) || (url.searchParams.get('user') ?? ''),
    password: decodeURIComponent(url.password) || (url.searchParams.get('password') ?? ''),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
 * Deadlocks and serialization failures are tried again, three times in all.
 * @throws ApiError service_unavailable when no connection comes free within two seconds.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(db, work);
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
    }
  }
}

async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let started = false;
  let abandoned = false;
  const result = db.begin(async (tx) => {
    if (abandoned) throw new ApiError('service_unavailable', 'The request was given up before it began.');
    started = true;
    return work(tx);
  }) as Promise<T>;
  const timeout = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      if (started) return;
      abandoned = true;
      reject(new ApiError('service_unavailable', 'The database is busy.', { retryAfterSeconds: 2 }));
    }, ACQUIRE_TIMEOUT_MS);
    result.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  });
  return Promise.race([result, timeout]);
}

/** The SQLSTATE of an error that PostgreSQL raised, or the code of a lost connection; else undefined. */
export function databaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code;
}

/** The name of the constraint that refused a write, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined;
}

function isRetryable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '40001' || code === '40P01';
}

const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
]);

/** Whether an error says that the database is away, restarting or out of resources: a 503, not a fault of ours. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code === undefined) return false;
  return (
    CONNECTION_CODES.has(code) || /^(57P0|08|53)/.test(code) || code === '57014' || code === '55P03' || code === '25P04'
  );
}
