import { LRUCache } from 'lru-cache';

/** So many unknown links an address may open in a window of ten minutes. */
const MOST_UNKNOWN = 200;
const WINDOW_MS = 600_000;
const MAX_NETWORKS = 100_000;

/**
 * Counts the links that open nothing, by the network of who opens them, in memory: guessing is hopeless, and the limit only keeps it from
 * taking time. Each process counts by itself.
 */
export type UnknownLinks = {
  /** Counts one. @returns the seconds until the next one is answered, or null when this one is */
  count: (network: string) => number | null;
};

/** Creates the counters of a process. */
export function createUnknownLinks(): UnknownLinks {
  const counts = new LRUCache<string, { taken: number }>({ max: MAX_NETWORKS, ttl: WINDOW_MS });
  return {
    count: (network) => {
      const known = counts.get(network);
      if (known === undefined) counts.set(network, { taken: 1 });
      else if (known.taken < MOST_UNKNOWN) known.taken += 1;
      else return Math.max(1, Math.ceil(counts.getRemainingTTL(network) / 1000));
      return null;
    },
  };
}
