import type { ApiError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';

export type FairTurnsOptions = {
  /** How much work runs in parallel, of all owners together. */
  atOnce: number;
  /** How much of one owner runs in parallel; unlimited by default. */
  atOncePerOwner?: number;
  /** How many may wait; one owner may be half of them. */
  waiting: number;
  waitMs: number;
  /** The error for an owner whose turn does not come. */
  refusal: () => ApiError;
};

type Waiting = { owner: string; begin: () => void; refuse: () => void };

/** Runs work in its owner's turn. @throws ApiError of `refusal` when too many wait, or it waited too long */
export type FairTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets owners take turns: after an owner that requests a thousand things, another one waits only for what is running.
 * When the queue is full, the owner with most waiting loses its last request.
 */
export function createFairTurns({
  atOnce,
  atOncePerOwner = atOnce,
  waiting,
  waitMs,
  refusal,
}: FairTurnsOptions): FairTurns {
  const working = new Map<string, number>();
  const queue = createFairQueue<Waiting>();
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
    const next = queue.take(hasRoom);
    if (next === undefined) return;
    start(next.owner);
    next.begin();
  };
  const makeRoomToWait = (owner: string) => {
    const own = queue.sizeOf(owner);
    if (own >= Math.ceil(waiting / 2)) throw refusal();
    if (queue.size() < waiting) return;
    if (queue.sizeOfLongest() <= own + 1) throw refusal();
    queue.takeFromLongest()?.refuse();
  };
  const wait = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        queue.remove([owner], one);
        reject(refusal());
      };
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(refuse, waitMs);
      const one: Waiting = { owner, begin, refuse };
      queue.add([owner], one);
    });

  return async (owner, work) => {
    if (hasRoom(owner) && queue.sizeOf(owner) === 0) start(owner);
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
