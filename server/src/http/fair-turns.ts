import { ApiError } from '../errors.ts';

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

type Waiting = { begin: () => void; refuse: () => void };

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
  /** In the order in which their owners had their last turns. */
  const queues = new Map<string, Waiting[]>();
  let workingInAll = 0;
  let waitingInAll = 0;

  const start = (owner: string) => {
    working.set(owner, (working.get(owner) ?? 0) + 1);
    workingInAll += 1;
  };
  const leave = (owner: string, one: Waiting) => {
    const queue = queues.get(owner) ?? [];
    queue.splice(queue.indexOf(one), 1);
    if (queue.length === 0) queues.delete(owner);
    waitingInAll -= 1;
  };
  const hasRoom = (owner: string) => workingInAll < atOnce && (working.get(owner) ?? 0) < atOncePerOwner;
  const beginNext = () => {
    for (const [owner, queue] of queues) {
      const [first] = queue;
      if (first === undefined || !hasRoom(owner)) continue;
      leave(owner, first);
      const rest = queues.get(owner);
      if (rest !== undefined) {
        queues.delete(owner);
        queues.set(owner, rest);
      }
      start(owner);
      first.begin();
      return;
    }
  };
  const end = (owner: string) => {
    const left = (working.get(owner) ?? 1) - 1;
    if (left > 0) working.set(owner, left);
    else working.delete(owner);
    workingInAll -= 1;
    beginNext();
  };
  const makeRoomToWait = (owner: string) => {
    const own = queues.get(owner)?.length ?? 0;
    if (own >= Math.ceil(waiting / 2)) throw refusal();
    if (waitingInAll < waiting) return;
    const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    if (longest.length <= own + 1) throw refusal();
    longest.at(-1)?.refuse();
  };
  const wait = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          leave(owner, one);
          reject(refusal());
        },
      };
      const timer = setTimeout(one.refuse, waitMs);
      const queue = queues.get(owner);
      if (queue === undefined) queues.set(owner, [one]);
      else queue.push(one);
      waitingInAll += 1;
    });

  return async (owner, work) => {
    if (hasRoom(owner) && !queues.has(owner)) start(owner);
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
