/** Values by key, and the counter of changes that each was read at. Bounded; the entries used longest ago go first. */
export type Memory<Value> = {
  recall: (key: string) => { value: Value; changes: string } | undefined;
  remember: (key: string, changes: string, value: Value) => void;
};

/** Makes an empty memory of at most `maxEntries`. */
export function createMemory<Value>(maxEntries: number): Memory<Value> {
  const entries = new Map<string, { value: Value; changes: string }>();
  const put = (key: string, entry: { value: Value; changes: string }) => {
    entries.delete(key);
    entries.set(key, entry);
  };
  return {
    recall: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) put(key, entry);
      return entry;
    },
    remember: (key, changes, value) => {
      put(key, { value, changes });
      const oldest = entries.keys().next().value;
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}
