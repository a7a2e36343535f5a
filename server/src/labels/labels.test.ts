import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { describeIdempotentCreate } from '../../test/customers/idempotent-creates.contract.ts';
import { provokeDeadlock } from '../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const LABEL = { name: 'Priority', description: 'Answer within the hour', color: '#ff8800', userName: 'Ada Lovelace' };
const FIELDS = ['name', 'description', 'color', 'userName'] as const;

const create = ({ token }: Actor, changes: object = {}) =>
  service.call('POST', '/labels', { token, body: { ...LABEL, ...changes } });
const change = ({ token }: Actor, id: string, body: object) => service.call('PUT', `/labels/${id}`, { token, body });
const read = ({ token }: Actor, id: string) => service.call('GET', `/labels/${id}`, { token });
const list = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/labels?per_page=1000', { token }), 200).body;
const namesOf = async (actor: Actor) => (await list(actor)).data.map(({ name }: { name: string }) => name);
const fieldsOf = ({ body }: { body: { error: { details: { field: string }[] } } }) => [
  ...new Set(body.error.details.map(({ field }) => field)),
];

describe('POST /labels', () => {
  it('answers 201 with every field of 2.5; createdBy and updatedBy are userName, userId is the caller', async () => {
    const admin = await signUpAdmin(service);
    const { body } = expectStatus(await create(admin), 201);
    const { userName, ...texts } = LABEL;
    expect(body).toEqual({
      ...texts,
      id: expect.stringMatching(UUID_V7),
      companyId: admin.companyId,
      userId: admin.userId,
      createdBy: userName,
      updatedBy: userName,
      assignments: 0,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: body.createdAt,
    });
    expect((await list(admin)).data).toEqual([body]);
    expect(expectStatus(await read(admin, body.id), 200).body).toEqual(body);
  });

  it.each(FIELDS)('requires %s: 400 when it is missing, null, not a string, or empty once trimmed', async (field) => {
    const admin = await signUpAdmin(service);
    for (const value of [undefined, null, 7, true, ['x'], {}, '', ' \t ']) {
      const refused = expectStatus(await create(admin, { [field]: value }), 400);
      expect(refused.body.error.code).toBe('invalid_request');
      expect(fieldsOf(refused)).toEqual([field]);
    }
    expectStatus(await create(admin, { [field]: 'f\0f' }), 400);
    expect((await list(admin)).total).toBe(0);
  });

  it.each([
    ['name', 255],
    ['userName', 255],
    ['description', 2_000],
  ])('%s is trimmed, and holds %i characters of any script but not one more', async (field, max) => {
    const admin = await signUpAdmin(service);
    const longest = '\u{1F3F7}'.repeat(max);
    const { body } = expectStatus(await create(admin, { [field]: `\n ${longest}  ` }), 201);
    expect(body[field === 'userName' ? 'createdBy' : field]).toBe(longest);
    expect(fieldsOf(expectStatus(await create(admin, { [field]: `x${longest}` }), 400))).toEqual([field]);
  });

  it('returns texts exactly as they were sent, in the list too', async () => {
    const admin = await signUpAdmin(service);
    const text = 'a"b\\c/d\b\f\n\r\t\u0001\u2028\u{1F600}é€<&>\'';
    const { body } = expectStatus(await create(admin, { name: text, description: text, userName: text }), 201);
    expect(body).toMatchObject({ name: text, description: text, createdBy: text, updatedBy: text });
    expect((await list(admin)).data).toEqual([body]);
  });

  it('ignores unknown fields and fields that the client can’t set', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const sent = {
      id: randomUUID(),
      companyId: other.companyId,
      userId: other.userId,
      createdBy: 'Eve',
      updatedBy: 'Eve',
    };
    const { body } = expectStatus(
      await create(admin, { ...sent, createdAt: '2000-01-01T00:00:00.000Z', icon: 'x' }),
      201,
    );
    const { companyId, userId } = admin;
    expect(body).toMatchObject({ companyId, userId, createdBy: LABEL.userName, updatedBy: LABEL.userName });
    expect(body.id).not.toBe(sent.id);
    expect(body).not.toHaveProperty('icon');
    expect((await list(other)).total).toBe(0);
  });
});

describe('color: hex of 3, 4, 6 or 8 digits, with or without #, returned as sent', () => {
  const good = ['fff', 'F0f8', 'ff8800', 'FF8800cc', '#abc', '#ABCD', '#aBcDeF', '#01234567'];
  const bad = [
    '#',
    '##fff',
    'ff',
    '#fffff',
    'fffffff',
    '123456789',
    'ggg',
    '#ff880',
    'red',
    '# fff',
    '0xfff',
    'fff#',
    'fff;',
    'ｆｆｆ',
  ];

  it('accepts valid forms on create and update, and returns them as sent', async () => {
    const admin = await signUpAdmin(service);
    const { id } = expectStatus(await create(admin), 201).body;
    for (const color of good) {
      expect(expectStatus(await create(admin, { name: color, color }), 201).body.color).toBe(color);
      expect(expectStatus(await change(admin, id, { color }), 200).body.color).toBe(color);
      expect((await read(admin, id)).body.color).toBe(color);
    }
  });

  it('refuses invalid forms with 400 on color, on create and update', async () => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await create(admin), 201).body;
    for (const color of bad) {
      expect(fieldsOf(expectStatus(await create(admin, { name: 'other', color }), 400))).toEqual(['color']);
      expect(fieldsOf(expectStatus(await change(admin, before.id, { color }), 400))).toEqual(['color']);
    }
    expect((await list(admin)).data).toEqual([before]);
  });
});

describe('name identifies a label: unique in the company, compared without case', () => {
  it.each([
    ['Priority', ['Priority', 'priority', 'PRIORITY', ' pRiOrItY ']],
    ['Straße', ['straße', 'STRAßE', 'STRAẞE', 'STRASSE', 'strasse']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ']],
    ['école', ['ÉCOLE', 'École']],
    ['ПРИОРИТЕТ', ['приоритет', 'Приоритет']],
    ['Ωmega', ['ωMEGA']],
    ['ǆ', ['Ǆ', 'ǅ']],
  ])('%s takes the name in every case: 409 label_name_taken on name', async (name, forms) => {
    const admin = await signUpAdmin(service);
    const other = expectStatus(await create(admin, { name: 'another' }), 201).body;
    expectStatus(await create(admin, { name }), 201);
    for (const form of forms) {
      const refused = [
        await create(admin, { name: form }),
        await change(admin, other.id, { name: form, color: '000' }),
      ];
      for (const answer of refused) {
        expect(expectStatus(answer, 409).body.error.code).toBe('label_name_taken');
        expect(fieldsOf(answer)).toEqual(['name']);
      }
    }
    expect((await read(admin, other.id)).body).toEqual(other);
    expect((await list(admin)).total).toBe(2);
  });

  it('names that differ in more than case are different names', async () => {
    const admin = await signUpAdmin(service);
    const names = ['resume', 'résumé', 'resumé', 'resume ́'.trim(), 'res ume', 'resume.', 'ресуме', '１', '1', 'a', 'ä'];
    for (const name of names) expectStatus(await create(admin, { name }), 201);
    expect((await list(admin)).total).toBe(names.length);
  });

  it('two companies may have a label of the same name', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const own = expectStatus(await create(admin), 201).body;
    expectStatus(await create(other), 201);
    expectStatus(await create(other, { name: 'Theirs' }), 201);
    expectStatus(await change(admin, own.id, { name: 'theirs' }), 200);
  });

  it('a label may be renamed to its own name in another case, and keep its name in an update', async () => {
    const admin = await signUpAdmin(service);
    const { id } = expectStatus(await create(admin), 201).body;
    expect(expectStatus(await change(admin, id, { name: 'PRIORITY' }), 200).body.name).toBe('PRIORITY');
    expect(expectStatus(await change(admin, id, { name: 'PRIORITY', color: 'fff' }), 200).body.color).toBe('fff');
  });

  it('a name is free again once its label was renamed or deleted', async () => {
    const admin = await signUpAdmin(service);
    const first = expectStatus(await create(admin), 201).body;
    expectStatus(await change(admin, first.id, { name: 'Renamed' }), 200);
    const second = expectStatus(await create(admin), 201).body;
    const body = { label_ids: [second.id] };
    expectStatus(await service.call('DELETE', '/labels', { token: admin.token, body }), 204);
    expectStatus(await create(admin), 201);
    expect(await namesOf(admin)).toEqual(['Renamed', 'Priority']);
  });

  it('a label can take a name that another has just given up, even after a deadlock', async () => {
    const admin = await signUpAdmin(service);
    const { id } = expectStatus(await create(admin, { name: 'one' }), 201).body;
    expectStatus(await create(admin, { name: 'two' }), 201);
    const { companyId } = admin;
    const answer = await provokeDeadlock(service.database, {
      before: async (tx) => tx`UPDATE labels SET name = 'three' WHERE company_id = ${companyId} AND name = 'two'`,
      request: () => change(admin, id, { name: 'Two' }),
      after: async (tx) => tx`UPDATE labels SET color = '#000' WHERE company_id = ${companyId} AND id = ${id}`,
    });
    expect(expectStatus(answer, 200).body).toMatchObject({ name: 'Two', color: '#000' });
  });

  it('one of 20 parallel creates with the same name succeeds, the others get 409', async () => {
    const admin = await signUpAdmin(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(admin, { name: index % 2 === 0 ? 'Straße' : 'STRAẞE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect((await list(admin)).total).toBe(1);
  });
});

describe('GET /labels/{label_id}', () => {
  it('answers 404 for an unknown id, an id that is not a UUID, a deleted label and another company’s label', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const [deleted, foreign] = [(await create(admin)).body.id, (await create(other)).body.id];
    await service.call('DELETE', '/labels', { token: admin.token, body: { label_ids: [deleted] } });
    for (const id of [randomUUID(), 'label-1', deleted, foreign]) {
      expect(expectStatus(await read(admin, id), 404).body.error.code).toBe('not_found');
    }
    expectStatus(await read(other, foreign), 200);
  });
});

describe('PUT /labels/{label_id}', () => {
  it.each([
    ['name', 'name'],
    ['description', 'description'],
    ['color', 'color'],
    ['userName', 'updatedBy'],
  ])('%s alone changes %s and updatedAt; absent fields keep their values', async (field, shown) => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await create(admin), 201).body;
    await delay(2);
    const { body } = expectStatus(await change(admin, before.id, { [field]: ' abc ' }), 200);
    expect(body).toEqual({ ...before, [shown]: 'abc', updatedAt: expect.stringMatching(TIMESTAMP) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await read(admin, before.id)).body).toEqual(body);
    expect((await list(admin)).data).toEqual([body]);
  });

  it('updatedBy takes the latest userName, and keeps it when none is sent; createdBy and userId never change', async () => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await create(admin), 201).body;
    expectStatus(await change(admin, before.id, { userName: 'Grace' }), 200);
    const { body } = expectStatus(await change(admin, before.id, { description: 'changed' }), 200);
    expect(body).toEqual({ ...before, description: 'changed', updatedBy: 'Grace', updatedAt: body.updatedAt });
  });

  it('takes a body without any of the optional strings, and a label as it was read', async () => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await create(admin), 201).body;
    const sent = {
      ...before,
      id: randomUUID(),
      companyId: randomUUID(),
      userId: randomUUID(),
      createdBy: 'Eve',
      updatedBy: 'Eve',
    };
    for (const body of [{}, sent]) {
      const answer = expectStatus(await change(admin, before.id, body), 200);
      expect(answer.body).toEqual({ ...before, updatedAt: answer.body.updatedAt });
    }
  });

  it.each(FIELDS)('refuses null, non-strings and too many characters for %s, and changes nothing', async (field) => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await create(admin), 201).body;
    const other = field === 'userName' ? { name: 'changed' } : { userName: 'changed' };
    for (const value of [null, 7, false, ['x'], {}, 'f'.repeat(2_001)]) {
      const refused = expectStatus(await change(admin, before.id, { ...other, [field]: value }), 400);
      expect(fieldsOf(refused)).toEqual([field]);
    }
    expect((await list(admin)).data).toEqual([before]);
  });

  it('answers 404, not 409, for an id that is not the company’s, and leaves another company’s label alone', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    expectStatus(await create(admin, { name: 'taken' }), 201);
    const foreign = expectStatus(await create(other), 201).body;
    for (const id of [randomUUID(), 'label-1', foreign.id]) {
      expect(expectStatus(await change(admin, id, { name: 'taken' }), 404).body.error.code).toBe('not_found');
    }
    expect((await read(other, foreign.id)).body).toEqual(foreign);
  });

  it('keeps all of four parallel updates of different fields', async () => {
    const admin = await signUpAdmin(service);
    const { id } = expectStatus(await create(admin), 201).body;
    await Promise.all(FIELDS.map((field) => change(admin, id, { [field]: 'abc' })));
    expect((await read(admin, id)).body).toMatchObject({
      name: 'abc',
      description: 'abc',
      color: 'abc',
      updatedBy: 'abc',
    });
  });
});

describeIdempotentCreate({
  service: () => service,
  path: '/labels',
  makeBody: async (_actor, mark) => ({ ...LABEL, name: mark }),
  invalidFields: { color: 'red' },
  countRows: async (actor) => (await list(actor)).total,
});

describe('Idempotency-Key on /labels', () => {
  it('replays a 409 with Idempotent-Replayed: true, even when the name is free again', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const { id } = expectStatus(await create(admin), 201).body;
    const request = { token, body: LABEL, headers: { 'idempotency-key': 'k' } };
    const first = expectStatus(await service.call('POST', '/labels', request), 409);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expectStatus(await change(admin, id, { name: 'other' }), 200);
    const replayed = expectStatus(await service.call('POST', '/labels', request), 409);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    const { code, message, details } = replayed.body.error;
    expect({ code, message, details }).toEqual({
      code: 'label_name_taken',
      message: first.body.error.message,
      details: first.body.error.details,
    });
    expectStatus(await service.call('POST', '/labels', { ...request, headers: { 'idempotency-key': 'new' } }), 201);
  });

  it('applies per route: the same key creates a label and an address', async () => {
    const { token } = await signUpAdmin(service);
    const headers = { 'idempotency-key': 'shared by routes' };
    expectStatus(await service.call('POST', '/labels', { token, headers, body: LABEL }), 201);
    const address = await service.call('POST', '/payments/addresses', { token, headers, body: {} });
    expect(expectStatus(address, 201).headers.get('idempotent-replayed')).toBeNull();
  });

  it('is ignored by PUT, GET and DELETE, whatever its length', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    for (const key of ['k', 'k', 'k'.repeat(300)]) {
      const headers = { 'idempotency-key': key };
      const { id } = expectStatus(await create(admin), 201).body;
      const changed = await service.call('PUT', `/labels/${id}`, { token, headers, body: { userName: id } });
      const one = await service.call('GET', `/labels/${id}`, { token, headers });
      const all = await service.call('GET', '/labels', { token, headers });
      const deleted = await service.call('DELETE', '/labels', { token, headers, body: { label_ids: [id] } });
      expect([changed, one, all, deleted].map(({ status }) => status)).toEqual([200, 200, 200, 204]);
      expect([changed.body, one.body, all.body.data[0]].map(({ updatedBy }) => updatedBy)).toEqual([id, id, id]);
      for (const answer of [changed, one, all, deleted]) expect(answer.headers.get('idempotent-replayed')).toBeNull();
      expect((await list(admin)).total).toBe(0);
    }
  });
});
