import { ApiError } from '../errors.ts';
import type { Db } from './database.ts';

const PROBE_INTERVAL_MS = 500;
const SATURATED_AFTER_MS = 1_500;

/** Watches whether the database still answers, so that requests need not queue behind one that doesn't. */
export type DatabaseGuard = {
  /** True while a trivial query has been waiting for longer than it ever should. */
  isSaturated: () => boolean;
  /** Resolves as `work` does, but rejects with a 503 as soon as the database stops answering. */
  guarded: <T>(work: Promise<T>) => Promise<T>;
  stop: () => void;
};

/** Starts probing the pool with `SELECT 1` twice a second. */
export function guardDatabase(db: Db): DatabaseGuard {
  let probeStartedAtMs: number | null = null;
  let rejectWaiting = new Set<(error: ApiError) => void>();

  const isSaturated = () => probeStartedAtMs !== null && performance.now() - probeStartedAtMs > SATURATED_AFTER_MS;

  const timer = setInterval(() => {
    if (isSaturated()) {
      const waiting = rejectWaiting;
      rejectWaiting = new Set();
      for (const reject of waiting) reject(busy());
    }
    if (probeStartedAtMs !== null) return;
    probeStartedAtMs = performance.now();
    const done = () => {
      probeStartedAtMs = null;
    };
    db`SELECT 1`.then(done, done);
  }, PROBE_INTERVAL_MS);
  timer.unref();

  return {
    isSaturated,
    guarded: (work) =>
      new Promise((resolve, reject) => {
        rejectWaiting.add(reject);
        work.then(
          (value) => {
            rejectWaiting.delete(reject);
            resolve(value);
          },
          (error) => {
            rejectWaiting.delete(reject);
            reject(error);
          },
        );
      }),
    stop: () => clearInterval(timer),
  };
}

function busy(): ApiError {
  return new ApiError('service_unavailable', 'The database is busy.', { retryAfterSeconds: 2 });
}
