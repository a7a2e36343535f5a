import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { runHousekeeping } from '../../housekeeping.ts';
import type { Tx } from '../../platform/database/database.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const request = ({ token }: Pick<Actor, 'token'>, email: string, password: string | undefined = PASSWORD) =>
  service.call('PUT', '/auth/email', { token, body: { email, password } });
const follow = (token: string) => service.call('POST', '/auth/email/verify', { body: { token } });
const revert = (token: string) => service.call('POST', '/auth/email/revert', { body: { token } });
const signUp = (email: string) => service.call('POST', '/auth/signup/customer', { body: signUpBody({ email }) });

async function newest(email: string, type: string): Promise<string> {
  const mail = (await mailsTo(service, email)).find((one) => one.type === type);
  if (mail === undefined) throw new Error(`There is no mail ${type} to ${email}.`);
  return tokenIn(mail.text);
}

/** Asks for a change. @returns the token of the link, and that of the way back */
async function ask(user: Actor, email: string, from = user.email): Promise<{ link: string; back: string }> {
  expect(expectStatus(await request(user, email), 202).body).toEqual({ error: null, data: null });
  return { link: await newest(email, 'change_email'), back: await newest(from, 'email_changing') };
}

async function changeTo(user: Actor, email: string, from = user.email): Promise<string> {
  const { link, back } = await ask(user, email, from);
  expectStatus(await follow(link), 204);
  return back;
}

async function profileOf({ token }: Pick<Actor, 'token'>) {
  return expectStatus(await service.call('GET', '/auth/me', { token }), 200).body.data;
}

async function expectInvalid(answer: ReturnType<typeof follow>): Promise<void> {
  expect(expectStatus(await answer, 400).body.error.code).toBe('invalid_token');
}

async function expectTaken(answer: ReturnType<typeof follow>): Promise<void> {
  expect(expectStatus(await answer, 409).body).toMatchObject({ data: null, error: { code: 'email_taken' } });
}

/** Logs in. @returns the access token, or null when the e-mail does not log in */
async function tryLogin(email: string): Promise<string | null> {
  const { status, body } = await logIn(service, { email });
  return status === 200 ? body.data.access_token : null;
}

describe('a change of the e-mail', () => {
  it.each([
    ['an admin', signUpAdmin],
    ['a customer', signUpCustomer],
  ])('of %s is made when the link is followed, which verifies the address', async (_who, sign) => {
    const user = await sign(service);
    const email = newEmail().replace('@', 'X@');
    const { link } = await ask(user, email);
    expect(await profileOf(user)).toMatchObject({ email: user.email, email_verified: false });
    expect(await tryLogin(email)).toBeNull();
    expectStatus(await follow(link), 204);
    expect(await profileOf(user)).toMatchObject({ email, email_verified: true });
    expect([await tryLogin(user.email), typeof (await tryLogin(email.toLowerCase()))]).toEqual([null, 'string']);
    await expectInvalid(follow(link));
  });

  it('sends the link to the new address alone, and the notice with the way back to the old one', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    const { link, back } = await ask(user, email);
    const [[change, ...more], [notice]] = [await mailsTo(service, email), await mailsTo(service, user.email)];
    expect([change.type, more.length, notice.type]).toEqual(['change_email', 0, 'email_changing']);
    expect(change.text).toContain(`/app/verify-email#token=${link}`);
    expect(notice.text).toContain(`/app/revert-email#token=${back}`);
    expect(notice.text).toContain(email);
  });

  it('gets no link when the password is changed at the same time, which closes all open links', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    const changePassword = (tx: Tx) => tx`UPDATE users SET password_hash = 'x' WHERE id = ${user.userId}`;
    expectStatus(await sendDuring(service.database, changePassword, () => request(user, email)), 401);
    expect(await mailsTo(service, email)).toEqual([]);
  });

  it('needs the password', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    expect(expectStatus(await request(user, email, 'Wrong-horse-7'), 401).body.error.code).toBe('invalid_credentials');
    const body = { email };
    const without = expectStatus(await service.call('PUT', '/auth/email', { token: user.token, body }), 400);
    expect(without.body.error.details).toEqual([{ field: 'password', message: 'is required' }]);
    expect(await mailsTo(service, email)).toEqual([]);
  });

  it.each(['', 'x', 'a@b', 'a b@example.com'])('to %j is 400 on email', async (email) => {
    const answer = expectStatus(await request(await signUpAdmin(service), email), 400);
    expect(new Set(answer.body.error.details.map(({ field }: { field: string }) => field))).toEqual(new Set(['email']));
  });

  it('to an address with an account, also in another case, is 409 email_taken', async () => {
    const [user, other] = [await signUpAdmin(service), await signUpCustomer(service)];
    await expectTaken(request(user, other.email));
    await expectTaken(request(user, other.email.toUpperCase()));
    await expectTaken(request(user, user.email));
    expect(await mailsTo(service, other.email)).toHaveLength(1);
  });

  it('to an address that got an account meanwhile is 409 email_taken when the link is followed', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    const { link } = await ask(user, email);
    expectStatus(await signUp(email), 201);
    await expectTaken(follow(link));
    expect((await profileOf(user)).email).toBe(user.email);
  });

  it('of two users to one address at once is made for one of them', async () => {
    const [one, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const email = newEmail();
    const links = [(await ask(one, email)).link, (await ask(other, email)).link];
    const answers = await Promise.all(links.map(follow));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const emails = [(await profileOf(one)).email, (await profileOf(other)).email];
    expect(emails.filter((one) => one === email)).toHaveLength(1);
  });

  it('that is requested again replaces the older link, also to another address', async () => {
    const user = await signUpAdmin(service);
    const [first, second] = [newEmail(), newEmail()];
    const { link } = await ask(user, first);
    const { link: newer } = await ask(user, second);
    await expectInvalid(follow(link));
    expectStatus(await follow(newer), 204);
    expect((await profileOf(user)).email).toBe(second);
  });

  it('can be followed for 24 hours', async () => {
    const user = await signUpAdmin(service);
    const { link } = await ask(user, newEmail());
    const pass = (interval: string) => service.database.owner`
      UPDATE email_tokens SET expires_at = expires_at - ${interval}::interval
      WHERE user_id = ${user.userId} AND purpose = 'change_email' RETURNING expires_at > now() AS works`;
    expect(await pass('23 hours 59 minutes')).toEqual([{ works: true }]);
    expect(await pass('2 minutes')).toEqual([{ works: false }]);
    await expectInvalid(follow(link));
  });

  it('sends five mails to an address within an hour at most, and the last link keeps working', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    for (let time = 1; time <= 7; time += 1) expectStatus(await request(user, email), 202);
    expect(await mailsTo(service, email)).toHaveLength(5);
    expectStatus(await follow(await newest(email, 'change_email')), 204);
  });

  it('closes the links that went to the old address, but the way back', async () => {
    const user = await signUpAdmin(service);
    const verification = await newest(user.email, 'verify_email');
    expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email: user.email } }), 202);
    await expect.poll(async () => (await mailsTo(service, user.email))[0].type).toBe('reset_password');
    const token = await newest(user.email, 'reset_password');
    const back = await changeTo(user, newEmail());
    await expectInvalid(follow(verification));
    const body = { token, new_password: 'Another-horse-8' };
    await expectInvalid(service.call('POST', '/auth/password/reset', { body }));
    expectStatus(await revert(back), 204);
  });

  // Security (Accounts and permissions): A changed or reset password closes the link of a change of the e-mail
  it('is closed when the password changes or is reset: who knew the old one may have asked for it', async () => {
    const user = await signUpAdmin(service);
    const { link } = await ask(user, newEmail());
    const body = { current_password: PASSWORD, new_password: 'Another-horse-8' };
    expectStatus(await service.call('PUT', '/auth/password', { token: user.token, body }), 204);
    await expectInvalid(follow(link));

    const other = await signUpAdmin(service);
    const { link: second, back } = await ask(other, newEmail());
    expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email: other.email } }), 202);
    await expect.poll(async () => (await mailsTo(service, other.email))[0].type).toBe('reset_password');
    const reset = { token: await newest(other.email, 'reset_password'), new_password: 'Another-horse-8' };
    expectStatus(await service.call('POST', '/auth/password/reset', { body: reset }), 204);
    await expectInvalid(follow(second));
    expectStatus(await revert(back), 204);
  });

  it('is in the audit log when it is asked for, and when it is made', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    await changeTo(user, email);
    const log = await service.call('GET', '/company/audit-log', { token: user.token });
    const changes = { before: { email: user.email }, after: { email } };
    const actor = { kind: 'user', id: user.userId };
    expect(expectStatus(log, 200).body.data.slice(0, 2)).toMatchObject([
      { action: 'user.email_changed', actor, target: { id: user.userId, name: email }, changes },
      { action: 'user.email_change_requested', actor, target: { id: user.userId, name: user.email }, changes },
    ]);
  });
});

describe('the way back', () => {
  it('before the change keeps the address, closes the link, and ends all sessions', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    const { link, back } = await ask(user, email);
    expectStatus(await revert(back), 204);
    await expectInvalid(follow(link));
    expectStatus(await service.call('GET', '/auth/me', { token: user.token }), 401);
    expect([await tryLogin(email), typeof (await tryLogin(user.email))]).toEqual([null, 'string']);
    await expectInvalid(revert(back));
  });

  it('after the change gives the old address back, and ends all sessions', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    const back = await changeTo(user, email);
    const other = { token: (await tryLogin(email)) ?? '' };
    expectStatus(await revert(back), 204);
    for (const { token } of [user, other]) expectStatus(await service.call('GET', '/auth/me', { token }), 401);
    expect(await tryLogin(email)).toBeNull();
    const token = (await tryLogin(user.email)) ?? '';
    expect(await profileOf({ token })).toMatchObject({ email: user.email, email_verified: true });
    expectStatus(await signUp(email), 201);
    const log = await service.call('GET', '/company/audit-log?action=user.email_changed', { token });
    expect(expectStatus(log, 200).body.data[0].changes).toEqual({
      before: { email },
      after: { email: user.email },
    });
  });

  // Security (Accounts and permissions): Who has taken an account over can't close the way back to its e-mail address
  it('is not closed by a second change, and leads past it; that of the second change is closed by then', async () => {
    const user = await signUpAdmin(service);
    const [second, third] = [newEmail(), newEmail()];
    const back = await changeTo(user, second);
    const backFromThird = await changeTo(user, third, second);
    expectStatus(await revert(back), 204);
    expect([await tryLogin(second), await tryLogin(third)]).toEqual([null, null]);
    expect(await tryLogin(user.email)).not.toBeNull();
    await expectInvalid(revert(backFromThird));
  });

  it('keeps the old address: nobody else gets it until it has expired', async () => {
    const [user, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await changeTo(user, newEmail());
    await expectTaken(signUp(user.email));
    await expectTaken(request(other, user.email));
    const { owner, db } = service.database;
    await owner`UPDATE email_reverts SET expires_at = now() WHERE user_id = ${user.userId}`;
    await runHousekeeping({ db, usageRetentionYears: 10 });
    expect(await owner`SELECT FROM email_reverts WHERE user_id = ${user.userId}`).toEqual([]);
    expectStatus(await signUp(user.email), 201);
  });

  it('does not keep it from its own user', async () => {
    const user = await signUpAdmin(service);
    const email = newEmail();
    await changeTo(user, email);
    await changeTo(user, user.email, email);
    expect((await profileOf(user)).email).toBe(user.email);
  });

  it('works for 72 hours', async () => {
    const user = await signUpAdmin(service);
    const back = await changeTo(user, newEmail());
    const pass = (interval: string) => service.database.owner`
      UPDATE email_reverts SET expires_at = expires_at - ${interval}::interval
      WHERE user_id = ${user.userId} RETURNING expires_at > now() AS works`;
    expect(await pass('71 hours 59 minutes')).toEqual([{ works: true }]);
    expect(await pass('2 minutes')).toEqual([{ works: false }]);
    await expectInvalid(revert(back));
  });

  it('taken by two requests at once is taken by one of them', async () => {
    const user = await signUpAdmin(service);
    const back = await changeTo(user, newEmail());
    const answers = await Promise.all([revert(back), revert(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  // Security (Accounts and permissions): A token of one purpose serves no other
  it('serves nothing else, and no other link serves as one', async () => {
    const user = await signUpAdmin(service);
    const { link, back } = await ask(user, newEmail());
    await expectInvalid(follow(back));
    await expectInvalid(revert(link));
    await expectInvalid(revert(await newest(user.email, 'verify_email')));
    const body = { new_password: 'Another-horse-8' };
    for (const token of [link, back])
      await expectInvalid(service.call('POST', '/auth/password/reset', { body: { ...body, token } }));
    expectStatus(await revert(back), 204);
  });
});
