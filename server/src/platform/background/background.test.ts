import { describe, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { repeatRounds, type Worker } from './background.ts';

/** Rounds that last until they are aborted, with a record of what happened. */
function startRounds(names: readonly string[]) {
  const begun: string[] = [];
  const failures: string[] = [];
  const underWay = new Map<string, { end: () => void; fail: (error: Error) => void; signal: AbortSignal }>();
  let finds = 0;
  const worker: Worker = repeatRounds({
    find: async () => {
      finds += 1;
      if (finds === 2) throw new Error('nothing was found');
      return names;
    },
    work: (name, signal) => {
      begun.push(name);
      const round = Promise.withResolvers<void>();
      underWay.set(name, { end: round.resolve, fail: round.reject, signal });
      return round.promise;
    },
    logFailure: (error) => failures.push(String(error)),
    everyMs: 1,
  });
  const waitForFinds = async (count: number) => {
    const until = finds + count;
    await pollUntil(
      async () => finds,
      (found) => found >= until,
    );
  };
  const waitForBegun = (count: number) =>
    pollUntil(
      async () => begun.length,
      (length) => length === count,
    );
  return { worker, begun, failures, underWay, waitForFinds, waitForBegun, finds: () => finds };
}

describe('rounds by name', () => {
  it('run one at a time for each name, and never wait for another name’s', async () => {
    const rounds = startRounds(['slow', 'quick']);
    await rounds.waitForFinds(5);
    expect(rounds.begun).toEqual(['slow', 'quick']);
    rounds.underWay.get('quick')?.end();
    await rounds.waitForBegun(3);
    rounds.underWay.get('quick')?.end();
    await rounds.waitForBegun(4);
    expect(rounds.begun).toEqual(['slow', 'quick', 'quick', 'quick']);
    for (const { end } of rounds.underWay.values()) end();
    await rounds.worker.stop();
  });

  it('are retried after a failure, of the round or of the look-up of names, which is logged', async () => {
    const rounds = startRounds(['one']);
    await rounds.waitForFinds(3);
    expect(rounds.failures).toEqual(['Error: nothing was found']);
    rounds.underWay.get('one')?.fail(new Error('the round broke'));
    await rounds.waitForBegun(2);
    expect(rounds.failures).toEqual(['Error: nothing was found', 'Error: the round broke']);
    rounds.underWay.get('one')?.end();
    await rounds.worker.stop();
  });

  it('are all stopped and waited for, and no other begins', async () => {
    const rounds = startRounds(['one', 'two']);
    await rounds.waitForBegun(2);
    const seen: string[] = [];
    const stopping = rounds.worker.stop().then(() => seen.push('stopped'));
    for (const [name, { end, signal }] of rounds.underWay) {
      expect(signal.aborted).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(name);
      end();
    }
    await stopping;
    expect(seen).toEqual(['one', 'two', 'stopped']);
    expect(rounds.begun).toEqual(['one', 'two']);
    const finds = rounds.finds();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rounds.finds()).toBe(finds);
  });

  it('do not begin when the names are found after the stop', async () => {
    const finding = Promise.withResolvers<string[]>();
    const begun: string[] = [];
    const worker = repeatRounds({
      find: () => finding.promise,
      work: async (name) => void begun.push(name),
      logFailure: () => undefined,
      everyMs: 1,
    });
    const stopping = worker.stop();
    finding.resolve(['one']);
    await stopping;
    expect(begun).toEqual([]);
  });
});
