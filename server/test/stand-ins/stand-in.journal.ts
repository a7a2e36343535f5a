/** Keeps the books of a stand-in when its process is killed: each change is written as a line to a file before it is answered. */
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * The collections by name: maps, whose entries are found by an id and may change, and lists, which only grow. Their
 * values must survive JSON.
 */
export type Collections = { maps: Record<string, Map<string, unknown>>; lists: Record<string, unknown[]> };

/**
 * `note` writes the current values of these ids and the new entries of the lists. `clear` writes that a map was
 * emptied.
 */
export type Journal = { note: (ids: readonly (string | undefined)[]) => void; clear: (map: string) => void };

type Line = {
  maps: [name: string, id: string, value: unknown][];
  lists: [name: string, values: unknown[]][];
  cleared?: string;
};

/** Fills the collections from the file, and appends further changes to it. */
export function openJournal(path: string, { maps, lists }: Collections): Journal {
  for (const text of existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []) {
    const line = JSON.parse(text) as Line;
    if (line.cleared !== undefined) maps[line.cleared]?.clear();
    for (const [name, id, value] of line.maps) maps[name]?.set(id, value);
    for (const [name, values] of line.lists) lists[name]?.push(...values);
  }
  const file = openSync(path, 'a', 0o600);
  const written = new Map(Object.entries(lists).map(([name, values]) => [name, values.length]));
  // One system call, so that a kill leaves the whole line or nothing.
  const write = (line: Line) => writeSync(file, `${JSON.stringify(line)}\n`);
  return {
    note(ids) {
      const changed = Object.entries(maps).flatMap(([name, map]) =>
        ids.flatMap((id): Line['maps'] => (id !== undefined && map.has(id) ? [[name, id, map.get(id)]] : [])),
      );
      const grown = Object.entries(lists).map(([name, values]): Line['lists'][number] => {
        const added = values.slice(written.get(name));
        written.set(name, values.length);
        return [name, added];
      });
      write({ maps: changed, lists: grown.filter(([, added]) => added.length > 0) });
    },
    clear: (map) => write({ maps: [], lists: [], cleared: map }),
  };
}
