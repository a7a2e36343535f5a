import type Postgres from 'postgres';
import { type DatabaseAddress, readDatabaseUrl } from '../config/database-address.ts';
import { openPool } from './driver/driver.ts';
import { watchOf } from './driver/marks-watch.ts';
import { createSession, type SessionDemands } from './driver/session.ts';

/**
 * The role that the service uses, which owns nothing and can only read and write rows. This is its name in a database
 * owned by `paydesk` or, as the embedded one, by `paydesk_owner`; for others see `ensureApplicationRole`.
 */
export const APPLICATION_ROLE = 'paydesk_application';

const CONNECT_TIMEOUT_SECONDS = 2;
/** At the start nobody waits for an answer, and other processes may start at the same time. */
const OWNER_CONNECT_TIMEOUT_SECONDS = 10;

/** Timeouts of statements and transactions, in seconds. PostgreSQL sets none by default. */
const TIMEOUTS_SECONDS = {
  statement_timeout: 5,
  lock_timeout: 2,
  idle_in_transaction_session_timeout: 10,
};

/**
 * Statements are planned once per connection. With a custom plan per execution PostgreSQL would estimate a parameter
 * LIMIT as a tenth of the rows, consider the generic plan expensive and plan again each time, which took longer than
 * the statement. Use `planForValues` where the values matter.
 */
const PLANNING = { plan_cache_mode: 'force_generic_plan' };

/** `host` is the directory of the Unix socket. */
type SocketTarget = { host: string; port: number; username: string; password: string; database: string };

export type ConnectOptions = {
  /** A URL, or the parts of one for a Unix socket. */
  target: string | SocketTarget;
  poolSize: number;
  /** Adds `transaction_timeout`, which PostgreSQL 17 introduced. */
  serverVersion: number;
  /** Set when the role is not `APPLICATION_ROLE`. */
  applicationRole?: string;
  /**
   * Multiplies all timeouts of the database: 10 in tests, many of which share a machine. Timeouts of whole minutes are
   * refused, because PostgreSQL prints them in minutes.
   */
  timeoutFactor?: number;
};

const timeoutFactors = new WeakMap<Postgres.Sql, number>();

/** The multiplier of this pool's timeouts. */
export function timeoutFactorOf(db: Postgres.Sql): number {
  return timeoutFactors.get(db) ?? 1;
}

/** Opens the pool as the application role. It connects at the first query and reconnects by itself. */
export function connect({
  target,
  poolSize,
  serverVersion,
  applicationRole = APPLICATION_ROLE,
  timeoutFactor = 1,
}: ConnectOptions): Postgres.Sql {
  const timeouts = { ...TIMEOUTS_SECONDS, ...(serverVersion >= 170_000 ? { transaction_timeout: 15 } : {}) };
  const bounds = Object.entries(timeouts).map(([name, seconds]) => [name, `${seconds * timeoutFactor}s`]);
  const settings = { ...Object.fromEntries(bounds), ...PLANNING };
  const db = open(
    target,
    { poolSize, connectTimeoutSeconds: CONNECT_TIMEOUT_SECONDS * timeoutFactor },
    { role: applicationRole, settings },
  );
  timeoutFactors.set(db, timeoutFactor);
  return db;
}

/** Opens one connection as the owner, for migrations and start-up checks. It has no statement timeout. */
export function connectAsOwner(target: ConnectOptions['target']): Postgres.Sql {
  const size = { poolSize: 1, connectTimeoutSeconds: OWNER_CONNECT_TIMEOUT_SECONDS };
  return open(target, size, { settings: { statement_timeout: '0', idle_in_transaction_session_timeout: '0' } });
}

function open(
  target: ConnectOptions['target'],
  { poolSize, connectTimeoutSeconds }: { poolSize: number; connectTimeoutSeconds: number },
  demands: Omit<SessionDemands, 'wantsPrimary'>,
): Postgres.Sql {
  const address = typeof target === 'string' ? readDatabaseUrl(target) : addressOf(target);
  const { hosts, isSocket, username, password, database, tls, wantsPrimary } = address;
  const [first] = hosts;
  const endpoint = {
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    ...(isSocket ? { path: `${first?.host}/.s.PGSQL.${first?.port}` } : {}),
  };
  const options = {
    ...endpoint,
    username,
    password,
    database,
    ssl: tls,
    max: poolSize,
    connect_timeout: connectTimeoutSeconds,
    // A statement queued behind a slow one can't be canceled, while another connection may become free sooner.
    max_pipeline: 2,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    connection: { application_name: 'paydesk', ...address.settings },
    onnotice: () => undefined,
    fetch_types: false,
  };
  const db: Postgres.Sql = openPool(options, createSession({ ...demands, wantsPrimary, watch: () => watchOf(db) }));
  return db;
}

function addressOf({ host, port, ...login }: SocketTarget): DatabaseAddress {
  return { hosts: [{ host, port }], isSocket: true, ...login, tls: false, wantsPrimary: false, settings: {} };
}
