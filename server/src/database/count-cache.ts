import { createMemory } from './memory.ts';

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
  const memory = createMemory<number>(MAX_ENTRIES);
  return {
    find: async (key, changes, count) => {
      const known = memory.recall(key);
      if (known?.changes === changes) return known.value;
      const fresh = await count();
      memory.remember(key, fresh.changes, fresh.count);
      return fresh.count;
    },
  };
}
