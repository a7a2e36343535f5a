import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newEmail, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { makePasskey } from '../../../test/customers/authenticator.ts';
import {
  beginLogin,
  beginPasskey,
  beginTotp,
  createClock,
  enableTotp,
  finishLogin,
  logInByPasskey,
  originOf,
  registerPasskey,
} from '../../../test/customers/second-factors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { endDistrustedFactors } from './trust.service.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
});
afterAll(async () => service?.stop());

const NEXT = 'Another-horse-8';

const mailsOf = async (email: string, type: string) =>
  (await mailsTo(service, email)).filter((mail) => mail.type === type);
const newest = async (email: string, type: string) => tokenIn((await mailsOf(email, type))[0]?.text ?? '');
const follow = async (token: string, session?: string) =>
  expectStatus(
    await service.call('POST', '/auth/email/verify', { body: { token }, ...(session && { token: session }) }),
    204,
  );
const verify = async ({ email }: Actor, session?: string) => follow(await newest(email, 'verify_email'), session);

/** Resets the password by mail. @returns the text of the mail that tells of it */
async function reset(email: string, password = NEXT): Promise<string> {
  const before = (await mailsOf(email, 'reset_password')).length;
  expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email } }), 202);
  const [mail] = await pollUntil(
    () => mailsOf(email, 'reset_password'),
    ({ length }) => length === before + 1,
  );
  const body = { token: tokenIn(mail.text), new_password: password };
  expectStatus(await service.call('POST', '/auth/password/reset', { body }), 204);
  return (await mailsOf(email, 'password_changed'))[0].text;
}

/** Asks for a change of the e-mail. @returns the token of the link, and that of the way back */
async function askForChange(
  { token, email: from }: Pick<Actor, 'token' | 'email'>,
  email: string,
  password = PASSWORD,
) {
  expectStatus(await service.call('PUT', '/auth/email', { token, body: { email, password } }), 202);
  return { link: await newest(email, 'change_email'), back: await newest(from, 'email_changing') };
}

/** Follows the way back. @returns the text of the mail that tells of it */
async function revert(email: string, token: string): Promise<string> {
  expectStatus(await service.call('POST', '/auth/email/revert', { body: { token } }), 204);
  return (await mailsOf(email, 'email_kept'))[0].text;
}

/** Lets time pass between what a user has done so far and what follows. */
async function pass({ userId }: Actor, interval: string): Promise<void> {
  const { owner } = service.database;
  const past = owner`${interval}::interval`;
  await owner`
    UPDATE users SET created_at = created_at - ${past}, trusted_from = trusted_from - ${past},
      email_verified_at = email_verified_at - ${past} WHERE id = ${userId}`;
  await owner`UPDATE passkeys SET created_at = created_at - ${past} WHERE user_id = ${userId}`;
  await owner`UPDATE totp_secrets SET confirmed_at = confirmed_at - ${past} WHERE user_id = ${userId}`;
  await owner`UPDATE recovery_codes SET created_at = created_at - ${past} WHERE user_id = ${userId}`;
  await owner`UPDATE sign_in_links SET created_at = created_at - ${past} WHERE user_id = ${userId}`;
}

/** Logs the owner in by the password alone. @returns the user of the session */
async function expectNoSecondFactor(email: string, password = NEXT): Promise<Actor> {
  const { data } = expectStatus(await logIn(service, { email, password }), 200).body;
  expect(data.user).toMatchObject({ two_factor: false });
  const { access_token: token, refresh_token: refreshToken, user } = data;
  return { token, refreshToken, userId: user.id, companyId: user.company.id, email };
}

const expectMethods = async (email: string, methods: string[]) =>
  expect((await beginLogin(service, { email }, NEXT)).methods).toEqual(methods);

describe('the second factors of a squatter, who has signed up with somebody else’s address', () => {
  // Security (Accounts and permissions): Who has signed up with somebody else’s address keeps no second factor once its owner resets
  it.each([
    ['verified the address', verify],
    ['never verified it', async () => undefined],
  ])('end with the reset of its owner, who has %s, and does not need them', async (_what, proof) => {
    const squatter = await signUpAdmin(service);
    const { device } = await registerPasskey(service, squatter, { name: 'Mine' });
    await enableTotp(service, clock, squatter);
    await proof(squatter);
    const text = await reset(squatter.email);
    expectStatus(await logInByPasskey(service, device), 401);
    expect(text).toContain('by somebody else: the passkey “Mine”, the authenticator app, and the recovery codes.');
    expect(text).not.toContain('still work');
    const owner = await expectNoSecondFactor(squatter.email);
    const list = await service.call('GET', '/auth/passkeys', { token: owner.token });
    expect(expectStatus(list, 200).body.data).toEqual([]);
    const log = await service.call('GET', '/company/audit-log?per_page=100', { token: owner.token });
    const actions = expectStatus(log, 200).body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['passkey.deleted', 'totp.disabled', 'recovery_codes.deleted']));
  });

  // Security (Accounts and permissions): Nor does who has changed the e-mail, after the owner has gone back to the address
  it('end with the way back, whether the reset follows or not', async () => {
    const squatter = await signUpAdmin(service);
    const { device } = await registerPasskey(service, squatter);
    const { link, back } = await askForChange(squatter, newEmail());
    await follow(link);
    const second = await registerPasskey(service, squatter, { name: 'Laptop' });
    const text = await revert(squatter.email, back);
    expect(text).toContain('by somebody else: the passkey “Laptop”, the passkey “Phone”, and the recovery codes.');
    for (const planted of [device, second.device]) expectStatus(await logInByPasskey(service, planted), 401);
    await reset(squatter.email);
    await expectNoSecondFactor(squatter.email);
  });

  it('end with a way back from a change that was not made yet', async () => {
    const squatter = await signUpAdmin(service);
    const { device } = await registerPasskey(service, squatter);
    const { back } = await askForChange(squatter, newEmail());
    await revert(squatter.email, back);
    expectStatus(await logInByPasskey(service, device), 401);
  });

  // Security (Accounts and permissions): Nor who sets one up after that, with the password
  it('end with the reset also if they were set up after the way back, with the password that the squatter knows', async () => {
    const squatter = await signUpAdmin(service);
    await verify(squatter);
    const { link, back } = await askForChange(squatter, newEmail());
    await follow(link);
    await revert(squatter.email, back);
    const again = await expectNoSecondFactor(squatter.email, PASSWORD);
    const { device } = await registerPasskey(service, again);
    await enableTotp(service, clock, again);
    expectStatus(await logInByPasskey(service, device), 200);
    await reset(squatter.email);
    expectStatus(await logInByPasskey(service, device), 401);
    const owner = await expectNoSecondFactor(squatter.email);
    const own = await registerPasskey(service, owner, { password: NEXT });
    await reset(squatter.email, PASSWORD);
    expectStatus(await logInByPasskey(service, own.device), 200);
  });

  // Security (Accounts and permissions): Nor who changes the own account to somebody else’s address
  it('end when the owner of the new address resets, which the squatter has changed the own account to', async () => {
    const squatter = await signUpAdmin(service);
    await verify(squatter);
    const { device } = await registerPasskey(service, squatter);
    const victim = newEmail();
    await follow((await askForChange(squatter, victim)).link);
    await reset(victim);
    expectStatus(await logInByPasskey(service, device), 401);
    await expectNoSecondFactor(victim);
  });

  it('are not set up after a reset with a challenge or a secret from before it', async () => {
    const squatter = await signUpCustomer(service);
    const { passkey } = makePasskey(originOf(service), await beginPasskey(service, squatter));
    const { app } = await beginTotp(service, clock, squatter);
    await reset(squatter.email);
    const calls = [
      ['/auth/passkeys', { name: 'Phone', passkey }],
      ['/auth/totp/confirm', { code: app.code() }],
    ] as const;
    for (const [path, body] of calls)
      expectStatus(await service.call('POST', path, { token: squatter.token, body }), 401);
    const { token } = await expectNoSecondFactor(squatter.email);
    const body = { name: 'Phone', passkey };
    expectStatus(await service.call('POST', '/auth/passkeys', { token, body }), 400);
    const confirmed = await service.call('POST', '/auth/totp/confirm', { token, body: { code: app.code() } });
    expect(expectStatus(confirmed, 401).body.error.code).toBe('invalid_code');
  });

  // Security (Accounts and permissions): A login with a planted passkey that is open during the reset does not outlast it
  it('do not log in if the reset comes between the check of the signature and the new session', async () => {
    const squatter = await signUpAdmin(service);
    const { device } = await registerPasskey(service, squatter);
    const { userId: id, companyId, email } = squatter;
    const actor = { kind: 'user' as const, id, name: '', ip: null, userAgent: null, requestId: null };
    const answer = await sendDuring(
      service.database,
      (tx) => endDistrustedFactors(tx, { id, companyId, email }, actor),
      () => logInByPasskey(service, device),
    );
    expectStatus(answer, 401);
  });

  it.each([
    [
      'way back',
      async (squatter: Actor) => {
        const { back } = await askForChange(squatter, newEmail());
        await revert(squatter.email, back);
      },
    ],
    ['reset', async ({ email }: Actor) => reset(email)],
  ])('take their links to providers along with a %s', async (_what, takeOver) => {
    const squatter = await signUpCustomer(service);
    const { owner } = service.database;
    await owner`
      INSERT INTO sign_in_links (id, issuer, subject, user_id)
      VALUES (gen_random_uuid(), 'https://id.example.com', ${squatter.userId}, ${squatter.userId})`;
    await verify(squatter);
    await takeOver(squatter);
    expect(await owner`SELECT FROM sign_in_links WHERE user_id = ${squatter.userId}`).toEqual([]);
  });
});

describe('the second factors of the owner', () => {
  // Security (Accounts and permissions): A reset of the password ends no second factor of the owner
  it('stay with a reset, and are demanded as ever, if they were set up after the address was verified', async () => {
    const owner = await signUpAdmin(service);
    await verify(owner);
    const { device } = await registerPasskey(service, owner);
    const { app } = await enableTotp(service, clock, owner);
    for (let time = 0; time < 2; time += 1) {
      const text = await reset(owner.email, time === 0 ? 'Third-horse-99' : NEXT);
      expect(text).toContain('These still work: the passkey “Phone”, the authenticator app, and the recovery codes.');
      expect(text).not.toContain('ended');
    }
    await expectMethods(owner.email, ['totp', 'recovery_code', 'passkey']);
    expectStatus(await logInByPasskey(service, device), 200);
    const { token } = await beginLogin(service, owner, NEXT);
    expectStatus(await finishLogin(service, token, { code: app.code() }), 200);
  });

  it('stay while those of the squatter end, with the recovery codes that the squatter has', async () => {
    const squatter = await signUpAdmin(service);
    const planted = await registerPasskey(service, squatter, { name: 'Planted' });
    await verify(squatter);
    const { app } = await enableTotp(service, clock, squatter);
    const text = await reset(squatter.email);
    expect(text).toContain('by somebody else: the passkey “Planted” and the recovery codes.');
    expect(text).toContain('These still work: the authenticator app.');
    await expectMethods(squatter.email, ['totp']);
    const [code] = planted.data.recovery_codes ?? [];
    const { token } = await beginLogin(service, squatter, NEXT);
    expectStatus(await finishLogin(service, token, { recovery_code: code }), 401);
    expectStatus(await finishLogin(service, token, { code: app.code() }), 200);
  });

  it('stay if they were set up before the link was followed by who was logged in', async () => {
    const owner = await signUpAdmin(service);
    const { device } = await registerPasskey(service, owner);
    await verify(owner, owner.token);
    const next = newEmail();
    await follow((await askForChange(owner, next)).link, owner.token);
    await reset(next);
    await expectMethods(next, ['recovery_code', 'passkey']);
    expectStatus(await logInByPasskey(service, device), 200);
  });

  it.each([
    ['of another account', async () => (await signUpAdmin(service)).token],
    [
      'that has ended',
      async ({ token }: Actor) => {
        // Another process may end it, and this one knows it for another second.
        expectStatus(await service.call('GET', '/auth/me', { token }), 200);
        await service.database.owner`UPDATE sessions SET revoked_at = now(), expires_at = now()`;
        return token;
      },
    ],
  ])('end if the link was followed with a session %s', async (_whose, sessionOf) => {
    const owner = await signUpAdmin(service);
    const { device } = await registerPasskey(service, owner);
    const link = await newest(owner.email, 'verify_email');
    const token = await sessionOf(owner);
    await follow(link, token);
    await reset(owner.email);
    expectStatus(await logInByPasskey(service, device), 401);
  });

  // Security (Accounts and permissions): Who changes the e-mail with a stolen password keeps no passkey after the way back
  it('stay with a way back if they were set up three days before the change was asked for, and those of the thief end', async () => {
    const owner = await signUpAdmin(service);
    await verify(owner);
    const { device } = await registerPasskey(service, owner, { name: 'Own' });
    await pass(owner, '72 hours');
    const planted = await registerPasskey(service, owner, { name: 'Planted' });
    const { link, back } = await askForChange(owner, newEmail());
    await follow(link);
    const text = await revert(owner.email, back);
    expect(text).toContain('by somebody else: the passkey “Planted”.');
    expect(text).toContain('These still work: the passkey “Own” and the recovery codes.');
    await reset(owner.email);
    expectStatus(await logInByPasskey(service, planted.device), 401);
    expectStatus(await logInByPasskey(service, device), 200);
    await expectMethods(owner.email, ['recovery_code', 'passkey']);
  });

  it('of the operator’s people stay when their address changes: an invitation has made the account', async () => {
    const owner = await signUpCustomer(service);
    await verify(owner);
    await registerPasskey(service, owner);
    await service.database.owner`UPDATE users SET role = 'Staff', staff_role = 'admin' WHERE id = ${owner.userId}`;
    const next = newEmail();
    await follow((await askForChange(owner, next)).link);
    await reset(next);
    await expectMethods(next, ['recovery_code', 'passkey']);
  });

  it('that were ended are kept by a code of the app, and by registering the passkey again', async () => {
    const owner = await signUpAdmin(service);
    const { app } = await enableTotp(service, clock, owner);
    const { device } = await registerPasskey(service, owner);
    await reset(owner.email);
    const again = await expectNoSecondFactor(owner.email);
    const body = { code: app.code() };
    const kept = await service.call('POST', '/auth/totp/confirm', { token: again.token, body });
    expect(expectStatus(kept, 200).body.data.recovery_codes).toHaveLength(10);
    const answer = await service.call('POST', '/auth/passkeys/options', {
      token: again.token,
      body: { password: NEXT },
    });
    const options = expectStatus(answer, 200).body.data;
    expect(options.excludeCredentials).toEqual([]);
    const { passkey } = makePasskey(originOf(service), options, {}, device.id);
    const registration = { token: again.token, body: { name: 'Phone', passkey } };
    expectStatus(await service.call('POST', '/auth/passkeys', registration), 201);
    await reset(owner.email, PASSWORD);
    expect((await beginLogin(service, owner)).methods).toEqual(['totp', 'recovery_code', 'passkey']);
  });
});

describe('a mail says', () => {
  const add = async (user: Actor, type: string) => (await mailsOf(user.email, type)).map(({ text }) => text);

  // Security (Accounts and permissions): A mail tells of each passkey, TOTP and recovery codes that are added or removed
  it('that a passkey was added or removed, with the recovery codes', async () => {
    const user = await signUpAdmin(service);
    const { data } = await registerPasskey(service, user, { name: 'Key one' });
    const second = await registerPasskey(service, user, { name: 'Key two' });
    const added = await add(user, 'passkey_added');
    expect(added[1]).toMatch(/“Key one” was added[\s\S]*Ten recovery codes were created/);
    expect(added[0]).toMatch(/“Key two” was added/);
    expect(added[0]).not.toContain('recovery codes');
    for (const { id } of [data, second.data]) {
      const removal = { token: user.token, body: { password: PASSWORD } };
      expectStatus(await service.call('DELETE', `/auth/passkeys/${id}`, removal), 204);
    }
    const removed = await add(user, 'passkey_removed');
    expect(removed[0]).toMatch(/“Key two” was removed[\s\S]*recovery codes do not work any more/);
    expect(removed[1]).not.toContain('recovery codes');
  });

  it('that TOTP was turned on or off, and that recovery codes were replaced', async () => {
    const user = await signUpAdmin(service);
    await service.call('PUT', '/auth/me', { token: user.token, body: { language: 'de' } });
    const { app, recoveryCodes } = await enableTotp(service, clock, user);
    expect((await add(user, 'totp_enabled'))[0]).toMatch(
      /brauchen Sie jetzt zusätzlich einen Code[\s\S]*zehn Wiederherstellungscodes/,
    );
    const renewal = { token: user.token, body: { code: recoveryCodes[0] } };
    expectStatus(await service.call('POST', '/auth/recovery-codes', renewal), 200);
    expect((await add(user, 'recovery_codes_replaced'))[0]).toContain('zehn neue Wiederherstellungscodes');
    const removal = { token: user.token, body: { password: PASSWORD, code: app.code() } };
    expectStatus(await service.call('DELETE', '/auth/totp', removal), 204);
    expect((await add(user, 'totp_disabled'))[0]).toMatch(
      /keinen Code[\s\S]*Wiederherstellungscodes funktionieren nicht mehr/,
    );
  });

  it('at most five names of passkeys, which whoever set them up has chosen', async () => {
    const squatter = await signUpAdmin(service);
    for (let number = 1; number <= 7; number += 1) await registerPasskey(service, squatter, { name: `Key ${number}` });
    const text = await reset(squatter.email);
    expect(text).toContain('the passkey “Key 7”');
    expect(text).not.toContain('Key 2');
    expect(text).toContain('2 more passkeys, and the recovery codes.');
  });
});
