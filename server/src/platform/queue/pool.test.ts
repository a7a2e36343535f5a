import { describe, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { runPool, startPool } from './pool.ts';

const AN_HOUR_MS = 3_600_000;

/** Jobs that run until they are ended, handed out in order, and the limits with which they were claimed. */
function prepareJobs(names: string[]) {
  const limits: number[] = [];
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    limits,
    begun,
    claim: async (limit: number) => {
      limits.push(limit);
      return names.splice(0, limit);
    },
    perform: (name: string) => {
      begun.push(name);
      return new Promise<void>((resolve) => {
        running.set(name, () => {
          running.delete(name);
          resolve();
        });
      });
    },
    end: (name: string) => running.get(name)?.(),
    haveBegun: (count: number) =>
      pollUntil(
        async () => begun.length,
        (length) => length === count,
      ),
  };
}

const fail = (error: unknown) => {
  throw error;
};

describe('a pool', () => {
  it('runs as many jobs as it may at a time, and claims the next one as soon as a job ends', async () => {
    const jobs = prepareJobs(['a', 'b', 'c', 'd']);
    const pool = startPool({ ...jobs, atOnce: () => 2, idleMs: AN_HOUR_MS }, fail);
    await jobs.haveBegun(2);
    jobs.end('b');
    await jobs.haveBegun(3);
    expect([jobs.begun, jobs.limits]).toEqual([
      ['a', 'b', 'c'],
      [2, 1],
    ]);
    const stopping = pool.stop();
    jobs.end('a');
    jobs.end('c');
    await stopping;
    expect(jobs.begun).not.toContain('d');
  });

  it('looks for jobs again after a pause when nothing was due', async () => {
    const names: string[] = [];
    const jobs = prepareJobs(names);
    const pool = startPool({ ...jobs, atOnce: () => 2, idleMs: 1 }, fail);
    await pollUntil(
      async () => jobs.limits.length,
      (claims) => claims > 2,
    );
    names.push('late');
    await jobs.haveBegun(1);
    jobs.end('late');
    await pool.stop();
  });

  it('claims again at once when a job has ended while the claim was waiting for the database', async () => {
    const ending = Promise.withResolvers<void>();
    const answers = [['first'], [], ['second']];
    const begun: string[] = [];
    let claims = 0;
    const pool = startPool<string>(
      {
        claim: async () => {
          claims += 1;
          if (claims === 2) {
            ending.resolve();
            await new Promise((resolve) => setImmediate(resolve));
          }
          return answers.shift() ?? [];
        },
        perform: async (name) => {
          begun.push(name);
          if (name === 'first') await ending.promise;
        },
        atOnce: () => 2,
        claimedAtOnce: 1,
        idleMs: AN_HOUR_MS,
      },
      fail,
    );
    await pollUntil(
      async () => begun.length,
      (length) => length === 2,
    );
    await pool.stop();
  });

  it('goes on after a claim that failed, which is logged', async () => {
    const failures: unknown[] = [];
    const jobs = prepareJobs(['a']);
    let claims = 0;
    const claim = async (limit: number) => {
      claims += 1;
      if (claims === 1) throw new Error('away');
      return jobs.claim(limit);
    };
    const pool = startPool({ ...jobs, claim, atOnce: () => 1, idleMs: 1 }, (error) => failures.push(error));
    await jobs.haveBegun(1);
    expect(failures).toEqual([new Error('away')]);
    jobs.end('a');
    await pool.stop();
  });

  it('that ends when idle waits for running jobs, and a claim of null ends it at once', async () => {
    const jobs = prepareJobs(['a', 'b']);
    const pool = { ...jobs, atOnce: () => 1, idleMs: AN_HOUR_MS, endsWhenIdle: true };
    const done = runPool(pool, new AbortController().signal);
    await jobs.haveBegun(1);
    jobs.end('a');
    await jobs.haveBegun(2);
    jobs.end('b');
    await done;
    expect(jobs.limits).toEqual([1, 1, 1]);
    await runPool({ ...pool, claim: async () => null, endsWhenIdle: false }, new AbortController().signal);
  });
});
