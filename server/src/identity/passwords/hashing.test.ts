import { availableParallelism } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { type HashingCaller, withHashingSlot } from './hashing.ts';

const SLOTS = availableParallelism();
const caller = (changes: Partial<HashingCaller> = {}): HashingCaller => ({
  kind: 'signUp',
  network: '192.0.2.7',
  account: 'ada@example.com',
  ...changes,
});

/** Occupies every slot until released. */
function occupy(): { release: () => Promise<unknown> } {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const admitted = Array.from({ length: SLOTS }, () => withHashingSlot(caller(), () => gate));
  return {
    release: () => {
      release();
      return Promise.all(admitted);
    },
  };
}

/** Requests slots in this order. @returns the order in which they were granted */
async function orderOf(asked: [name: string, caller: HashingCaller][]): Promise<string[]> {
  const order: string[] = [];
  const slots = occupy();
  const work = asked.map(([name, who]) => withHashingSlot(who, async () => void order.push(name)));
  await slots.release();
  await Promise.all(work);
  return order;
}

const times = (count: number, name: string, who: HashingCaller) =>
  Array.from({ length: count }, (): [string, HashingCaller] => [name, who]);

// Security (Accounts and permissions): One client's sign-ups delay another's login by one turn, and a login that waits two seconds is 503
describe('withHashingSlot', () => {
  // Security (Accounts and permissions): The number of passwords hashed at a time is limited
  it('runs one more piece of work at a time than there are cores; the rest waits, and all of it gets done', async () => {
    let running = 0;
    let most = 0;
    const work = async (number: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return number;
    };
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => withHashingSlot(caller(), () => work(number))))).toEqual(numbers);
    expect(most).toBe(SLOTS);
  });

  it('frees its slot when the work fails', async () => {
    const fail = () => withHashingSlot(caller(), () => Promise.reject(new Error('on purpose')));
    const failures = await Promise.allSettled(Array.from({ length: SLOTS * 3 }, fail));
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await withHashingSlot(caller(), async () => 'done')).toBe('done');
  });

  it.each([
    ['another network', { network: '203.0.113.5' }],
    ['another network of IPv6', { network: '2001:db8:1:2' }],
    ['the same network, for a login', { kind: 'login' as const }],
    ['the same network, for another account', { account: 'grace@example.com' }],
  ])('gives a turn to %s before the rest of what one client requested first', async (_what, changes) => {
    const order = await orderOf([...times(50, 'flood', caller()), ['other', caller(changes)]]);
    expect(order).toHaveLength(51);
    expect(order.indexOf('other')).toBeLessThanOrEqual(1);
  });

  it('gives the networks of one site a turn together, so that having many networks is no advantage', async () => {
    const flood = Array.from({ length: 50 }, (_, index): [string, HashingCaller] => [
      'flood',
      caller({ network: `198.51.100.${index}`, account: `${index}@example.com` }),
    ]);
    const order = await orderOf([...flood, ...times(5, 'other', caller({ network: '203.0.113.5' }))]);
    expect(order.slice(0, 10).filter((name) => name === 'other')).toHaveLength(5);
  });

  it('refuses the newest request of the client with most waiting once a thousand wait, and nobody else', async () => {
    const slots = occupy();
    const flood = Array.from({ length: 1_000 }, () => withHashingSlot(caller(), async () => 'done'));
    const outcomes = Promise.allSettled(flood);
    const other = withHashingSlot(caller({ network: '203.0.113.5' }), async () => 'done');
    await expect(flood[999]).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: expect.any(Number),
    });
    await slots.release();
    expect(await other).toBe('done');
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('refuses a login after two seconds with Retry-After, and lets a sign-up keep waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const slots = occupy();
      const login = withHashingSlot(caller({ kind: 'login' }), async () => 'login');
      const refused = expect(login).rejects.toMatchObject({
        code: 'service_unavailable',
        status: 503,
        retryAfterSeconds: expect.any(Number),
      });
      const signUp = withHashingSlot(caller(), async () => 'sign-up');
      await vi.advanceTimersByTimeAsync(2_000);
      await refused;
      await slots.release();
      expect(await signUp).toBe('sign-up');
      expect(await withHashingSlot(caller(), async () => 'done')).toBe('done');
    } finally {
      vi.useRealTimers();
    }
  });
});
