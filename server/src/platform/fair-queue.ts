/**
 * A fair queue. Items wait in nested lanes; the outermost lanes take turns, and so do the lanes within each. Whoever
 * fills a lane waits behind its own items, and delays each neighbour by one turn.
 */
type Lane<T> = { size: number; lanes: Map<string, Lane<T>>; waiting: Set<T> };

export type FairQueue<T> = {
  /** Adds an item under its path, outermost lane first. All paths of a queue have the same length. */
  add: (path: readonly string[], item: T) => void;
  /** Removes an item before its turn. */
  remove: (path: readonly string[], item: T) => void;
  /** Takes the next item in turn from the outermost lanes that are ready; undefined when there is none. */
  take: (isReady?: (lane: string) => boolean) => T | undefined;
  /** Takes the item that was added last to the longest lane. */
  takeFromLongest: () => T | undefined;
  size: () => number;
  /** How many items wait in an outermost lane. */
  sizeOf: (lane: string) => number;
  /** How many items wait in the longest of the outermost lanes. */
  sizeOfLongest: () => number;
};

/** An empty queue in memory. Adding and taking depend only on the depth of the lanes. */
export function createFairQueue<T>(): FairQueue<T> {
  const root = newLane<T>();
  const takeBy = (choose: (lane: Lane<T>) => string | undefined, pick: (waiting: Set<T>) => T | undefined) => {
    const path: string[] = [];
    let lane = root;
    for (let name = choose(lane); name !== undefined; name = choose(lane)) {
      path.push(name);
      lane = lane.lanes.get(name) ?? lane;
    }
    const item = pick(lane.waiting);
    if (item !== undefined) remove(root, path, item);
    return item;
  };
  return {
    add: (path, item) => add(root, path, item),
    remove: (path, item) => remove(root, path, item),
    take: (isReady = () => true) => {
      const choose = (lane: Lane<T>) => nextInTurn(lane, lane === root ? isReady : () => true);
      return takeBy(choose, ([first]) => first);
    },
    takeFromLongest: () => takeBy(longest, (waiting) => [...waiting].at(-1)),
    size: () => root.size,
    sizeOf: (lane) => root.lanes.get(lane)?.size ?? 0,
    sizeOfLongest: () => root.lanes.get(longest(root) ?? '')?.size ?? 0,
  };
}

function newLane<T>(): Lane<T> {
  return { size: 0, lanes: new Map(), waiting: new Set() };
}

function add<T>(lane: Lane<T>, [name, ...rest]: readonly string[], item: T): void {
  lane.size += 1;
  if (name === undefined) {
    lane.waiting.add(item);
    return;
  }
  const inner = lane.lanes.get(name) ?? newLane<T>();
  lane.lanes.set(name, inner);
  add(inner, rest, item);
}

/** @returns whether it was there */
function remove<T>(lane: Lane<T>, [name, ...rest]: readonly string[], item: T): boolean {
  const inner = name === undefined ? undefined : lane.lanes.get(name);
  const isRemoved = inner === undefined ? lane.waiting.delete(item) : remove(inner, rest, item);
  if (isRemoved) lane.size -= 1;
  if (inner?.size === 0) lane.lanes.delete(name ?? '');
  return isRemoved;
}

/** The first ready lane of the map, which then becomes the last one: a map keeps insertion order. */
function nextInTurn<T>({ lanes }: Lane<T>, isReady: (name: string) => boolean): string | undefined {
  for (const [name, lane] of lanes) {
    if (!isReady(name)) continue;
    lanes.delete(name);
    lanes.set(name, lane);
    return name;
  }
  return undefined;
}

function longest<T>({ lanes }: Lane<T>): string | undefined {
  let found: string | undefined;
  let size = 0;
  for (const [name, lane] of lanes) {
    if (lane.size > size) [found, size] = [name, lane.size];
  }
  return found;
}
