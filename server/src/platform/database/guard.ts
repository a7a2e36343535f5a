import { ApiError } from '../errors.ts';
import { type Db, databaseErrorCode, patienceOf } from './database.ts';

const PROBE_INTERVAL_MS = 250;
/** Six probes in a row without an answer, 1.5 s: whatever came now would wait at least as long. */
const SATURATED_AFTER_PROBES = 6;
/** 4 s: longer than a transaction waits for its connection, so that one that never began says so itself. */
const GIVEN_UP_AFTER_PROBES = 16;
const MAX_WAITING_PROBES = 8;
const READINESS_PATIENCE_MS = 1_000;

/** `write` is for work that may be inside a transaction: it is given up later, since its outcome is then unknown. */
export type Work = 'read' | 'write';

/** Watches whether the database still answers, so that requests need not queue behind one that doesn't. */
export type DatabaseGuard = {
  /** True while trivial queries have been waiting for longer than they ever should: every connection is busy, or stuck. */
  isSaturated: () => boolean;
  /** Whether a trivial query gets through within a second, to a server that takes writes. */
  answers: () => Promise<boolean>;
  /** Resolves as `work` does, but rejects with a 503 once the database has stopped answering: after 1.5 s for reads, 4 s for writes. */
  guarded: <T>(work: Promise<T>, kind: Work) => Promise<T>;
  stop: () => void;
};

/**
 * Probes the pool with `SELECT 1` four times a second. A single probe may be unlucky, pipelined behind a slow statement while
 * other connections are free, so that any one that gets through counts. Silence is counted in probes, not in time: a process
 * that was itself held up must not blame the database.
 */
export function guardDatabase(db: Db): DatabaseGuard {
  let waitingProbes = 0;
  let heard = true;
  let silentProbes = 0;
  const waiting = { read: createPlaces<() => void>(), write: createPlaces<() => void>() };

  const probe = async () => {
    waitingProbes += 1;
    const wasHeard = await db`SELECT 1`.then(() => true, isAnswer);
    waitingProbes -= 1;
    heard ||= wasHeard;
  };
  const timer = setInterval(() => {
    silentProbes = heard ? 0 : silentProbes + 1;
    heard = false;
    if (silentProbes >= SATURATED_AFTER_PROBES) for (const giveUp of waiting.read.list()) giveUp();
    if (silentProbes >= GIVEN_UP_AFTER_PROBES) for (const giveUp of waiting.write.list()) giveUp();
    if (waitingProbes < MAX_WAITING_PROBES) void probe();
  }, PROBE_INTERVAL_MS * patienceOf(db));
  timer.unref();
  const isSaturated = () => silentProbes >= SATURATED_AFTER_PROBES;

  return {
    isSaturated,
    answers: async () => !isSaturated() && (await answersInTime(db)),
    guarded: (work, kind) =>
      new Promise((resolve, reject) => {
        const giveUp = () =>
          reject(new ApiError('service_unavailable', 'The database is busy.', { retryAfterSeconds: 2 }));
        const place = waiting[kind].take(giveUp);
        const over = () => waiting[kind].free(place);
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
 * A set for what comes and goes with every request. In a Set, the tables that it outgrows keep what was in them until a full
 * collection, and so everything that a request was made of: half of what collecting costs.
 */
function createPlaces<Item>() {
  const items: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    take: (item: Item): number => {
      const place = free.pop() ?? items.length;
      items[place] = item;
      return place;
    },
    free: (place: number): void => {
      items[place] = undefined;
      free.push(place);
    },
    list: (): Item[] => items.filter((item) => item !== undefined),
  };
}

/**
 * A refusal is an answer too: queries fail then by themselves. A connection that nobody took up is silence, whereas queries on
 * older connections wait as long as it lasts: a stopped PostgreSQL has both.
 */
function isAnswer(error: unknown): boolean {
  return databaseErrorCode(error) !== 'CONNECT_TIMEOUT';
}

async function answersInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, READINESS_PATIENCE_MS * patienceOf(db), false);
  });
  const answer = db<{ isReadOnly: boolean }[]>`
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`.then(
    ([server]) => server?.isReadOnly === false,
    () => false,
  );
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}
