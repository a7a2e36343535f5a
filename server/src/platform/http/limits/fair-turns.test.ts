import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { createFairTurns } from './fair-turns.ts';

const refusal = () => new ApiError('service_unavailable', 'Too many.', { retryAfterSeconds: 1 });

/** Turns whose work ends on command, with a record of what began and was refused, in order. */
function prepare(options: { atOnce: number; atOncePerOwner?: number; waiting: number; waitMs?: number }) {
  const turns = createFairTurns({ waitMs: 60_000, refusal, ...options });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string) =>
    turns(name.charAt(0), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }).catch(() => void refused.push(name));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { ask, end, settle, begun, refused };
}

// Security (HTTP, and what all share): Companies take turns, however much one of them requests
test('owners take turns, however much one of them requests', async () => {
  const { ask, end, settle, begun } = prepare({ atOnce: 2, waiting: 10 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void ask(name);
  await settle();
  expect(begun).toEqual(['a1', 'a2']);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
});

test('one owner uses no more than its share, and leaves the rest to others', async () => {
  const { ask, end, settle, begun } = prepare({ atOnce: 3, atOncePerOwner: 2, waiting: 10 });
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('one owner may have half of the waiting work; when the queue is full, the owner with the most loses its newest', async () => {
  const { ask, settle, begun, refused } = prepare({ atOnce: 1, waiting: 4 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) void ask(name);
  await settle();
  expect([begun, refused]).toEqual([['a1'], ['a4', 'b3']]);
  void ask('c1');
  await settle();
  expect(refused).toEqual(['a4', 'b3', 'a3']);
  void ask('c2');
  await settle();
  expect(refused).toEqual(['a4', 'b3', 'a3', 'c2']);
});

test('work that fails passes its turn on, and waiting times out', async () => {
  const turns = createFairTurns({ atOnce: 1, waiting: 4, waitMs: 20, refusal });
  const failed = turns('a', () => Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');
  expect(await turns('a', async () => 1)).toBe(1);
  const never = Promise.withResolvers<void>();
  const holding = turns('a', () => never.promise);
  await expect(turns('b', async () => 2)).rejects.toMatchObject({ code: 'service_unavailable' });
  never.resolve();
  await holding;
  expect(await turns('b', async () => 3)).toBe(3);
});
