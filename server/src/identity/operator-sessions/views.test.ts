import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { createClock } from '../../../test/customers/second-factors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { hostCookieOf, logInToConsole, openView, sentCookieOf } from '../../../test/identity/operator-sessions.ts';
import { addStaff } from '../../../test/identity/staff.ts';
import { authorize } from '../../platform/http/route/credentials.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const clock = createClock();
let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const path = () => `/operator/companies/${admin.companyId}/views`;
const get = (url: string, token: string) => service.call('GET', url, { token });
const endViews = (token = service.operatorKey) => service.call('DELETE', path(), { token });

function byCookie(action: 'refresh' | 'logout', cookie: string, origin: string | null = service.config.publicUrl) {
  const headers = { cookie, ...(origin === null ? {} : { origin }) };
  return service.call('POST', `/auth/${action}?session=view`, { headers });
}

async function expectEnded({ token, cookie }: { token: string; cookie: string }) {
  expectRefusal(await get('/company', token), 401, 'unauthenticated');
  expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
}

describe('a view of a company', () => {
  it('has the company, and a cookie of its own for 15 minutes', async () => {
    const answer = expectStatus(await service.call('POST', path(), { token: service.operatorKey }), 201);
    const { data: profile } = (await service.call('GET', '/company', { token: admin.token })).body;
    const { name, email } = profile ?? (await service.call('GET', '/company', { token: admin.token })).body;
    expect(answer.body).toEqual({
      ...{ access_token: expect.any(String), expires_in: 900 },
      company: { id: admin.companyId, externalId: null, name, email: email || admin.email },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [pair, ...attributes] = hostCookieOf(answer).split('; ');
    expect(pair).toMatch(/^__Host-paydesk-view=vs_/);
    expect(attributes).toEqual(['Path=/', 'Max-Age=900', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    const { claims } = readToken(answer.body.access_token);
    expect(claims).toMatchObject({ company_id: admin.companyId, role: 'Company view', session: 'view' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
  });

  it('is refreshed by its cookie in the same shape, no longer than the 15 minutes', async () => {
    const opened = await openView(service, admin.companyId);
    const answer = expectStatus(await byCookie('refresh', opened.cookie), 200);
    const { access_token: token, expires_in: seconds, ...others } = answer.body.data;
    expect(others).toEqual({ company: expect.objectContaining({ id: admin.companyId }) });
    expect(seconds).toBeLessThanOrEqual(900);
    expectStatus(await get('/company', token), 200);
    await service.database.owner`
      UPDATE operator_sessions SET expires_at = now() + interval '30 seconds' WHERE viewed_company_id = ${admin.companyId}`;
    const next = expectStatus(await byCookie('refresh', sentCookieOf(answer)), 200);
    expect(next.body.data.expires_in).toBeLessThanOrEqual(30);
    expect((await byCookie('refresh', '')).status).toBe(204);
  });

  it('reads what the members see, of this company alone', async () => {
    const { token } = await openView(service, admin.companyId);
    const invoice = await issueInvoice(service, admin.companyId);
    const foreign = await issueInvoice(service, (await signUpAdmin(service)).companyId);
    expect((await get('/payments/orders', token)).body.data.map(({ id }: { id: string }) => id)).toEqual([invoice.id]);
    expectStatus(await get(`/payments/orders/${invoice.id}`, token), 200);
    expectRefusal(await get(`/payments/orders/${foreign.id}`, token), 404, 'not_found');
    expectStatus(await get('/company/members', token), 200);
    await setDisabled(service, admin.companyId, true);
    expectStatus(await get('/payments/orders', token), 200);
  });

  // Security (Accounts and permissions): The view of a company by the operator is in the company's audit log
  it('is in the audit log of the company with who opened and ended it, without their address', async () => {
    const { id, key } = await createKey(service, { name: 'Support', role: 'finance' });
    await openView(service, admin.companyId, key);
    expectStatus(await endViews(key), 204);
    const { data } = expectStatus(await get(`/company/audit-log?actor=${id}`, admin.token), 200).body;
    const actor = { kind: 'operator_key', id, name: 'Support', ip: null, user_agent: null };
    const target = { kind: 'company', id: admin.companyId };
    expect(data).toMatchObject([
      { action: 'company.view_ended', actor, target },
      { action: 'company.viewed', actor, target },
    ]);
  });

  it('that is opened again with the same Idempotency-Key is answered without the token and the cookie', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const open = () => service.call('POST', path(), { token: service.operatorKey, headers });
    const first = expectStatus(await open(), 201);
    const again = expectStatus(await open(), 201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { access_token: _, ...others } = first.body;
    expect([again.body, hostCookieOf(again)]).toEqual([others, '']);
  });
});

it('a view would change nothing where any member may', () => {
  const { permission: permissions } = SYSTEM_ROLES.Admin;
  const opened = { openedBy: { kind: 'operator_key', id: '1', name: 'first' }, openedIn: null } as const;
  const principal = { kind: 'view', sessionId: '1', companyId: '1', permissions, ...opened } as const;
  const dependencies = { guard: service.server.http.guard, authenticate: () => principal, limitRate: () => undefined };
  const request = { headers: { authorization: 'Bearer any' }, query: {}, params: {}, ip: '::1' } as FastifyRequest;
  const call = (method: 'GET' | 'POST', access: 'member' | 'application.labels.all') =>
    authorize(dependencies, { method, url: '/labels', access }, request, {} as FastifyReply);
  expect(call('GET', 'member')).toBeUndefined();
  for (const access of ['member', 'application.labels.all'] as const)
    expect(() => call('POST', access)).toThrow('You lack the permission');
});

describe('who may view a company', () => {
  it('is finance and admins, be they keys, sessions of keys or staff', async () => {
    for (const role of ['viewer', 'integration'])
      expectRefusal(
        await service.call('POST', path(), { token: (await createKey(service, { role })).key }),
        403,
        'forbidden',
      );
    for (const role of ['finance', 'admin']) {
      const { key } = await createKey(service, { role });
      const { token } = await logInToConsole(service, key);
      const staff = await addStaff(service, clock, role);
      for (const one of [key, token, staff.token])
        expectStatus(await get('/company', (await openView(service, admin.companyId, one)).token), 200);
    }
    const viewer = await addStaff(service, clock, 'viewer');
    expectRefusal(await service.call('POST', path(), { token: viewer.token }), 403, 'forbidden');
    expectRefusal(await service.call('POST', path(), { token: admin.token }), 403, 'forbidden');
  });
});

describe('a view ends', () => {
  it('when whoever opened it ends it, which leaves the views of others', async () => {
    const { key } = await createKey(service, { role: 'finance' });
    const [own, other] = [await openView(service, admin.companyId, key), await openView(service, admin.companyId)];
    for (const { token } of [own, other]) expectStatus(await get('/company', token), 200);
    const answer = expectStatus(await endViews(key), 204);
    expect(hostCookieOf(answer)).toMatch(/^__Host-paydesk-view=; .*Max-Age=0/);
    await expectEnded(own);
    expectStatus(await get('/company', other.token), 200);
    expectStatus(await endViews(key), 204);
  });

  it('with a logout by its cookie, from a page of the service alone', async () => {
    const view = await openView(service, admin.companyId);
    for (const origin of [null, 'https://evil.example'])
      for (const action of ['refresh', 'logout'] as const)
        expectRefusal(await byCookie(action, view.cookie, origin), 403, 'origin_not_allowed');
    expectStatus(await get('/company', view.token), 200);
    const out = expectStatus(await byCookie('logout', view.cookie), 204);
    expect(hostCookieOf(out)).toMatch(/^__Host-paydesk-view=; .*Max-Age=0/);
    await expectEnded(view);
    const { body } = await get('/company/audit-log?action=company.view_ended', admin.token);
    expect(body.data).toMatchObject([{ actor: { kind: 'operator_key', name: 'first' } }]);
  });

  it('after 15 minutes', async () => {
    const view = await openView(service, admin.companyId);
    await service.database.owner`
      UPDATE operator_sessions SET expires_at = now() WHERE viewed_company_id = ${admin.companyId}`;
    await expectEnded(view);
  });

  // Security (Accounts and permissions): A view of a company ends with the key, account or session that opened it
  it('with the key that opened it', async () => {
    const { id, key } = await createKey(service, { role: 'finance' });
    const view = await openView(service, admin.companyId, key);
    expectStatus(await get('/company', view.token), 200);
    expectStatus(await service.call('DELETE', `/operator/keys/${id}`, { token: service.operatorKey }), 204);
    await expectEnded(view);
  });

  it('with the account of staff that opened it, its role, and its session', async () => {
    const staff = await addStaff(service, clock, 'finance');
    const view = await openView(service, admin.companyId, staff.token);
    expectStatus(await get('/company', view.token), 200);
    const url = `/operator/staff/${staff.userId}`;
    const asFirst = { token: service.operatorKey };
    expectStatus(await service.call('PUT', url, { ...asFirst, body: { role: 'viewer' } }), 200);
    await expectEnded(view);
    expectStatus(await service.call('PUT', url, { ...asFirst, body: { role: 'finance' } }), 200);
    const inSession = await openView(service, admin.companyId, staff.token);
    expectStatus(await get('/company', inSession.token), 200);
    expectStatus(await service.call('POST', '/auth/logout', { token: staff.token }), 204);
    await expectEnded(inSession);
    const removed = await addStaff(service, clock, 'admin');
    const last = await openView(service, admin.companyId, removed.token);
    expectStatus(await get('/company', last.token), 200);
    expectStatus(await service.call('DELETE', `/operator/staff/${removed.userId}`, asFirst), 204);
    await expectEnded(last);
  });

  it('in a process that was told of the end by nobody, within about a second', async () => {
    const view = await openView(service, admin.companyId);
    expectStatus(await get('/company', view.token), 200);
    await service.database.owner`
      UPDATE operator_sessions SET ended_at = now() WHERE viewed_company_id = ${admin.companyId}`;
    const refused = await pollUntil(
      () => get('/company', view.token),
      ({ status }) => status !== 200,
    );
    expectRefusal(refused, 401, 'unauthenticated');
  });
});
