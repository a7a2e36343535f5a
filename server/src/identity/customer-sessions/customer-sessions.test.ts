import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, issueInvoice, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { createClock } from '../../../test/customers/second-factors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { codeIn, openSession, sessionBody } from '../../../test/identity/customer-sessions.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { only } from '../../../test/identity/roles.ts';
import { addStaff } from '../../../test/identity/staff.ts';
import { ensureOperatorKey } from '../operators/operators.service.ts';

const clock = createClock();
const PUBLIC_URL = 'https://billing.example.com/paydesk';
const SHOP = 'https://shop.example.com';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: PUBLIC_URL });
  const body = { allowedOrigins: [SHOP, 'http://localhost:5173'] };
  expectStatus(await service.call('PUT', '/operator/integration', { token: service.operatorKey, body }), 200);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const claimsOf = (token: string) => readToken(token).claims;
const asOperator = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  service.call(method, `/operator${path}`, {
    token: service.operatorKey,
    headers,
    ...(body === undefined ? {} : { body }),
  });
const open = (body: object = {}, headers = {}) =>
  asOperator('POST', `/companies/${admin.companyId}/sessions`, body, headers);
const list = async (companyId = admin.companyId) =>
  expectStatus(await asOperator('GET', `/companies/${companyId}/sessions`), 200).body;
const end = (id: string) => asOperator('DELETE', `/companies/${admin.companyId}/sessions/${id}`);
const invoices = (token: string) => service.call('GET', '/payments/orders', { token });

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(expectStatus(answer, status).body.error.code).toBe(code);
}

function expectField(answer: Answer, field: string): void {
  expectProblem(answer, 400, 'invalid_request');
  expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
}

describe('opening', () => {
  it('answers a token of the company, a link, and when both end', async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = expectStatus(await open(sessionBody()), 201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { id, token, expiresAt, url, ...others } = answer.body;
    expect(others).toEqual({});
    expect(Date.parse(expiresAt) / 1000 - before).toBeGreaterThanOrEqual(600);
    expect(Date.parse(expiresAt) / 1000 - before).toBeLessThan(605);
    expect(url).toMatch(/^https:\/\/billing\.example\.com\/paydesk\/app\/session#code=[\w-]{43}$/);
    expect(claimsOf(token)).toMatchObject({
      ...{ sid: id, sub: 'user-42', company_id: admin.companyId, session: 'customer' },
      ...{ role: 'Customer session', exp: Date.parse(expiresAt) / 1000 },
    });
    expect(claimsOf(expectStatus(await open(), 201).body.token)).not.toHaveProperty('company_external_id');
  });

  it('takes nothing at all: an hour, and all of platform.billing', async () => {
    const path = `/operator/companies/${admin.companyId}/sessions`;
    const { id, expiresAt } = expectStatus(await service.call('POST', path, { token: service.operatorKey }), 201).body;
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3_590_000);
    const { data } = await list();
    expect(data).toEqual([
      {
        ...{ id, user: null, permission: only('platform.billing', { all: true, view: true }), returnUrl: null },
        ...{ key: 'first', createdAt: expect.any(String), expiresAt },
      },
    ]);
  });

  it('names the company by its external id, which the token has', async () => {
    const externalId = `shop/${crypto.randomUUID()}`;
    await asOperator('PUT', `/companies/${admin.companyId}`, { externalId });
    const path = `/companies/external:${encodeURIComponent(externalId)}/sessions`;
    const { token } = expectStatus(await asOperator('POST', path, {}), 201).body;
    expect(claimsOf(token)).toMatchObject({ company_id: admin.companyId, company_external_id: externalId });
    expectProblem(await asOperator('POST', '/companies/external:nobody/sessions', {}), 404, 'not_found');
    expectProblem(await asOperator('GET', '/companies/external:nobody/sessions'), 404, 'not_found');
  });

  it.each([
    [{ expiresIn: 59 }, 'expiresIn'],
    [{ expiresIn: 86_401 }, 'expiresIn'],
    [{ expiresIn: 60.5 }, 'expiresIn'],
    [{ user: null }, 'user'],
    [{ user: {} }, 'user.id'],
    [{ user: { id: ' ' } }, 'user.id'],
    [{ user: { id: 'a', name: null } }, 'user.name'],
    [{ user: { id: 'a', email: 'nobody' } }, 'user.email'],
    [{ user: { id: 'a', admin: true } }, 'user.admin'],
    [{ permission: null }, 'permission'],
    [{ permission: 'all' }, 'permission'],
    [{ permission: only('platform.admins', { all: false, view: true }) }, 'permission'],
    [{ permission: only('application.settings', { all: true, view: true }) }, 'permission'],
    [{ permission: only('platform.billing', { all: true, view: false }) }, 'permission.platform.billing.view'],
    [{ returnUrl: '' }, 'returnUrl'],
    [{ returnUrl: null }, 'returnUrl'],
    [{ companyId: 'x' }, 'companyId'],
  ])('refuses %j: %s', async (body, field) => {
    expectField(await open(body), field);
    expect((await list()).total).toBe(0);
  });

  it.each([59, 60, 86_400, 86_401])('lasts between 60 and 86,400 seconds: %i', async (expiresIn) => {
    expectStatus(await open({ expiresIn }), expiresIn === 60 || expiresIn === 86_400 ? 201 : 400);
  });

  // Security (Accounts and permissions): The link of a customer session leads back to pages of allowed origins alone
  it.each([
    'https://shop.example.com.evil.example',
    'https://shop.example.com@evil.example/',
    'https://shop.example.com:443@evil.example/',
    'https://evil.example/https://shop.example.com',
    'https://evil.example\\@shop.example.com/',
    'https://shop.example.com\\@evil.example/',
    'https:\\\\shop.example.com/',
    'https:/shop.example.com/',
    'https:shop.example.com/',
    'https:///shop.example.com/',
    '//shop.example.com/',
    '/back',
    'https://user@shop.example.com/',
    'https://shop.example.com:8443/',
    'http://shop.example.com/',
    'https://shop.example.com.',
    'https://sub.shop.example.com/',
    'http://localhost/',
    'https://shop.exa\tmple.com/',
    'https://shop.example.com/a\nb',
    'javascript:alert(1)//https://shop.example.com',
    'data:text/html,https://shop.example.com',
    'blob:https://shop.example.com/1',
  ])('refuses to lead back to %j', async (returnUrl) => {
    expectProblem(await open({ returnUrl }), 400, 'origin_not_allowed');
  });

  it.each([
    [SHOP, SHOP],
    [`${SHOP}/`, `${SHOP}/`],
    [`${SHOP}/a?b=c#d`, `${SHOP}/a?b=c#d`],
    [`${SHOP}:443/`, `${SHOP}/`],
    ['HTTPS://SHOP.example.com', `${SHOP}/`],
    [`${SHOP}/a/../b/"é`, `${SHOP}/b/%22%C3%A9`],
    ['http://localhost:5173/x', 'http://localhost:5173/x'],
  ])('given %s leads back to %s', async (returnUrl, kept) => {
    expectStatus(await open({ returnUrl }), 201);
    expect((await list()).data[0].returnUrl).toBe(kept);
  });

  it('repeated with its idempotency key answers the same session without what is secret', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { id, expiresAt, token } = expectStatus(await open({}, headers), 201).body;
    const repeat = expectStatus(await open({}, headers), 201);
    expect(repeat.body).toEqual({ id, expiresAt });
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect((await list()).total).toBe(1);
    const kept = await service.database.owner`SELECT idempotency_keys::text AS row FROM idempotency_keys`;
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describe('what the session may', () => {
  it('is as much as its permission', async () => {
    const billing = await openSession(service, admin.companyId);
    const viewer = await openSession(service, admin.companyId, {
      permission: only('platform.billing', { all: false, view: true }),
    });
    const labels = await openSession(service, admin.companyId, {
      permission: only('application.labels', { all: true, view: true }),
    });
    const address = (token: string) => service.call('POST', '/payments/addresses', { token, body: { city: 'Paris' } });
    expectStatus(await address(billing.token), 201);
    expectProblem(await address(viewer.token), 403, 'forbidden');
    expectStatus(await invoices(viewer.token), 200);
    expectProblem(await invoices(labels.token), 403, 'forbidden');
    expectStatus(await service.call('GET', '/labels', { token: labels.token }), 200);
    expectProblem(await service.call('GET', '/labels', { token: billing.token }), 403, 'forbidden');
    for (const { token } of [billing, viewer, labels])
      expect(expectStatus(await service.call('GET', '/company', { token }), 200).body.id).toBe(admin.companyId);
  });

  // Security (Tenants): A customer session sees its own company alone
  it('is of its company alone', async () => {
    const other = await signUpAdmin(service);
    const [invoice, addressId] = [await issueInvoice(service, other.companyId), await saveAddress(service, other)];
    const { token } = await openSession(service, admin.companyId);
    expectProblem(await service.call('GET', `/payments/orders/${invoice.id}`, { token }), 404, 'not_found');
    expectProblem(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 404, 'not_found');
    expectProblem(await service.call('DELETE', `/payments/addresses/${addressId}`, { token }), 404, 'not_found');
    expect((await invoices(token)).body.total).toBe(0);
    expect((await list()).total).toBe(1);
    expect((await list(other.companyId)).total).toBe(0);
    const { id } = await openSession(service, other.companyId);
    expectProblem(await end(id), 404, 'not_found');
  });

  it('leaves its person in the audit log, and its own id on a label', async () => {
    const permission = only('application.labels', { all: true, view: true });
    const { key, name } = await createKey(service, { role: 'admin', name: 'Product' });
    const { id, token } = await openSession(service, admin.companyId, sessionBody({ permission }), key);
    const body = { name: 'Urgent', description: 'Any', color: '#ff8800', userName: 'Grace' };
    expect(expectStatus(await service.call('POST', '/labels', { token, body }), 201).body.userId).toBe(id);
    const log = await service.call('GET', '/company/audit-log?actor=user-42', { token: admin.token });
    const actor = { kind: 'customer_session', id: 'user-42', name: 'Grace Hopper', key: name };
    expect(log.body).toMatchObject({ total: 1, data: [{ action: 'label.created', actor }] });
    const all = await asOperator('GET', `/audit-log?companyId=${admin.companyId}&action=label.created`);
    expect(all.body.data[0].actor).toMatchObject(actor);

    const unnamed = await openSession(service, admin.companyId, { permission });
    const label = { ...body, name: 'Other' };
    expectStatus(await service.call('POST', '/labels', { token: unnamed.token, body: label }), 201);
    const own = await service.call('GET', `/company/audit-log?actor=${unnamed.id}`, { token: admin.token });
    expect(own.body.data).toMatchObject([
      { actor: { kind: 'customer_session', id: unnamed.id, name: '', key: 'first' } },
    ]);
  });

  it('is itself in the audit log of the company: who has opened and ended it, and no secret', async () => {
    const { id, token, url } = await openSession(service, admin.companyId, sessionBody());
    expectStatus(await end(id), 204);
    const log = await service.call('GET', `/company/audit-log?target=${id}`, { token: admin.token });
    expect(log.body.data).toMatchObject([
      { action: 'customer_session.deleted', actor: { kind: 'operator_key', name: 'first' } },
      { action: 'customer_session.created', target: { kind: 'customer_session', id, name: 'Grace Hopper' } },
    ]);
    expect(log.body.data[1].changes.after).toMatchObject({ user: sessionBody().user });
    for (const secret of [token, codeIn({ url })]) expect(log.text).not.toContain(secret);
    const rows = await service.database.owner`SELECT customer_sessions::text AS row FROM customer_sessions`;
    expect(JSON.stringify(rows)).not.toContain(codeIn({ url }));
    expect(service.logs()).not.toContain(codeIn({ url }));
  });
});

// Security (Accounts and permissions): A customer session ends at once where it is deleted, with its operator key, and with its company
// being disabled
describe('ending', () => {
  it('is at once when it is deleted, once', async () => {
    const { id, token } = await openSession(service, admin.companyId);
    expectStatus(await invoices(token), 200);
    expectStatus(await end(id), 204);
    expectProblem(await invoices(token), 401, 'unauthenticated');
    expectProblem(await end(id), 404, 'not_found');
    expect((await list()).total).toBe(0);
  });

  it('is with the key that has opened it', async () => {
    const { id, key } = await createKey(service, { role: 'admin' });
    const ended = await openSession(service, admin.companyId, {}, key);
    const stays = await openSession(service, admin.companyId);
    for (const { token } of [ended, stays]) expectStatus(await invoices(token), 200);
    expectStatus(await asOperator('DELETE', `/keys/${id}`), 204);
    expectProblem(await invoices(ended.token), 401, 'unauthenticated');
    expectStatus(await invoices(stays.token), 200);
    expect((await list()).data.map((session: { id: string }) => session.id)).toEqual([stays.id]);
  });

  it('is no later than the expiry of the key', async () => {
    const expiresAt = new Date(Date.now() + 120_000).toISOString();
    const { key } = await createKey(service, { role: 'admin', expiresAt });
    const session = await openSession(service, admin.companyId, {}, key);
    expect(Date.parse(session.expiresAt)).toBeLessThanOrEqual(Date.parse(expiresAt));
    expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.parse(expiresAt) - 1_000);
    expect(claimsOf(session.token).exp).toBe(Date.parse(session.expiresAt) / 1000);
    expectStatus(await invoices(session.token), 200);
  });

  it('is when the first key is replaced by another one', async () => {
    const { token } = await openSession(service, admin.companyId);
    expectStatus(await invoices(token), 200);
    const { db } = service.database;
    await ensureOperatorKey(db, service.config.dataDirectory, `opk_${crypto.randomUUID()}`);
    const refused = await pollUntil(
      () => invoices(token),
      ({ status }) => status !== 200,
    );
    await ensureOperatorKey(db, service.config.dataDirectory, service.operatorKey);
    expectProblem(refused, 401, 'unauthenticated');
  });
});

describe('a disabled company', () => {
  it('gets no session, and those that it had stay ended when it is enabled', async () => {
    const { token } = await openSession(service, admin.companyId);
    expectStatus(await invoices(token), 200);
    await setDisabled(service, admin.companyId, true);
    expectProblem(await invoices(token), 401, 'unauthenticated');
    expectProblem(await open(), 409, 'company_disabled');
    expect((await list()).total).toBe(0);
    await setDisabled(service, admin.companyId, false);
    expectProblem(await invoices(token), 401, 'unauthenticated');
    expect((await list()).total).toBe(0);
    expectStatus(await invoices((await openSession(service, admin.companyId)).token), 200);
  });
});

it('the keys of the product’s backend open sessions, and end them', async () => {
  const { key: token, name } = await createKey(service, { role: 'integration', name: 'Backend' });
  const { id } = await openSession(service, admin.companyId, {}, token);
  const path = `/operator/companies/${admin.companyId}/sessions`;
  expect(expectStatus(await service.call('GET', path, { token }), 200).body.data).toMatchObject([{ id, key: name }]);
  expectStatus(await service.call('DELETE', `${path}/${id}`, { token }), 204);
  const body = { allowedOrigins: [] };
  expectProblem(await service.call('PUT', '/operator/integration', { token, body }), 403, 'forbidden');
});

it('the requests of all tokens of a session are counted together', async () => {
  const session = await openSession(service, admin.companyId);
  const code = await service.call('POST', '/auth/session', { body: { code: codeIn(session) } });
  const left = async (token: string) =>
    Number(/r=(\d+)/.exec((await invoices(token)).headers.get('ratelimit') ?? '')?.[1]);
  const [first, second] = [await left(session.token), await left(code.body.data.access_token)];
  // Unless a minute begins between the two.
  expect(second === first - 1 || second > first).toBe(true);
  expect(first).toBeGreaterThan(0);
});

describe('the operator’s people', () => {
  it('end the sessions that they have opened when they are no admins any more', async () => {
    const staffed = await startTestService({ clock: clock.clock });
    try {
      const { companyId } = await signUpAdmin(staffed);
      const staff = await addStaff(staffed, clock, 'admin');
      const { token } = await openSession(staffed, companyId, {}, staff.token);
      const ask = () => staffed.call('GET', '/payments/orders', { token });
      expectStatus(await ask(), 200);
      const [row] = await staffed.database.owner<{ id: string }[]>`SELECT id FROM users WHERE staff_role = 'admin'`;
      const body = { role: 'finance' };
      const path = `/operator/staff/${row?.id}`;
      expectStatus(await staffed.call('PUT', path, { token: staffed.operatorKey, body }), 200);
      expectProblem(await ask(), 401, 'unauthenticated');
    } finally {
      await staffed.stop();
    }
  });

  it('open and end sessions as admins, and read them otherwise', async () => {
    const { id } = await openSession(service, admin.companyId);
    const path = `/operator/companies/${admin.companyId}/sessions`;
    for (const role of ['viewer', 'finance']) {
      const { key: token } = await createKey(service, { role });
      expectStatus(await service.call('GET', path, { token }), 200);
      expectProblem(await service.call('POST', path, { token, body: {} }), 403, 'forbidden');
      expectProblem(await service.call('DELETE', `${path}/${id}`, { token }), 403, 'forbidden');
    }
  });
});
