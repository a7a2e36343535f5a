import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { expectLocked } from '../../../test/customers/login-failures.ts';
import {
  type App,
  beginLogin,
  beginTotp,
  createClock,
  demandSecondFactor,
  enableTotp,
  finishLogin,
  registerPasskey,
} from '../../../test/customers/second-factors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => service.stop());

type Sent = { body?: object; from?: string };
const send = ({ token }: Actor, method: string, path: string, { body, from }: Sent = {}) =>
  service.call(method, path, {
    token,
    ...(body === undefined ? {} : { body }),
    ...(from === undefined ? {} : { headers: { 'x-forwarded-for': from } }),
  });

const confirm = (actor: Actor, code: string) => send(actor, 'POST', '/auth/totp/confirm', { body: { code } });
const disable = (actor: Actor, code: string, password = PASSWORD) =>
  send(actor, 'DELETE', '/auth/totp', { body: { password, code } });
const renew = (actor: Actor, code: string) => send(actor, 'POST', '/auth/recovery-codes', { body: { code } });

const isTotpOn = async (actor: Actor) => expectStatus(await send(actor, 'GET', '/auth/totp'), 200).body.data.enabled;
const hasSecondFactor = async (actor: Actor) =>
  expectStatus(await send(actor, 'GET', '/auth/me'), 200).body.data.two_factor;

function expectCode(answer: Answer, status: number, code: string): void {
  expectStatus(answer, status);
  expect(answer.body).toMatchObject({ data: null, error: { code } });
}

/** The actions of a user's entries in the log of the company, newest first. */
async function actionsOf(actor: Actor): Promise<string[]> {
  const entries = async () =>
    expectStatus(await send(actor, 'GET', `/company/audit-log?per_page=20&target=${actor.userId}`), 200).body.data;
  return (await entries()).map(({ action }: { action: string }) => action);
}

/** The text of the QR code in an SVG data URL. */
function readQrCode(url: string): string {
  const [, encoded = ''] = url.split('data:image/svg+xml;base64,');
  const svg = Buffer.from(encoded, 'base64').toString();
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row += 1) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let column = 0; column < scale; column += 1) data.set([0, 0, 0, 255], start + column * 4);
    }
  }
  return decodeQR({ width, height: width, data });
}

describe('setting TOTP up', () => {
  it('answers the secret as text, as URI and as QR code, and changes nothing until it is confirmed', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await beginTotp(service, clock, actor);
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.uri).toBe(
      `otpauth://totp/Paydesk:${encodeURIComponent(actor.email)}?secret=${data.secret}&issuer=Paydesk&algorithm=SHA1&digits=6&period=30`,
    );
    expect(readQrCode(data.qr)).toBe(data.uri);
    expect(await hasSecondFactor(actor)).toBe(false);
    expect(await isTotpOn(actor)).toBe(false);
    expect((await beginTotp(service, clock, actor)).data.secret).not.toBe(data.secret);
  });

  // ASVS 6.5.3, 6.5.4
  it('is confirmed by a code of the latest secret, which answers ten different recovery codes', async () => {
    const actor = await signUpAdmin(service);
    const before = await beginTotp(service, clock, actor);
    const { app } = await beginTotp(service, clock, actor);
    expectCode(await confirm(actor, before.app.code()), 401, 'invalid_code');
    const answer = expectStatus(await confirm(actor, app.code()), 200);
    expect(answer.body.error).toBeNull();
    expect(new Set(answer.body.data.recovery_codes).size).toBe(10);
    expect(await hasSecondFactor(actor)).toBe(true);
    expect(await isTotpOn(actor)).toBe(true);
    expect(await actionsOf(actor)).toEqual(['totp.enabled', 'login.failed', 'user.signed_up']);
  });

  it('needs the password, and is 409 while TOTP is on', async () => {
    const actor = await signUpAdmin(service);
    const body = { password: 'Wrong-horse-8' };
    expectCode(await send(actor, 'POST', '/auth/totp', { body }), 401, 'invalid_credentials');
    expectCode(await send(actor, 'POST', '/auth/totp', { body: {} }), 400, 'invalid_request');
    const { app } = await enableTotp(service, clock, actor);
    expectCode(await send(actor, 'POST', '/auth/totp', { body: { password: PASSWORD } }), 409, 'totp_enabled');
    expectCode(await confirm(actor, app.code()), 409, 'totp_enabled');
  });

  it('counts once of two confirmations at the same time', async () => {
    const actor = await signUpAdmin(service);
    const { app } = await beginTotp(service, clock, actor);
    const answers = await Promise.all([confirm(actor, app.code()), confirm(actor, app.code())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  // Security (Accounts and permissions): The database has no secret of TOTP, recovery code or token of the second step as it is
  // ASVS 6.5.2
  it('keeps neither the secret nor a recovery code as they are', async () => {
    const actor = await signUpAdmin(service);
    const { data } = await beginTotp(service, clock, actor);
    const [row] = await service.database.owner`SELECT secret FROM totp_secrets WHERE user_id = ${actor.userId}`;
    expect(Buffer.from(row?.secret).toString('latin1')).not.toContain(data.secret);
    const { recoveryCodes } = await enableTotp(service, clock, actor);
    const rows = await service.database.owner`SELECT hash FROM recovery_codes WHERE user_id = ${actor.userId}`;
    expect(rows.map(({ hash }) => hash.length)).toEqual(Array(10).fill(32));
    for (const secret of [data.secret, ...recoveryCodes]) expect(service.logs()).not.toContain(secret);
  });
});

describe('turning TOTP off', () => {
  it('needs the password and a code, and takes the recovery codes along', async () => {
    const actor = await signUpAdmin(service);
    const { app, recoveryCodes } = await enableTotp(service, clock, actor);
    expectCode(await disable(actor, app.code(), 'Wrong-horse-8'), 401, 'invalid_credentials');
    expectCode(await disable(actor, '000000'), 401, 'invalid_code');
    expectStatus(await disable(actor, app.code()), 204);
    expect(await hasSecondFactor(actor)).toBe(false);
    expectCode(await renew(actor, recoveryCodes[0] ?? ''), 401, 'invalid_code');
    expectCode(await disable(actor, app.code(1)), 401, 'invalid_code');
    expect((await actionsOf(actor)).filter((action) => action.startsWith('totp'))).toEqual([
      'totp.disabled',
      'totp.enabled',
    ]);
  });

  // ASVS 6.4.4
  it('takes a recovery code where the authenticator is lost', async () => {
    const actor = await signUpAdmin(service);
    const { recoveryCodes } = await enableTotp(service, clock, actor);
    expectStatus(await disable(actor, recoveryCodes[3] ?? ''), 204);
    expect(await hasSecondFactor(actor)).toBe(false);
  });

  it('leaves the recovery codes of a user who has a passkey', async () => {
    const actor = await signUpAdmin(service);
    const { app, recoveryCodes } = await enableTotp(service, clock, actor);
    expect((await registerPasskey(service, actor)).data.recovery_codes).toBeNull();
    expectStatus(await disable(actor, app.code()), 204);
    expect((await beginLogin(service, actor)).methods).toEqual(['recovery_code', 'passkey']);
    expectStatus(await renew(actor, recoveryCodes[0] ?? ''), 200);
  });
});

// ASVS 6.5.1
describe('a code counts once', () => {
  // Security (Accounts and permissions): A code counts once, one step of drift either way
  it('wherever it is asked for, and each side of now by one step', async () => {
    const actor = await signUpAdmin(service);
    const { app } = await beginTotp(service, clock, actor);
    expectStatus(await confirm(actor, app.code(-1)), 200);
    expectCode(await renew(actor, app.code(-1)), 401, 'invalid_code');
    expectStatus(await renew(actor, app.code()), 200);
    expectCode(await renew(actor, app.code()), 401, 'invalid_code');
    expectStatus(await renew(actor, app.code(1)), 200);
    expectCode(await renew(actor, app.code(2)), 401, 'invalid_code');
    clock.goOn(1);
    expectCode(await renew(actor, app.code()), 401, 'invalid_code');
    expectStatus(await renew(actor, ` ${app.code(1).slice(0, 3)} ${app.code(1).slice(3)} `), 200);
    clock.goOn(2);
  });

  // Security (Accounts and permissions): Of two requests at once with one code or recovery code one succeeds
  it('also of two requests at the same time, whichever kind it is', async () => {
    const actor = await signUpAdmin(service);
    const { app, recoveryCodes } = await enableTotp(service, clock, actor);
    const twice = async (code: string) =>
      (await Promise.all([renew(actor, code), renew(actor, code)])).map(({ status }) => status).sort();
    expect(await twice(recoveryCodes[9] ?? '')).toEqual([200, 401]);
    expect(await twice(app.code())).toEqual([200, 401]);
  });
});

describe('new recovery codes', () => {
  it('replace those before, and letter case, spaces and hyphens do not matter', async () => {
    const actor = await signUpAdmin(service);
    const { app, recoveryCodes } = await enableTotp(service, clock, actor);
    const { recovery_codes: codes } = expectStatus(await renew(actor, app.code()), 200).body.data;
    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20);
    expectCode(await renew(actor, recoveryCodes[0] ?? ''), 401, 'invalid_code');
    expectStatus(await renew(actor, ` ${codes[0].toLowerCase().replaceAll('-', ' ')}`), 200);
    expect((await actionsOf(actor)).filter((action) => action === 'recovery_codes.replaced')).toHaveLength(2);
  });

  it('do not come from the codes of another user', async () => {
    const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const { recoveryCodes } = await enableTotp(service, clock, other);
    await enableTotp(service, clock, actor);
    expectCode(await renew(actor, recoveryCodes[0] ?? ''), 401, 'invalid_code');
    expectStatus(await renew(other, recoveryCodes[0] ?? ''), 200);
  });
});

// Security (Accounts and permissions): A wrong code counts as a failed login wherever it is asked for
it('ten wrong codes and passwords within 15 minutes lock the user out from that address, and a right code too', async () => {
  const actor = await signUpAdmin(service);
  const { app } = await enableTotp(service, clock, actor);
  const from = newAddress();
  const guesses = [
    () => send(actor, 'POST', '/auth/recovery-codes', { body: { code: '000000' }, from }),
    () => send(actor, 'DELETE', '/auth/totp', { body: { password: 'Wrong-horse-8', code: app.code() }, from }),
  ];
  for (let time = 0; time < 5; time += 1) for (const guess of guesses) expectStatus(await guess(), 401);
  expectLocked(await send(actor, 'POST', '/auth/recovery-codes', { body: { code: app.code() }, from }));
  const headers = { 'x-forwarded-for': from };
  expectLocked(
    await service.call('POST', '/auth/local', { body: { email: actor.email, password: PASSWORD }, headers }),
  );
  // The open session goes on, and so does another address.
  expectStatus(await send(actor, 'GET', '/auth/me', { from }), 200);
  expectStatus(await renew(actor, app.code()), 200);
});

describe('a second factor that the company demands', () => {
  /** Requests of every kind: their answers to a user who lacks one. */
  const REFUSED = [
    'GET /auth/sessions',
    'GET /auth/passkeys',
    'GET /labels',
    'GET /payments/orders',
    'DELETE /auth/sessions',
  ];

  async function demanding(): Promise<Actor> {
    const actor = await signUpAdmin(service);
    await demandSecondFactor(service, actor);
    await service.database.owner`SELECT 1`;
    return actor;
  }

  /** A session that this process has not seen. */
  async function logInAgain(actor: Actor): Promise<Actor> {
    const answer = await service.call('POST', '/auth/local', { body: { email: actor.email, password: PASSWORD } });
    const { access_token: token, refresh_token: refreshToken } = expectStatus(answer, 200).body.data;
    return { ...actor, token, refreshToken };
  }

  // Security (Accounts and permissions): Who lacks a demanded second factor can only set one up
  it('leaves who lacks it nothing but to log in, refresh, log out, read the profile and set one up', async () => {
    const actor = await logInAgain(await demanding());
    for (const request of REFUSED) {
      const [method = '', path = ''] = request.split(' ');
      expectStatus(await send(actor, method, path), 403);
      expect((await send(actor, method, path)).body.error.code).toBe('second_factor_required');
    }
    expect(await hasSecondFactor(actor)).toBe(false);
    const refreshed = await service.call('POST', '/auth/refresh', { body: { refresh_token: actor.refreshToken } });
    const session = { ...actor, token: expectStatus(refreshed, 200).body.data.access_token };
    await enableTotp(service, clock, session);
    for (const request of REFUSED) {
      const [method = '', path = ''] = request.split(' ');
      expect((await send(session, method, path)).status).toBeLessThan(300);
    }
  });

  it('may be a passkey, and whoever lacks it may log out', async () => {
    const actor = await logInAgain(await demanding());
    await registerPasskey(service, actor);
    expectStatus(await send(actor, 'GET', '/labels'), 200);
    const other = await logInAgain(await demanding());
    expectStatus(await send(other, 'POST', '/auth/logout'), 204);
  });

  it('is not demanded of a customer, who has no company, or by another company', async () => {
    await demanding();
    const [customer, admin] = await Promise.all([signUpCustomer(service), signUpAdmin(service)]);
    expectStatus(await send(customer, 'GET', '/auth/sessions'), 200);
    expectStatus(await send(admin, 'GET', '/labels'), 200);
  });

  it('stays: the last one is 409, another one may go', async () => {
    const actor = await signUpAdmin(service);
    const { app } = await enableTotp(service, clock, actor);
    const { data } = await registerPasskey(service, actor);
    await demandSecondFactor(service, actor);
    const removePasskey = () => send(actor, 'DELETE', `/auth/passkeys/${data.id}`, { body: { password: PASSWORD } });
    expectStatus(await removePasskey(), 204);
    expectCode(await disable(actor, app.code()), 409, 'second_factor_required');
    // Nothing was used up.
    const { token } = await beginLogin(service, actor);
    expectStatus(await finishLogin(service, token, { code: app.code() }), 200);
  });

  it('stays of two that are removed at the same time', async () => {
    const actor = await signUpAdmin(service);
    const { app } = await enableTotp(service, clock, actor);
    const { data } = await registerPasskey(service, actor);
    await demandSecondFactor(service, actor);
    const answers = await Promise.all([
      disable(actor, app.code()),
      send(actor, 'DELETE', `/auth/passkeys/${data.id}`, { body: { password: PASSWORD } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await hasSecondFactor(actor)).toBe(true);
  });
});

it('of a passkey alone is no TOTP', async () => {
  const actor = await signUpAdmin(service);
  await registerPasskey(service, actor);
  expect([await hasSecondFactor(actor), await isTotpOn(actor)]).toEqual([true, false]);
});

it('the app of the tests is no stand-in for the rules: a code of another secret is refused', async () => {
  const [actor, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
  const { app }: { app: App } = await enableTotp(service, clock, other);
  await enableTotp(service, clock, actor);
  expectCode(await renew(actor, app.code()), 401, 'invalid_code');
});
