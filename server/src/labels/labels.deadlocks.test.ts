/** Requests of one company that change the same labels at the same time, in every order. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Actor, signUpAdmin } from '../../test/customers/actors.ts';
import { seedLabels } from '../../test/customers/labels.ts';
import { deadlocksOf } from '../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

const ROUNDS = 8;
const AT_ONCE = 32;

let service: TestService;
let admin: Actor;
let ids: string[];
beforeAll(async () => {
  service = await startTestService({ poolSize: 40 });
});
beforeEach(async () => {
  admin = await signUpAdmin(service);
  ids = await seedLabels(service, admin, { count: 30 });
});
afterAll(async () => service?.stop());

const send = (method: string, path: string, body: object) => service.call(method, path, { token: admin.token, body });

/** How many deadlocks PostgreSQL has resolved so far. */
const countDeadlocks = () => deadlocksOf(service.database);

const sendAtOnce = (request: (turn: number) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => request(turn)));

/** Sends requests at once, in rounds; each gets the labels in another order. */
async function sendOverlapping(request: (labelIds: string[], turn: number) => Promise<{ status: number }>) {
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) =>
        request(turn % 2 === 0 ? ids : ids.toReversed(), round * AT_ONCE + turn),
      ),
    );
    for (const { status } of answers) statuses.add(status);
  }
  return [...statuses].sort();
}

it('deletions of the same labels', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const seeded = await seedLabels(service, admin, { count: 200, prefix: `round ${round}` });
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) =>
        send('DELETE', '/labels', { label_ids: turn % 2 === 0 ? seeded : seeded.toReversed() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(204));
  }
  expect(await countDeadlocks()).toBe(0);
});

it('a label that is put on the same records and taken off them', async () => {
  const targets = Array.from({ length: 40 }, (_, index) => ({ type: 'ticket', id: `T-${index}` }));
  const path = `/labels/${ids[0]}/assignments`;
  const statuses = await sendOverlapping((_, turn) => {
    const given = turn % 2 === 0 ? targets : targets.toReversed();
    return send(turn % 4 < 2 ? 'POST' : 'DELETE', path, { targets: given });
  });
  expect(statuses).toEqual([200, 204]);
  expect(await countDeadlocks()).toBe(0);
});

it('records whose labels are exchanged while others get them, lose them, and see them deleted', async () => {
  const statuses = await sendOverlapping(async (labelIds, turn) => {
    const [half, rest] = [labelIds.slice(0, 10), labelIds.slice(10, 20)];
    const record = { type: 'ticket', id: `T-${turn % 3}` };
    if (turn === (ROUNDS - 1) * AT_ONCE) return send('DELETE', '/labels', { label_ids: ids.slice(20) });
    return send('PUT', '/labels/assignments', {
      ...record,
      label_ids: Math.floor(turn / AT_ONCE) % 2 === 0 ? half : rest,
    });
  });
  expect(statuses).toEqual([200, 204]);
  expect(await countDeadlocks()).toBe(0);
});

it('records of a new company whose labels are exchanged while the same labels are put on them and taken off them', async () => {
  const records = Array.from({ length: 3 }, (_, index) => ({ type: 'ticket', id: `T-${index}` }));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Its counts have no rows yet.
    admin = await signUpAdmin(service);
    const [one = '', two = ''] = await seedLabels(service, admin, { count: 2 });
    await sendAtOnce((turn) => {
      const [first, second] = turn % 2 === 0 ? [one, two] : [two, one];
      const path = `/labels/${first}/assignments`;
      if (turn % 4 === 0) return send('POST', path, { targets: records });
      if (turn % 4 === 1) return send('DELETE', path, { targets: records.toReversed() });
      return send('PUT', '/labels/assignments', { ...records[turn % 3], label_ids: [turn % 8 < 4 ? first : second] });
    });
  }
  expect(await countDeadlocks()).toBe(0);
});

it('two labels that exchange their names', async () => {
  const [first = '', second = ''] = ids;
  const statuses = await sendOverlapping((_, turn) =>
    send('PUT', `/labels/${turn % 2 === 0 ? first : second}`, { name: turn % 4 < 2 ? 'one' : 'two' }),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(await countDeadlocks()).toBe(0);
});
