import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createApiKey, keyBody } from '../../../test/identity/api-keys.ts';
import { addMember, createRole, giveRole, only } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';
import { rememberApiKeys } from './api-keys.service.ts';
import { makeKey, readKey } from './key-text.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const EVERYTHING = SYSTEM_ROLES.Admin.permission;
const BILLING = only('platform.billing', { all: true, view: true });

const call = (method: string, path: string, token: string, body?: object, headers = {}) =>
  service.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) });
const create = (changes: object = {}, actor = admin) => createApiKey(service, actor, changes);
const list = async (query = '') => expectStatus(await call('GET', `/company/api-keys?${query}`, admin.token), 200).body;
const read = (key: string, path = '/labels') => call('GET', path, key);
const untilRefused = (key: string, path?: string) =>
  pollUntil(
    () => read(key, path),
    ({ status }) => status !== 200,
  );
/** Whoever knows keys in another process. */
const elsewhere = () => rememberApiKeys(service.database.db, service.config);

describe('an API key', () => {
  it('is created with a name and permissions, works at once, and is shown once', async () => {
    const permission = only('application.labels', { all: true, view: true });
    const { key, ...made } = await create({ name: 'Sync', permission, expires_at: null });
    expect(key).toMatch(/^pdk_[\w-]{48}$/);
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Sync',
      prefix: key.slice(0, 12),
      permission,
      created_by: { id: admin.userId, name: 'Ada Lovelace' },
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: null,
      allowed_ips: [],
    });
    expectStatus(await read(key), 200);
    expectStatus(await service.call('GET', '/labels', { headers: { authorization: key } }), 200);
    expect(await list()).toEqual({
      total: 1,
      page: 1,
      per_page: 10,
      data: [{ ...made, last_used_at: expect.stringMatching(/Z$/) }],
    });
  });

  it('acts for its company, in the name of its creator', async () => {
    const { key } = await create();
    const body = { name: 'Priority', description: 'Any', color: '#fff', userName: 'Sync' };
    const label = expectStatus(await call('POST', '/labels', key, body), 201).body;
    expect(label).toMatchObject({ companyId: admin.companyId, userId: admin.userId });
    const { data } = expectStatus(await call('GET', '/labels', admin.token), 200).body;
    expect(data).toEqual([label]);
  });

  // Security (HTTP, and what all share): An API key is kept as a hash and shown once
  it('is kept as a hash alone, and is in no log, entry or list', async () => {
    const { key } = await create();
    expectStatus(await read(key), 200);
    expectStatus(await read(key, '/auth/sessions'), 403);
    expectStatus(await read(`${key}x`), 401);
    expectStatus(await call('GET', '/company/audit-log', key), 200);
    const forms = [key, key.slice(4), Buffer.from(key.slice(4), 'base64url').toString('hex')];
    const rows = await dumpDatabase(service.database.owner);
    expect(rows.filter(({ text }) => forms.some((form) => text.includes(form)))).toEqual([]);
    expect(JSON.stringify(await list())).not.toContain(key);
    expect(service.logs()).toContain('"apiKeyId"');
    expect(forms.filter((form) => service.logs().includes(form))).toEqual([]);
  });

  it('that is created again with the same Idempotency-Key is answered without the key, because the key is stored nowhere', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { key, ...made } = expectStatus(
      await call('POST', '/company/api-keys', admin.token, keyBody(), headers),
      201,
    ).body;
    const repeated = expectStatus(await call('POST', '/company/api-keys', admin.token, keyBody(), headers), 201);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.body).toEqual(made);
    const rows = await dumpDatabase(service.database.owner);
    expect(rows.filter(({ text }) => text.includes(key))).toEqual([]);
    expect((await list()).total).toBe(1);
  });

  it('is listed newest first, in pages', async () => {
    for (const name of ['one', 'two', 'three']) await create({ name });
    const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['three', 'two', 'one']);
    expect(await names('page=2&per_page=2')).toEqual(['one']);
    expect((await list('page=2&per_page=2')).total).toBe(3);
  });

  it.each([
    ['name', { name: ' ' }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['allowed_ips[1]', { allowed_ips: ['192.0.2.1', 'example.com'] }],
    ['permission.platform.billing.view', { permission: only('platform.billing', { all: true, view: false }) }],
    ['permission', { permission: null }],
    ['permission.platform', { permission: { application: EVERYTHING.application } }],
  ])('with a bad %s is 400', async (field, changes) => {
    const answer = await call('POST', '/company/api-keys', admin.token, keyBody(changes));
    expect(expectStatus(answer, 400).body.error.details).toMatchObject([{ field }]);
  });
});

describe('what a key may do', () => {
  it('is at most what its creator may: more is 403 permission_not_held', async () => {
    const limited = { ...BILLING, platform: { ...BILLING.platform, applications: { all: true, view: true } } };
    const member = await addMember(service, admin, limited);
    expect((await create({ permission: limited }, member)).permission).toEqual(limited);
    for (const permission of [EVERYTHING, only('platform.roles', { all: false, view: true })]) {
      const refused = await call('POST', '/company/api-keys', member.token, keyBody({ permission }));
      expect(expectStatus(refused, 403).body.error.code).toBe('permission_not_held');
    }
  });

  // Security (HTTP, and what all share): An API key grants at most what its creator may do at that moment
  it('shrinks with its creator’s role: at once in the process that answers, and within a second in others', async () => {
    const role = await createRole(service, admin, { permission: EVERYTHING });
    const member = await addMember(service, admin, EVERYTHING);
    await service.database.owner`UPDATE users SET role = NULL, role_id = ${role.id} WHERE id = ${member.userId}`;
    const { key } = await create({}, member);
    const other = elsewhere();
    expectStatus(await read(key), 200);
    const before = await other.authenticate(key);
    expect(before?.permissions).toEqual(EVERYTHING);
    expectStatus(await call('PUT', `/company/roles/${role.id}`, admin.token, { permission: BILLING }), 200);
    expectStatus(await read(key), 403);
    expectStatus(await read(key, '/payments/cards'), 200);
    const after = await pollUntil(
      async () => other.authenticate(key),
      (principal) => principal?.permissions.application.labels.view === false,
    );
    expect(after?.permissions).toEqual(BILLING);
    expectStatus(await call('PUT', `/company/roles/${role.id}`, admin.token, { permission: EVERYTHING }), 200);
    expectStatus(await read(key), 200);
  });

  it('does not grow with its creator’s role', async () => {
    const { key } = await create({ permission: BILLING });
    await giveRole(service, admin, EVERYTHING);
    expectStatus(await read(key, '/payments/cards'), 200);
    expectStatus(await read(key), 403);
  });
});

describe('a key is refused', () => {
  it('when it expires', async () => {
    const { id, key } = await create({ expires_at: '2099-01-01T00:00:00Z' });
    expectStatus(await read(key), 200);
    expect((await list()).data[0].expires_at).toBe('2099-01-01T00:00:00.000Z');
    await service.database.owner`UPDATE api_keys SET expires_at = now() WHERE id = ${id}`;
    expect(expectStatus(await untilRefused(key), 401).body.error.code).toBe('unauthenticated');
    expect((await list()).total).toBe(1);
  });

  // Security (HTTP, and what all share): A deleted API key is refused at once, elsewhere within a second
  it('from the answer to its deletion on, and elsewhere within about a second', async () => {
    const [{ id, key }, kept] = [await create(), await create()];
    const other = elsewhere();
    expectStatus(await read(key), 200);
    expect(await other.authenticate(key)).toMatchObject({ keyId: id });
    expectStatus(await call('DELETE', `/company/api-keys/${id}`, admin.token), 204);
    expect(expectStatus(await read(key), 401).body.error.code).toBe('unauthenticated');
    const seen = await pollUntil(
      async () => other.authenticate(key),
      (principal) => principal === null,
    );
    expect(seen).toBeNull();
    expectStatus(await read(kept.key), 200);
    expectStatus(await call('DELETE', `/company/api-keys/${id}`, admin.token), 404);
  });

  it('when its creator leaves the company, also when they come back', async () => {
    const member = await addMember(service, admin, 'Admin');
    const [{ key }, kept] = [await create({}, member), await create()];
    const other = elsewhere();
    expectStatus(await read(key), 200);
    expect(await other.authenticate(key)).not.toBeNull();
    expectStatus(await call('DELETE', `/company/members/${member.userId}`, admin.token), 204);
    expectStatus(await read(key), 401);
    const seen = await pollUntil(
      async () => other.authenticate(key),
      (principal) => principal === null,
    );
    expect(seen).toBeNull();
    const { owner } = service.database;
    await owner`UPDATE users SET company_id = ${admin.companyId}, role = 'Admin' WHERE id = ${member.userId}`;
    expectStatus(await read(key), 401);
    expectStatus(await read(kept.key), 200);
    expect((await list()).total).toBe(1);
  });

  it('with another checksum or form, without a question to the database', async () => {
    const { key } = await create();
    const other = rememberApiKeys(undefined as never, service.config);
    const flipped = `${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`;
    const madeUp = `pdk_${randomBytes(36).toString('base64url')}`;
    for (const wrong of [flipped, madeUp, key.slice(0, -1), `${key}A`, `${key}=`, 'pdk_', key.replace('pdk', 'PDK')]) {
      expect(expectStatus(await read(wrong), 401).body.error.code).toBe('unauthenticated');
      if (wrong.startsWith('pdk_')) expect(await other.authenticate(wrong)).toBeNull();
    }
  });

  // Security (HTTP, and what all share): An API key is accepted only from its addresses
  it('from an address that is not among its own', async () => {
    const [here, away] = [
      await create({ allowed_ips: ['203.0.113.0/24', '127.0.0.0/8', '::1'] }),
      await create({ allowed_ips: ['203.0.113.7', '2001:db8::/32'] }),
    ];
    expect([here.allowed_ips, away.allowed_ips]).toEqual([
      ['203.0.113.0/24', '127.0.0.0/8', '::1'],
      ['203.0.113.7', '2001:db8::/32'],
    ]);
    expectStatus(await read(here.key), 200);
    for (const path of ['/labels', '/payments/cards']) {
      expect(expectStatus(await read(away.key, path), 403).body.error.code).toBe('address_not_allowed');
    }
    const forwarded = await call('GET', '/labels', away.key, undefined, { 'x-forwarded-for': '203.0.113.7' });
    expectStatus(forwarded, 403);
  });
});

describe('a check', () => {
  it('is good for a second: the next one needs no question to the database', async () => {
    const { id, key } = await create();
    const keys = elsewhere();
    await keys.authenticate(key);
    expect(keys.authenticate(key)).toMatchObject({ kind: 'api_key', keyId: id });
  });

  it('notes the use, once a minute at most', async () => {
    const { id, key } = await create();
    const { owner } = service.database;
    const usedAt = async () => (await list()).data[0].last_used_at;
    await elsewhere().authenticate(key);
    const first = await usedAt();
    await elsewhere().authenticate(key);
    expect(await usedAt()).toBe(first);
    await owner`UPDATE api_keys SET last_used_at = now() - interval '59 seconds' WHERE id = ${id}`;
    const recent = await usedAt();
    await elsewhere().authenticate(key);
    expect(await usedAt()).toBe(recent);
    await owner`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = ${id}`;
    await elsewhere().authenticate(key);
    expect(Date.parse(await usedAt())).toBeGreaterThan(Date.parse(recent));
  });
});

describe('the audit log', () => {
  it('has the creation, the deletion, and the key as the actor of what it does', async () => {
    const { id, key } = await create({ name: 'Sync', allowed_ips: ['127.0.0.0/8'] });
    expectStatus(await call('POST', '/payments/addresses', key, { city: 'London' }), 201);
    expectStatus(await call('DELETE', `/company/api-keys/${id}`, admin.token), 204);
    const { data } = expectStatus(await call('GET', '/company/audit-log', admin.token), 200).body;
    const fields = { name: 'Sync', permission: EVERYTHING, expires_at: null, allowed_ips: ['127.0.0.0/8'] };
    const target = { kind: 'api_key', id, name: 'Sync' };
    expect(data.slice(0, 3)).toMatchObject([
      { action: 'api_key.deleted', target, changes: { before: fields, after: {} } },
      { action: 'address.created', actor: { kind: 'api_key', id, name: 'Sync' } },
      { action: 'api_key.created', target, actor: { id: admin.userId }, changes: { before: {}, after: fields } },
    ]);
    const ofKey = expectStatus(await call('GET', `/company/audit-log?actor=${id}`, admin.token), 200).body;
    expect(ofKey.total).toBe(1);
  });
});

it('a key’s text is read back, and differs each time', () => {
  const [one, other] = [makeKey(), makeKey()];
  expect(readKey(one.key)).toEqual(one.secret);
  expect(one.key).not.toBe(other.key);
});
