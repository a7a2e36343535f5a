import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newAddress, pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../../test/customers/actors.ts';
import { type Deviation, usePasskey } from '../../../../test/customers/authenticator.ts';
import { expectLocked } from '../../../../test/customers/login-failures.ts';
import {
  beginLogin,
  beginPasskeyLogin,
  createClock,
  enableTotp,
  finishLogin,
  originOf,
  registerPasskey,
} from '../../../../test/customers/second-factors.ts';
import { sendDuring } from '../../../../test/harness/database/deadlock.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../../test/mail/mails.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => service.stop());

function expectRefused(answer: Answer, code: string): void {
  expectStatus(answer, 401);
  expect(answer.body).toMatchObject({ data: null, error: { code } });
  expect(answer.headers.getSetCookie()).toEqual([]);
}

function expectSession(answer: Answer): void {
  expectStatus(answer, 200);
  expect(answer.body.data).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
}

const cookieNames = ({ headers }: Answer) => headers.getSetCookie().map((cookie) => cookie.split('=')[0]);

async function withTotp() {
  const actor = await signUpAdmin(service);
  return { actor, ...(await enableTotp(service, clock, actor)) };
}

/** The actions of the newest entries about a user, oldest first. */
async function actionsAfter({ userId }: Actor): Promise<string[]> {
  const token = service.operatorKey;
  const { body } = await service.call('GET', `/operator/audit-log?target=${userId}&perPage=20`, { token });
  return body.data.map(({ action }: { action: string }) => action).reverse();
}

describe('the password of a user with a second factor', () => {
  // Security (Accounts and permissions): A password of a user with a second factor gets no session, cookie or known device
  it('gets a token for the second step and no session, cookie or device', async () => {
    const { actor } = await withTotp();
    const before = await service.database.owner`SELECT id FROM sessions WHERE user_id = ${actor.userId}`;
    for (const query of ['', '?session=cookie', '?session=console']) {
      const body = { email: actor.email, password: PASSWORD };
      const answer = expectStatus(await service.call('POST', `/auth/local${query}`, { body }), 200);
      expect(answer.body).toEqual({
        error: null,
        data: { second_factor: { token: expect.stringMatching(/^[\w-]{43}$/), methods: ['totp', 'recovery_code'] } },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(await service.database.owner`SELECT id FROM sessions WHERE user_id = ${actor.userId}`).toEqual(before);
  });

  it('is not enough when it is wrong, and the answer does not tell that there is a second factor', async () => {
    const { actor } = await withTotp();
    const plain = await signUpAdmin(service);
    const [one, other] = await Promise.all(
      [actor, plain].map(({ email }) => logIn(service, { email, password: 'Wrong-horse-8' })),
    );
    expectRefused(one as Answer, 'invalid_credentials');
    expect(one?.body.error.message).toBe(other?.body.error.message);
  });

  it('names what the user has, and has options for the passkeys of that user alone', async () => {
    const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const { device } = await registerPasskey(service, actor);
    await registerPasskey(service, other);
    const { methods, passkey_options: options } = await beginLogin(service, actor);
    expect(methods).toEqual(['recovery_code', 'passkey']);
    expect(options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [
        { type: 'public-key', id: device.id.toString('base64url'), transports: ['internal', 'hybrid'] },
      ],
    });
    await enableTotp(service, clock, actor);
    expect((await beginLogin(service, actor)).methods).toEqual(['totp', 'recovery_code', 'passkey']);
  });
});

describe('the second step', () => {
  it('answers a session for a code, with the profile', async () => {
    const { actor, app } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const answer = await finishLogin(service, token, { code: app.code() });
    expectSession(answer);
    expect(answer.body.data.user).toMatchObject({ id: actor.userId, two_factor: true });
    expect(cookieNames(answer)).toEqual(['paydesk_device']);
    const { access_token: accessToken } = answer.body.data;
    expectStatus(await service.call('GET', '/labels', { token: accessToken }), 200);
    expect(await actionsAfter(actor)).toEqual(['user.signed_up', 'totp.enabled', 'login.succeeded']);
  });

  it('answers a session for a recovery code, once', async () => {
    const { actor, recoveryCodes } = await withTotp();
    const [code] = recoveryCodes;
    const shown = { recovery_code: code };
    expectSession(await finishLogin(service, (await beginLogin(service, actor)).token, shown));
    expectRefused(await finishLogin(service, (await beginLogin(service, actor)).token, shown), 'invalid_code');
  });

  it.each([
    ['cookie', '__Host-paydesk'],
    ['console', '__Host-paydesk-console'],
  ])('with ?session=%s sets the cookie and leaves the refresh token out', async (form, name) => {
    const { actor, app } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const answer = expectStatus(await finishLogin(service, token, { code: app.code() }, `?session=${form}`), 200);
    expect(Object.keys(answer.body.data).sort()).toEqual(['access_token', 'expires_in', 'user']);
    expect(cookieNames(answer)).toEqual(['paydesk_device', name]);
  });

  it('answers a session for the passkey, whose challenge is good for this token alone', async () => {
    const actor = await signUpAdmin(service);
    const { device } = await registerPasskey(service, actor);
    const [first, second] = [await beginLogin(service, actor), await beginLogin(service, actor)];
    const sign = (options: { rpId: string; challenge: string }, deviation?: Deviation) =>
      usePasskey(originOf(service), device, options, deviation);
    expectRefused(await finishLogin(service, first.token, { passkey: sign(second.passkey_options) }), 'invalid_code');
    const login = await beginPasskeyLogin(service);
    expectRefused(await finishLogin(service, first.token, { passkey: sign(login) }), 'invalid_code');
    const used = sign(first.passkey_options, { userHandle: null });
    expectSession(await finishLogin(service, first.token, { passkey: used }));
    expectRefused(await finishLogin(service, second.token, { passkey: used }), 'invalid_code');
    // Neither does it log in without the password.
    const passkey = sign(second.passkey_options);
    const answer = await service.call('POST', '/auth/passkeys/login', { body: { passkey } });
    expectRefused(answer, 'invalid_credentials');
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another host', { rpId: 'example.com' }],
    ['a user who was not verified', { isVerified: false }],
    ['a registration', { type: 'webauthn.create' }],
    ['the handle of another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['a counter that goes back', { counter: 0 }],
  ])('refuses a passkey with %s, and its challenge is used up', async (_name, deviation) => {
    const actor = await signUpAdmin(service);
    const { device } = await registerPasskey(service, actor);
    device.counter += 1;
    await service.database.owner`UPDATE passkeys SET counter = 1 WHERE user_id = ${actor.userId}`;
    const { token, passkey_options: options } = await beginLogin(service, actor);
    const sign = (one: Deviation) => ({ passkey: usePasskey(originOf(service), device, options, one) });
    expectRefused(await finishLogin(service, token, sign(deviation)), 'invalid_code');
    expectRefused(await finishLogin(service, token, sign({})), 'invalid_code');
  });

  it("refuses another user's passkey, code and recovery code", async () => {
    const [mine, theirs] = [await withTotp(), await withTotp()];
    const [{ device }] = await Promise.all([
      registerPasskey(service, theirs.actor),
      registerPasskey(service, mine.actor),
    ]);
    const { token, passkey_options: options } = await beginLogin(service, mine.actor);
    const passkey = usePasskey(originOf(service), device, options, { userHandle: null });
    for (const shown of [{ passkey }, { code: theirs.app.code() }, { recovery_code: theirs.recoveryCodes[0] }])
      expectRefused(await finishLogin(service, token, shown), 'invalid_code');
  });

  it('takes exactly one factor, and a request that shows none costs no try', async () => {
    const { actor, app, recoveryCodes } = await withTotp();
    const { token } = await beginLogin(service, actor);
    for (let time = 0; time < 6; time += 1) {
      expectStatus(await finishLogin(service, token, {}), 400);
      expectStatus(await finishLogin(service, token, { code: app.code(), recovery_code: recoveryCodes[0] }), 400);
    }
    expectSession(await finishLogin(service, token, { code: app.code() }));
  });

  it('takes a code for a code only, and a recovery code for a recovery code', async () => {
    const { actor, app, recoveryCodes } = await withTotp();
    const { token } = await beginLogin(service, actor);
    expectRefused(await finishLogin(service, token, { code: recoveryCodes[0] }), 'invalid_code');
    expectRefused(await finishLogin(service, token, { recovery_code: app.code() }), 'invalid_code');
  });
});

// Security (Accounts and permissions): The token of the second step is good for five tries, also at the same time, once, and five minutes
describe('the token of the second step', () => {
  it('is good for five tries', async () => {
    const { actor, app } = await withTotp();
    const { token } = await beginLogin(service, actor);
    for (let time = 0; time < 5; time += 1)
      expectRefused(await finishLogin(service, token, { code: '000000' }), 'invalid_code');
    for (const none of [token, actor.token])
      expectRefused(await finishLogin(service, none, { code: app.code() }), 'invalid_token');
    const actions = await actionsAfter(actor);
    expect(actions.filter((action) => action === 'login.failed')).toHaveLength(5);
  });

  it('is good for five tries also at the same time', async () => {
    const { actor } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const tries = Array.from({ length: 8 }, () => finishLogin(service, token, { code: '000000' }));
    const codes = (await Promise.all(tries)).map(({ body }) => body.error.code);
    expect(codes.filter((code) => code === 'invalid_token')).toHaveLength(3);
  });

  it('is good once: of two right codes at the same time one logs in', async () => {
    const { actor, app, recoveryCodes } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const answers = await Promise.all([
      finishLogin(service, token, { code: app.code() }),
      finishLogin(service, token, { recovery_code: recoveryCodes[0] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(answers.find(({ status }) => status === 401)?.body.error.code).toBe('invalid_token');
    expectRefused(await finishLogin(service, token, { recovery_code: recoveryCodes[1] }), 'invalid_token');
    // What the loser showed was not used up.
    const [one, other] = [await beginLogin(service, actor), await beginLogin(service, actor)];
    clock.goOn(1);
    const won = answers[0].status === 200;
    if (won) expectSession(await finishLogin(service, one.token, { recovery_code: recoveryCodes[0] }));
    else expectSession(await finishLogin(service, other.token, { code: app.code() }));
  });

  it('uses a code once: of two logins at the same time with one code one logs in', async () => {
    const { actor, app, recoveryCodes } = await withTotp();
    const atOnce = async (shown: object) => {
      const [one, other] = [await beginLogin(service, actor), await beginLogin(service, actor)];
      const answers = await Promise.all([one, other].map(({ token }) => finishLogin(service, token, shown)));
      return answers.map(({ status }) => status).sort();
    };
    expect(await atOnce({ code: app.code() })).toEqual([200, 401]);
    expect(await atOnce({ recovery_code: recoveryCodes[0] })).toEqual([200, 401]);
  });

  it('ends after five minutes, and serves nothing else', async () => {
    const { actor, app } = await withTotp();
    const { token } = await beginLogin(service, actor);
    expectStatus(await service.call('GET', '/auth/sessions', { token }), 401);
    expectStatus(await service.call('POST', '/auth/refresh', { body: { refresh_token: token } }), 401);
    expectStatus(await service.call('POST', '/auth/email/verify', { body: { token } }), 400);
    await service.database
      .owner`UPDATE second_factor_tokens SET expires_at = expires_at - interval '5 minutes' WHERE user_id = ${actor.userId}`;
    expectRefused(await finishLogin(service, token, { code: app.code() }), 'invalid_token');
  });

  it('is no token of another purpose', async () => {
    const { actor, app } = await withTotp();
    for (const token of [actor.token.slice(0, 255), actor.refreshToken, 'a'.repeat(43)])
      expectRefused(await finishLogin(service, token, { code: app.code() }), 'invalid_token');
  });

  it('is kept as a hash', async () => {
    const { actor } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const [row] = await service.database.owner`SELECT hash FROM second_factor_tokens WHERE user_id = ${actor.userId}`;
    expect(row?.hash).toHaveLength(32);
    expect(Buffer.from(row?.hash).toString('base64url')).not.toBe(token);
    expect(service.logs()).not.toContain(token);
  });
});

describe('guessing the second factor', () => {
  it('counts as failed logins: after ten, right passwords and codes are refused from that address', async () => {
    const { actor, app } = await withTotp();
    const from = newAddress();
    const headers = { 'x-forwarded-for': from };
    const password = () => logIn(service, { email: actor.email, from });
    for (let count = 0; count < 2; count += 1) {
      const { token } = expectStatus(await password(), 200).body.data.second_factor;
      const body = { token, code: '000000' };
      for (let time = 0; time < 5; time += 1)
        expectStatus(await service.call('POST', '/auth/local/second-factor', { body, headers }), 401);
    }
    expectLocked(await password());
    const { token } = await beginLogin(service, actor);
    const body = { token, code: app.code() };
    expectLocked(await service.call('POST', '/auth/local/second-factor', { body, headers }));
    expectSession(await finishLogin(service, (await beginLogin(service, actor)).token, { code: app.code() }));
  });

  // Security (Accounts and permissions): Neither a changed nor a reset password gets around the second factor
  // ASVS 6.3.4
  it('is not avoided by a new password: neither a change nor a reset logs in, and logins begun with the old one end', async () => {
    const actor = await signUpAdmin(service);
    const [verification] = await mailsTo(service, actor.email);
    const proof = { token: tokenIn(verification.text) };
    expectStatus(await service.call('POST', '/auth/email/verify', { body: proof }), 204);
    const { app } = await enableTotp(service, clock, actor);
    const begun = await beginLogin(service, actor);
    const change = { current_password: PASSWORD, new_password: 'Another-horse-9' };
    expectStatus(await service.call('PUT', '/auth/password', { token: actor.token, body: change }), 204);
    expectRefused(await finishLogin(service, begun.token, { code: app.code() }), 'invalid_token');
    const again = await beginLogin(service, actor, 'Another-horse-9');
    expect(again.methods).toEqual(['totp', 'recovery_code']);
    expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email: actor.email } }), 202);
    const [mail] = await pollUntil(
      async () => (await mailsTo(service, actor.email)).filter(({ type }) => type === 'reset_password'),
      (mails) => mails.length === 1,
    );
    const body = { token: tokenIn(mail?.text ?? ''), new_password: 'Third-horse-10' };
    const reset = expectStatus(await service.call('POST', '/auth/password/reset', { body }), 204);
    expect(reset.headers.getSetCookie()).toEqual([]);
    expectRefused(await finishLogin(service, again.token, { code: app.code() }), 'invalid_token');
    const { token, methods } = await beginLogin(service, actor, 'Third-horse-10');
    expect(methods).toEqual(['totp', 'recovery_code']);
    expectSession(await finishLogin(service, token, { code: app.code() }));
  });

  // Security (Accounts and permissions): A login whose second factor is checked while the password changes does not outlast it
  it('ends a login whose last step meets the change of the password', async () => {
    const { actor, app } = await withTotp();
    const { token } = await beginLogin(service, actor);
    const answer = await sendDuring(
      service.database,
      (tx) => tx`UPDATE users SET updated_at = now() WHERE id = ${actor.userId}`,
      () => finishLogin(service, token, { code: app.code() }),
      (tx) => tx`DELETE FROM second_factor_tokens WHERE user_id = ${actor.userId}`,
    );
    expectRefused(answer, 'invalid_token');
  });
});
