import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newAddress, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo } from '../../../test/mail/mails.ts';
import { hashPassword } from '../passwords/password.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => service?.stop());

const NEXT = 'Another-horse-8';

function change({ token }: Pick<Actor, 'token'>, body: object = {}, from?: string) {
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
  const full = { current_password: PASSWORD, new_password: NEXT, ...body };
  return service.call('PUT', '/auth/password', { token, body: full, headers });
}

async function openSession({ email }: Actor): Promise<Actor> {
  const { data } = expectStatus(await logIn(service, { email }), 200).body;
  return { ...data, token: data.access_token, refreshToken: data.refresh_token, email };
}

const status = async ({ token }: Pick<Actor, 'token'>) =>
  (await service.call('GET', '/auth/sessions', { token })).status;

// ASVS 6.2.2
describe('a changed password', () => {
  it.each([
    ['an admin', signUpAdmin],
    ['a customer', signUpCustomer],
  ])('of %s logs in, and the old one does not', async (_who, signUp) => {
    const user = await signUp(service);
    const answer = expectStatus(await change(user), 204);
    expect(answer.text).toBe('');
    expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200);
    expectStatus(await logIn(service, { email: user.email }), 401);
  });

  // Security (Accounts and permissions): A changed password ends all other sessions
  // ASVS 7.4.3
  it('ends all other sessions at once, with their refresh tokens, and keeps its own', async () => {
    const user = await signUpAdmin(service);
    const other = await openSession(user);
    expect([await status(user), await status(other)]).toEqual([200, 200]);
    expectStatus(await change(user), 204);
    expect([await status(user), await status(other)]).toEqual([200, 401]);
    const refresh = { body: { refresh_token: other.refreshToken } };
    const refused = expectStatus(await service.call('POST', '/auth/refresh', refresh), 401);
    expect(refused.body.error.code).toBe('session_revoked');
    const own = { body: { refresh_token: user.refreshToken } };
    expectStatus(await service.call('POST', '/auth/refresh', own), 200);
  });

  it('is reported to the user, in the user’s language, and is in the audit log without the password', async () => {
    const user = await signUpAdmin(service);
    await service.database.owner`UPDATE users SET language = 'de-AT' WHERE id = ${user.userId}`;
    expectStatus(await change(user), 204);
    const [mail] = await mailsTo(service, user.email);
    expect(mail).toMatchObject({ type: 'password_changed', language: 'de', companyId: user.companyId });
    const log = await service.call('GET', '/company/audit-log', { token: user.token });
    const [entry] = expectStatus(log, 200).body.data;
    expect(entry).toMatchObject({
      action: 'user.password_changed',
      actor: { kind: 'user', id: user.userId, name: 'Ada Lovelace' },
      target: { kind: 'user', id: user.userId, name: user.email },
      changes: null,
    });
    expect(log.text + mail.text + service.logs()).not.toMatch(new RegExp(`${NEXT}|${PASSWORD}`));
  });
});

// ASVS 6.2.12
describe('a new password', () => {
  it.each([
    ['breaks a rule', 'short-A1', 'longer'],
    ['is among the most common ones', 'Password123!', 'common'],
    ['is made of the name', 'Lovelace1!', 'name'],
  ])('that %s is 400 on new_password, and changes nothing', async (_why, password, message) => {
    const user = await signUpAdmin(service);
    const answer = expectStatus(await change(user, { new_password: password }), 400);
    expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_request' } });
    expect(answer.body.error.details).toEqual([{ field: 'new_password', message: expect.stringContaining(message) }]);
    expectStatus(await logIn(service, { email: user.email }), 200);
  });

  it('that is common or breaks a rule is refused before the current password is checked', async () => {
    const wrong = { current_password: `${PASSWORD}x` };
    const user = await signUpAdmin(service);
    for (const password of ['short-A1', 'Password123!'])
      expectStatus(await change(user, { ...wrong, new_password: password }), 400);
  });

  it('may be any other', async () => {
    const user = await signUpAdmin(service);
    expectStatus(await change(user, { new_password: `${randomBytes(120).toString('base64')}aA1!` }), 204);
  });
});

describe('the current password', () => {
  // ASVS 6.2.3
  it('that is wrong is 401 invalid_credentials, and changes nothing', async () => {
    const user = await signUpAdmin(service);
    const answer = expectStatus(await change(user, { current_password: `${PASSWORD}x` }), 401);
    expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_credentials' } });
    expect(await mailsTo(service, user.email)).toHaveLength(1);
    expectStatus(await logIn(service, { email: user.email }), 200);
  });

  it('may be too weak for a new one: it is only compared', async () => {
    const answer = expectStatus(await change(await signUpAdmin(service), { current_password: 'x' }), 401);
    expect(answer.body.error.code).toBe('invalid_credentials');
  });

  it('is required of an account that has one', async () => {
    const answer = expectStatus(await change(await signUpAdmin(service), { current_password: undefined }), 400);
    expect(answer.body.error.details).toEqual([{ field: 'current_password', message: 'is required' }]);
  });

  it('of another user is wrong', async () => {
    const [user, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    expectStatus(await change(other, { new_password: 'Of-the-other-9' }), 204);
    expectStatus(await change(user, { current_password: 'Of-the-other-9' }), 401);
  });

  // Security (Accounts and permissions): A wrong password counts as a failed login wherever it is asked for
  it('guessed ten times from an address is refused there, right or wrong, as failed logins are, and the session goes on', async () => {
    const user = await signUpAdmin(service);
    const from = newAddress();
    const guess = () => change(user, { current_password: 'Wrong-horse-7' }, from);
    for (let time = 1; time <= 5; time += 1) expectStatus(await guess(), 401);
    for (let time = 1; time <= 5; time += 1)
      expectStatus(await logIn(service, { email: user.email, password: 'Wrong-horse-7', from }), 401);
    const refused = expectStatus(await change(user, {}, from), 429);
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expectStatus(await logIn(service, { email: user.email, from }), 429);
    expect(await status(user)).toBe(200);
    expectStatus(await change(user, {}, newAddress()), 204);
  });

  it('guessed is in the audit log of the company', async () => {
    const user = await signUpAdmin(service);
    expectStatus(await change(user, { current_password: 'Wrong-horse-7' }), 401);
    const log = await service.call('GET', '/company/audit-log?action=login.failed', { token: user.token });
    expect(expectStatus(log, 200).body.data).toMatchObject([
      { target: { kind: 'user', id: user.userId, name: user.email }, actor: { kind: 'user', id: user.userId } },
    ]);
  });

  it('guessed by many requests at once is right for no more than ten', async () => {
    const user = await signUpAdmin(service);
    const from = newAddress();
    const guesses = Array.from({ length: 30 }, () => change(user, { current_password: 'Wrong-horse-7' }, from));
    const statuses = (await Promise.all(guesses)).map((answer) => answer.status);
    // Guesses in a slot at the same time pass together.
    expect(statuses.filter((one) => one === 401).length).toBeLessThan(20);
    expect(statuses).toContain(429);
  });
});

describe('an account without a password', () => {
  async function withoutPassword(): Promise<Actor> {
    const user = await signUpAdmin(service);
    await service.database.owner`UPDATE users SET password_hash = NULL WHERE id = ${user.userId}`;
    return user;
  }

  it('gets one in a session younger than ten minutes, and keeps to it from then on', async () => {
    const user = await withoutPassword();
    expectStatus(await logIn(service, { email: user.email }), 401);
    expectStatus(await change(user, { current_password: undefined }), 204);
    expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200);
    expectStatus(await change(user, { current_password: undefined }), 400);
  });

  // ASVS 10.3.4
  it('has to log in again in an older one, also when the session was refreshed since', async () => {
    const user = await withoutPassword();
    const { owner } = service.database;
    await owner`UPDATE sessions SET created_at = now() - interval '10 minutes' WHERE user_id = ${user.userId}`;
    const body = { refresh_token: user.refreshToken };
    const { data } = expectStatus(await service.call('POST', '/auth/refresh', { body }), 200).body;
    for (const current_password of [undefined, PASSWORD]) {
      const answer = expectStatus(await change({ token: data.access_token }, { current_password }), 401);
      expect(answer.body.error.code).toBe('reauthentication_required');
    }
  });
});

it('of two changes at once, the second finds that its current password is no longer right', async () => {
  const user = await signUpAdmin(service);
  const passwords = ['First-horse-11', 'Second-horse-22'];
  const answers = await Promise.all(passwords.map((password) => change(user, { new_password: password })));
  expect(answers.map((answer) => answer.status).sort()).toEqual([204, 401]);
  const logins = await Promise.all(passwords.map((password) => logIn(service, { email: user.email, password })));
  expect(logins.map((answer) => answer.status)).toEqual(answers.map((answer) => (answer.status === 204 ? 200 : 401)));
});

it('a login with the old password that has begun does not outlast the change', async () => {
  const user = await signUpAdmin(service);
  const passwordHash = await hashPassword(NEXT, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  const { db, owner } = service.database;
  const waits = async () => {
    const [row] = await db`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.count;
  };
  let login: ReturnType<typeof logIn> | undefined;
  await owner.begin(async (tx) => {
    await tx`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.userId}`;
    login = logIn(service, { email: user.email });
    await pollUntil(waits, (count) => count === 1);
  });
  expect((await login)?.status).toBe(401);
  expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200);
});
