import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 10_000;

/**
 * Caches counts until the counted rows change. The database keeps a change counter beside the rows; a count is valid
 * while that counter is the same, so a cached count is as exact as a new one.
 */
export type CountCache = {
  /** The count for `key` as of `changes`; calls `count` when it is not cached. */
  find: (key: string, changes: string, count: () => Promise<{ count: number; changes: string }>) => Promise<number>;
};

/** Creates an empty bounded LRU cache. */
export function createCountCache(): CountCache {
  const counts = new LRUCache<string, { count: number; changes: string }>({ max: MAX_ENTRIES });
  return {
    find: async (key, changes, count) => {
      const known = counts.get(key);
      if (known?.changes === changes) return known.count;
      const fresh = await count();
      counts.set(key, fresh);
      return fresh.count;
    },
  };
}
