import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { giveRole, only } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

let service: TestService;
let admin: Actor;
/** Three labels of the admin's company, by name. */
let red: string;
let green: string;
let blue: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
  [blue, green, red] = [await createLabel('blue'), await createLabel('green'), await createLabel('red')];
});

type Target = { type: string; id: string };
const ticket = (id: string): Target => ({ type: 'ticket', id });
const customer = (id: string): Target => ({ type: 'customer', id });
const agent = (id: string): Target => ({ type: 'agent', id });

async function createLabel(name: string, { token } = admin): Promise<string> {
  const body = { name, description: '', color: '#fff', userName: 'Ada' };
  return expectStatus(await service.call('POST', '/labels', { token, body: { ...body, description: 'Any' } }), 201).body
    .id;
}
const set = (target: Target, labelIds: unknown, { token } = admin) =>
  service.call('PUT', '/labels/assignments', { token, body: { ...target, label_ids: labelIds } });
const read = (query: string, { token } = admin) => service.call('GET', `/labels/assignments?${query}`, { token });
const add = (labelId: string, targets: unknown, { token } = admin, headers = {}) =>
  service.call('POST', `/labels/${labelId}/assignments`, { token, headers, body: { targets } });
const remove = (labelId: string, targets: unknown, { token } = admin) =>
  service.call('DELETE', `/labels/${labelId}/assignments`, { token, body: { targets } });
const list = async (labelId: string, query = '', { token } = admin) =>
  expectStatus(await service.call('GET', `/labels/${labelId}/assignments?${query}`, { token }), 200).body;
const countOf = async (labelId: string) =>
  expectStatus(await service.call('GET', `/labels/${labelId}`, { token: admin.token }), 200).body.assignments;
const labelsOf = async ({ type, id }: Target) =>
  expectStatus(await read(`type=${type}&id=${encodeURIComponent(id)}`), 200).body.labels.map(
    ({ name }: { name: string }) => name,
  );

/** Another member of the admin's company. */
async function joinCompany(): Promise<Actor> {
  const { companyId } = admin;
  const member = await signUpCustomer(service);
  await service.database.owner`UPDATE users SET company_id = ${companyId}, role = 'Admin' WHERE id = ${member.userId}`;
  return { ...member, companyId };
}

const eventsOf = async (type: string) =>
  expectStatus(
    await service.call('GET', `/operator/events?companyId=${admin.companyId}&type=${type}`, {
      token: service.operatorKey,
    }),
    200,
  ).body.data.map(({ data }: { data: object }) => data);

describe('PUT /labels/assignments', () => {
  it('gives a record exactly these labels, and answers them by name', async () => {
    const first = expectStatus(await set(ticket('T-1'), [red, blue]), 200).body;
    const [blueLabel, redLabel] = [
      { id: blue, name: 'blue', color: '#fff' },
      { id: red, name: 'red', color: '#fff' },
    ];
    expect(first).toEqual({ type: 'ticket', id: 'T-1', labels: [blueLabel, redLabel] });
    expect(expectStatus(await read('type=ticket&id=T-1'), 200).body).toEqual(first);
    await set(ticket('T-1'), [green, blue.toUpperCase(), blue]);
    expect(await labelsOf(ticket('T-1'))).toEqual(['blue', 'green']);
    expect([await labelsOf(customer('T-1')), await labelsOf(ticket('t-1'))]).toEqual([[], []]);
    expect(expectStatus(await set(ticket('T-1'), []), 200).body.labels).toEqual([]);
    expect(await labelsOf(ticket('T-1'))).toEqual([]);
  });

  it('refuses a label that the company does not have with 400 on label_ids, and changes nothing', async () => {
    await set(ticket('T-1'), [red]);
    const foreign = await createLabel('foreign', await signUpAdmin(service));
    for (const wrong of [randomUUID(), foreign, 'x', '', `${blue},${green}`]) {
      const refused = expectStatus(await set(ticket('T-1'), [blue, wrong]), 400);
      expect(refused.body.error.details).toEqual([{ field: 'label_ids', message: 'must be labels of the company' }]);
    }
    expect(await labelsOf(ticket('T-1'))).toEqual(['red']);
  });

  it.each(['O’Brien #7 / 50 % "x" \\ 😀', "'); DROP TABLE labels; --", 'é'.repeat(255), '{}', 'null', '"'])(
    'takes any id of 1 to 255 characters: %s',
    async (id) => {
      expect(expectStatus(await set(ticket(id), [red]), 200).body.id).toBe(id);
      expect(await labelsOf(ticket(id))).toEqual(['red']);
      expect((await list(red)).data).toEqual([{ type: 'ticket', id }]);
    },
  );

  it.each(['', ' ', 'a,b', 'a\u0007b', 'a\nb', 'a\u0085b', 'x'.repeat(256)])('refuses the id %j', async (id) => {
    expect(expectStatus(await set(ticket(id), [red]), 400).body.error.details[0].field).toBe('id');
    expect(expectStatus(await add(red, [ticket('T-1'), ticket(id)]), 400).body.error.details[0].field).toBe(
      'targets[1].id',
    );
    expect(await countOf(red)).toBe(0);
  });

  it('of two at once leaves the labels of one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([set(ticket('T-1'), [red]), set(ticket('T-1'), [blue, green])]);
      for (const answer of answers) expectStatus(answer, 200);
      expect([['red'], ['blue', 'green']]).toContainEqual(await labelsOf(ticket('T-1')));
    }
    expect((await countOf(red)) + (await countOf(blue)) + (await countOf(green))).toBe(
      (await labelsOf(ticket('T-1'))).length,
    );
  });
});

describe('GET /labels/assignments?ids=', () => {
  it('reads several records in the order asked', async () => {
    await set(ticket('b'), [red]);
    await set(ticket('a'), [green, blue]);
    await set(customer('c'), [red]);
    const { data } = expectStatus(await read('type=ticket&ids=c,b,a,b'), 200).body;
    const seen = data.map(({ type, id, labels }: LabeledRecord) => [type, id, ...labels.map(({ name }) => name)]);
    expect(seen).toEqual([
      ['ticket', 'c'],
      ['ticket', 'b', 'red'],
      ['ticket', 'a', 'blue', 'green'],
      ['ticket', 'b', 'red'],
    ]);
    const hundred = Array.from({ length: 100 }, (_, index) => `T-${index}`);
    expect(expectStatus(await read(`type=ticket&ids=${hundred}`), 200).body.data).toHaveLength(100);
  });

  it('needs either id or ids', async () => {
    for (const query of ['type=ticket', 'type=ticket&id=a&ids=b']) {
      expect(expectStatus(await read(query), 400).body.error.details[0].field).toBe('id');
    }
    expect(expectStatus(await read('id=a'), 400).body.error.details[0].field).toBe('type');
  });
});

type LabeledRecord = { type: string; id: string; labels: { name: string }[] };

describe('POST and DELETE /labels/{label_id}/assignments', () => {
  it('add and remove; adding twice is adding once', async () => {
    const added = expectStatus(await add(red, [ticket('T-1'), ticket('T-2'), ticket('T-1'), customer('C-1')]), 200);
    expect(added.body).toMatchObject({ id: red, name: 'red', assignments: 3 });
    expect(expectStatus(await add(red, [ticket('T-2'), ticket('T-3')]), 200).body.assignments).toBe(4);
    expect(expectStatus(await remove(red, [ticket('T-2'), ticket('unknown'), ticket('T-2')]), 204).text).toBe('');
    expect(expectStatus(await remove(red, [ticket('T-2')]), 204).text).toBe('');
    expect(await countOf(red)).toBe(3);
    expect(await labelsOf(ticket('T-2'))).toEqual([]);
  });

  it('take 1 to 1,000 targets', async () => {
    const targets = Array.from({ length: 1_000 }, (_, index) => ticket(`T-${index}`));
    expect(expectStatus(await add(red, targets), 200).body.assignments).toBe(1_000);
    for (const wrong of [
      [],
      [...targets, ticket('one more')],
      undefined,
      {},
      [ticket('x'), { type: 'label', id: 'x' }],
    ]) {
      expect(expectStatus(await add(red, wrong), 400).body.error.details[0].field).toMatch(/^targets/);
    }
    expectStatus(await remove(red, targets), 204);
    expect(await countOf(red)).toBe(0);
  });

  it('of an unknown label, or of another company’s, are 404', async () => {
    const foreign = await createLabel('foreign', await signUpAdmin(service));
    for (const labelId of [randomUUID(), foreign]) {
      expectStatus(await add(labelId, [ticket('T-1')]), 404);
      expectStatus(await remove(labelId, [ticket('T-1')]), 404);
    }
  });

  it('repeat with an Idempotency-Key what the first request answered', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await add(red, [ticket('T-1')], admin, key), 200);
    expectStatus(await remove(red, [ticket('T-1')]), 204);
    const again = expectStatus(await add(red, [ticket('T-1')], admin, key), 200);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect(await countOf(red)).toBe(0);
    expectStatus(await add(red, [ticket('T-2')], admin, key), 422);
  });
});

describe('GET /labels/{label_id}/assignments', () => {
  it('lists the records newest first, in pages, of one type or of all', async () => {
    for (const target of [ticket('1'), customer('2'), ticket('3'), agent(admin.userId), ticket('5')]) {
      expectStatus(await add(red, [target]), 200);
    }
    await add(blue, [ticket('other')]);
    const all = [ticket('5'), agent(admin.userId), ticket('3'), customer('2'), ticket('1')];
    expect(await list(red)).toEqual({ total: 5, page: 1, per_page: 10, data: all });
    expect(await list(red, 'page=2&per_page=2')).toEqual({ total: 5, page: 2, per_page: 2, data: all.slice(2, 4) });
    expect(await list(red, 'page=9')).toEqual({ total: 5, page: 9, per_page: 10, data: [] });
    const tickets = [ticket('5'), ticket('3'), ticket('1')];
    expect(await list(red, 'type=ticket&per_page=2')).toMatchObject({ total: 3, data: tickets.slice(0, 2) });
    expect(await list(red, 'type=customer')).toMatchObject({ total: 1, data: [customer('2')] });
    expect(await list(green, 'type=ticket')).toEqual({ total: 0, page: 1, per_page: 10, data: [] });
  });
});

describe('an agent', () => {
  it('is a member of the company: anybody else is 400, and one bad target refuses all', async () => {
    const [other, stranger] = [await signUpAdmin(service), await signUpCustomer(service)];
    for (const id of [other.userId, stranger.userId, randomUUID(), 'x', admin.email]) {
      const refused = expectStatus(await set(agent(id), [red]), 400);
      expect(refused.body.error.details).toEqual([{ field: 'id', message: 'must be a member of the company' }]);
      for (const send of [add, remove]) {
        const { details } = expectStatus(await send(red, [ticket('T-1'), agent(admin.userId), agent(id)]), 400).body
          .error;
        expect(details).toEqual([{ field: 'targets[2].id', message: 'must be a member of the company' }]);
      }
    }
    expect(await countOf(red)).toBe(0);
  });

  it('is known by an id in capitals too', async () => {
    expect(expectStatus(await set(agent(admin.userId.toUpperCase()), [red]), 200).body.id).toBe(admin.userId);
    expect(await labelsOf(agent(admin.userId.toUpperCase()))).toEqual(['red']);
  });

  it('loses the labels of the company when they leave it', async () => {
    const member = await joinCompany();
    expectStatus(await set(agent(member.userId), [red, blue]), 200);
    expectStatus(await set(agent(admin.userId), [red]), 200);
    expectStatus(await service.call('DELETE', `/company/members/${member.userId}`, { token: admin.token }), 204);
    expect([await labelsOf(agent(member.userId)), await countOf(red), await countOf(blue)]).toEqual([[], 1, 0]);
    expect(await eventsOf('label.unassigned')).toHaveLength(2);
  });
});

describe('assignments of a label', () => {
  it('are exact on every answer and in every event, whatever happens to the labels', async () => {
    await add(red, [ticket('1'), ticket('2')]);
    const { token } = admin;
    const listed = async () => {
      const { data } = expectStatus(await service.call('GET', '/labels', { token }), 200).body;
      return Object.fromEntries(data.map(({ name, assignments }: Counted) => [name, assignments]));
    };
    expect(await listed()).toEqual({ blue: 0, green: 0, red: 2 });
    await set(ticket('1'), [blue]);
    expect(await listed()).toEqual({ blue: 1, green: 0, red: 1 });
    const changed = await service.call('PUT', `/labels/${blue}`, { token, body: { color: '#000' } });
    expect(expectStatus(changed, 200).body.assignments).toBe(1);
    expectStatus(await service.call('DELETE', '/labels', { token, body: { label_ids: [red] } }), 204);
    expect(await listed()).toEqual({ blue: 1, green: 0 });
    expect((await eventsOf('label.deleted'))[0].assignments).toBe(1);
    expect((await eventsOf('label.created')).map(({ assignments }: Counted) => assignments)).toEqual([0, 0, 0]);
    expect([await labelsOf(ticket('1')), await labelsOf(ticket('2'))]).toEqual([['blue'], []]);
    red = await createLabel('red');
    expect(await listed()).toEqual({ blue: 1, green: 0, red: 0 });
  });

  it('are exact after 40 requests at once that add, set and remove the same ones', async () => {
    const targets = Array.from({ length: 8 }, (_, index) => ticket(`T-${index}`));
    const pick = (from: number) => targets.slice(from % 5, (from % 5) + 4);
    const requests = Array.from({ length: 40 }, (_, index) => {
      if (index % 4 === 3) return set(targets[index % 8] as Target, index % 3 === 0 ? [red, blue] : [blue]);
      return index % 4 === 2 ? remove(red, pick(index)) : add(index % 2 === 0 ? red : blue, pick(index).toReversed());
    });
    for (const { status } of await Promise.all(requests)) expect([200, 204]).toContain(status);
    for (const labelId of [red, blue]) {
      const { total, data } = await list(labelId);
      expect([total, await countOf(labelId)]).toEqual([data.length, data.length]);
    }
  });

  it('are those of the company: another one with the same ids has its own', async () => {
    const other = await signUpAdmin(service);
    const theirs = await createLabel('red', other);
    await add(red, [ticket('T-1')]);
    await add(theirs, [ticket('T-1'), ticket('T-2')], other);
    expect(await labelsOf(ticket('T-1'))).toEqual(['red']);
    expect(await list(red)).toMatchObject({ total: 1, data: [ticket('T-1')] });
    expect(expectStatus(await read('type=ticket&ids=T-2', admin), 200).body.data[0].labels).toEqual([]);
  });
});

type Counted = { name: string; assignments: number };

describe('what a change leaves', () => {
  it('is an event for each label on each record, and none for what was so before', async () => {
    await set(ticket('T-1'), [red]);
    await set(ticket('T-1'), [blue]);
    await add(blue, [ticket('T-1'), customer('C-1')]);
    await remove(blue, [ticket('T-1'), ticket('T-9')]);
    const label = (id: string, name: string) => ({ id, name, color: '#fff' });
    const assigned = await eventsOf('label.assigned');
    expect(assigned).toHaveLength(3);
    expect(assigned).toContainEqual({ ...ticket('T-1'), label: label(red, 'red') });
    expect(assigned).toContainEqual({ ...customer('C-1'), label: label(blue, 'blue') });
    expect(await eventsOf('label.unassigned')).toEqual([
      { ...ticket('T-1'), label: label(blue, 'blue') },
      { ...ticket('T-1'), label: label(red, 'red') },
    ]);
  });

  it('is an entry of the audit log for each request that changed something', async () => {
    await set(ticket('T-1'), [red]);
    await set(ticket('T-1'), [red]);
    await add(blue, [ticket('T-1'), ticket('T-2')]);
    await remove(blue, [ticket('T-2'), ticket('T-3')]);
    const { data } = expectStatus(await service.call('GET', '/company/audit-log', { token: admin.token }), 200).body;
    const entries = data
      .map(({ action, target, changes }: Entry) => [action, target.kind, target.id, changes])
      .slice(0, 3);
    expect(entries).toEqual([
      ['label.unassigned', 'label', blue, { before: { targets: [ticket('T-2')] }, after: {} }],
      ['label.assigned', 'label', blue, { before: {}, after: { targets: [ticket('T-1'), ticket('T-2')] } }],
      ['label_assignments.updated', 'ticket', 'T-1', { before: { labels: [] }, after: { labels: ['red'] } }],
    ]);
  });
});

type Entry = { action: string; target: { kind: string; id: string }; changes: object };

describe('the permission to view the record', () => {
  it('is needed beside that for labels', async () => {
    await add(red, [ticket('T-1'), customer('C-1'), agent(admin.userId)]);
    const everybody = admin;
    admin = await joinCompany();
    const hidden = { all: false, view: false };
    const { platform, application } = SYSTEM_ROLES.Admin.permission;
    await giveRole(service, admin, { platform, application: { ...application, customers: hidden, agents: hidden } });
    expectStatus(await set(ticket('T-1'), [blue]), 200);
    expectStatus(await read('type=ticket&ids=T-1'), 200);
    for (const answer of [
      await set(customer('C-1'), [blue]),
      await set(agent(everybody.userId), [blue]),
      await add(red, [ticket('T-2'), customer('C-1')]),
      await remove(red, [ticket('T-1'), agent(everybody.userId)]),
      await read('type=customer&id=C-1'),
      await read(`type=agent&ids=${everybody.userId}`),
      await service.call('GET', `/labels/${red}/assignments?type=customer`, { token: admin.token }),
    ]) {
      expect(expectStatus(answer, 403).body.error.code).toBe('forbidden');
    }
    expect(await list(red)).toMatchObject({ total: 0, data: [] });
    expect(await list(blue)).toMatchObject({ total: 1, data: [ticket('T-1')] });
    expect(await countOf(red)).toBe(2);
  });

  it('of no type leaves a list without records, all other fields as usual', async () => {
    await add(red, [ticket('T-1'), customer('C-1'), agent(admin.userId)]);
    admin = await joinCompany();
    await giveRole(service, admin, only('application.labels', { all: true, view: true }));
    expect(await list(red)).toEqual({ total: 0, page: 1, per_page: 10, data: [] });
    expect(await countOf(red)).toBe(3);
  });
});
