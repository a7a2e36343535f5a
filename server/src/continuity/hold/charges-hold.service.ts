import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { type Db, poolOf, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { isHeld, lockHold, selectHold } from './charges-hold.worker.queries.ts';

export { isSettled, lacksJournal, WENT_BACK } from './charges-hold.parts.queries.ts';
export { lockHold } from './charges-hold.worker.queries.ts';

/** Why and since when charges are held. */
export type Hold = {
  reason: string;
  since: Date;
  /**
   * `configuration`: `CHARGES=held` holds charges, refunds, billing runs and corrections.
   * The others also hold whatever issues a document, and what is sent to webhook endpoints, because the database may lack something:
   * `database`: its row holds every process; `process`: this process alone suspects it.
   */
  by: 'configuration' | 'database' | 'process';
};

/** The hold as this process knows it. */
export type ChargesHold = {
  /** The strictest hold, or null. That of the database is as it was last read: strict is only `assertNotHeld`. */
  current: () => Hold | null;
  isHeld: () => boolean;
  /** Whether documents and deliveries are held too, because the database may lack something. */
  isDatabaseSuspect: () => boolean;
  /** @throws ApiError charges_held while charges are held, as far as this process knows */
  refuse: () => void;
  /** Holds this process at once, for as long as this source has a reason; null ends it, and other sources' reasons stay. */
  suspect: (source: string, reason: string | null) => void;
  /** Reads the database's hold. */
  refresh: () => Promise<void>;
  /**
   * Lets the database be compared, because something names what it lacks; charges are held afterwards if it went back. Several doubts
   * within seconds are one. Nothing happens where nobody compares.
   */
  doubt: () => Promise<void>;
  /** Sets who compares the database, or nobody. */
  compareWith: (compare: (() => Promise<void>) | null) => void;
  /** Calls the listener after each change between held and not held. @returns what ends that */
  onChange: (listener: () => void) => () => void;
};

const REFRESH_MS = 1_000;
/** How long clients should wait: a hold lasts minutes or longer. */
const RETRY_AFTER_SECONDS = 60;

/** Begins with the configuration; the database's hold is read by `refresh`. */
export function openChargesHold({ charges }: { charges: 'on' | 'held' }, db: Db, now: Date): ChargesHold {
  const reason = 'The service was started with CHARGES=held.';
  const configured: Hold | null = charges === 'held' ? { reason, since: now, by: 'configuration' } : null;
  const suspicions = new Map<string, Hold>();
  let stored: Hold | null = null;
  let reads = 0;
  let compare: (() => Promise<void>) | null = null;
  const listeners = new Set<() => void>();
  suspicionsOf.set(db, suspicions);
  const current = () => stored ?? [...suspicions.values()][0] ?? configured;
  const change = (apply: () => void) => {
    const wasHeld = current() !== null;
    apply();
    if (wasHeld !== (current() !== null)) for (const listener of listeners) listener();
  };
  return {
    current,
    isHeld: () => current() !== null,
    isDatabaseSuspect: () => (current()?.by ?? 'configuration') !== 'configuration',
    refuse: () => {
      if (current() !== null) throw chargesHeld();
    },
    suspect: (source, why) =>
      change(() => {
        if (why === null) suspicions.delete(source);
        else if (suspicions.get(source)?.reason !== why)
          suspicions.set(source, { reason: why, since: new Date(), by: 'process' });
      }),
    refresh: async () => {
      reads += 1;
      const read = reads;
      const row = await selectHold(db);
      // An answer that a later question overtook is out of date.
      if (read !== reads) return;
      change(() => {
        stored = row === null ? null : { ...row, by: 'database' };
      });
    },
    doubt: async () => compare?.(),
    compareWith: (by) => {
      compare = by;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Reads the database's hold each second, and logs when charges are held from now on or no longer. */
export function watchChargesHold({ current, refresh, onChange }: ChargesHold, log: FastifyBaseLogger): Worker {
  const logHold = () => {
    const hold = current();
    if (hold === null) log.info('charges are no longer held');
    else log.warn({ reason: hold.reason, since: hold.since }, 'charges are held');
  };
  if (current() !== null) logHold();
  onChange(logHold);
  return repeatEvery({
    work: refresh,
    logFailure: () => undefined, // While the database is away, all other work says so, and the hold stays as it is.
    everyMs: REFRESH_MS,
    firstAfterMs: REFRESH_MS,
  });
}

/** By pool: why its process holds itself. */
const suspicionsOf = new WeakMap<Queryable, ReadonlyMap<string, Hold>>();

/**
 * Reads the database's hold itself. Send it together with the first statements of a transaction that charges, refunds, corrects, issues a
 * document or begins to bill. What this process suspects counts too: a request that has waited for a connection may get one to a database
 * that went back, and nobody has written the hold there yet. @throws ApiError charges_held
 */
export async function assertNotHeld(db: Queryable): Promise<void> {
  if (recovering.has(db)) return;
  const isSuspect = () => (suspicionsOf.get(poolOf(db))?.size ?? 0) > 0;
  if ((await isHeld(db)) || isSuspect()) throw chargesHeld();
}

/** The transactions of `transactionWhileHeld`. */
const recovering = new WeakSet<Queryable>();

/**
 * Runs a transaction that brings back what the database has lost. `assertNotHeld` lets it pass, and the hold can't end before it has: until
 * then nobody else charges, issues or corrects anything. Without a hold it is a transaction like any other.
 */
export async function transactionWhileHeld<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    if (await lockHold(tx)) recovering.add(tx);
    return work(tx);
  });
}

/** The error of what is not done while charges are held. */
export function chargesHeld(): ApiError {
  const message = 'Charges are held, so the request was refused and nothing was changed. GET /readyz says why.';
  return new ApiError('charges_held', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
