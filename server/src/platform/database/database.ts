import { setTimeout as delay } from 'node:timers/promises';
import type Postgres from 'postgres';
import { ApiError } from '../errors.ts';
import { postgres } from './driver/driver.ts';
import { timeoutFactorOf } from './pool.ts';

/** The connection pool. Statements on it commit one by one. */
export type Db = Postgres.Sql;
/** A transaction. Functions that lock, or write more than once, require it. */
export type Tx = Postgres.TransactionSql;
/** Either one, for a single statement that works alone and inside a transaction. */
export type Queryable = Postgres.ISql<Record<never, never>>;
/** A fragment of a statement. */
export type Part = Postgres.PendingQuery<Postgres.Row[]>;

const ACQUIRE_TIMEOUT_MS = 2_000;
/** Longer than any of PostgreSQL's own timeouts: it has stopped, or the network has. */
const SILENCE_TIMEOUT_MS = 20_000;
const MAX_ATTEMPTS = 3;
/** Before the second attempt; four times as long before the third. Up to twice as long by chance, so that two that met part. */
const RETRY_PAUSE_MS = 25;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
 * Deadlocks and serialization failures are tried again, three times in all, after a pause in which the other one can go on.
 * @throws ApiError service_unavailable when no connection comes free within two seconds (then nothing was done), or when the
 * database falls silent (then nobody knows whether it was committed).
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { result, list } = await commit(db, work);
  for (const followUp of list) await followUp(db);
  return result;
}

/**
 * Does something in a transaction that is always rolled back, and returns what `work` found in it. What `work` asks for after the commit is
 * not done. @throws as `transaction`
 */
export async function tryOut<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const found: T[] = [];
  const undone = new Error('The transaction is rolled back on purpose.');
  try {
    await transaction(db, async (tx) => {
      found[0] = await work(tx);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return found[0] as T;
}

async function commit<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<{ result: T; list: FollowUp[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const list: FollowUp[] = [];
    try {
      const result = await runOnce(db, (tx) => {
        followUps.set(tx, list);
        pools.set(tx, db);
        return work(tx);
      });
      return { result, list };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error;
    }
    await delay(RETRY_PAUSE_MS * 4 ** (attempt - 1) * (1 + Math.random()));
  }
}

const pools = new WeakMap<Queryable, Db>();

/** The pool of a transaction of `transaction`; any other is its own. */
export function poolOf(db: Queryable): Queryable {
  return pools.get(db) ?? db;
}

/** What a transaction has asked for after its commit. */
const followUps = new WeakMap<Tx, FollowUp[]>();
type FollowUp = (db: Db) => Promise<void>;

/**
 * Does something once the transaction is committed, and before its caller hears of that. If it fails, the caller gets its error, although
 * the transaction is committed.
 */
export function afterCommit(tx: Tx, followUp: FollowUp): void {
  const list = followUps.get(tx);
  if (list === undefined) throw new Error('Only a transaction of `transaction` has something after its commit.');
  list.push(followUp);
}

function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fate: Fate = { abandoned: false, ended: false };
    const giveUp = (message: string) => () => {
      fate.abandoned = true;
      reject(new ApiError('service_unavailable', message, { retryAfterSeconds: 2 }));
    };
    let timer = setTimeout(giveUp('The database is busy.'), ACQUIRE_TIMEOUT_MS * timeoutFactorOf(db));
    const begun = db.begin((tx) => {
      if (fate.abandoned) throw new Error(ABANDONED);
      clearTimeout(timer);
      timer = setTimeout(giveUp('The database does not answer.'), SILENCE_TIMEOUT_MS * timeoutFactorOf(db));
      return runWithin(fate, tx, work);
    });
    begun
      .then((result) => resolve(result as T), reject)
      .finally(() => {
        fate.ended = true;
        clearTimeout(timer);
      });
  });
}

/** `abandoned`: nobody waits for it any more. `ended`: it was committed or rolled back, or its connection was lost. */
type Fate = { abandoned: boolean; ended: boolean };

const ABANDONED = 'The client of this transaction has given up; the transaction is rolled back.';

/**
 * After the transaction has lost its connection, its statements must not run on the next connection, where each would
 * commit, and neither must a COMMIT or ROLLBACK: hence the promise that never settles.
 */
async function runWithin<T>(fate: Fate, tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const guarded = new Proxy(tx, {
    apply: (statement, self, values) => {
      if (fate.ended || fate.abandoned) throw new Error(ABANDONED);
      return Reflect.apply(statement, self, values);
    },
  });
  const never = new Promise<never>(() => undefined);
  try {
    const result = await work(guarded);
    if (fate.ended) return await never;
    if (fate.abandoned) throw new Error(ABANDONED);
    return result;
  } catch (error) {
    if (fate.ended || isConnectionLost(error)) return never;
    throw error;
  }
}

/**
 * Does parts of a transaction side by side: statements that do not wait for one another's answers are sent together, in the order of the
 * parts. When one part fails, its error is thrown after the others have ended: what they send after the rollback would be committed.
 */
export async function sideBySide<Parts extends readonly unknown[] | []>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  try {
    return await Promise.all(parts);
  } finally {
    await Promise.allSettled(parts);
  }
}

/**
 * Runs statements with plans for their actual values, because a plan that is fast for a rare text takes a second for a
 * common one. Costs a transaction.
 */
export async function planForValues<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    // A statement is sent when it is awaited, or executed: else what `work` awaits at once would be sent before.
    const planning = tx`SET LOCAL plan_cache_mode = force_custom_plan`.execute();
    const [, result] = await Promise.all([planning, work(tx)]);
    return result;
  });
}

/**
 * A fragment without values, such as a table's columns, built at its first use: building it takes the driver as long as
 * sending a short statement.
 */
export function constantPart<Part>(make: (db: Queryable) => Part): (db: Queryable) => Part {
  let part: Part | undefined;
  return (db) => {
    part ??= make(db);
    return part;
  };
}

/** No condition, where a statement has one only sometimes. */
export const emptyPart = constantPart((db) => db``);

/** UUIDs as an SQL array, sent as text: for an array the driver would first look up array types on every connection. */
export function idList(db: Queryable, ids: readonly string[]) {
  return db`string_to_array(${ids.join()}, ',')::uuid[]`;
}

/** The SQLSTATE of a PostgreSQL error, or the code of a lost connection; else undefined. */
export function databaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code;
}

/** The name of the violated constraint, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined;
}

/** Whether PostgreSQL undid a statement or a transaction because of others at the same time: a deadlock, a serialization failure. */
export function isConflict(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '40001' || code === '40P01';
}

const CONNECTION_CODES = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['TLS_NOT_OFFERED', 'TLS_FAILED', 'SESSION_REFUSED'],
]);

/** Timeouts of a statement, a lock, an idle or a whole transaction; each was rolled back. */
const TIMEOUT_CODES = new Set(['57014', '55P03', '25P03', '25P04']);

/** A write on a read-only server: a standby, or one that was made read-only. */
const READ_ONLY_CODE = '25006';

/** Whether an error means that the database is unavailable, restarting or out of resources: a 503, not a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code === undefined) return false;
  return isConnectionLost(error) || TIMEOUT_CODES.has(code) || code === READ_ONLY_CODE || /^(57P0|08|53)/.test(code);
}

/** Of system errors only those of a socket count (ECONNREFUSED, or ENOENT where it is gone), not those of a file. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return ['connect', 'getaddrinfo', 'read', 'write'].includes(String(error.syscall));
  return CONNECTION_CODES.has(databaseErrorCode(error) ?? '');
}
