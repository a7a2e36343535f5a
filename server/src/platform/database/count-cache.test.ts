import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createCountCache } from './count-cache.ts';

const MAX_ENTRIES = 10_000;

/** The database's state: the number of rows, and the counter of their changes. */
function counted(count: number, changes: string) {
  return vi.fn(async () => ({ count, changes }));
}

describe('a cached count', () => {
  it('is valid while the change counter is the same, without counting again', async () => {
    const cache = createCountCache();
    const count = counted(7, '3');
    expect(await cache.find('a', '3', count)).toBe(7);
    expect(await cache.find('a', '3', count)).toBe(7);
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('is counted again once the counter differs, whether higher or lower', async () => {
    const cache = createCountCache();
    await cache.find('a', '3', counted(7, '3'));
    expect(await cache.find('a', '4', counted(8, '4'))).toBe(8);
    expect(await cache.find('a', '3', counted(9, '5'))).toBe(9);
  });

  it('compares the counter as text: 2^53 and 2^53 + 1 differ', async () => {
    const cache = createCountCache();
    await cache.find('a', '9007199254740992', counted(7, '9007199254740992'));
    expect(await cache.find('a', '9007199254740993', counted(8, '9007199254740993'))).toBe(8);
  });

  it('belongs to one key', async () => {
    const cache = createCountCache();
    await cache.find('a', '3', counted(7, '3'));
    expect(await cache.find('b', '3', counted(1, '3'))).toBe(1);
    expect(await cache.find('a', '3', counted(0, '3'))).toBe(7);
  });

  it('is valid for the counter at which it was counted, not for that of the page before', async () => {
    const cache = createCountCache();
    expect(await cache.find('a', '3', counted(8, '4'))).toBe(8);
    const again = counted(8, '4');
    expect(await cache.find('a', '3', again)).toBe(8);
    expect(again).toHaveBeenCalledTimes(1);
    expect(await cache.find('a', '4', counted(0, '4'))).toBe(8);
  });

  it('is not cached when counting failed', async () => {
    const cache = createCountCache();
    await expect(cache.find('a', '3', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.find('a', '3', counted(7, '3'))).toBe(7);
  });

  it('is cached when it is zero', async () => {
    const cache = createCountCache();
    await cache.find('a', '3', counted(0, '3'));
    const again = counted(1, '3');
    expect(await cache.find('a', '3', again)).toBe(0);
    expect(again).not.toHaveBeenCalled();
  });
});

describe('the cache', () => {
  it('is bounded: with 10,001 entries the least recently used one is evicted', async () => {
    const cache = createCountCache();
    for (let key = 0; key < MAX_ENTRIES; key += 1) await cache.find(String(key), '1', counted(key, '1'));
    const first = counted(-1, '1');
    await cache.find('0', '1', first);
    expect(first).not.toHaveBeenCalled();

    await cache.find('one more', '1', counted(1, '1'));
    const [used, longestUnused] = [counted(-1, '1'), counted(1, '1')];
    expect(await cache.find('0', '1', used)).toBe(0);
    expect(await cache.find('1', '1', longestUnused)).toBe(1);
    expect([used, longestUnused].map((count) => count.mock.calls.length)).toEqual([0, 1]);
  });
});

describe('any number of caches over changing rows', () => {
  const step = fc.record({
    cache: fc.nat({ max: 2 }),
    key: fc.constantFrom('a', 'b'),
    /** How many rows of the key are added or removed before and during the count. */
    before: fc.integer({ min: -2, max: 2 }),
    meanwhile: fc.integer({ min: -2, max: 2 }),
  });

  it('never return a stale count: it is that of the page, or a later one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const caches = [createCountCache(), createCountCache(), createCountCache()];
        const rows = new Map([
          ['a', 10],
          ['b', 10],
        ]);
        let changes = 0;
        const write = (key: string, difference: number) => {
          if (difference === 0) return;
          rows.set(key, (rows.get(key) ?? 0) + difference);
          changes += 1;
        };
        for (const { cache, key, before, meanwhile } of steps) {
          write(key, before);
          const ofThePage = rows.get(key);
          const found = await caches[cache]?.find(key, String(changes), async () => {
            write(key, meanwhile);
            return { count: rows.get(key) ?? 0, changes: String(changes) };
          });
          expect([ofThePage, rows.get(key)]).toContain(found);
        }
      }),
    );
  });
});
