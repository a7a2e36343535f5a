import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../../test/customers/actors.ts';
import { type Deviation, usePasskey } from '../../../../test/customers/authenticator.ts';
import {
  beginLogin,
  beginPasskeyLogin,
  createClock,
  demandSecondFactor,
  enableTotp,
  logInByPasskey,
  originOf,
  registerPasskey,
} from '../../../../test/customers/second-factors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { passkeys } from '../../passkeys/passkeys.ts';
import { login } from './login.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
});
afterAll(async () => service.stop());

async function withPasskey(deviation: Deviation = {}) {
  const actor = await signUpAdmin(service);
  return { actor, ...(await registerPasskey(service, actor, { deviation })) };
}

function expectRefused(answer: Answer): void {
  expectStatus(answer, 401);
  expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_credentials' } });
  expect(answer.headers.getSetCookie()).toEqual([]);
}

const storedOf = async ({ userId }: Actor) => {
  const [row] = await service.database.owner`SELECT * FROM passkeys WHERE user_id = ${userId}`;
  return row;
};
const send = (passkey: object) => service.call('POST', '/auth/passkeys/login', { body: { passkey } });

describe('logging in with a passkey', () => {
  it('begins with options that name no user and no passkey', async () => {
    expect(await beginPasskeyLogin(service)).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      userVerification: 'required',
    });
  });

  it('answers a session without a password and without a second step, also to a user with TOTP', async () => {
    const { actor, device } = await withPasskey();
    await enableTotp(service, clock, actor);
    await demandSecondFactor(service, actor);
    const answer = expectStatus(await logInByPasskey(service, device), 200);
    expect(answer.body.data.user).toMatchObject({ id: actor.userId, two_factor: true });
    const { access_token: token } = answer.body.data;
    expectStatus(await service.call('GET', '/labels', { token }), 200);
    const log = await service.call('GET', '/company/audit-log?action=login.succeeded', { token });
    expect(log.body.data[0]).toMatchObject({ actor: { id: actor.userId }, target: { id: actor.userId } });
  });

  it.each([
    ['cookie', '__Host-paydesk'],
    ['console', '__Host-paydesk-console'],
  ])('with ?session=%s sets the cookie and leaves the refresh token out', async (form, name) => {
    const { device } = await withPasskey();
    const answer = expectStatus(await logInByPasskey(service, device, { query: `?session=${form}` }), 200);
    expect(Object.keys(answer.body.data).sort()).toEqual(['access_token', 'expires_in', 'user']);
    const names = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    expect(names).toEqual(['paydesk_device', name]);
  });

  it('keeps the counter, the backup and the time of its last use', async () => {
    const { actor, device } = await withPasskey({ isBackedUp: false });
    expect(await storedOf(actor)).toMatchObject({ counter: '0', backed_up: false, last_used_at: null });
    expectStatus(await logInByPasskey(service, device, { deviation: { counter: 7 } }), 200);
    const { token } = actor;
    const [passkey] = expectStatus(await service.call('GET', '/auth/passkeys', { token }), 200).body.data;
    expect(passkey).toMatchObject({ backed_up: true, last_used_at: expect.any(String) });
    expect(await storedOf(actor)).toMatchObject({ counter: '7', backed_up: true });
  });

  it('works with an authenticator that does not count', async () => {
    const { device } = await withPasskey();
    for (let time = 0; time < 2; time += 1)
      expectStatus(await logInByPasskey(service, device, { deviation: { counter: 0 } }), 200);
  });

  // Security (Accounts and permissions): A passkey with another origin, host or user, without verification, or with a counter that goes
  // back is refused
  it.each<[string, Deviation]>([
    ['another origin', { origin: 'http://localhost.example.com:3000' }],
    ['another host', { rpId: 'example.com' }],
    ['a registration', { type: 'webauthn.create' }],
    ['nobody present', { isPresent: false }],
    ['a user who was not verified', { isVerified: false }],
    ['no user', { userHandle: null }],
    ['another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['another kind of device', { isBackupEligible: false, isBackedUp: false }],
    ['a counter that goes back', { counter: 4 }],
    ['the same counter again', { counter: 5 }],
  ])('refuses %s, which is in the audit log', async (_name, deviation) => {
    const { actor, device } = await withPasskey();
    expectStatus(await logInByPasskey(service, device, { deviation: { counter: 5 } }), 200);
    device.counter = 5;
    expectRefused(await logInByPasskey(service, device, { deviation }));
    const log = await service.call('GET', '/company/audit-log?action=login.failed', { token: actor.token });
    expect(log.body.data).toMatchObject([{ target: { id: actor.userId } }]);
    expect(await storedOf(actor)).toMatchObject({ counter: '5' });
  });

  it('refuses a challenge that was never given, was used, or is from a registration', async () => {
    const { actor, device } = await withPasskey();
    const sign = (challenge: string) => usePasskey(originOf(service), device, { rpId: 'localhost', challenge });
    expectRefused(await send(sign(Buffer.alloc(32).toString('base64url'))));
    const { challenge } = await beginPasskeyLogin(service);
    const used = sign(challenge);
    expectStatus(await send(used), 200);
    expectRefused(await send(used));
    expectRefused(await send(sign(challenge)));
    const answer = await service.call('POST', '/auth/passkeys/options', {
      token: actor.token,
      body: { password: PASSWORD },
    });
    expectRefused(await send(sign(answer.body.data.challenge)));
    expectRefused(await send(sign((await beginLogin(service, actor)).passkey_options.challenge)));
  });

  it('takes a challenge once of two requests at the same time, and for five minutes', async () => {
    const { device } = await withPasskey();
    const sign = async () => usePasskey(originOf(service), device, await beginPasskeyLogin(service));
    const passkey = await sign();
    const answers = await Promise.all([send(passkey), send(passkey)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = await sign();
    await service.database.owner`UPDATE passkey_challenges SET expires_at = expires_at - interval '5 minutes'`;
    expectRefused(await send(late));
  });

  it('takes one of two uses at the same time that count the same: one may be of a copy', async () => {
    const { device } = await withPasskey();
    const options = [await beginPasskeyLogin(service), await beginPasskeyLogin(service)];
    const passkeys = options.map((one) => usePasskey(originOf(service), device, one, { counter: 9 }));
    const answers = await Promise.all(passkeys.map(send));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('refuses a passkey that was deleted, and bytes that are none', async () => {
    const { actor, device, data } = await withPasskey();
    const { token } = actor;
    const body = { password: PASSWORD };
    expectStatus(await service.call('DELETE', `/auth/passkeys/${data.id}`, { token, body }), 204);
    expectRefused(await logInByPasskey(service, device));
    const passkey = usePasskey(originOf(service), device, await beginPasskeyLogin(service));
    expectRefused(await send({ ...passkey, id: '%', rawId: '%' }));
    const { response } = passkey;
    for (const broken of [{ clientDataJSON: 'bm8' }, { authenticatorData: '_' }, { signature: 'AA' }])
      expectRefused(await send({ ...passkey, response: { ...response, ...broken } }));
  });

  it('refuses a signature of another key', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const forged = { ...other.device, id: one.device.id, userHandle: one.device.userHandle };
    expectRefused(await logInByPasskey(service, forged));
  });

  it('refuses the passkey of an account that was closed', async () => {
    const { actor, device } = await withPasskey();
    await service.database.owner`UPDATE users SET disabled_at = now() WHERE id = ${actor.userId}`;
    expectRefused(await logInByPasskey(service, device));
  });
});

it('old challenges and tokens are removed', async () => {
  const { actor } = await withPasskey();
  await Promise.all([beginPasskeyLogin(service), beginLogin(service, actor)]);
  const { owner, db } = service.database;
  await owner`UPDATE passkey_challenges SET expires_at = now() - interval '1 second'`;
  await owner`UPDATE second_factor_tokens SET expires_at = now() - interval '1 second'`;
  const kept = await beginPasskeyLogin(service);
  for (const remove of [...login.removeOld, ...passkeys.removeOld]) await remove(db, 1_000);
  expect(kept.challenge).toEqual(expect.any(String));
  expect(await owner`SELECT 1 FROM second_factor_tokens`).toHaveLength(0);
  expect(await owner`SELECT 1 FROM passkey_challenges`).toHaveLength(1);
});
