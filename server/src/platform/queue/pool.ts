import type { Worker } from '../background/background.ts';

export type Pool<Claimed> = {
  /** Claims up to `limit` jobs; null ends the pool as soon as the running jobs have ended. */
  claim: (limit: number) => Promise<readonly Claimed[] | null>;
  /** Does one job. It never rejects. */
  perform: (job: Claimed) => Promise<void>;
  /** How many jobs run at a time. */
  atOnce: () => number;
  /** How many jobs one claim takes at most, when that is fewer. */
  claimedAtOnce?: number;
  /** How often to look for due jobs. Whenever a job ends, the pool looks at once, because others may be due. */
  idleMs: number;
  /** Resolves when something is due before that (`due/due.ts`), or the signal is aborted. */
  untilDue?: (signal: AbortSignal) => Promise<unknown>;
  /** Ends the pool when nothing is due and nothing runs. */
  endsWhenIdle?: boolean;
};

/**
 * Performs due jobs, several at a time, until the signal is aborted or the pool ends; then waits for the running jobs.
 * @throws what `claim` throws, once the running jobs have ended
 */
export async function runPool<Claimed>(pool: Pool<Claimed>, signal: AbortSignal): Promise<void> {
  const { claim, perform, atOnce, claimedAtOnce = Number.POSITIVE_INFINITY, endsWhenIdle = false } = pool;
  const running = new Set<Promise<void>>();
  let endedCount = 0;
  const begin = (job: Claimed) => {
    const work = perform(job).then(() => {
      running.delete(work);
      endedCount += 1;
    });
    running.add(work);
  };
  const claimAndBegin = async (): Promise<'full' | 'idle' | 'over'> => {
    const limit = Math.min(atOnce() - running.size, claimedAtOnce);
    if (limit <= 0) return 'idle';
    const claimed = await claim(limit);
    for (const job of claimed ?? []) begin(job);
    return claimed === null ? 'over' : claimed.length === limit ? 'full' : 'idle';
  };
  try {
    while (!signal.aborted) {
      const endedBefore = endedCount;
      const state = await claimAndBegin();
      if (state === 'over' || (endsWhenIdle && running.size === 0)) return;
      if (state === 'full' && running.size < atOnce()) continue;
      if (endedCount === endedBefore) await waitForEndOr(pool, running, signal);
    }
  } finally {
    await Promise.all(running);
  }
}

/** Waits for the first job that ends, for the abortion, for what is due, or until the time is over. No timer keeps the process alive. */
function waitForEndOr(
  { idleMs, untilDue }: Pick<Pool<never>, 'idleMs' | 'untilDue'>,
  running: ReadonlySet<Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const over = new AbortController();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, idleMs).unref();
    signal.addEventListener('abort', end, { once: true });
    if (running.size > 0) Promise.race(running).then(end);
    untilDue?.(over.signal).then(end);
  });
}

/** Performs due jobs in the background. `stop` claims nothing new, and waits for the running jobs. A claim that fails is repeated. */
export function startPool<Claimed>({ claim, ...pool }: Pool<Claimed>, logFailure: (error: unknown) => void): Worker {
  const stopping = new AbortController();
  const claimOrLog = async (limit: number) => {
    try {
      return await claim(limit);
    } catch (error) {
      logFailure(error);
      return [];
    }
  };
  const running = runPool({ ...pool, claim: claimOrLog }, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
