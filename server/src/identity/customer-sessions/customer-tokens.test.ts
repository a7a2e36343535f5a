import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { codeIn, type OpenedSession, openSession, sessionBody } from '../../../test/identity/customer-sessions.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const ORIGIN = 'https://billing.example.com';
const RETURN_URL = 'https://shop.example.com/settings';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: ORIGIN });
  const body = { allowedOrigins: ['https://shop.example.com'] };
  expectStatus(await service.call('PUT', '/operator/integration', { token: service.operatorKey, body }), 200);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const useCode = (code: unknown, query = '', origin: string | null = ORIGIN) =>
  service.call('POST', `/auth/session${query}`, { body: { code }, headers: origin === null ? {} : { origin } });
const refresh = (token: string) => service.call('POST', '/auth/refresh', { body: { refresh_token: token } });
const invoices = (token: string) => service.call('GET', '/payments/orders', { token });
const byCookie = (path: 'refresh' | 'logout', form: string, cookie: string, origin: string | null = ORIGIN) =>
  service.call('POST', `/auth/${path}?session=${form}`, {
    headers: { cookie, ...(origin === null ? {} : { origin }) },
  });

/** Opens the dashboard. @returns the session, and the tokens of the link */
async function enter(body: object = {}): Promise<{ session: OpenedSession; access: string; refreshToken: string }> {
  const session = await openSession(service, admin.companyId, body);
  const { data } = expectStatus(await useCode(codeIn(session)), 200).body;
  return { session, access: data.access_token, refreshToken: data.refresh_token };
}

async function enterByCookie(): Promise<{ session: OpenedSession; access: string; cookie: string }> {
  const session = await openSession(service, admin.companyId);
  const answer = expectStatus(await useCode(codeIn(session), '?session=customer'), 200);
  return { session, access: answer.body.data.access_token, cookie: cookieOf(answer).split(';')[0] ?? '' };
}

const cookieOf = ({ headers }: Answer): string =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-')) ?? '';

function expectProblem(answer: Answer, status: number, code: string): string {
  expect(expectStatus(answer, status).body.error.code).toBe(code);
  return answer.body.error.message;
}

describe('the code of a link', () => {
  it('answers like a refresh, with the page to return to and no user', async () => {
    const session = await openSession(service, admin.companyId, sessionBody({ returnUrl: RETURN_URL }));
    const answer = expectStatus(await useCode(codeIn(session)), 200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(cookieOf(answer)).toBe('');
    const { access_token: access, expires_in: seconds, refresh_token: refreshToken, ...others } = answer.body.data;
    const { permission } = SYSTEM_ROLES['Billing manager'];
    expect(others).toEqual({ return_url: RETURN_URL, permission, name: 'Grace Hopper' });
    expect(refreshToken).toMatch(/^cs_/);
    expect(seconds).toBeLessThanOrEqual(600);
    const [{ claims }, made] = [readToken(access), readToken(session.token).claims];
    expect(claims).toMatchObject({ sid: session.id, sub: 'user-42', company_id: admin.companyId, session: 'customer' });
    expect(Number(claims.exp)).toBeLessThanOrEqual(Number(made.exp));
    expectStatus(await invoices(access), 200);
    const plain = await openSession(service, admin.companyId);
    expect(expectStatus(await useCode(codeIn(plain)), 200).body.data.return_url).toBeNull();
  });

  // Security (Accounts and permissions): The link of a customer session opens it once, however many follow it at once
  it('works once, of twenty at once for one', async () => {
    const code = codeIn(await openSession(service, admin.companyId));
    const answers = await Promise.all(Array.from({ length: 20 }, () => useCode(code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
    expectProblem(await useCode(code), 401, 'session_code_invalid');
  });

  it('that is used, late, unknown, of another spelling, or of an ended session is refused in the same words', async () => {
    const used = codeIn(await openSession(service, admin.companyId));
    await useCode(used);
    const late = await openSession(service, admin.companyId);
    await service.database.owner`
      UPDATE customer_sessions SET code_expires_at = now() - interval '1 millisecond' WHERE id = ${late.id}`;
    const ended = await openSession(service, admin.companyId);
    const path = `/operator/companies/${admin.companyId}/sessions/${ended.id}`;
    expectStatus(await service.call('DELETE', path, { token: service.operatorKey }), 204);
    const good = codeIn(await openSession(service, admin.companyId));
    const codes = [used, codeIn(late), codeIn(ended), 'x', `${good}=`, `${good} x`, good.toLowerCase(), admin.token];
    const messages = new Set<string>();
    for (const code of codes) messages.add(expectProblem(await useCode(code), 401, 'session_code_invalid'));
    expect(messages.size).toBe(1);
    expectStatus(await useCode(good), 200);
  });

  it('works for five minutes', async () => {
    const { id } = await openSession(service, admin.companyId);
    const [row] = await service.database.owner<{ seconds: number }[]>`
      SELECT extract(epoch FROM code_expires_at - created_at)::int AS seconds FROM customer_sessions WHERE id = ${id}`;
    expect(row?.seconds).toBe(300);
  });

  it.each([undefined, '', 7, null])('that is %j is 400 on it', async (code) => {
    const answer = await useCode(code);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].field).toBe('code');
  });
});

describe('the two tokens of a session', () => {
  it('end together: by its deletion, and by the company being disabled', async () => {
    const first = await enter();
    const path = `/operator/companies/${admin.companyId}/sessions/${first.session.id}`;
    expectStatus(await service.call('DELETE', path, { token: service.operatorKey }), 204);
    const second = await enter();
    await setDisabled(service, admin.companyId, true);
    await setDisabled(service, admin.companyId, false);
    for (const { session, access, refreshToken } of [first, second]) {
      for (const token of [session.token, access]) expectProblem(await invoices(token), 401, 'unauthenticated');
      expectProblem(await refresh(refreshToken), 401, 'session_revoked');
    }
  });
});

describe('a refresh', () => {
  it('answers the next tokens, once each, and a repeat at once the same', async () => {
    const { refreshToken } = await enter({ returnUrl: RETURN_URL });
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    const [one, other] = answers.map((answer) => expectStatus(answer, 200).body.data);
    expect(one.refresh_token).toBe(other.refresh_token);
    expect(one.refresh_token).not.toBe(refreshToken);
    expect(one).toMatchObject({ return_url: RETURN_URL });
    expect(one).not.toHaveProperty('user');
    expectStatus(await invoices(one.access_token), 200);
    expectStatus(await refresh(one.refresh_token), 200);
  });

  // Security (Accounts and permissions): A refresh token of a customer session that comes again ends the session
  it('with a token that was used before ends the session, and is in the audit log', async () => {
    const { session, access, refreshToken } = await enter();
    const { data } = expectStatus(await refresh(refreshToken), 200).body;
    const { data: next } = expectStatus(await refresh(data.refresh_token), 200).body;
    expectProblem(await refresh(refreshToken), 401, 'session_revoked');
    expectProblem(await refresh(next.refresh_token), 401, 'session_revoked');
    for (const token of [session.token, access]) expectProblem(await invoices(token), 401, 'unauthenticated');
    const path = `/company/audit-log?target=${session.id}&action=session.reuse_detected`;
    expect((await service.call('GET', path, { token: admin.token })).body.total).toBe(1);
  });

  it('that is no token of a session, or a member’s in this form, is refused', async () => {
    for (const text of ['cs_', 'cs_x', `cs_${admin.refreshToken}`])
      expectProblem(await refresh(text), 401, 'session_revoked');
    const { refreshToken } = await enter();
    expectProblem(await refresh(refreshToken.slice('cs_'.length)), 401, 'session_revoked');
    expectStatus(await refresh(admin.refreshToken), 200);
  });

  it('never lasts beyond the session', async () => {
    const { session, refreshToken } = await enter({ expiresIn: 60 });
    const { data } = expectStatus(await refresh(refreshToken), 200).body;
    expect(data.expires_in).toBeLessThanOrEqual(60);
    expect(Number(readToken(data.access_token).claims.exp) * 1000).toBeLessThanOrEqual(Date.parse(session.expiresAt));
  });
});

// Security (Accounts and permissions): The cookie of a customer session is apart from those of members, and as protected as they are
describe('with ?session=customer', () => {
  it('the refresh token is in a cookie of its own, no longer than the session', async () => {
    const session = await openSession(service, admin.companyId, { expiresIn: 120 });
    const answer = expectStatus(await useCode(codeIn(session), '?session=customer'), 200);
    expect(answer.body.data).not.toHaveProperty('refresh_token');
    const [pair = '', ...attributes] = cookieOf(answer).split('; ');
    expect(pair).toMatch(/^__Host-paydesk-customer=cs_/);
    const maxAge = Number(attributes.find((one) => one.startsWith('Max-Age='))?.slice('Max-Age='.length));
    expect(maxAge).toBeGreaterThan(100);
    expect(maxAge).toBeLessThanOrEqual(120);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']));
    const next = expectStatus(await byCookie('refresh', 'customer', pair), 200);
    expect(next.body.data).toEqual({
      access_token: expect.any(String),
      expires_in: expect.any(Number),
      return_url: null,
      permission: expect.any(Object),
      name: expect.any(String),
    });
    expect(cookieOf(next)).toMatch(/^__Host-paydesk-customer=cs_/);
  });

  it('a member who is logged in stays so, and neither cookie is read as the other', async () => {
    const body = { email: admin.email, password: PASSWORD };
    const login = expectStatus(await service.call('POST', '/auth/local?session=cookie', { body }), 200);
    const member = cookieOf(login).split(';')[0] ?? '';
    const { cookie: customer } = await enterByCookie();
    const both = `${member}; ${customer}`;
    expect(expectStatus(await byCookie('refresh', 'customer', both), 200).body.data).not.toHaveProperty('user');
    expect(expectStatus(await byCookie('refresh', 'cookie', both), 200).body.data.user.email).toBe(admin.email);

    const [memberToken = '', customerToken = ''] = [member, customer].map((pair) => pair.slice(pair.indexOf('=') + 1));
    const asCustomer = await byCookie('refresh', 'customer', `__Host-paydesk-customer=${memberToken}`);
    expectProblem(asCustomer, 401, 'session_revoked');
    for (const [form, name] of [
      ['cookie', '__Host-paydesk'],
      ['console', '__Host-paydesk-console'],
    ] as const) {
      expectProblem(await byCookie('refresh', form, `${name}=${customerToken}`), 401, 'session_revoked');
      expectStatus(await byCookie('logout', form, `${name}=${customerToken}`), 204);
    }
    expectStatus(await byCookie('logout', 'customer', `__Host-paydesk-customer=${memberToken}`), 204);
    expectStatus(await service.call('GET', '/auth/me', { token: login.body.data.access_token }), 200);
    expect((await byCookie('refresh', 'customer', member)).status).toBe(204);
  });

  it.each([null, 'https://evil.example', 'https://shop.example.com', 'null'])(
    'a request from a page of %j is refused, and changes nothing',
    async (origin) => {
      const { access, cookie } = await enterByCookie();
      for (const path of ['refresh', 'logout'] as const)
        expectProblem(await byCookie(path, 'customer', cookie, origin), 403, 'origin_not_allowed');
      expectStatus(await invoices(access), 200);
      expectStatus(await byCookie('refresh', 'customer', cookie), 200);

      const code = codeIn(await openSession(service, admin.companyId));
      const refused = await useCode(code, '?session=customer', origin);
      expectProblem(refused, 403, 'origin_not_allowed');
      expect(cookieOf(refused)).toBe('');
      expectStatus(await useCode(code, '', origin), 200);
    },
  );

  it('a logout ends the session with all its tokens, and removes the cookie', async () => {
    const { session, access, cookie } = await enterByCookie();
    const out = expectStatus(await byCookie('logout', 'customer', cookie), 204);
    expect(cookieOf(out)).toMatch(/^__Host-paydesk-customer=; .*Max-Age=0/);
    for (const token of [session.token, access]) expectProblem(await invoices(token), 401, 'unauthenticated');
    expectProblem(await byCookie('refresh', 'customer', cookie), 401, 'session_revoked');
    expectStatus(await byCookie('logout', 'customer', cookie), 204);
    const path = `/company/audit-log?target=${session.id}&action=customer_session.deleted`;
    const { data } = (await service.call('GET', path, { token: admin.token })).body;
    expect(data).toMatchObject([{ actor: { kind: 'customer_session', id: session.id, key: 'first' } }]);
  });

  it('nothing but a customer session is opened', async () => {
    const body = { email: admin.email, password: PASSWORD };
    for (const path of ['/auth/local', '/auth/signup/admin'])
      expectStatus(await service.call('POST', `${path}?session=customer`, { body }), 400);
    const code = codeIn(await openSession(service, admin.companyId));
    for (const form of ['cookie', 'console', '', 'x']) expectStatus(await useCode(code, `?session=${form}`), 400);
    expectStatus(await useCode(code), 200);
  });
});

it('a token of the session is refused under /auth and /operator', async () => {
  const { session, access } = await enter();
  for (const token of [session.token, access]) {
    for (const [method, path] of [
      ['POST', '/auth/logout'],
      ['GET', '/auth/me'],
      ['GET', '/auth/sessions'],
      ['GET', `/operator/companies/${admin.companyId}`],
      ['PUT', '/company'],
    ] as const)
      expectProblem(
        await service.call(method, path, { token, ...(method === 'PUT' ? { body: {} } : {}) }),
        403,
        'forbidden',
      );
  }
  expectStatus(await invoices(access), 200);
});
