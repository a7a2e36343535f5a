import { setTimeout as sleep } from 'node:timers/promises';

/** Work in the background. `stop` begins nothing new, ends running work as soon as possible, and waits for it. */
export type Worker = { stop: () => Promise<void> };

export type Repetition = {
  /** It ends as soon as it can once the signal is aborted. */
  work: (signal: AbortSignal) => Promise<void>;
  /** Logs that the work failed. It is retried. */
  logFailure: (error: unknown) => void;
  /** The delay from the end of the work until it begins again, and the delay before the first time. */
  everyMs: number;
  firstAfterMs?: number;
  /** What the work waits for after the delay (`platform/queue/due/due.ts`). It resolves to false once the signal is aborted. */
  untilDue?: (signal: AbortSignal) => Promise<boolean>;
};

/** Repeats work in the background until it is stopped. */
export function repeatEvery({
  work,
  logFailure,
  everyMs,
  firstAfterMs = 0,
  untilDue = async () => true,
}: Repetition): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    let pauseMs = firstAfterMs;
    while ((await pause(pauseMs, signal)) && (await untilDue(signal))) {
      await work(signal).catch(logFailure);
      pauseMs = everyMs;
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Its rhythm is how often to look for names. */
export type Rounds = Pick<Repetition, 'everyMs' | 'firstAfterMs' | 'untilDue'> & {
  /** The names that have work to do. */
  find: () => Promise<readonly string[]>;
  /**
   * One round for a name, until nothing is left to do for now. It ends as soon as it can once the signal is aborted.
   */
  work: (name: string, signal: AbortSignal) => Promise<void>;
  /** Logs a failure of either. It is retried. */
  logFailure: (error: unknown) => void;
};

/**
 * Runs rounds of work in the background, each for one name. Each name has at most one round at a time and waits for no
 * other, so that a round that hangs blocks only its own name. `stop` waits for all of them.
 */
export function repeatRounds({ find, work, logFailure, ...rhythm }: Rounds): Worker {
  const rounds = new Map<string, Promise<void>>();
  const beginRounds = async (signal: AbortSignal) => {
    for (const name of await find()) {
      if (signal.aborted || rounds.has(name)) continue;
      const round = work(name, signal).catch(logFailure);
      rounds.set(
        name,
        round.finally(() => rounds.delete(name)),
      );
    }
  };
  const finder = repeatEvery({ work: beginRounds, logFailure, ...rhythm });
  return {
    stop: async () => {
      await finder.stop();
      await Promise.all(rounds.values());
    },
  };
}

/** Waits. False when aborted. The timer alone does not keep the process alive. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  if (durationMs === 0) return !signal.aborted;
  return sleep(durationMs, true, { signal, ref: false }).catch(() => false);
}
