import { setTimeout as sleep } from 'node:timers/promises';

/** Work in the background. `stop` begins nothing new, ends what is begun as soon as it can, and waits for that. */
export type Worker = { stop: () => Promise<void> };

/** Work that comes by itself. It may be done twice, or by two processes at once: whoever does it sees what is left to do. */
export type Job = {
  /** Unique. */
  name: string;
  /** When, in UTC: `minute hour day month weekday`. */
  cron: string;
  /** Ends early, as soon as it can, once the signal says so. */
  work: (signal: AbortSignal) => Promise<void>;
};

/**
 * Does one turn after the other, in the background, until it is stopped. A turn must not reject: it logs what went wrong by itself.
 * @param turn - answers after how many milliseconds the next one comes
 */
export function repeat(
  turn: (signal: AbortSignal) => Promise<number>,
  { firstAfterMs = 0 }: { firstAfterMs?: number } = {},
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    let pauseMs = firstAfterMs;
    while (await pause(pauseMs, signal)) pauseMs = await turn(signal);
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

export type Rounds = {
  /** The names for which there is something to do. */
  find: () => Promise<readonly string[]>;
  /** A round for one of them, until nothing is left to do for now. It ends as soon as it can once the signal is aborted. */
  work: (name: string, signal: AbortSignal) => Promise<void>;
  /** Of either of them. What failed is tried again. */
  logFailure: (error: unknown) => void;
  /** How often names are looked for, and after how long first. */
  everyMs: number;
  firstAfterMs?: number;
};

/**
 * Does rounds of work in the background, each for one name. At most one is under way for each name, and none waits for another's: one
 * that hangs holds up its own name alone. `stop` waits for all of them.
 */
export function repeatRounds({ find, work, logFailure, everyMs, firstAfterMs = 0 }: Rounds): Worker {
  const rounds = new Map<string, Promise<void>>();
  const findNames = () =>
    find().catch((error) => {
      logFailure(error);
      return [];
    });
  const finder = repeat(
    async (signal) => {
      for (const name of await findNames()) {
        if (signal.aborted || rounds.has(name)) continue;
        const round = work(name, signal).catch(logFailure);
        rounds.set(
          name,
          round.finally(() => rounds.delete(name)),
        );
      }
      return everyMs;
    },
    { firstAfterMs },
  );
  return {
    stop: async () => {
      await finder.stop();
      await Promise.all(rounds.values());
    },
  };
}

/** False when it was ended early. It alone does not keep the process alive. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  if (durationMs === 0) return !signal.aborted;
  return sleep(durationMs, true, { signal, ref: false }).catch(() => false);
}
