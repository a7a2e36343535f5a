import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress } from '../../../test/customers/accounts.ts';
import {
  type Actor,
  CARDS,
  expectStatus,
  PASSWORD,
  signUpAdmin,
  signUpCustomer,
} from '../../../test/customers/actors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => service.stop());

type Login = { token: string; refreshToken: string; id: string };

async function logIn({ email }: Actor, { from = newAddress(), userAgent = '' } = {}): Promise<Login> {
  const headers = { 'x-forwarded-for': from, 'user-agent': userAgent };
  const body = { email, password: PASSWORD };
  const { data } = expectStatus(await service.call('POST', '/auth/local', { body, headers }), 200).body;
  const { access_token: token, refresh_token: refreshToken } = data;
  return { token, refreshToken, id: idOf(token) };
}

function idOf(token: string): string {
  return String(readToken(token).claims.sid);
}

async function list(token: string) {
  return expectStatus(await service.call('GET', '/auth/sessions', { token }), 200).body.data;
}

const statusOf = async (token: string) => (await service.call('GET', '/auth/sessions', { token })).status;
const end = (token: string, id = '') => service.call('DELETE', `/auth/sessions${id && `/${id}`}`, { token });
const refresh = (refreshToken: string, headers = {}) =>
  service.call('POST', '/auth/refresh', { body: { refresh_token: refreshToken }, headers });

describe('the list of sessions', () => {
  it('has each open session of the user alone, newest first, and says which one asks', async () => {
    const [user] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const login = await logIn(user, { from: '203.0.113.7', userAgent: 'Firefox' });
    const answer = await service.call('GET', '/auth/sessions', { token: login.token });
    const times = { created_at: expect.any(String), last_used_at: expect.any(String) };
    expect(answer.body).toEqual({
      error: null,
      data: [
        { id: login.id, ip: '203.0.113.7', user_agent: 'Firefox', current: true, ...times },
        { id: idOf(user.token), ip: '127.0.0.1', user_agent: '', current: false, ...times },
      ],
    });
    expect((await list(user.token)).map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  });

  it('shows a customer theirs too', async () => {
    const { token } = await signUpCustomer(service);
    expect(await list(token)).toMatchObject([{ id: idOf(token), current: true }]);
  });

  it('shows the last use: its time, address and program change with a refresh', async () => {
    const user = await signUpAdmin(service);
    await service.database.owner`
      UPDATE sessions SET created_at = '2026-01-02T03:04:05.678Z' WHERE id = ${idOf(user.token)}`;
    const [before] = await list(user.token);
    expect(before).toMatchObject({
      created_at: '2026-01-02T03:04:05.678Z',
      last_used_at: '2026-01-02T03:04:05.678Z',
    });
    const from = { 'x-forwarded-for': '2001:db8::7', 'user-agent': 'Safari' };
    const { data } = expectStatus(await refresh(user.refreshToken, from), 200).body;
    const [after] = await list(data.access_token);
    expect(after).toMatchObject({ created_at: before.created_at, ip: '2001:db8::7', user_agent: 'Safari' });
    expect(Date.parse(after.last_used_at)).toBeGreaterThan(Date.parse(before.last_used_at));
  });

  it('cuts the name of a program at 255 characters, and hides a card number in it', async () => {
    const user = await signUpAdmin(service);
    const { token } = await logIn(user, { userAgent: `${CARDS.visa} ${'x'.repeat(400)}` });
    const [{ user_agent: shown }] = await list(token);
    expect(shown).toHaveLength(255);
    expect(shown).not.toContain(CARDS.visa);
  });

  it('has no session that has ended', async () => {
    const user = await signUpAdmin(service);
    const [first, second] = [await logIn(user), await logIn(user)];
    expectStatus(await service.call('POST', '/auth/logout', { token: first.token }), 204);
    await service.database.owner`UPDATE sessions SET expires_at = now() WHERE id = ${second.id}`;
    expect(await list(user.token)).toMatchObject([{ id: idOf(user.token) }]);
  });
});

// Security (Accounts and permissions): A user can end each of their sessions, and nobody else's
// ASVS 10.4.9
describe('ending a session', () => {
  it('refuses its access token and its refresh token at once, and leaves the others', async () => {
    const user = await signUpAdmin(service);
    const [one, other] = [await logIn(user), await logIn(user)];
    for (const { token } of [one, other]) expect(await statusOf(token)).toBe(200);
    const answer = await end(user.token, one.id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await statusOf(one.token)).toBe(401);
    expect((await refresh(one.refreshToken)).body.error.code).toBe('session_revoked');
    expect(await statusOf(other.token)).toBe(200);
    expectStatus(await refresh(other.refreshToken), 200);
  });

  it('may be the one of the request itself', async () => {
    const { token } = await signUpAdmin(service);
    expectStatus(await end(token, idOf(token)), 204);
    expect(await statusOf(token)).toBe(401);
  });

  it('that has ended, is another user’s or does not exist is 404, and ends nothing', async () => {
    const [user, stranger] = await Promise.all([signUpAdmin(service), signUpCustomer(service)]);
    const { id } = await logIn(user);
    expectStatus(await end(user.token, id), 204);
    for (const unknown of [id, idOf(stranger.token), randomUUID()]) {
      const answer = await end(user.token, unknown);
      expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([404, 'not_found', null]);
    }
    expect(await statusOf(stranger.token)).toBe(200);
  });
});

describe('ending all other sessions', () => {
  it('leaves the one of the request, and those of other users', async () => {
    const [user, stranger] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const logins = await Promise.all([logIn(user), logIn(user), logIn(user)]);
    for (const { token } of logins) expect(await statusOf(token)).toBe(200);
    const answer = await end(user.token);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const { token, refreshToken } of logins) {
      expect(await statusOf(token)).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
    }
    expect(await list(user.token)).toMatchObject([{ current: true }]);
    expect(await statusOf(stranger.token)).toBe(200);
    expectStatus(await end(user.token), 204);
  });
});
