import type { ApiError } from '../errors.ts';

export type FairTurnsOptions = {
  /** How many work at a time, of all owners together. */
  atOnce: number;
  /** How many of one owner work at a time; without it, as many as there is room for. */
  atOncePerOwner?: number;
  /** How many may wait. One owner may be half of them. */
  waiting: number;
  waitMs: number;
  /** What an owner is told whose turn does not come. */
  refusal: () => ApiError;
};

/** Runs work when its owner's turn has come. @throws ApiError of `refusal` when too many wait, or it waited too long */
export type FairTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Owners take turns, whatever each of them asks for: behind one that asks for a thousand things another one waits for what is being
 * done just then, and no longer. Where no room to wait is left, whoever has the most waiting gives up its last.
 */
export function createFairTurns({
  atOnce,
  atOncePerOwner = atOnce,
  waiting,
  waitMs,
  refusal,
}: FairTurnsOptions): FairTurns {
  const working = new Map<string, number>();
  const queues = createQueues();
  let workingInAll = 0;

  const hasRoom = (owner: string) => workingInAll < atOnce && (working.get(owner) ?? 0) < atOncePerOwner;
  const start = (owner: string) => {
    working.set(owner, (working.get(owner) ?? 0) + 1);
    workingInAll += 1;
  };
  const end = (owner: string) => {
    const left = (working.get(owner) ?? 1) - 1;
    if (left > 0) working.set(owner, left);
    else working.delete(owner);
    workingInAll -= 1;
    const next = queues.takeNext(hasRoom);
    if (next === undefined) return;
    start(next.owner);
    next.begin();
  };
  const makeRoomToWait = (owner: string) => {
    const own = queues.lengthOf(owner);
    if (own >= Math.ceil(waiting / 2)) throw refusal();
    if (queues.length() < waiting) return;
    const longest = queues.findLongest();
    if (longest.length <= own + 1) throw refusal();
    longest.at(-1)?.refuse();
  };
  const wait = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        queues.remove(one);
        reject(refusal());
      };
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(refuse, waitMs);
      const one: Waiting = { owner, begin, refuse };
      queues.add(one);
    });

  return async (owner, work) => {
    if (hasRoom(owner) && queues.lengthOf(owner) === 0) start(owner);
    else {
      makeRoomToWait(owner);
      await wait(owner);
    }
    try {
      return await work();
    } finally {
      end(owner);
    }
  };
}

type Waiting = { owner: string; begin: () => void; refuse: () => void };

/** What waits, by owner, in the order in which the owners had their last turns. */
function createQueues() {
  const queues = new Map<string, Waiting[]>();
  let length = 0;
  const remove = (one: Waiting) => {
    const queue = queues.get(one.owner) ?? [];
    queue.splice(queue.indexOf(one), 1);
    if (queue.length === 0) queues.delete(one.owner);
    length -= 1;
  };
  return {
    length: () => length,
    lengthOf: (owner: string) => queues.get(owner)?.length ?? 0,
    findLongest: () =>
      [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), [] as Waiting[]),
    add: (one: Waiting) => {
      const queue = queues.get(one.owner);
      if (queue === undefined) queues.set(one.owner, [one]);
      else queue.push(one);
      length += 1;
    },
    remove,
    /** The first of the owner that has waited longest since its last turn, of those that have room. */
    takeNext: (hasRoom: (owner: string) => boolean): Waiting | undefined => {
      const [owner, queue] = [...queues].find(([one]) => hasRoom(one)) ?? [];
      const first = queue?.[0];
      if (owner === undefined || queue === undefined || first === undefined) return undefined;
      remove(first);
      if (queue.length > 0) {
        queues.delete(owner);
        queues.set(owner, queue);
      }
      return first;
    },
  };
}
