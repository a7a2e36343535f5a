import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const refresh = (refresh_token: unknown): Promise<Answer> =>
  service.call('POST', '/auth/refresh', { body: { refresh_token } });

/** Refreshes. @returns the tokens of the answer */
async function next(refreshToken: string): Promise<{ token: string; refreshToken: string }> {
  const { data } = expectStatus(await refresh(refreshToken), 200).body;
  return { token: data.access_token, refreshToken: data.refresh_token };
}

const read = (token: string) => service.call('GET', '/auth/sessions', { token });

function expectRevoked(answer: Answer): void {
  expect([answer.status, answer.body?.error?.code, answer.body?.data]).toEqual([401, 'session_revoked', null]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

function sessionIdOf(token: string): string {
  return String(readToken(token).claims.sid);
}

/** Makes the session's last refresh, or its begin, this much older. */
async function age(token: string, seconds: number): Promise<void> {
  await service.database.owner`
    UPDATE sessions SET refreshed_at = refreshed_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds}), ends_at = ends_at - make_interval(secs => ${seconds})
    WHERE id = ${sessionIdOf(token)}`;
}

describe('a refresh', () => {
  it.each([
    ['an admin', signUpAdmin],
    ['a customer', signUpCustomer],
  ])('of %s answers as a login does, with tokens of the same session', async (_who, signUp) => {
    const user = await signUp(service);
    const loggedIn = expectStatus(await logIn(service, { email: user.email }), 200).body.data;
    const answer = expectStatus(await refresh(loggedIn.refresh_token), 200);
    expect(answer.body).toEqual({
      error: null,
      data: { ...loggedIn, access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 3_600 },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(sessionIdOf(answer.body.data.access_token)).toBe(sessionIdOf(loggedIn.access_token));
    expectStatus(await read(answer.body.data.access_token), 200);
    expect(answer.body.data.refresh_token).not.toBe(loggedIn.refresh_token);
  });

  it('shows the profile as it is now', async () => {
    const { refreshToken, userId } = await signUpAdmin(service);
    await service.database.owner`UPDATE users SET first_name = 'Grace' WHERE id = ${userId}`;
    const { data } = expectStatus(await refresh(refreshToken), 200).body;
    expect(data.user.first_name).toBe('Grace');
  });

  // ASVS 7.2.3
  it('answers a token of 48 bytes after the id of the session, of which no other session shares a part', async () => {
    const users = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const tokens = await Promise.all(users.map(async ({ refreshToken }) => (await next(refreshToken)).refreshToken));
    const parts = [...users.map(({ refreshToken }) => refreshToken), ...tokens].map((token) => {
      const bytes = Buffer.from(token.split('.')[1] ?? '', 'base64url');
      return { length: bytes.length, family: bytes.toString('hex', 0, 16), secret: bytes.toString('hex', 16) };
    });
    expect(parts.map(({ length }) => length)).toEqual([48, 48, 48, 48]);
    expect(new Set(parts.map(({ secret }) => secret)).size).toBe(4);
    expect(new Set(parts.map(({ family }) => family)).size).toBe(2);
  });

  it('leaves the access tokens that the session has', async () => {
    const { token, refreshToken } = await signUpAdmin(service);
    await next(refreshToken);
    expectStatus(await read(token), 200);
  });

  it('needs a refresh token that is a string: 400 that names it', async () => {
    for (const given of [undefined, null, 12, true, ['x'], { a: 'b' }]) {
      const answer = await refresh(given);
      expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'refresh_token']);
    }
  });
});

// Security (Accounts and permissions): A refresh token works once; the one before gets the same successor for ten seconds, also from
// simultaneous requests
describe('a refresh token works once', () => {
  it('and the one before works again for ten seconds, with the same successor', async () => {
    const first = (await signUpAdmin(service)).refreshToken;
    const second = await next(first);
    expect((await next(first)).refreshToken).toBe(second.refreshToken);
    await age(second.token, 9);
    const repeated = await next(first);
    expect(repeated.refreshToken).toBe(second.refreshToken);
    expectStatus(await read(repeated.token), 200);
    await next(second.refreshToken);
  });

  // Security (Accounts and permissions): A refresh token that is used again ends its session
  // ASVS 10.4.5
  it('after which it ends the session: all of its tokens are refused at once', async () => {
    const first = await signUpAdmin(service);
    const second = await next(first.refreshToken);
    for (const { token } of [first, second]) expectStatus(await read(token), 200);
    await age(second.token, 11);
    expectRevoked(await refresh(first.refreshToken));
    for (const { token } of [first, second]) expect((await read(token)).body.error.code).toBe('unauthenticated');
    expectRevoked(await refresh(second.refreshToken));
    const path = `/operator/audit-log?companyId=${first.companyId}&action=session.reuse_detected`;
    const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
    expect(data).toMatchObject([{ actor: { kind: 'anonymous' }, changes: { after: { user_id: first.userId } } }]);
  });

  it('an older one than the immediate predecessor ends the session at once', async () => {
    const first = await signUpAdmin(service);
    const second = await next(first.refreshToken);
    const third = await next(second.refreshToken);
    expectRevoked(await refresh(first.refreshToken));
    expectRevoked(await refresh(third.refreshToken));
    expect((await read(third.token)).status).toBe(401);
  });

  it('and no other session of the user ends', async () => {
    const first = await signUpAdmin(service);
    const other = expectStatus(await logIn(service, { email: first.email }), 200).body.data;
    const second = await next((await next(first.refreshToken)).refreshToken);
    expectRevoked(await refresh(first.refreshToken));
    expect((await read(second.token)).status).toBe(401);
    await next(other.refresh_token);
  });

  it('of twenty refreshes at once, all get the same successor', async () => {
    const { refreshToken } = await signUpAdmin(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => next(refreshToken)));
    expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1);
    await next(answers[0]?.refreshToken ?? '');
  });
});

describe('a refresh token that does not work', () => {
  let actor: Actor;
  beforeAll(async () => {
    actor = await signUpAdmin(service);
  });

  const flipped = (text: string, at: number) =>
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

  // Security (Accounts and permissions): Every refresh token that does not work gets the same answer, and an invented one ends no session
  it('is 401 session_revoked, with the same body for each reason, and ends no session', async () => {
    const { refreshToken, token } = actor;
    const [sessionId = '', secret = ''] = refreshToken.split('.');
    const invented = [
      `${randomUUID()}.${randomBytes(48).toString('base64url')}`,
      `${randomUUID()}.${secret}`,
      // Who knows the session's id alone, which stands in its access token, must not be able to end it.
      `${sessionId}.${randomBytes(48).toString('base64url')}`,
      flipped(refreshToken, 37),
    ];
    const malformed = ['x', token, `${refreshToken}x`, refreshToken.slice(1), secret, `${sessionId}.`, `.${secret}`];
    const messages = new Set<string>();
    for (const text of [...invented, ...malformed, refreshToken.toUpperCase(), service.operatorKey]) {
      const answer = await refresh(text);
      expectRevoked(answer);
      messages.add(answer.body.error.message);
    }
    expect(messages.size).toBe(1);
    actor = { ...actor, ...(await next(refreshToken)) };
  });

  it('is one of a session that was logged out, or expired, or of a disabled user', async () => {
    const { owner } = service.database;
    const loggedOut = await signUpAdmin(service);
    expectStatus(await service.call('POST', '/auth/logout', { token: loggedOut.token }), 204);
    expectRevoked(await refresh(loggedOut.refreshToken));

    const expired = await signUpAdmin(service);
    await owner`UPDATE sessions SET expires_at = now() WHERE id = ${sessionIdOf(expired.token)}`;
    expectRevoked(await refresh(expired.refreshToken));

    const disabled = await signUpAdmin(service);
    await owner`UPDATE users SET disabled_at = now() WHERE id = ${disabled.userId}`;
    expectRevoked(await refresh(disabled.refreshToken));
    await owner`UPDATE users SET disabled_at = NULL WHERE id = ${disabled.userId}`;
    await next(disabled.refreshToken);
  });

  it('is one whose last byte differs from the current one: that ends the session, since its family is known', async () => {
    const { refreshToken, token } = await signUpAdmin(service);
    expectRevoked(await refresh(flipped(refreshToken, refreshToken.length - 1)));
    expect((await read(token)).status).toBe(401);
  });

  // Security (Accounts and permissions): A refresh token is no access token
  it('is none that serves as an access token', async () => {
    for (const authorization of [actor.refreshToken, `Bearer ${actor.refreshToken}`]) {
      const answer = await service.call('GET', '/auth/sessions', { headers: { authorization } });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthenticated']);
    }
  });
});

describe('how long a session lasts', () => {
  const left = async (token: string) => {
    const [row] = await service.database.owner<{ seconds: number; most: number }[]>`
      SELECT extract(epoch FROM expires_at - now())::int AS seconds, extract(epoch FROM ends_at - now())::int AS most
      FROM sessions WHERE id = ${sessionIdOf(token)}`;
    return row ?? { seconds: 0, most: 0 };
  };
  const DAY = 86_400;
  const within = (seconds: number) => expect.toSatisfy((value: number) => value > seconds - 100 && value <= seconds);

  // Security (Accounts and permissions): A session ends 30 days after its last use, and after 90 days at most
  // ASVS 7.3.2, 10.4.8
  it('is 30 days from its last refresh, and 90 days at most', async () => {
    const { token, refreshToken } = await signUpAdmin(service);
    expect(await left(token)).toEqual({ seconds: within(30 * DAY), most: within(90 * DAY) });
    await age(token, 29 * DAY);
    const second = await next(refreshToken);
    expect(await left(token)).toEqual({ seconds: within(30 * DAY), most: within(61 * DAY) });
    await age(token, 29 * DAY);
    const third = await next(second.refreshToken);
    await age(token, 29 * DAY);
    const fourth = await next(third.refreshToken);
    expect(await left(token)).toEqual({ seconds: within(3 * DAY), most: within(3 * DAY) });
    await age(token, 3 * DAY);
    expectRevoked(await refresh(fourth.refreshToken));
  });

  // ASVS 7.3.1
  it('is 30 days without a refresh', async () => {
    const { token, refreshToken } = await signUpAdmin(service);
    await age(token, 30 * DAY);
    expectRevoked(await refresh(refreshToken));
  });

  it('follows the settings, and no access token outlives its session', async () => {
    const short = await startTestService({ sessionIdleSeconds: 500, sessionLifetimeSeconds: 700 });
    try {
      const { refreshToken, token } = await signUpAdmin(short);
      const claims = readToken(token).claims;
      expect(Number(claims.exp) - Number(claims.iat)).toBe(500);
      await short.database.owner`UPDATE sessions SET ends_at = now() + interval '60 seconds'`;
      const { data } = expectStatus(
        await short.call('POST', '/auth/refresh', { body: { refresh_token: refreshToken } }),
        200,
      ).body;
      expect(data.expires_in).toBeGreaterThan(0);
      expect(data.expires_in).toBeLessThanOrEqual(60);
    } finally {
      await short.stop();
    }
  });

  it('ends by itself while it is in use', async () => {
    const short = await startTestService({ sessionIdleSeconds: 1 });
    try {
      const { token } = await signUpAdmin(short);
      const ask = () => short.call('GET', '/auth/sessions', { token });
      const answer = await pollUntil(ask, ({ status }) => status !== 200);
      expect(answer.body.error.code).toBe('unauthenticated');
    } finally {
      await short.stop();
    }
  });
});

describe('a refresh and a logout at once', () => {
  it('leave no token of the session that works', async () => {
    const actors = await Promise.all(Array.from({ length: 10 }, () => signUpAdmin(service)));
    const outcomes = await Promise.all(
      actors.map(async ({ token, refreshToken }) => {
        const [refreshed] = await Promise.all([refresh(refreshToken), service.call('POST', '/auth/logout', { token })]);
        return { token, refreshToken, refreshed };
      }),
    );
    for (const { token, refreshToken, refreshed } of outcomes) {
      if (refreshed.status !== 200) expectRevoked(refreshed);
      const { access_token: newToken = token, refresh_token: newRefresh = refreshToken } = refreshed.body.data ?? {};
      expectRevoked(await refresh(newRefresh));
      for (const one of [token, newToken]) expect((await read(one)).status).toBe(401);
    }
  });
});

// Security (Accounts and permissions): The database and the log have no refresh token
it('neither the database nor the log has a refresh token, or a part of it', async () => {
  const first = await signUpAdmin(service);
  const second = await next(first.refreshToken);
  await age(second.token, 20);
  expectRevoked(await refresh(first.refreshToken));
  await logIn(service, { email: first.email, password: PASSWORD });
  const rows = await service.database.owner<{ row: string }[]>`SELECT sessions::text AS row FROM sessions`;
  const kept = [service.logs(), ...rows.map(({ row }) => row)].join('\n');
  for (const { refreshToken } of [first, second]) {
    const [, secret = ''] = refreshToken.split('.');
    const bytes = Buffer.from(secret, 'base64url');
    const forms = [secret, bytes.subarray(0, 16).toString('hex'), bytes.subarray(16).toString('hex')];
    for (const form of forms) expect(kept).not.toContain(form);
  }
});
