import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  cardBody,
  expectStatus,
  PASSWORD,
  saveAddress,
  signUpAdmin,
  signUpCustomer,
} from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { transaction } from '../platform/database/database.ts';
import { SYSTEM } from '../platform/http/route/actor.ts';
import { forgetPerson, recordAudit } from './audit.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

async function log({ token }: Actor, query = '') {
  return expectStatus(await service.call('GET', `/company/audit-log?${query}`, { token }), 200).body;
}

async function operatorLog(query = '') {
  const answer = await service.call('GET', `/operator/audit-log?${query}`, { token: service.operatorKey });
  return expectStatus(answer, 200).body;
}

async function verify() {
  const problems: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${cursor}`;
    const path = `/operator/audit-log/verification${query}`;
    const { body } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200);
    problems.push(...body.problems);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return problems;
}

const actionsOf = ({ data }: { data: { action: string }[] }) => data.map(({ action }) => action);

const createLabel = (token: string, name = 'Urgent') =>
  service.call('POST', '/labels', {
    token,
    body: { name, description: 'Anything', color: '#ff8800', userName: 'Ada' },
    headers: { 'user-agent': 'Analytical/1.0', 'x-request-id': 'request-1' },
  });

describe('an entry', () => {
  it('says who did what to what, from where and in which request', async () => {
    const admin = await signUpAdmin(service);
    const { body: label } = expectStatus(await createLabel(admin.token), 201);
    const { data, total } = await log(admin);
    expect(total).toBe(2);
    expect(data[0]).toEqual({
      id: expect.any(String),
      sequence: 2,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { kind: 'user', id: admin.userId, name: 'Ada Lovelace', ip: '127.0.0.1', user_agent: 'Analytical/1.0' },
      action: 'label.created',
      target: { kind: 'label', id: label.id, name: 'Urgent' },
      changes: { before: {}, after: { name: 'Urgent', description: 'Anything', color: '#ff8800', createdBy: 'Ada' } },
      request_id: 'request-1',
      previous_hash: data[1].hash,
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect(data[1]).toMatchObject({ action: 'user.signed_up', sequence: 1, previous_hash: null });
  });

  it('has the changed fields alone, before and after', async () => {
    const admin = await signUpAdmin(service);
    const { body: label } = expectStatus(await createLabel(admin.token), 201);
    const body = { name: 'Urgent', color: '#000000', userName: 'Ada' };
    expectStatus(await service.call('PUT', `/labels/${label.id}`, { token: admin.token, body }), 200);
    const deletion = { token: admin.token, body: { label_ids: [label.id] } };
    expectStatus(await service.call('DELETE', '/labels', deletion), 204);
    const [deleted, updated] = (await log(admin, `target=${label.id}`)).data;
    expect(updated).toMatchObject({ action: 'label.updated', target: { name: 'Urgent' } });
    expect(updated.changes).toEqual({ before: { color: '#ff8800' }, after: { color: '#000000' } });
    expect(deleted).toMatchObject({ action: 'label.deleted', target: { id: label.id, name: 'Urgent' } });
    expect(deleted.changes).toEqual({
      before: { name: 'Urgent', description: 'Anything', color: '#000000' },
      after: {},
    });
  });

  it('exists exactly when the change does', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await createLabel(admin.token), 201);
    expectStatus(await createLabel(admin.token), 409);
    expectStatus(
      await service.call('PUT', `/labels/${randomUUID()}`, { token: admin.token, body: { name: 'x', userName: 'x' } }),
      404,
    );
    expect(actionsOf(await log(admin))).toEqual(['label.created', 'user.signed_up']);
  });

  it('is written once for a request that is repeated with its idempotency key', async () => {
    const admin = await signUpAdmin(service);
    const addressId = await saveAddress(service, admin);
    const request = { token: admin.token, body: cardBody(addressId), headers: { 'idempotency-key': randomUUID() } };
    const { body: card } = expectStatus(await service.call('POST', '/payments/cards', request), 201);
    expectStatus(await service.call('POST', '/payments/cards', request), 201);
    const { total, data } = await log(admin, 'action=card.created');
    expect(total).toBe(1);
    expect(data[0].target).toEqual({ kind: 'card', id: card.id, name: '4242********4242' });
    expect(JSON.stringify(data)).not.toMatch(/4242424242424242|cvv|securityCode/);
  });

  it('has no field whose name says that it is secret', async () => {
    const admin = await signUpAdmin(service);
    const changes = { before: {}, after: { name: 'a', clientSecret: 'b', nested: { access_token: 'c', kept: 1 } } };
    const entry = {
      audience: 'company' as const,
      actor: SYSTEM,
      action: 'item.created' as const,
      target: null,
      changes,
    };
    await recordAudit(service.database.db, admin.companyId, entry);
    const [{ changes: shown }] = (await log(admin)).data;
    expect(shown).toEqual({ before: {}, after: { name: 'a', nested: { kept: 1 } } });
  });
});

describe('logins', () => {
  it('are in the log of the user’s company, succeeded and failed', async () => {
    const admin = await signUpAdmin(service);
    const { email } = admin;
    expectStatus(await service.call('POST', '/auth/local', { body: { email, password: 'Wrong-horse-7' } }), 401);
    const login = expectStatus(await service.call('POST', '/auth/local', { body: { email, password: PASSWORD } }), 200);
    expectStatus(await service.call('POST', '/auth/logout', { token: login.body.data.access_token }), 204);
    const { data } = await log(admin);
    const target = { kind: 'user', id: admin.userId, name: email };
    expect(data).toMatchObject([
      { action: 'session.ended', actor: { kind: 'user', id: admin.userId } },
      { action: 'login.succeeded', actor: { kind: 'user', id: admin.userId, name: 'Ada Lovelace' }, target },
      { action: 'login.failed', actor: { kind: 'anonymous', id: null, name: '', ip: '127.0.0.1' }, target },
      { action: 'user.signed_up', actor: { kind: 'user', id: admin.userId }, target },
    ]);
  });

  it('of an unknown e-mail are in the operator’s log alone', async () => {
    const email = `${randomUUID()}@example.com`;
    expectStatus(await service.call('POST', '/auth/local', { body: { email, password: PASSWORD } }), 401);
    const { data } = await operatorLog('action=login.failed');
    expect(data[0]).toMatchObject({ companyId: null, target: { kind: 'user', id: null, name: email } });
  });
});

describe('the lists', () => {
  it('filter by action, actor, target and time, and count exactly', async () => {
    const admin = await signUpAdmin(service);
    const { body: label } = expectStatus(await createLabel(admin.token), 201);
    const all = await log(admin);
    const [created, signedUp] = all.data;
    expect((await log(admin, 'action=label.created')).total).toBe(1);
    expect((await log(admin, `actor=${admin.userId}`)).total).toBe(2);
    expect((await log(admin, `actor=${randomUUID()}`)).total).toBe(0);
    expect((await log(admin, `target=${label.id}`)).data).toEqual([created]);
    expect((await log(admin, `from=${created.at}&to=9999-01-01T00:00:00Z`)).data[0]).toEqual(created);
    expect((await log(admin, `to=${signedUp.at}`)).total).toBe(0);
    expect((await operatorLog(`target=${label.id}`)).data[0]).toMatchObject({ companyName: admin.email });
    const today = created.at.slice(0, 10);
    expect((await log(admin, `from=${today}&to=${today}&action=${created.action}`)).data[0]).toEqual(created);
    expect((await log(admin, 'to=2020-01-01')).total).toBe(0);
    expect(await log(admin, 'page=2&per_page=1')).toEqual({ total: 2, page: 2, per_page: 1, data: [signedUp] });
    expect(await log(admin, 'page=3&per_page=1')).toEqual({ total: 2, page: 3, per_page: 1, data: [] });
    expect(
      (await service.call('GET', '/company/audit-log?from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', admin)).status,
    ).toBe(400);
  });

  it('find what a request has changed', async () => {
    const admin = await signUpAdmin(service);
    const { headers } = expectStatus(await createLabel(admin.token, 'First'), 201);
    const asked = headers.get('x-request-id') ?? '';
    const cardRequest = await service.call('POST', '/payments/addresses', {
      token: admin.token,
      body: { city: 'London' },
    });
    const other = expectStatus(cardRequest, 201).headers.get('x-request-id') ?? '';
    expect(actionsOf(await log(admin, `request_id=${asked}`))).toEqual(['label.created']);
    expect(actionsOf(await log(admin, `request_id=${other}`))).toEqual(['address.created']);
    expect((await log(admin, `request_id=${randomUUID()}`)).total).toBe(0);
    const found = await operatorLog(`requestId=${other}`);
    expect(found).toMatchObject({ total: 1, data: [{ companyId: admin.companyId, requestId: other }] });
    const file = await service.call('GET', `/operator/audit-log.csv?requestId=${other}`, {
      token: service.operatorKey,
    });
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(actionsOf(await operatorLog(`requestId=${asked}`))).toContain('label.created');
    const wrong = await service.call('GET', `/operator/audit-log?request_id=${asked}`, { token: service.operatorKey });
    expectStatus(wrong, 400);
  });

  it('show a company only its own entries, and the operator those of all', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    expectStatus(await createLabel(admin.token), 201);
    expect(actionsOf(await log(other))).toEqual(['user.signed_up']);
    const { data, total } = await operatorLog(`companyId=${admin.companyId}`);
    expect(total).toBe(2);
    expect(data[0]).toMatchObject({
      companyId: admin.companyId,
      action: 'label.created',
      actor: { kind: 'user', userAgent: 'Analytical/1.0' },
      requestId: 'request-1',
      previousHash: data[1].hash,
    });
    const customer = await signUpCustomer(service);
    expect((await service.call('GET', '/company/audit-log', customer)).status).toBe(403);
    expect((await operatorLog(`actor=${customer.userId}`)).data[0]).toMatchObject({
      companyId: null,
      action: 'user.signed_up',
    });
  });

  it('read long pages some entries at a time', async () => {
    const admin = await signUpAdmin(service);
    for (let label = 0; label < 3; label += 1) expectStatus(await createLabel(admin.token, `Label ${label}`), 201);
    const entry = {
      audience: 'company' as const,
      actor: SYSTEM,
      action: 'item.created' as const,
      target: null,
      changes: null,
    };
    await transaction(service.database.db, (tx) =>
      Promise.all(Array.from({ length: 250 }, () => recordAudit(tx, admin.companyId, entry))),
    );
    const { total, data } = await log(admin, 'per_page=1000');
    expect(total).toBe(254);
    expect(data).toHaveLength(254);
    expect(new Set(data.map(({ sequence }: { sequence: number }) => sequence)).size).toBe(254);
    expect((await log(admin, 'per_page=100&page=2')).data).toEqual(data.slice(100, 200));
  });

  it('are files as well', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await createLabel(admin.token, 'a, "b"'), 201);
    const file = await service.call('GET', '/company/audit-log.csv?action=label.created', admin);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const [head, line, end] = file.text.split('\r\n');
    expect(head).toBe(
      'sequence,id,at,actor_kind,actor_id,actor_name,actor_key,ip,user_agent,action,target_kind,target_id,target_name,changes,request_id,' +
        'previous_hash,hash',
    );
    expect(line).toMatch(
      new RegExp(
        `^2,[\\w-]+,[\\w:.-]+,user,${admin.userId},Ada Lovelace,,127.0.0.1,Analytical/1.0,label.created,label,[\\w-]+,"a, ""b""","{`,
      ),
    );
    expect(end).toBe('');
    const query = `companyId=${admin.companyId}`;
    const operators = await service.call('GET', `/operator/audit-log.csv?${query}`, { token: service.operatorKey });
    expect(operators.text.split('\r\n')[0]).toMatch(
      /^companyId,companyExternalId,sequence,id,at,actorKind,.*,userAgent,.*,requestId,previousHash,hash$/,
    );
    expect(operators.text.split('\r\n')).toHaveLength(4);
  });
});

/** The second entry of a company, in what entries say. */
const THE_SECOND =
  'company_id = $1 AND id = (SELECT id FROM audit_entries AS chained WHERE chained.company_id = $1 AND sequence = 2)';

describe('the chain', () => {
  it('is gapless and verifies, whatever is written at the same time', async () => {
    const admin = await signUpAdmin(service);
    await Promise.all(Array.from({ length: 20 }, (_, label) => createLabel(admin.token, `Label ${label}`)));
    const { data } = await log(admin, 'per_page=100');
    const entries = data.toReversed();
    expect(entries.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      entries.map((_: unknown, index: number) => index + 1),
    );
    for (const [index, entry] of entries.entries()) expect(entry.previous_hash).toBe(entries[index - 1]?.hash ?? null);
    expect(await verify()).toEqual([]);
  });

  it('has hashes that can be computed from what is stored', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await createLabel(admin.token), 201);
    const { data } = await log(admin);
    const [{ content = '' } = {}] = await service.database.owner<{ content: string }[]>`
      SELECT content::text AS content FROM audit_contents WHERE company_id = ${admin.companyId} AND id = ${data[0].id}`;
    expect(createHash('sha256').update(`${data[1].hash}\n2\n${content}`).digest('hex')).toBe(data[0].hash);
  });

  // Security (Accounts and permissions): The audit log verifies, and not when an entry is changed or removed
  it.each([
    [
      'an entry is changed',
      'changed',
      `UPDATE audit_contents SET content = replace(content::text, 'Urgent', 'Minor')::json WHERE ${THE_SECOND}`,
      2,
    ],
    [
      'a name is changed',
      'changed',
      `UPDATE audit_contents SET persons = jsonb_set(persons, '{actor}', '"{}"') WHERE ${THE_SECOND}`,
      2,
    ],
    [
      'an action that the list finds it by is changed',
      'changed',
      "UPDATE audit_entries SET action = 'label.deleted' WHERE company_id = $1 AND sequence = 2",
      2,
    ],
    ['an entry is removed', 'missing', 'DELETE FROM audit_entries WHERE company_id = $1 AND sequence = 2', 2],
    ['what an entry says is removed', 'missing', `DELETE FROM audit_contents WHERE ${THE_SECOND}`, 2],
    ['the last entry is removed', 'head', 'DELETE FROM audit_entries WHERE company_id = $1 AND sequence = 3', 2],
    [
      'a hash is changed',
      'changed',
      "UPDATE audit_entries SET hash = '\\x00' WHERE company_id = $1 AND sequence = 3",
      3,
    ],
  ])('does not verify when %s', async (_what, problem, statement, sequence) => {
    const admin = await signUpAdmin(service);
    expectStatus(await createLabel(admin.token), 201);
    expectStatus(await createLabel(admin.token, 'Other'), 201);
    await log(admin);
    const { owner } = service.database;
    await owner`CREATE TEMP TABLE kept AS SELECT * FROM audit_entries WHERE company_id = ${admin.companyId}`;
    await owner`CREATE TEMP TABLE said AS SELECT * FROM audit_contents WHERE company_id = ${admin.companyId}`;
    await owner.unsafe(statement, [admin.companyId]);
    expect(await verify()).toContainEqual({ companyId: admin.companyId, companyExternalId: null, sequence, problem });
    await owner`DELETE FROM audit_entries WHERE company_id = ${admin.companyId}`;
    await owner`DELETE FROM audit_contents WHERE company_id = ${admin.companyId}`;
    await owner`INSERT INTO audit_entries SELECT * FROM kept`;
    await owner`INSERT INTO audit_contents SELECT * FROM said`;
    await owner`DROP TABLE kept, said`;
    expect(await verify()).toEqual([]);
  });

  // Security (Accounts and permissions): The names of a deleted user leave the audit log, and its chain still verifies
  it('verifies after what it has about a person was emptied', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await createLabel(admin.token), 201);
    const person = { userId: admin.userId, email: admin.email };
    await transaction(service.database.db, (tx) => forgetPerson(tx, admin.companyId, person));
    const { data } = await log(admin);
    expect(data.map(({ actor }: { actor: object }) => actor)).toMatchObject([
      { id: admin.userId, name: '' },
      { id: admin.userId, name: '' },
    ]);
    expect(data[1]).toMatchObject({ target: { kind: 'user', id: admin.userId, name: '' }, changes: null });
    expect(await verify()).toEqual([]);
    const [row] = await service.database.owner<{ text: string }[]>`
      SELECT string_agg(audit_entries::text, ' ') AS text FROM audit_entries WHERE company_id = ${admin.companyId}`;
    expect(row?.text).not.toMatch(/Lovelace/);
    expect(row?.text).not.toContain(admin.email);
  });
});
