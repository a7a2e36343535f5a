import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 10_000;

/**
 * Remembers counts for as long as what they count stands still. The database keeps a counter of changes beside the rows;
 * a count is good while that counter reads the same, so a remembered count is as exact as a fresh one.
 */
export type CountCache = {
  /** The count for `key` as of `changes`, taken by `count` when it is not remembered. */
  find: (key: string, changes: string, count: () => Promise<{ count: number; changes: string }>) => Promise<number>;
};

/** Makes an empty cache, bounded; the entries used longest ago go first. */
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
