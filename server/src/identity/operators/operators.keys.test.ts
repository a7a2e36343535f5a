import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { rememberOperatorKeys } from './operators.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const asFirst = (method: string, path: string, body?: object, headers = {}) =>
  service.call(method, path, { token: service.operatorKey, headers, ...(body === undefined ? {} : { body }) });
const listKeys = async () => expectStatus(await asFirst('GET', '/operator/keys?perPage=1000'), 200).body.data;
const read = (token: string) => service.call('GET', '/operator/companies', { token });

describe('an operator key', () => {
  it('has a name and a role, works at once, and is shown once', async () => {
    const { key, ...made } = await createKey(service, { name: 'Month end', role: 'finance' });
    expect(key).toMatch(/^opk_[\w-]{43}$/);
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Month end',
      role: 'finance',
      prefix: key.slice(0, 12),
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      expiresAt: null,
    });
    expectStatus(await read(key), 200);
    const [listed] = await listKeys();
    expect(listed).toEqual({ ...made, lastUsedAt: expect.stringMatching(/Z$/) });
  });

  // Security (HTTP, and what all share): Operator keys are kept as hashes and shown once
  it('is kept as its SHA-256 alone, and is in no log and no list', async () => {
    const { id, key } = await createKey(service);
    expectStatus(await read(key), 200);
    const [row] = await service.database.owner`
      SELECT encode(key_hash, 'hex') AS hash FROM operator_keys WHERE id = ${id}`;
    expect(row?.hash).toBe(createHash('sha256').update(key).digest('hex'));
    const rows = await dumpDatabase(service.database.owner);
    expect(rows.filter(({ text }) => text.includes(key))).toEqual([]);
    expect((await asFirst('GET', '/operator/keys?perPage=1000')).text).not.toContain(key);
    expect(service.logs()).not.toContain(key);
  });

  it('that is created again with the same Idempotency-Key is answered without the key, because the key is stored nowhere', async () => {
    const body = { name: 'Retried', role: 'admin' };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { key, ...made } = expectStatus(await asFirst('POST', '/operator/keys', body, headers), 201).body;
    const repeated = expectStatus(await asFirst('POST', '/operator/keys', body, headers), 201);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.body).toEqual(made);
    const rows = await dumpDatabase(service.database.owner);
    expect(rows.filter(({ text }) => text.includes(key))).toEqual([]);
  });

  it('works until it expires', async () => {
    const { id, key } = await createKey(service, { expiresAt: '2099-01-01T00:00:00Z' });
    expectStatus(await read(key), 200);
    expect(await listKeys()).toContainEqual(expect.objectContaining({ id, expiresAt: '2099-01-01T00:00:00.000Z' }));
    await service.database.owner`UPDATE operator_keys SET expires_at = now() WHERE id = ${id}`;
    expectStatus(
      await pollUntil(
        () => read(key),
        ({ status }) => status !== 200,
      ),
      401,
    );
    expect(await listKeys()).toContainEqual(expect.objectContaining({ id }));
  });

  it.each([
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['role', { role: 'owner' }],
    ['name', { name: ' ' }],
  ])('with a bad %s is 400', async (field, changes) => {
    const answer = await asFirst('POST', '/operator/keys', { name: 'Ada', role: 'viewer', ...changes });
    expect(expectStatus(answer, 400).body.error.details).toMatchObject([{ field }]);
  });

  it('that is deleted is refused from the answer on', async () => {
    const { id, key } = await createKey(service);
    expectStatus(await read(key), 200);
    expectStatus(await asFirst('DELETE', `/operator/keys/${id}`), 204);
    expectStatus(await read(key), 401);
    expectStatus(await asFirst('DELETE', `/operator/keys/${id}`), 404);
  });

  // Security (HTTP, and what all share): A deleted operator key is refused at once, elsewhere within a second
  it('that another process deleted is refused within about a second', async () => {
    const { id, key } = await createKey(service);
    const elsewhere = rememberOperatorKeys(service.database.db);
    expect(await elsewhere.authenticate(key)).toMatchObject({ keyId: id });
    expectStatus(await asFirst('DELETE', `/operator/keys/${id}`), 204);
    expect(
      await pollUntil(
        async () => elsewhere.authenticate(key),
        (found) => found === null,
      ),
    ).toBeNull();
  });

  it('that was checked within the second is accepted without asking the database', async () => {
    const { id, key } = await createKey(service);
    const keys = rememberOperatorKeys(service.database.db);
    await keys.authenticate(key);
    expect(keys.authenticate(key)).toMatchObject({ keyId: id, keyName: 'Ada', role: 'viewer' });
  });
});

describe('the first key', () => {
  it('is listed last, as an admin that does not expire, and cannot be deleted', async () => {
    await createKey(service);
    const keys = await listKeys();
    const first = keys.at(-1);
    expect(first).toMatchObject({
      name: 'first',
      role: 'admin',
      expiresAt: null,
      prefix: service.operatorKey.slice(0, 12),
      lastUsedAt: expect.any(String),
    });
    const answer = await asFirst('DELETE', `/operator/keys/${first.id}`);
    expect(expectStatus(answer, 409).body.error.code).toBe('first_key');
    expectStatus(await read(service.operatorKey), 200);
  });
});

describe('the audit log', () => {
  it('names the key that did something, and says who created and deleted keys', async () => {
    const ada = await createKey(service, { name: 'Ada', role: 'admin' });
    const body = { name: 'Grace', role: 'finance' };
    const grace = expectStatus(await service.call('POST', '/operator/keys', { token: ada.key, body }), 201).body;
    expectStatus(await service.call('DELETE', `/operator/keys/${grace.id}`, { token: ada.key }), 204);
    const { data, ...answer } = expectStatus(await asFirst('GET', `/operator/audit-log?actor=${ada.id}`), 200).body;
    expect(answer.total).toBe(2);
    const actor = { kind: 'operator_key', id: ada.id, name: 'Ada' };
    const target = { kind: 'operator_key', id: grace.id, name: 'Grace' };
    const given = { name: 'Grace', role: 'finance', expiresAt: null };
    expect(data).toMatchObject([
      { action: 'operator_key.deleted', companyId: null, actor, target, changes: { before: given, after: {} } },
      { action: 'operator_key.created', companyId: null, actor, target, changes: { before: {}, after: given } },
    ]);
  });
});
