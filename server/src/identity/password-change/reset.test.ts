import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { logIn, newAddress, newEmail, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { openKeyring } from '../../platform/keys/keys.ts';
import { startSendingForgotten } from './forgotten.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => service?.stop());

const NEXT = 'Another-horse-8';

const forget = (email: string) => service.call('POST', '/auth/password/forgot', { body: { email } });
const reset = (token: string, new_password = NEXT) =>
  service.call('POST', '/auth/password/reset', { body: { token, new_password } });

/** The mails that resets have sent to an address, newest first. */
async function resetsTo(email: string, type = 'reset_password') {
  return (await mailsTo(service, email)).filter((mail) => mail.type === type);
}

/** Asks for a reset, and waits for its mail. @returns the token of the link */
async function askFor({ email }: Pick<Actor, 'email'>, asked = email): Promise<string> {
  const before = (await resetsTo(email)).length;
  expectStatus(await forget(asked), 202);
  const [mail] = await pollUntil(
    () => resetsTo(email),
    ({ length }) => length === before + 1,
  );
  return tokenIn(mail.text);
}

async function expectInvalid(token: string): Promise<void> {
  const answer = expectStatus(await reset(token), 400);
  expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_token', details: [{ field: 'token' }] } });
}

describe('a request for a reset', () => {
  it('sends a link of the dashboard in the user’s language, whatever the case of the e-mail', async () => {
    const user = await signUpAdmin(service);
    await service.call('PUT', '/auth/me', { token: user.token, body: { language: 'es' } });
    const token = await askFor(user, `  ${user.email.toUpperCase()} `);
    const [mail] = await resetsTo(user.email);
    expect(mail).toMatchObject({ language: 'es', to: [user.email], companyId: user.companyId });
    expect(mail.text).toContain(`/app/reset-password#token=${token}`);
  });

  // Security (Accounts and permissions): A forgotten password has the same answer for every address
  it('has the same answer for every address, and an unknown one gets no mail', async () => {
    const [admin, customer] = [await signUpAdmin(service), await signUpCustomer(service)];
    const gone = await signUpAdmin(service);
    await service.database.owner`UPDATE users SET disabled_at = now() WHERE id = ${gone.userId}`;
    const unknown = newEmail();
    const answers: Answer[] = [];
    for (const email of [admin.email, customer.email, gone.email, unknown]) answers.push(await forget(email));
    const withoutId = ({ status, text, headers }: Answer) => {
      const names = [...headers.keys()].filter((name) => !['x-request-id', 'date'].includes(name));
      return { status, text, names };
    };
    expect(new Set(answers.map((answer) => JSON.stringify(withoutId(answer)))).size).toBe(1);
    expect(answers[0]?.body).toEqual({ error: null, data: null });
    for (const { email } of [admin, customer]) {
      await pollUntil(
        () => resetsTo(email),
        ({ length }) => length === 1,
      );
    }
    // What was asked for later is done later.
    await askFor(await signUpAdmin(service));
    expect([await resetsTo(gone.email), await mailsTo(service, unknown)]).toEqual([[], []]);
  });

  // Security (Accounts and permissions): The address of a forgotten password is looked up after the answer
  it('is answered before anything is looked up: a locked account delays no answer', async () => {
    const user = await signUpAdmin(service);
    await service.database.owner.begin(async (tx) => {
      await tx`SELECT FROM users WHERE id = ${user.userId} FOR UPDATE`;
      expectStatus(await forget(user.email), 202);
      expect(await resetsTo(user.email)).toEqual([]);
    });
    await pollUntil(
      () => resetsTo(user.email),
      ({ length }) => length === 1,
    );
  });

  it('is answered alike the sixth time within an hour, and sends no more', async () => {
    const user = await signUpAdmin(service);
    const tokens = [];
    for (let time = 1; time <= 5; time += 1) tokens.push(await askFor(user));
    expect(expectStatus(await forget(user.email), 202).body).toEqual({ error: null, data: null });
    await askFor(await signUpAdmin(service));
    expect(await resetsTo(user.email)).toHaveLength(5);
    expectStatus(await reset(tokens.at(-1) ?? ''), 204);
  });

  it('that a process accepted before it ended is done by another process', async () => {
    const user = await signUpAdmin(service);
    await service.database.owner`
      INSERT INTO forgotten_passwords (id, email, asked_at)
      VALUES (${randomUUID()}, ${user.email}, now() - interval '1 minute'), (${randomUUID()}, ${newEmail()}, now() - interval '1 minute')`;
    const { config, database } = service;
    const mail = { config, keyring: openKeyring(config.dataDirectory) };
    const worker = startSendingForgotten(database.db, mail, (error) => expect(error).toBeNull());
    onTestFinished(worker.stop);
    const [sent] = await pollUntil(
      () => resetsTo(user.email),
      ({ length }) => length === 1,
    );
    expectStatus(await reset(tokenIn(sent.text)), 204);
    expect(await service.database.owner`SELECT id FROM forgotten_passwords`).toEqual([]);
  });

  it('is refused while a thousand others wait, and nothing is lost', async () => {
    const own = await startTestService();
    onTestFinished(() => own.stop());
    await own.database.owner`
      INSERT INTO forgotten_passwords (id, email) SELECT gen_random_uuid(), 'nobody@example.com' FROM generate_series(1, 1000)`;
    const body = { email: newEmail() };
    const refused = expectStatus(await own.call('POST', '/auth/password/forgot', { body }), 503);
    expect(refused.headers.get('retry-after')).toBe('5');
    await own.database.owner`DELETE FROM forgotten_passwords`;
    expectStatus(await own.call('POST', '/auth/password/forgot', { body }), 202);
  });

  it('is finished when the service stops', async () => {
    const own = await startTestService();
    const user = await signUpAdmin(own);
    expectStatus(await own.call('POST', '/auth/password/forgot', { body: { email: user.email } }), 202);
    await own.takeAway();
    const sent = await own.database.owner`SELECT type FROM mails WHERE company_id = ${user.companyId} ORDER BY id`;
    expect(sent.map(({ type }) => type)).toEqual(['verify_email', 'reset_password']);
    await own.stop();
  });
});

describe('a reset', () => {
  it.each([
    ['an admin', signUpAdmin],
    ['a customer', signUpCustomer],
  ])('gives %s the new password, and ends all sessions at once', async (_who, signUp) => {
    const user = await signUp(service);
    const answer = expectStatus(await reset(await askFor(user)), 204);
    expect(answer.text).toBe('');
    expectStatus(await service.call('GET', '/auth/me', { token: user.token }), 401);
    const refresh = { body: { refresh_token: user.refreshToken } };
    expectStatus(await service.call('POST', '/auth/refresh', refresh), 401);
    expectStatus(await logIn(service, { email: user.email }), 401);
    expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200);
    expect(await resetsTo(user.email, 'password_changed')).toHaveLength(1);
  });

  // ASVS 6.4.3
  it('works once', async () => {
    const token = await askFor(await signUpAdmin(service));
    expectStatus(await reset(token), 204);
    await expectInvalid(token);
  });

  // Security (Accounts and permissions): A link that resets a password works once, also for requests at once
  it('by two requests at once with one link works for one of them', async () => {
    const user = await signUpAdmin(service);
    const token = await askFor(user);
    const passwords = ['First-horse-11', 'Second-horse-22', 'Third-horse-33'];
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
    const logins = await Promise.all(passwords.map((password) => logIn(service, { email: user.email, password })));
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 204 ? 200 : 401)));
  });

  it('does not work with a link that a newer one replaced', async () => {
    const user = await signUpAdmin(service);
    const [first, second] = [await askFor(user), await askFor(user)];
    await expectInvalid(first);
    expectStatus(await reset(second), 204);
  });

  it('works for an hour', async () => {
    const user = await signUpAdmin(service);
    const token = await askFor(user);
    const { owner } = service.database;
    const [row] = await owner`
      SELECT expires_at - now() BETWEEN interval '59 minutes' AND interval '60 minutes' AS "isAnHour"
      FROM email_tokens WHERE user_id = ${user.userId} AND purpose = 'reset_password'`;
    expect(row).toEqual({ isAnHour: true });
    await owner`UPDATE email_tokens SET expires_at = now() WHERE user_id = ${user.userId} AND purpose = 'reset_password'`;
    await expectInvalid(token);
  });

  it('does not work with a link from before a change of the password', async () => {
    const user = await signUpAdmin(service);
    const token = await askFor(user);
    const body = { current_password: PASSWORD, new_password: NEXT };
    expectStatus(await service.call('PUT', '/auth/password', { token: user.token, body }), 204);
    await expectInvalid(token);
  });

  it.each([['Short-1'], ['Password123!'], ['Lovelace1!']])(
    'with %s is 400 on new_password, and leaves the link as it is',
    async (password) => {
      const token = await askFor(await signUpAdmin(service));
      const answer = expectStatus(await reset(token, password), 400);
      expect(answer.body.error.details).toMatchObject([{ field: 'new_password' }]);
      expectStatus(await reset(token), 204);
    },
  );

  it('ends the limit on failed logins of the account', async () => {
    const user = await signUpAdmin(service);
    const from = newAddress();
    const wrong = { email: user.email, password: 'Wrong-horse-7', from };
    for (let time = 1; time <= 10; time += 1) expectStatus(await logIn(service, wrong), 401);
    expectStatus(await logIn(service, { email: user.email, from }), 429);
    expectStatus(await reset(await askFor(user)), 204);
    expectStatus(await logIn(service, { email: user.email, password: NEXT, from }), 200);
  });

  it('gives a password to an account that has none', async () => {
    const user = await signUpAdmin(service);
    await service.database.owner`UPDATE users SET password_hash = NULL WHERE id = ${user.userId}`;
    expectStatus(await reset(await askFor(user)), 204);
    expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200);
  });

  it('is in the audit log, with the user as its actor', async () => {
    const user = await signUpAdmin(service);
    expectStatus(await reset(await askFor(user)), 204);
    const { data } = expectStatus(await logIn(service, { email: user.email, password: NEXT }), 200).body;
    const log = await service.call('GET', '/company/audit-log?action=user.password_reset', {
      token: data.access_token,
    });
    expect(expectStatus(log, 200).body.data).toMatchObject([
      { actor: { kind: 'user', id: user.userId }, target: { kind: 'user', id: user.userId }, changes: null },
    ]);
  });

  it.each(['', 'x', 'a'.repeat(43), 'ä'.repeat(255)])('with a token that is none is 400: %j', expectInvalid);

  it('is not possible with the link of a verification or an access token, nor the other way round', async () => {
    const user = await signUpAdmin(service);
    const [{ text }] = await mailsTo(service, user.email);
    await expectInvalid(tokenIn(text));
    await expectInvalid(user.token);
    const token = await askFor(user);
    for (const path of ['/auth/email/verify', '/auth/email/revert']) {
      for (const none of [token, user.token]) {
        const answer = expectStatus(await service.call('POST', path, { body: { token: none } }), 400);
        expect(answer.body.error.code).toBe('invalid_token');
      }
    }
    expectStatus(await reset(token), 204);
  });
});
