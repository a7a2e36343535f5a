import { ApiError } from '../errors.ts';
import { type Db, databaseErrorCode } from './database.ts';
import { timeoutFactorOf } from './pool.ts';

const PROBE_INTERVAL_MS = 250;
/** One probe a second while nobody waits for the database and every probe was answered. */
const IDLE_TICKS = 4;
/** Six unanswered probes in a row, 1.5 s: new work would wait at least as long. */
const SATURATED_AFTER_PROBES = 6;
/** 4 s: longer than a transaction waits for its connection, so that one that never began reports that itself. */
const GIVEN_UP_AFTER_PROBES = 16;
const MAX_WAITING_PROBES = 8;
const READINESS_TIMEOUT_MS = 1_000;

/** `write` is for work that may be in a transaction: it fails later, because its outcome is then unknown. */
export type Work = 'read' | 'write';

/** Watches whether the database answers, so that requests need not queue while it does not. */
export type DatabaseGuard = {
  /** Whether trivial queries have waited longer than they ever should: every connection is busy or stuck. */
  isSaturated: () => boolean;
  /** Whether a trivial query succeeds within a second, on a server that accepts writes. */
  answers: () => Promise<boolean>;
  /**
   * Resolves as `work` does, but rejects with a 503 once the database has stopped answering: after 1.5 s for reads, 4 s
   * for writes.
   */
  guarded: <T>(work: Promise<T>, kind: Work) => Promise<T>;
  stop: () => void;
};

/**
 * Probes the pool with `SELECT 1` four times a second, and once a second while no work is asked for. One probe may be pipelined behind
 * a slow statement while other connections are free, so any answered probe counts. Silence is counted in probes, not in time, because
 * this process itself may have been blocked.
 */
export function guardDatabase(db: Db): DatabaseGuard {
  let waitingProbes = 0;
  let hasAnswered = true;
  let silentProbes = 0;
  let idleTicks = 0;
  const waiting = { read: createSlots<() => void>(), write: createSlots<() => void>() };

  const probe = async () => {
    waitingProbes += 1;
    const hasAnsweredProbe = await db`SELECT 1`.then(() => true, isAnswer);
    waitingProbes -= 1;
    hasAnswered ||= hasAnsweredProbe;
  };
  const timer = setInterval(() => {
    idleTicks += 1;
    if (hasAnswered && waitingProbes === 0 && idleTicks < IDLE_TICKS) return;
    idleTicks = 0;
    silentProbes = hasAnswered ? 0 : silentProbes + 1;
    hasAnswered = false;
    if (silentProbes >= SATURATED_AFTER_PROBES) for (const giveUp of waiting.read.list()) giveUp();
    if (silentProbes >= GIVEN_UP_AFTER_PROBES) for (const giveUp of waiting.write.list()) giveUp();
    if (waitingProbes < MAX_WAITING_PROBES) void probe();
  }, PROBE_INTERVAL_MS * timeoutFactorOf(db));
  timer.unref();
  const isSaturated = () => silentProbes >= SATURATED_AFTER_PROBES;

  return {
    isSaturated,
    answers: async () => !isSaturated() && (await answersInTime(db)),
    guarded: (work, kind) =>
      new Promise((resolve, reject) => {
        idleTicks = IDLE_TICKS;
        const giveUp = () =>
          reject(new ApiError('service_unavailable', 'The database is busy.', { retryAfterSeconds: 2 }));
        const slot = waiting[kind].take(giveUp);
        const over = () => waiting[kind].free(slot);
        work.then(
          (result) => {
            over();
            resolve(result);
          },
          (error) => {
            over();
            reject(error);
          },
        );
      }),
    stop: () => clearInterval(timer),
  };
}

/**
 * A set for short-lived entries. A built-in Set keeps references in its outgrown tables until a full collection, which
 * made up half of the collector's cost.
 */
function createSlots<Item>() {
  const items: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    take: (item: Item): number => {
      const slot = free.pop() ?? items.length;
      items[slot] = item;
      return slot;
    },
    free: (slot: number): void => {
      items[slot] = undefined;
      free.push(slot);
    },
    list: (): Item[] => items.filter((item) => item !== undefined),
  };
}

/**
 * A refusal is an answer too: queries then fail by themselves. A login that is never answered is silence, because
 * queries on open connections wait as long: a stopped PostgreSQL causes both.
 */
function isAnswer(error: unknown): boolean {
  return databaseErrorCode(error) !== 'CONNECT_TIMEOUT';
}

async function answersInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, READINESS_TIMEOUT_MS * timeoutFactorOf(db), false);
  });
  const answer = db<{ isReadOnly: boolean }[]>`
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`.then(
    ([server]) => server?.isReadOnly === false,
    () => false,
  );
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
