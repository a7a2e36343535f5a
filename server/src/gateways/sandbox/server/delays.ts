/** What waits because of a fault: requests that are answered later, or effects that come later. */
export type Delays = {
  /** Calls `end` after this time, or sooner when all are ended; or instead `drop` when the gateway closes. */
  start(delayMs: number, end: () => unknown, drop?: () => void): void;
  /** How many have not ended yet. A promise that `end` returns is part of it. */
  count(): number;
  /** Resolves when all that wait have ended. */
  endAll(): Promise<void>;
  dropAll(): void;
};

type Waiting = { timer: NodeJS.Timeout; end: () => unknown; drop: () => void };

/** Creates delays of which none has begun. */
export function createDelays(): Delays {
  const waiting = new Set<Waiting>();
  const ending = new Set<Waiting>();

  async function finish(one: Waiting): Promise<void> {
    clearTimeout(one.timer);
    waiting.delete(one);
    ending.add(one);
    await Promise.resolve(one.end()).finally(() => ending.delete(one));
  }

  return {
    start(delayMs, end, drop = () => undefined) {
      const one: Waiting = { timer: setTimeout(() => void finish(one), delayMs), end, drop };
      waiting.add(one);
    },
    count: () => waiting.size + ending.size,
    async endAll() {
      await Promise.all([...waiting].map(finish));
    },
    dropAll() {
      for (const { timer, drop } of waiting) {
        clearTimeout(timer);
        drop();
      }
      waiting.clear();
    },
  };
}

/** Waits for this time, or until all delays are ended. Rejects when they are dropped. */
export function waitFor(delays: Delays, delayMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  delays.start(delayMs, resolve, () => reject(new Error('The gateway was closed.')));
  return promise;
}
