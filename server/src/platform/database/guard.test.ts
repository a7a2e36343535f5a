import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { occupyConnections } from '../../../test/harness/pool.ts';
import { eventually } from '../../../test/harness/process.ts';
import { type DatabaseGuard, guardDatabase } from './guard.ts';
import { connect } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: 2, timeoutFactor: 1 });
});
afterAll(async () => database.drop());

function startGuard(): DatabaseGuard {
  const guard = guardDatabase(database.db);
  onTestFinished(guard.stop);
  return guard;
}

/** A pool that counts the statements, and answers at once while it is told to. */
function countStatements() {
  const counted = { statements: 0, answers: true };
  const db = () => {
    counted.statements += 1;
    return counted.answers ? Promise.resolve([]) : never;
  };
  const guard = guardDatabase(db as unknown as typeof database.db);
  onTestFinished(guard.stop);
  return { counted, guard };
}

const never = new Promise<never>(() => undefined);

it('passes work through while the database answers', async () => {
  const guard = startGuard();
  expect(await guard.guarded(Promise.resolve(7), 'read')).toBe(7);
  await expect(guard.guarded(Promise.reject(new Error('of its own')), 'write')).rejects.toThrow('of its own');
  expect(await guard.answers()).toBe(true);
  expect(guard.isSaturated()).toBe(false);
});

it('fails waiting work once every connection is taken, reads before writes, and recovers by itself', async () => {
  const guard = startGuard();
  const release = await occupyConnections(database, 2);
  const order: string[] = [];
  const given = (['read', 'write'] as const).map((kind) =>
    guard.guarded(never, kind).catch((error) => {
      order.push(kind);
      return error;
    }),
  );
  for (const error of await Promise.all(given)) {
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, retryAfterSeconds: 2 });
  }
  expect(order).toEqual(['read', 'write']);
  expect(guard.isSaturated()).toBe(true);
  expect(await guard.answers()).toBe(false);

  await release();
  await eventually(() => !guard.isSaturated());
  expect(await guard.answers()).toBe(true);
});

it('probes once a second while no work is asked for, and four times a second beside work or without an answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { counted, guard } = countStatements();
  const countIn = async (seconds: number) => {
    const before = counted.statements;
    for (let tick = 0; tick < 4 * seconds; tick += 1) {
      await vi.advanceTimersByTimeAsync(250);
    }
    return counted.statements - before;
  };
  expect(await countIn(10)).toBe(10);
  void guard.guarded(Promise.resolve(), 'read');
  await vi.advanceTimersByTimeAsync(250);
  expect(counted.statements, 'the next probe comes beside the work').toBe(11);
  counted.answers = false;
  expect(await countIn(3)).toBe(8);
  expect(guard.isSaturated()).toBe(true);
});

/** Accepts connections as the kernel does for a stopped PostgreSQL, and never answers. @returns its URL */
async function startSilentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `postgres://paydesk@127.0.0.1:${(server.address() as AddressInfo).port}/paydesk`;
}

it('treats an unanswered login as silence, however many of them time out', async () => {
  const db = connect({ target: await startSilentServer(), poolSize: 2, serverVersion: 180_000 });
  const guard = guardDatabase(db);
  onTestFinished(async () => {
    guard.stop();
    await db.end({ timeout: 0 });
  });
  const seen: boolean[] = [];
  await expect(guard.guarded(never, 'write')).rejects.toMatchObject({ code: 'service_unavailable' });
  // Logins time out after 2 s each, so several happen meanwhile.
  for (let checks = 0; checks < 50; checks += 1) {
    seen.push(guard.isSaturated());
    await sleep(100);
  }
  expect(new Set(seen)).toEqual(new Set([true]));
  expect(await guard.answers()).toBe(false);
});

it('does not treat one slow statement as a stuck database, even when probes are queued behind it', async () => {
  const guard = startGuard();
  const seen = new Set<boolean>();
  const watching = setInterval(() => seen.add(guard.isSaturated()), 20);
  const slow = database.db`SELECT pg_sleep(4)`.then(() => 'done');
  // The other connection is busy most of the time, so many probes are pipelined behind the slow statement.
  let finished = false;
  const busy = async () => {
    while (!finished) await Promise.all([database.db`SELECT pg_sleep(0.05)`, sleep(60)]);
  };
  const load = busy();
  expect(await slow).toBe('done');
  finished = true;
  await load;
  clearInterval(watching);
  expect([...seen]).toEqual([false]);
});

it('does not blame the database when this process itself was blocked', async () => {
  const guard = startGuard();
  await guard.answers();
  const waiting = guard.guarded(sleep(400, 'answered'), 'read');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  expect(await waiting).toBe('answered');
  expect(guard.isSaturated()).toBe(false);
});
