import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newAddress, newEmail, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { expectLocked, seedFailures, WRONG } from '../../../test/customers/login-failures.ts';
import {
  type App,
  beginTotp,
  createClock,
  enableTotp,
  logInByPasskey,
  registerPasskey,
} from '../../../test/customers/second-factors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';

/** Runs behind a proxy, which reports the client's address. */
const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'], clock: clock.clock });
});
afterAll(() => service?.stop());

const NEXT = 'Another-horse-8';
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

function cookieOf(answer: Answer): string {
  const [cookie = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('paydesk_device='));
  return cookie.split(';')[0] ?? '';
}

/** Logs in this many times, each from an address of its own. @returns the device cookies and the addresses */
async function makeKnown(email: string, count: number, password = PASSWORD) {
  const known: { cookie: string; from: string }[] = [];
  for (const _ of times(count)) {
    const from = newAddress();
    known.push({ cookie: cookieOf(expectStatus(await logIn(service, { email, password, from }), 200)), from });
  }
  return known;
}

/** How many wrong passwords are tried from one address with these cookies, ten with each, before the limit. */
async function guessWith(email: string, cookies: readonly string[], from = newAddress()): Promise<number> {
  let tried = 0;
  for (const cookie of cookies) {
    for (const _ of times(11)) {
      const { status } = await logIn(service, { email, password: WRONG, from, cookie });
      if (status === 401) tried += 1;
      else expect(status).toBe(429);
    }
  }
  return tried;
}

const changePassword = async ({ token }: Actor) => {
  const body = { current_password: PASSWORD, new_password: NEXT };
  expectStatus(await service.call('PUT', '/auth/password', { token, body }), 204);
};

describe('browsers that were known', () => {
  // Security (Accounts and permissions): Who has made many browsers known has no more guesses by them after a change of the password
  it('are strangers after a change of the password: six have the ten guesses of their address together', async () => {
    const user = await signUpAdmin(service);
    const known = await makeKnown(user.email, 6);
    await changePassword(user);
    expect(
      await guessWith(
        user.email,
        known.map(({ cookie }) => cookie),
      ),
    ).toBe(10);
  });

  it('are known together for twenty guesses, then none is let in, and an address is', async () => {
    const user = await signUpAdmin(service);
    const known = await makeKnown(user.email, 4);
    expect(
      await guessWith(
        user.email,
        known.map(({ cookie }) => cookie),
      ),
    ).toBe(20);
    const { cookie = '', from = '' } = known[3] ?? {};
    expectLocked(await logIn(service, { email: user.email, from, cookie }));
    expectStatus(await logIn(service, { email: user.email, from }), 200);
  });

  // Security (Accounts and permissions): All known browsers of a user have twenty wrong codes together
  it('have twenty wrong codes together', async () => {
    const user = await signUpAdmin(service);
    const { app } = await enableTotp(service, clock, user);
    const known: string[] = [];
    for (const _ of times(4)) known.push(cookieOf(await finish(user, app)));
    let tried = 0;
    for (const cookie of known) {
      for (const _ of times(11)) {
        const answer = await logIn(service, { email: user.email, from: newAddress(), cookie });
        if (answer.status === 429) continue;
        const { token } = expectStatus(answer, 200).body.data.second_factor;
        const headers = { cookie, 'x-forwarded-for': newAddress() };
        const body = { token, code: '000000' };
        tried += Number((await service.call('POST', '/auth/local/second-factor', { body, headers })).status === 401);
      }
    }
    expect(tried).toBe(20);
  });

  /** Finishes a login with the code of the next time step. */
  async function finish({ email }: Actor, app: App): Promise<Answer> {
    clock.goOn(1);
    const { token } = expectStatus(await logIn(service, { email }), 200).body.data.second_factor;
    const body = { token, code: app.code() };
    return expectStatus(await service.call('POST', '/auth/local/second-factor', { body }), 200);
  }

  type Prepared = { change: () => Promise<unknown>; enter?: () => Promise<Answer> };
  const changes: Record<string, (user: Actor) => Promise<Prepared>> = {
    'a change of the password': async (user) => ({ change: () => changePassword(user) }),
    'a reset': async ({ email }) => {
      expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email } }), 202);
      const find = async () => (await mailsTo(service, email)).filter(({ type }) => type === 'reset_password');
      const [mail] = await pollUntil(find, ({ length }) => length === 1);
      const body = { token: tokenIn(mail.text), new_password: NEXT };
      return { change: () => service.call('POST', '/auth/password/reset', { body }) };
    },
    'a way back': async ({ token, email }) => {
      const body = { email: `new-${email}`, password: PASSWORD };
      expectStatus(await service.call('PUT', '/auth/email', { token, body }), 202);
      const [notice] = await mailsTo(service, email);
      const back = { token: tokenIn(notice.text) };
      return { change: () => service.call('POST', '/auth/email/revert', { body: back }) };
    },
    'TOTP that is turned on': async (user) => {
      const { app } = await beginTotp(service, clock, user);
      const body = { code: app.code() };
      return { change: () => service.call('POST', '/auth/totp/confirm', { token: user.token, body }) };
    },
    'a passkey that is added': async (user) => ({ change: () => registerPasskey(service, user) }),
    'a passkey that is removed': async (user) => {
      const { data, device } = await registerPasskey(service, user);
      const removal = { token: user.token, body: { password: PASSWORD } };
      return {
        change: () => service.call('DELETE', `/auth/passkeys/${data.id}`, removal),
        enter: () => logInByPasskey(service, device),
      };
    },
    'TOTP that is turned off': async (user) => {
      const { app } = await enableTotp(service, clock, user);
      const removal = () => ({ token: user.token, body: { password: PASSWORD, code: app.code(1) } });
      return { change: () => service.call('DELETE', '/auth/totp', removal()), enter: () => finish(user, app) };
    },
    'new recovery codes': async (user) => {
      const { app } = await enableTotp(service, clock, user);
      const renewal = () => ({ token: user.token, body: { code: app.code(1) } });
      return { change: () => service.call('POST', '/auth/recovery-codes', renewal()), enter: () => finish(user, app) };
    },
  };

  // Security (Accounts and permissions): No browser or address is known any more once something changes that the user logs in with
  it.each(Object.entries(changes))('are known no more after %s, nor are addresses', async (_what, prepare) => {
    const user = await signUpAdmin(service);
    const { change, enter = () => logIn(service, user) } = await prepare(user);
    const cookie = cookieOf(expectStatus(await enter(), 200));
    const isKnown = async () => {
      const from = newAddress();
      await logIn(service, { email: user.email, password: WRONG, from, cookie });
      const [row] = await service.database.owner`SELECT address, is_known FROM login_failures ORDER BY id DESC LIMIT 1`;
      return row;
    };
    expect(await isKnown()).toMatchObject({ address: expect.stringMatching(/^device /), is_known: true });
    const knownNetworks = () => service.database.owner`SELECT FROM known_networks WHERE user_id = ${user.userId}`;
    expect(await knownNetworks()).not.toEqual([]);
    await change();
    expect(await isKnown()).toMatchObject({ address: expect.not.stringMatching(/^device /), is_known: false });
    expect(await knownNetworks()).toEqual([]);
  });

  it('that are no longer known are refused like strangers', async () => {
    const user = await signUpAdmin(service);
    const [{ cookie } = { cookie: '' }] = await makeKnown(user.email, 1);
    await changePassword(user);
    const from = newAddress();
    await seedFailures(
      service,
      times(100).map(() => ({ email: newEmail(), from })),
    );
    expectLocked(await logIn(service, { email: user.email, password: NEXT, from, cookie }));
  });

  it('are none with a cookie from before epochs, or of another one', async () => {
    const user = await signUpAdmin(service);
    const [{ cookie = '' } = {}] = await makeKnown(user.email, 1);
    const [name, expires, epoch, signature] = cookie.split('.');
    const forged = [`${name}.${expires}.${signature}`, `${name}.${expires}.${Number(epoch) + 1}.${signature}`];
    for (const one of forged) expect(await guessWith(user.email, [one, one])).toBe(10);
  });
});
