import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { type Deviation, makePasskey } from '../../../test/customers/authenticator.ts';
import {
  beginLogin,
  beginPasskey,
  createClock,
  enableTotp,
  finishLogin,
  originOf,
  registerPasskey,
} from '../../../test/customers/second-factors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock, publicUrl: 'https://billing.example.com/paydesk' });
});
afterAll(async () => service.stop());

const register = ({ token }: Actor, passkey: object, name = 'Phone') =>
  service.call('POST', '/auth/passkeys', { token, body: { name, passkey } });
const list = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/auth/passkeys', { token }), 200).body.data;
const remove = ({ token }: Actor, id: string, password = PASSWORD) =>
  service.call('DELETE', `/auth/passkeys/${id}`, { token, body: { password } });

function expectCode(answer: Answer, status: number, code: string): void {
  expectStatus(answer, status);
  expect(answer.body).toMatchObject({ data: null, error: { code } });
}

describe('registering a passkey', () => {
  it('is not done by a session that a change of the password ends at the same time', async () => {
    const actor = await signUpAdmin(service);
    const { passkey } = makePasskey(originOf(service), await beginPasskey(service, actor));
    const changePassword = async (tx: Tx) => {
      await tx`UPDATE users SET password_hash = 'x' WHERE id = ${actor.userId}`;
      await endSessionsOfUser(tx, actor.userId, null);
    };
    const answer = await sendDuring(service.database, changePassword, () => register(actor, passkey));
    expectCode(answer, 401, 'unauthenticated');
    expect(await service.database.owner`SELECT FROM passkeys WHERE user_id = ${actor.userId}`).toHaveLength(0);
  });

  // Security (Accounts and permissions): A passkey belongs to the host name of `PUBLIC_URL`, whatever the headers say
  it('begins with the options of a relying party that is PUBLIC_URL alone', async () => {
    const actor = await signUpAdmin(service);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const answer = await service.call('POST', '/auth/passkeys/options', {
      token: actor.token,
      body: { password: PASSWORD },
      headers,
    });
    expect(expectStatus(answer, 200).body).toEqual({
      error: null,
      data: {
        rp: { name: 'Paydesk', id: 'billing.example.com' },
        user: {
          id: Buffer.from(actor.userId.replaceAll('-', ''), 'hex').toString('base64url'),
          name: actor.email,
          displayName: 'Ada Lovelace',
        },
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        extensions: { credProps: true },
      },
    });
  });

  // ASVS 7.5.1
  it('needs the password', async () => {
    const { token } = await signUpAdmin(service);
    const begin = (body: object) => service.call('POST', '/auth/passkeys/options', { token, body });
    expectCode(await begin({ password: 'Wrong-horse-8' }), 401, 'invalid_credentials');
    expectCode(await begin({}), 400, 'invalid_request');
  });

  it('answers the passkey, and ten recovery codes with the first second factor', async () => {
    const actor = await signUpAdmin(service);
    const { passkey } = makePasskey(originOf(service), await beginPasskey(service, actor));
    const answer = expectStatus(await register(actor, passkey, ' Phone '), 201);
    const first = { id: expect.any(String), name: 'Phone', created_at: expect.any(String), last_used_at: null };
    expect(answer.body.data).toEqual({ ...first, backed_up: true, recovery_codes: expect.any(Array) });
    expect(new Set(answer.body.data.recovery_codes).size).toBe(10);
    const again = await registerPasskey(service, actor, {
      name: 'Key',
      deviation: { isBackupEligible: false, isBackedUp: false },
    });
    expect(again.data).toMatchObject({ name: 'Key', backed_up: false, recovery_codes: null });
    expect((await list(actor)).map(({ name }: { name: string }) => name)).toEqual(['Key', 'Phone']);
    expect((await beginPasskey(service, actor)).excludeCredentials).toHaveLength(2);
    const profile = await service.call('GET', '/auth/me', { token: actor.token });
    expect(profile.body.data.two_factor).toBe(true);
    const log = await service.call('GET', '/company/audit-log?action=passkey.created', { token: actor.token });
    expect(log.body.data[0]).toMatchObject({
      actor: { id: actor.userId },
      target: { kind: 'passkey', id: again.data.id, name: 'Key' },
      changes: { before: {}, after: { name: 'Key', backed_up: false } },
    });
  });

  it('answers no recovery codes to a user with TOTP', async () => {
    const actor = await signUpAdmin(service);
    const { recoveryCodes } = await enableTotp(service, clock, actor);
    expect((await registerPasskey(service, actor)).data.recovery_codes).toBeNull();
    const { token } = await beginLogin(service, actor);
    expectStatus(await finishLogin(service, token, { recovery_code: recoveryCodes[0] }), 200);
  });

  it('answers none to TOTP of a user with a passkey, whose codes go on', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await registerPasskey(service, actor);
    expect((await enableTotp(service, clock, actor)).recoveryCodes).toBeNull();
    const { token } = await beginLogin(service, actor);
    expectStatus(await finishLogin(service, token, { recovery_code: data.recovery_codes?.[0] }), 200);
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://billing.example.com.evil.example' }],
    ['the origin with another scheme', { origin: 'http://billing.example.com' }],
    ['another host', { rpId: 'example.com' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['a login', { type: 'webauthn.get' }],
    ['nobody present', { isPresent: false }],
    ['a user who was not verified', { isVerified: false }],
    ['an unknown attestation', { attestation: { fmt: 'self-made', attStmt: new Map() } }],
    ['an attestation that is not none', { attestation: { fmt: 'none', attStmt: new Map([['sig', Buffer.alloc(8)]]) } }],
    ['a copy of a passkey that can have none', { isBackupEligible: false, isBackedUp: true }],
  ])('refuses %s, and the challenge is used up', async (_name, deviation) => {
    const actor = await signUpAdmin(service);
    const options = await beginPasskey(service, actor);
    const make = (one: Deviation) => makePasskey(originOf(service), options, one).passkey;
    expectCode(await register(actor, make(deviation)), 400, 'invalid_passkey');
    const isUsedUp = deviation.challenge === undefined;
    if (isUsedUp) expectCode(await register(actor, make({})), 400, 'invalid_passkey');
    else expectStatus(await register(actor, make({})), 201);
    expect(await list(actor)).toHaveLength(isUsedUp ? 0 : 1);
  });

  it('refuses bytes that are no attestation, and an id that is not the one attested', async () => {
    const actor = await signUpAdmin(service);
    const broken = async (change: (passkey: ReturnType<typeof makePasskey>['passkey']) => object) => {
      const { passkey } = makePasskey(originOf(service), await beginPasskey(service, actor));
      return register(actor, change(passkey));
    };
    const other = Buffer.alloc(32, 1).toString('base64url');
    const answers = [
      await broken((passkey) => ({ ...passkey, response: { ...passkey.response, attestationObject: '_w' } })),
      await broken((passkey) => ({ ...passkey, response: { ...passkey.response, attestationObject: '%%%' } })),
      await broken((passkey) => ({ ...passkey, response: { ...passkey.response, clientDataJSON: 'e30' } })),
      await broken((passkey) => ({ ...passkey, response: { ...passkey.response, clientDataJSON: 'x' } })),
      await broken((passkey) => ({ ...passkey, id: other })),
      await broken((passkey) => ({ ...passkey, id: other, rawId: other })),
    ];
    for (const answer of answers) expectCode(answer, 400, 'invalid_passkey');
  });

  it('takes an attestation by the passkey itself, and none with certificates', async () => {
    const actor = await signUpAdmin(service);
    const attestWith = async (attestation: NonNullable<Deviation['attestation']>) =>
      register(actor, makePasskey(originOf(service), await beginPasskey(service, actor), { attestation }).passkey);
    expectStatus(await attestWith('self'), 201);
    for (const fmt of ['packed', 'apple', 'android-key', 'tpm', 'fido-u2f', 'android-safetynet']) {
      const attStmt = new Map<string, number | Buffer | Buffer[]>([
        ['alg', -7],
        ['sig', Buffer.alloc(70)],
        ['x5c', [Buffer.alloc(100)]],
      ]);
      expectCode(await attestWith({ fmt, attStmt }), 400, 'invalid_passkey');
    }
  });

  it("refuses another user's challenge, and leaves it to that user", async () => {
    const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const { passkey } = makePasskey(originOf(service), await beginPasskey(service, other));
    expectCode(await register(actor, passkey), 400, 'invalid_passkey');
    expectStatus(await register(other, passkey), 201);
  });

  it('refuses the challenge of a login', async () => {
    const actor = await signUpAdmin(service);
    const { challenge } = expectStatus(await service.call('POST', '/auth/passkeys/login/options'), 200).body.data;
    const options = await beginPasskey(service, actor);
    const { passkey } = makePasskey(originOf(service), { ...options, challenge });
    expectCode(await register(actor, passkey), 400, 'invalid_passkey');
  });

  // Security (Accounts and permissions): A challenge is good once, also for requests at once, for five minutes and for its user
  it('takes a challenge once, also of two requests at the same time, and for five minutes', async () => {
    const actor = await signUpAdmin(service);
    const options = await beginPasskey(service, actor);
    const twice = await Promise.all(
      ['One', 'Two'].map((name) => register(actor, makePasskey(originOf(service), options).passkey, name)),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
    const late = makePasskey(originOf(service), await beginPasskey(service, actor));
    await service.database.owner`
      UPDATE passkey_challenges SET expires_at = expires_at - interval '5 minutes' WHERE user_id = ${actor.userId}`;
    expectCode(await register(actor, late.passkey), 400, 'invalid_passkey');
  });

  it('is 409 for a credential that is registered, whoever has it', async () => {
    const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const { device } = await registerPasskey(service, actor);
    const options = await beginPasskey(service, other);
    const { passkey } = makePasskey(originOf(service), options, {}, device.id);
    expectCode(await register(other, passkey), 409, 'passkey_exists');
    expect(await list(other)).toEqual([]);
  });

  it('is 409 for the 101st of a user', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await registerPasskey(service, actor);
    await service.database.owner`
      INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, backup_eligible, backed_up)
      SELECT gen_random_uuid(), user_id, name, sha256(n::text::bytea || credential_id), public_key, 0, transports, true, true
      FROM passkeys, generate_series(1, 99) n WHERE id = ${data.id}`;
    const { passkey } = makePasskey(originOf(service), await beginPasskey(service, actor));
    expectCode(await register(actor, passkey), 409, 'limit_reached');
  });
});

describe('a passkey', () => {
  it('can be renamed, which the audit log tells', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await registerPasskey(service, actor);
    const path = `/auth/passkeys/${data.id}`;
    const answer = await service.call('PUT', path, { token: actor.token, body: { name: 'Laptop' } });
    expect(expectStatus(answer, 200).body.data).toEqual((await list(actor))[0]);
    expect(answer.body.data.name).toBe('Laptop');
    const log = await service.call('GET', '/company/audit-log?action=passkey.updated', { token: actor.token });
    expect(log.body.data[0].changes).toEqual({ before: { name: 'Phone' }, after: { name: 'Laptop' } });
  });

  it('can be deleted with the password, and the recovery codes go with the last second factor', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await registerPasskey(service, actor);
    expectCode(await remove(actor, data.id, 'Wrong-horse-8'), 401, 'invalid_credentials');
    expectStatus(await remove(actor, data.id), 204);
    expectCode(await remove(actor, data.id), 404, 'not_found');
    const answer = await service.call('POST', '/auth/local', { body: { email: actor.email, password: PASSWORD } });
    expect(answer.body.data.user.two_factor).toBe(false);
    const rows = await service.database.owner`SELECT 1 FROM recovery_codes WHERE user_id = ${actor.userId}`;
    expect(rows).toHaveLength(0);
  });

  it("is nobody else's: not listed, renamed or deleted", async () => {
    const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const { data } = await registerPasskey(service, actor);
    expect(await list(other)).toEqual([]);
    const body = { name: 'Mine' };
    const renamed = await service.call('PUT', `/auth/passkeys/${data.id}`, { token: other.token, body });
    expectCode(renamed, 404, 'not_found');
    expectCode(await remove(other, data.id), 404, 'not_found');
    expect(await list(actor)).toMatchObject([{ id: data.id, name: 'Phone' }]);
  });
});
