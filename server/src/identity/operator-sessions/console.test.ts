import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { hostCookieOf, logInToConsole, openView, sentCookieOf } from '../../../test/identity/operator-sessions.ts';

const ORIGIN = 'https://billing.example.com';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: `${ORIGIN}/paydesk`, trustedProxies: ['127.0.0.1'] });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const newKey = () => `opk_${crypto.randomUUID().replaceAll('-', '')}`;

function logIn(key: unknown, headers: Record<string, string> = {}, query = '?session=console') {
  return service.call('POST', `/auth/operator${query}`, { body: { key }, headers: { origin: ORIGIN, ...headers } });
}

function byCookie(path: 'refresh' | 'logout', cookie: string, form = 'console', origin: string | null = ORIGIN) {
  const headers = { cookie, ...(origin === null ? {} : { origin }) };
  return service.call('POST', `/auth/${path}?session=${form}`, { headers });
}

const companies = (token: string) => service.call('GET', '/operator/companies', { token });
const get = (path: string, token: string) => service.call('GET', path, { token });
const deleteKey = (id: string) => service.call('DELETE', `/operator/keys/${id}`, { token: service.operatorKey });

async function auditOf(query: string) {
  return expectStatus(await get(`/operator/audit-log?${query}`, service.operatorKey), 200).body.data;
}

describe('an operator key in the console', () => {
  // Security (Accounts and permissions): The console changes an operator key for an hour's session in a cookie that no script reads
  it('is changed for a session of one hour in a cookie of its own', async () => {
    const { id, key } = await createKey(service, { name: 'Month end', role: 'finance' });
    const answer = expectStatus(await logIn(key), 200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { access_token: token } = answer.body.data;
    const operator = { id, name: 'Month end', role: 'finance' };
    expect(answer.body).toEqual({ error: null, data: { access_token: token, expires_in: 3600, operator } });
    const [pair = '', ...attributes] = hostCookieOf(answer).split('; ');
    expect(pair).toMatch(/^__Host-paydesk-console=os_/);
    expect(attributes).toEqual(['Path=/', 'Max-Age=3600', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    const { claims } = readToken(token);
    expect(claims).toMatchObject({ sub: id, company_id: null, role: 'Operator key', session: 'operator' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
    expectStatus(await companies(token), 200);
  });

  it('is refreshed by the cookie in the same shape, no longer than the hour, and one answer may be lost', async () => {
    const { id, key } = await createKey(service, { role: 'viewer' });
    const { cookie } = await logInToConsole(service, key);
    const answers = [await byCookie('refresh', cookie), await byCookie('refresh', cookie)];
    const [one, other] = answers.map((answer) => sentCookieOf(expectStatus(answer, 200)));
    expect(one).toBe(other);
    expect(one).not.toBe(cookie);
    const { data } = answers[0]?.body ?? {};
    expect(data).toEqual({
      ...{ access_token: expect.any(String), expires_in: expect.any(Number) },
      operator: { id, name: 'Ada', role: 'viewer' },
    });
    expectStatus(await companies(data.access_token), 200);
    await service.database.owner`
      UPDATE operator_sessions SET expires_at = now() + interval '60 seconds' WHERE operator_key_id = ${id}`;
    const later = expectStatus(await byCookie('refresh', one ?? ''), 200);
    expect(later.body.data.expires_in).toBeLessThanOrEqual(60);
    expect(Number(/Max-Age=(\d+)/.exec(hostCookieOf(later))?.[1])).toBeLessThanOrEqual(60);
  });

  // Security (Accounts and permissions): A session of the console has the role of its operator key, and no account
  it('may do what its key may, and nothing of an account or a company', async () => {
    const viewer = await logInToConsole(service, (await createKey(service, { role: 'viewer' })).key);
    expectStatus(await companies(viewer.token), 200);
    for (const [method, path] of [
      ['GET', '/operator/keys'],
      ['POST', '/operator/keys'],
      ['GET', '/auth/me'],
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions'],
      ['POST', '/auth/logout'],
      ['GET', '/payments/orders'],
      ['GET', '/company'],
    ] as const)
      expectRefusal(await service.call(method, path, { token: viewer.token }), 403, 'forbidden');
    const first = await logInToConsole(service);
    expectStatus(await get('/operator/keys', first.token), 200);
  });

  it('is the actor of what its session does', async () => {
    const { id, key } = await createKey(service, { name: 'Grace', role: 'admin' });
    const { token } = await logInToConsole(service, key);
    const body = { name: 'Of a session', role: 'viewer' };
    const { id: made } = expectStatus(await service.call('POST', '/operator/keys', { token, body }), 201).body;
    const actor = { kind: 'operator_key', id, name: 'Grace' };
    expect(await auditOf(`target=${made}`)).toMatchObject([{ action: 'operator_key.created', actor }]);
    expect(await auditOf(`actor=${id}&action=login.succeeded`)).toMatchObject([
      { companyId: null, actor, target: { kind: 'operator_key', id, name: 'Grace' } },
    ]);
  });

  it('is in no log, no table and no answer, and neither is the token of its cookie', async () => {
    const { key } = await createKey(service);
    const { cookie } = await logInToConsole(service, key);
    const secret = cookie.slice(cookie.lastIndexOf('.') + 1);
    const refreshed = expectStatus(await byCookie('refresh', cookie), 200);
    for (const text of [key, secret]) {
      expect(service.logs()).not.toContain(text);
      expect((await dumpDatabase(service.database.owner)).filter((row) => row.text.includes(text))).toEqual([]);
      expect(refreshed.text).not.toContain(text);
    }
    expect(refreshed.text).not.toContain('os_');
  });
});

describe('the session of an operator key ends', () => {
  // Security (Accounts and permissions): A session of the console ends with its operator key
  it('with the key: deleted, at once', async () => {
    const { id, key } = await createKey(service);
    const { token, cookie } = await logInToConsole(service, key);
    expectStatus(await companies(token), 200);
    expectStatus(await deleteKey(id), 204);
    expectRefusal(await companies(token), 401, 'unauthenticated');
    expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
  });

  it('with the key: expired', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const { id, key } = await createKey(service, { expiresAt });
    const answer = expectStatus(await logIn(key), 200);
    expect(answer.body.data.expires_in).toBeLessThanOrEqual(600);
    const { access_token: token } = answer.body.data;
    expectStatus(await companies(token), 200);
    await service.database.owner`UPDATE operator_keys SET expires_at = now() WHERE id = ${id}`;
    const refused = await pollUntil(
      () => companies(token),
      ({ status }) => status !== 200,
    );
    expectRefusal(refused, 401, 'unauthenticated');
    expectRefusal(await byCookie('refresh', sentCookieOf(answer)), 401, 'session_revoked');
  });

  it('with the key: the first one, replaced by another with the same id', async () => {
    const { token, cookie } = await logInToConsole(service);
    const [first] = await service.database.owner`SELECT key_hash FROM operator_keys WHERE is_first`;
    await service.database.owner`UPDATE operator_keys SET key_hash = sha256('other') WHERE is_first`;
    try {
      expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
      const refused = await pollUntil(
        () => companies(token),
        ({ status }) => status !== 200,
      );
      expectRefusal(refused, 401, 'unauthenticated');
    } finally {
      await service.database.owner`UPDATE operator_keys SET key_hash = ${first?.key_hash} WHERE is_first`;
    }
  });

  it('after an hour', async () => {
    const { id, key } = await createKey(service);
    const { token, cookie } = await logInToConsole(service, key);
    await service.database.owner`UPDATE operator_sessions SET expires_at = now() WHERE operator_key_id = ${id}`;
    expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
    expectRefusal(await companies(token), 401, 'unauthenticated');
  });

  it('with a logout, which removes the cookie and ends its views', async () => {
    const { id, key } = await createKey(service, { role: 'finance' });
    const { token, cookie } = await logInToConsole(service, key);
    const view = await openView(service, admin.companyId, token);
    expectStatus(await get('/company', view.token), 200);
    const out = expectStatus(await byCookie('logout', cookie), 204);
    expect(hostCookieOf(out)).toMatch(/^__Host-paydesk-console=; .*Max-Age=0/);
    expectRefusal(await companies(token), 401, 'unauthenticated');
    expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
    expectRefusal(await get('/company', view.token), 401, 'unauthenticated');
    expectRefusal(await byCookie('refresh', view.cookie, 'view'), 401, 'session_revoked');
    expectStatus(await byCookie('logout', cookie), 204);
    expect(await auditOf(`actor=${id}&action=session.ended`)).toHaveLength(1);
    expectStatus(await companies(key), 200);
  });

  it('when a refresh token of it is used again later', async () => {
    const { token, cookie } = await logInToConsole(service, (await createKey(service)).key);
    const second = sentCookieOf(expectStatus(await byCookie('refresh', cookie), 200));
    const third = sentCookieOf(expectStatus(await byCookie('refresh', second), 200));
    expectRefusal(await byCookie('refresh', cookie), 401, 'session_revoked');
    expectRefusal(await byCookie('refresh', third), 401, 'session_revoked');
    expectRefusal(await companies(token), 401, 'unauthenticated');
    expect(await auditOf(`action=session.reuse_detected&target=${readToken(token).claims.sid}`)).toHaveLength(1);
  });
});

describe('a login with an operator key', () => {
  // Security (Accounts and permissions): Only pages of the service log in with an operator key, so no other site can log a browser in
  it.each([undefined, 'null', '', 'https://evil.example', `${ORIGIN}.evil.example`, `${ORIGIN}:444`])(
    'from a page of %j is refused before the key is looked at, and sets no cookie',
    async (origin) => {
      for (const key of [service.operatorKey, newKey()]) {
        const headers = origin === undefined ? {} : { origin };
        const answer = await service.call('POST', '/auth/operator?session=console', { body: { key }, headers });
        expectRefusal(answer, 403, 'origin_not_allowed');
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    },
  );

  it('needs ?session=console, and a key', async () => {
    for (const query of ['', '?session=cookie', '?session=customer', '?session=view', '?session='])
      expectRefusal(await logIn(service.operatorKey, {}, query), 400, 'invalid_request');
    for (const key of [undefined, '', 7, null]) expectRefusal(await logIn(key), 400, 'invalid_request');
  });

  // Security (Accounts and permissions): Ten wrong operator keys from an address within 15 minutes lock that address, and no other
  it('with a wrong key is 401, and the eleventh from an address is refused, be the key right or wrong', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const wrong = [newKey(), 'opk_', 'x', `${service.operatorKey}x`, service.operatorKey.slice(0, -1), admin.token];
    for (const key of [...wrong, newKey(), newKey(), newKey(), newKey()]) {
      const answer = await logIn(key, from);
      expectRefusal(answer, 401, 'invalid_credentials');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    for (const key of [newKey(), service.operatorKey]) {
      const answer = await logIn(key, from);
      expectRefusal(answer, 429, 'rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expectStatus(await logIn(service.operatorKey, { 'x-forwarded-for': '203.0.113.10' }), 200);
    const failed = await auditOf('action=login.failed');
    expect(failed.filter(({ actor }: { actor: { ip: string } }) => actor.ip === '203.0.113.9')).toHaveLength(10);
    // Neither the account of a user nor the key itself is locked.
    const body = { email: admin.email, password: PASSWORD };
    expectStatus(await service.call('POST', '/auth/local', { body, headers: from }), 200);
    expectStatus(await service.call('GET', '/operator/companies', { token: service.operatorKey, headers: from }), 200);
  });
});

it('wrong keys from many addresses together lock no other address', async () => {
  const send = (from: number) => logIn(newKey(), { 'x-forwarded-for': `198.51.100.${from}` });
  const addresses = Array.from({ length: 12 }, (_, from) => from);
  for (let wrong = 0; wrong < 9; wrong += 1) {
    for (const { status } of await Promise.all(addresses.map(send))) expect(status).toBe(401);
  }
  expectStatus(await logIn(service.operatorKey, { 'x-forwarded-for': '198.51.100.99' }), 200);
});

// Security (Accounts and permissions): The cookies of users, customers, the console and views are not read as each other
describe('the cookie of the console', () => {
  it('of one kind in place of another opens nothing, and ends nothing', async () => {
    const body = { email: admin.email, password: PASSWORD };
    const user = sentCookieOf(await service.call('POST', '/auth/local?session=cookie', { body }));
    const { token, cookie } = await logInToConsole(service);
    const view = await openView(service, admin.companyId, token);
    const tokenIn = (sent: string) => sent.slice(sent.indexOf('=') + 1);
    const put = [
      ['console', `__Host-paydesk-console=${tokenIn(view.cookie)}`],
      ['console', `__Host-paydesk-console=${tokenIn(view.cookie).replace('vs_', 'os_')}`],
      ['console', `__Host-paydesk-console=${tokenIn(view.cookie).replace('vs_', '')}`],
      ['console', `__Host-paydesk-console=${tokenIn(cookie).replace('os_', 'cs_')}`],
      ['console', `__Host-paydesk-console=${tokenIn(cookie).replace('os_', '')}`],
      ['console', `__Host-paydesk-console=os_${tokenIn(user)}`],
      ['view', `__Host-paydesk-view=${tokenIn(cookie)}`],
      ['view', `__Host-paydesk-view=${tokenIn(cookie).replace('os_', 'vs_')}`],
      ['view', `__Host-paydesk-view=${tokenIn(user)}`],
      ['cookie', `__Host-paydesk=${tokenIn(cookie)}`],
      ['cookie', `__Host-paydesk=${tokenIn(view.cookie)}`],
      ['customer', `__Host-paydesk-customer=${tokenIn(cookie)}`],
      ['customer', `__Host-paydesk-customer=${tokenIn(view.cookie)}`],
    ] as const;
    for (const [form, sent] of put) {
      const answer = await byCookie('refresh', sent, form);
      expectRefusal(answer, 401, 'session_revoked');
      expect(hostCookieOf(answer)).toBe('');
      expectStatus(await byCookie('logout', sent, form), 204);
    }
    for (const value of [tokenIn(cookie), tokenIn(view.cookie)]) {
      const answer = await service.call('POST', '/auth/refresh', { body: { refresh_token: value } });
      expectRefusal(answer, 401, 'session_revoked');
    }
    const all = `${user}; ${cookie}; ${view.cookie}`;
    expect((await byCookie('refresh', all, 'cookie')).body.data).toHaveProperty('user');
    expect((await byCookie('refresh', all, 'console')).body.data).toHaveProperty('operator');
    expect((await byCookie('refresh', all, 'view')).body.data).toHaveProperty('company');
    expectStatus(await companies(token), 200);
    expectStatus(await get('/company', view.token), 200);
  });

  it('is the one of staff too: whose session it is, its token says', async () => {
    const body = { email: admin.email, password: PASSWORD };
    const login = await service.call('POST', '/auth/local?session=console', { body });
    const cookie = sentCookieOf(login);
    expect(expectStatus(await byCookie('refresh', cookie), 200).body.data.user.staff_role).toBeNull();
    expectStatus(await byCookie('logout', cookie), 204);
    expectRefusal(await get('/auth/me', login.body.data.access_token), 401, 'unauthenticated');
  });

  it.each([null, 'https://evil.example', 'null'])(
    'from a page of %j is refused, and changes nothing',
    async (origin) => {
      const { token, cookie } = await logInToConsole(service);
      for (const path of ['refresh', 'logout'] as const)
        expectRefusal(await byCookie(path, cookie, 'console', origin), 403, 'origin_not_allowed');
      expectStatus(await companies(token), 200);
      expectStatus(await byCookie('refresh', cookie), 200);
    },
  );
});
