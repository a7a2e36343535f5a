import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpBody } from '../../../test/customers/accounts.ts';
import { expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const ORIGIN = 'https://billing.example.com';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ publicUrl: `${ORIGIN}/paydesk`, sessionIdleSeconds: 1_000 });
});
afterAll(async () => service.stop());

const NAMES = { cookie: '__Host-paydesk', console: '__Host-paydesk-console' };
type Form = keyof typeof NAMES;
const FORMS = Object.keys(NAMES) as Form[];

/** The session cookies that an answer sets, whole. */
function cookiesOf({ headers }: Answer): string[] {
  return headers.getSetCookie().filter((cookie) => cookie.startsWith('__Host-'));
}

/** The refresh token in the only session cookie of an answer. */
function tokenIn(answer: Answer, form: Form): string {
  const [cookie = ''] = cookiesOf(answer);
  expect(cookiesOf(answer)).toHaveLength(1);
  return new RegExp(`^${NAMES[form]}=([^;]+);`).exec(cookie)?.[1] ?? '';
}

/** Logs in with a new account. @returns the access token, and the refresh token of the cookie */
async function start(form: Form = 'cookie') {
  const { email } = await signUpAdmin(service);
  const body = { email, password: PASSWORD };
  const answer = expectStatus(await service.call('POST', `/auth/local?session=${form}`, { body }), 200);
  return { token: answer.body.data.access_token, refreshToken: tokenIn(answer, form) };
}

type Asked = { form?: Form; cookie?: string; origin?: string | null; token?: string };

function post(path: 'refresh' | 'logout', { form = 'cookie', cookie, origin = ORIGIN, token }: Asked) {
  const headers = {
    ...(cookie === undefined ? {} : { cookie: `first=1; ${NAMES[form]}=${cookie}; other=2` }),
    ...(origin === null ? {} : { origin }),
  };
  return service.call('POST', `/auth/${path}?session=${form}`, { headers, ...(token === undefined ? {} : { token }) });
}

const statusOf = async (token: string) => (await service.call('GET', '/auth/sessions', { token })).status;

describe.each(FORMS)('with ?session=%s', (form) => {
  // Security (Accounts and permissions): A session cookie is `__Host-`, `HttpOnly`, `Secure` and `SameSite=Strict`, and its token is not
  // in the body
  // ASVS 10.1.1
  it.each(['/auth/signup/admin', '/auth/signup/customer', '/auth/local'])(
    '%s sets the cookie, and leaves the refresh token out of the body',
    async (path) => {
      const account = signUpBody();
      if (path === '/auth/local')
        expectStatus(await service.call('POST', '/auth/signup/admin', { body: account }), 201);
      const answer = await service.call('POST', `${path}?session=${form}`, { body: account });
      expect(Object.keys(answer.body.data).sort()).toEqual(['access_token', 'expires_in', 'user']);
      const refreshToken = tokenIn(answer, form);
      const attributes = 'Path=/; Max-Age=1000; HttpOnly; Secure; SameSite=Strict';
      expect(cookiesOf(answer)).toEqual([`${NAMES[form]}=${refreshToken}; ${attributes}`]);
      expectStatus(await post('refresh', { form, cookie: refreshToken }), 200);
    },
  );

  it('a refresh reads the cookie and sets the next one', async () => {
    const { refreshToken } = await start(form);
    const answer = expectStatus(await post('refresh', { form, cookie: refreshToken }), 200);
    expect(Object.keys(answer.body.data).sort()).toEqual(['access_token', 'expires_in', 'user']);
    const next = tokenIn(answer, form);
    expect(next).not.toBe(refreshToken);
    // A lost answer: the same successor.
    expect(tokenIn(expectStatus(await post('refresh', { form, cookie: refreshToken }), 200), form)).toBe(next);
    expectStatus(await post('refresh', { form, cookie: next }), 200);
    const reused = await post('refresh', { form, cookie: refreshToken });
    expect([reused.status, reused.body.error.code, cookiesOf(reused)]).toEqual([401, 'session_revoked', []]);
  });

  it('a refresh without a cookie is 204, since nobody is logged in', async () => {
    for (const cookie of [undefined, '']) {
      const answer = await post('refresh', { form, ...(cookie === undefined ? {} : { cookie }) });
      expect([answer.status, answer.text, cookiesOf(answer)]).toEqual([204, '', []]);
    }
  });

  it('a logout ends the session of the cookie without an access token, and removes the cookie', async () => {
    const { token, refreshToken } = await start(form);
    expect(await statusOf(token)).toBe(200);
    const answer = await post('logout', { form, cookie: refreshToken });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(cookiesOf(answer)).toEqual([`${NAMES[form]}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`]);
    expect(await statusOf(token)).toBe(401);
    expect((await post('refresh', { form, cookie: refreshToken })).status).toBe(401);
  });
});

describe('a logout by cookie', () => {
  it('is 204 without a cookie, with one that is none, and when it is repeated', async () => {
    const { refreshToken } = await start();
    for (const asked of [{}, { cookie: 'x' }, { cookie: refreshToken }, { cookie: refreshToken }]) {
      expectStatus(await post('logout', asked), 204);
    }
  });

  it('ends the session of the cookie, whoever else is named in Authorization', async () => {
    const [{ refreshToken, token }, other] = [await start(), await start()];
    expectStatus(await post('logout', { cookie: refreshToken, token: other.token }), 204);
    expect([await statusOf(token), await statusOf(other.token)]).toEqual([401, 200]);
  });
});

// Security (Accounts and permissions): Only pages of the service itself use the cookie; the origin comes from the configuration
describe('the origin', () => {
  const ORIGINS = [
    null,
    'null',
    '',
    'https://evil.example',
    `${ORIGIN}.evil.example`,
    `${ORIGIN}:444`,
    `${ORIGIN}/paydesk`,
  ];

  it.each([...ORIGINS, 'http://billing.example.com'])('%j is 403, and changes nothing', async (origin) => {
    const { token, refreshToken } = await start();
    for (const path of ['refresh', 'logout'] as const) {
      for (const cookie of [{ cookie: refreshToken }, {}]) {
        const answer = await post(path, { origin, ...cookie });
        expect([answer.status, answer.body.error.code, cookiesOf(answer)]).toEqual([403, 'origin_not_allowed', []]);
      }
    }
    expect(await statusOf(token)).toBe(200);
    expectStatus(await post('refresh', { cookie: refreshToken }), 200);
  });

  it('is that of PUBLIC_URL, whatever the headers of a proxy say', async () => {
    const { refreshToken } = await start();
    const origin = 'https://evil.example';
    const headers = {
      ...{ origin, cookie: `${NAMES.cookie}=${refreshToken}`, 'x-forwarded-host': 'evil.example' },
      ...{ 'x-forwarded-proto': 'https', host: 'evil.example', forwarded: 'host=evil.example;proto=https' },
    };
    expectStatus(await service.call('POST', '/auth/refresh?session=cookie', { headers }), 403);
  });

  it('is not asked for where no cookie is read', async () => {
    const { refreshToken } = await signUpAdmin(service);
    const headers = { origin: 'https://evil.example' };
    const body = { refresh_token: refreshToken };
    expectStatus(await service.call('POST', '/auth/refresh', { body, headers }), 200);
  });
});

describe('without ?session=', () => {
  it('the cookie is not read: a refresh needs its body, a logout its access token', async () => {
    const { refreshToken, token } = await start();
    const headers = { cookie: `${NAMES.cookie}=${refreshToken}`, origin: ORIGIN };
    const refreshed = await service.call('POST', '/auth/refresh', { headers });
    expect([refreshed.status, refreshed.body.error.details[0].field]).toEqual([400, 'refresh_token']);
    expectStatus(await service.call('POST', '/auth/logout', { headers }), 401);
    expect(await statusOf(token)).toBe(200);
  });

  it('no cookie is set, by no answer', async () => {
    const body = signUpBody();
    const signedUp = expectStatus(await service.call('POST', '/auth/signup/admin', { body }), 201);
    const loggedIn = expectStatus(await service.call('POST', '/auth/local', { body }), 200);
    const { access_token: token, refresh_token } = loggedIn.body.data;
    const refreshed = expectStatus(await service.call('POST', '/auth/refresh', { body: { refresh_token } }), 200);
    const loggedOut = expectStatus(await service.call('POST', '/auth/logout', { token }), 204);
    expect([signedUp, loggedIn, refreshed, loggedOut].flatMap(cookiesOf)).toEqual([]);
  });
});

describe('a cookie', () => {
  it('of one form is not read for the other', async () => {
    const { refreshToken } = await start('console');
    const headers = { cookie: `${NAMES.console}=${refreshToken}`, origin: ORIGIN };
    expectStatus(await service.call('POST', '/auth/refresh?session=cookie', { headers }), 204);
    expectStatus(await post('refresh', { form: 'console', cookie: refreshToken }), 200);
  });

  // Security (Accounts and permissions): No endpoint but refresh and logout reads it
  it('is accepted by no other path', async () => {
    const { refreshToken } = await start();
    const headers = { cookie: `${NAMES.cookie}=${refreshToken}`, origin: ORIGIN };
    for (const path of ['/auth/sessions', '/labels', '/operator/companies']) {
      expectStatus(await service.call('GET', path, { headers }), 401);
    }
  });

  it('is not in the log', async () => {
    const { refreshToken } = await start();
    await post('refresh', { cookie: refreshToken });
    expect(service.logs()).not.toContain(refreshToken.slice(37));
  });
});
