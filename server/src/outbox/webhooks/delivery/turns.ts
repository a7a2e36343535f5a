/** Lets each key have so many at a time; the others wait for their turn, the first come first. */
export type Turns = {
  /** Resolves when it is this one's turn, which `end` ends. @returns whether it has waited */
  begin: (key: string) => Promise<boolean>;
  end: (key: string) => void;
};

type Taken = { count: number; waiting: (() => void)[] };

/** Keeps turns in memory, and forgets keys that have none. */
export function createTurns(perKey: number): Turns {
  const byKey = new Map<string, Taken>();
  return {
    begin: async (key) => {
      const taken = byKey.get(key) ?? { count: 0, waiting: [] };
      byKey.set(key, taken);
      const hasToWait = taken.count >= perKey;
      if (hasToWait) await new Promise<void>((resolve) => taken.waiting.push(resolve));
      else taken.count += 1;
      return hasToWait;
    },
    end: (key) => {
      const taken = byKey.get(key);
      if (taken === undefined) return;
      const next = taken.waiting.shift();
      if (next !== undefined) return next();
      taken.count -= 1;
      if (taken.count === 0) byKey.delete(key);
    },
  };
}
