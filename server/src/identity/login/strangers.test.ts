import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newAddress, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { age, expectLocked, failTimes, seedFailures, WRONG } from '../../../test/customers/login-failures.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

/** Runs behind a proxy, which reports the client's address. */
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => service?.stop());

/** Signs up an account. @returns it with the address it signed up from and its browser's cookie */
async function signUp(where = service) {
  const from = newAddress();
  const body = signUpBody();
  const headers = { 'x-forwarded-for': from };
  const answer = expectStatus(await where.call('POST', '/auth/signup/customer', { body, headers }), 201);
  return { email: body.email, from, cookie: cookieOf(answer), userId: answer.body.data.user.id as string };
}

function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Brings the failures to a hundred, each from another address. */
async function guessFromEverywhere(email: string, before = 0): Promise<void> {
  await seedFailures(
    service,
    Array.from({ length: 99 - before }, () => ({ email, from: newAddress() })),
  );
  await failTimes(service, 1, { email, from: newAddress() });
}

// Security (Accounts and permissions): Strangers can't lock out an owner at an address or with a browser that has logged in before
describe('failures of strangers for an e-mail', () => {
  it('lock other strangers, and nobody at an address where the account has signed up or logged in', async () => {
    const { email, from } = await signUp();
    const office = newAddress();
    expectStatus(await logIn(service, { email, from: office }), 200);
    await guessFromEverywhere(email);
    expectLocked(await logIn(service, { email, from: newAddress() }));
    expectStatus(await logIn(service, { email, from }), 200);
    expectStatus(await logIn(service, { email, from: office }), 200);
  });

  it('do not lock a browser that has logged in before, wherever it is, even when strangers failed at its address', async () => {
    const { email, cookie } = await signUp();
    const from = newAddress();
    await failTimes(service, 10, { email, from });
    await guessFromEverywhere(email, 10);
    expectLocked(await logIn(service, { email, from }));
    const answer = expectStatus(await logIn(service, { email, from, cookie }), 200);
    expect(answer.headers.get('set-cookie')).toMatch(/^paydesk_device=.*; HttpOnly; SameSite=Strict$/);
    expectStatus(await logIn(service, { email, from: newAddress(), cookie: cookieOf(answer) }), 200);
  });

  it('lock everybody in the same way for an e-mail with an account and one without', async () => {
    const unknown = newEmail();
    await guessFromEverywhere(unknown);
    expectLocked(await logIn(service, { email: unknown, from: newAddress() }));
  });

  it('lock an address again that was known more than 90 days ago', async () => {
    const { email, from, userId } = await signUp();
    await service.database.owner`
      UPDATE known_networks SET seen_at = now() - interval '91 days' WHERE user_id = ${userId}`;
    await guessFromEverywhere(email);
    expectLocked(await logIn(service, { email, from }));
  });
});

// Security (Accounts and permissions): A known browser or address has its own ten failures; its cookie can't be forged
describe('a device or address that is known', () => {
  it('has its own limit: ten failures, then even the right password is 429', async () => {
    const { email, from, cookie } = await signUp();
    await failTimes(service, 10, { email, from: newAddress(), cookie });
    expectLocked(await logIn(service, { email, from: newAddress(), cookie }));
    await failTimes(service, 10, { email, from });
    expectLocked(await logIn(service, { email, from }));
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
  });

  it('counts nothing against strangers', async () => {
    const { email, from } = await signUp();
    await seedFailures(
      service,
      Array.from({ length: 95 }, () => ({ email, from: newAddress() })),
    );
    await failTimes(service, 8, { email, from });
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
  });

  it('is not recognized by another account’s cookie, nor by one that was changed or made up', async () => {
    const [owner, other] = await Promise.all([signUp(), signUp()]);
    await guessFromEverywhere(owner.email);
    const [name, expires, signature] = owner.cookie.split('.');
    const forged = [
      other.cookie,
      `${name}.${Number(expires) + 1}.${signature}`,
      'paydesk_device=a.9999999999.b',
      'x=y',
    ];
    for (const cookie of forged) {
      expectLocked(await logIn(service, { email: owner.email, from: newAddress(), cookie }));
    }
    expectStatus(await logIn(service, { email: owner.email, from: newAddress(), cookie: owner.cookie }), 200);
  });
});

// Security (Accounts and permissions): Locks of an address, and of strangers for an e-mail, become longer
describe('locks grow', () => {
  it('for an e-mail: the second within a day lasts half an hour, the third an hour', async () => {
    const { email, from } = await signUp();
    await guessFromEverywhere(email);
    expectLocked(await logIn(service, { email, from: newAddress() }));
    for (const minutes of [30, 60]) {
      await age(service, email, 15);
      await service.database.owner`UPDATE login_locks SET locked_until = locked_until - interval '2 hours'`;
      await guessFromEverywhere(email);
      const seconds = expectLocked(await logIn(service, { email, from: newAddress() }), minutes);
      expect(seconds).toBeGreaterThan((minutes / 2) * 60);
      expectStatus(await logIn(service, { email, from }), 200);
    }
  });

  it('for an address that tries many e-mails', async () => {
    const from = newAddress();
    const guess = async () => {
      const emails = Array.from({ length: 99 }, () => newEmail());
      await seedFailures(
        service,
        emails.map((email) => ({ email, from })),
      );
      await failTimes(service, 1, { email: newEmail(), from });
    };
    await guess();
    expectLocked(await logIn(service, { email: newEmail(), from, password: WRONG }));
    await service.database.owner`UPDATE login_failures SET failed_at = failed_at - interval '15 minutes'`;
    await service.database.owner`UPDATE login_locks SET locked_until = locked_until - interval '1 hour'`;
    await guess();
    expect(expectLocked(await logIn(service, { email: newEmail(), from, password: WRONG }), 30)).toBeGreaterThan(900);
  });
});

// Security (Accounts and permissions): Sign-ups and logins of one address are limited by the hour, also when they arrive at once
describe('sign-ups and logins of one address', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ trustedProxies: ['127.0.0.1'], signUpsPerHour: 3, loginsPerHour: 4 });
  });
  afterAll(() => limited?.stop());

  it('are limited per hour, also when they come at once; another address is not limited', async () => {
    const headers = { 'x-forwarded-for': newAddress() };
    const send = () => limited.call('POST', '/auth/signup/admin', { body: signUpBody(), headers });
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectLocked(answer, 60);
    await signUp(limited);
  });

  it('are not counted when they fail, and the count starts again after an hour', async () => {
    const { email, userId } = await signUp(limited);
    const from = newAddress();
    await failTimes(limited, 5, { email, from });
    const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(limited, { email, from })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    const [done] = await limited.database.owner`
      SELECT (SELECT count(*)::int FROM sessions WHERE user_id = ${userId}) AS sessions, (
        SELECT count(*)::int FROM audit_contents WHERE content ->> 'action' = 'login.succeeded' AND persons::text LIKE ${`%${email}%`}
      ) AS entries`;
    expect(done).toEqual({ sessions: 5, entries: 4 });
    for (const answer of answers.filter(({ status }) => status !== 200)) expectLocked(answer, 60);
    // While limited, a right password gets the same answer as a wrong one.
    expectLocked(await logIn(limited, { email, from, password: WRONG }), 60);
    expectStatus(await logIn(limited, { email, from: newAddress() }), 200);
    await limited.database.owner`UPDATE network_counts SET began_at = began_at - interval '1 hour'`;
    expectStatus(await logIn(limited, { email, from }), 200);
  });

  it('keep counting when the hour was begun by a login that started later and committed first', async () => {
    const { email } = await signUp(limited);
    const from = newAddress();
    for (let count = 0; count < 4; count += 1) expectStatus(await logIn(limited, { email, from }), 200);
    await limited.database
      .owner`UPDATE network_counts SET began_at = now() + interval '5 seconds' WHERE kind = 'login'`;
    expectLocked(await logIn(limited, { email, from }), 60);
  });
});

// Security (Accounts and permissions): The log shows refused logins, without the e-mail
it('refused logins are logged with the account as a keyed hash, and the network', async () => {
  const { email } = await signUp();
  const from = newAddress();
  await failTimes(service, 10, { email, from });
  await failTimes(service, 1, { email: newEmail(), from });
  expectLocked(await logIn(service, { email: email.toUpperCase(), from }));
  const network = from.split(':').slice(0, 4).join(':');
  const lines = service
    .logs()
    .split('\n')
    .filter((line) => line.includes('"login refused"') && line.includes(`"${network}"`))
    .map((line) => JSON.parse(line));
  expect(lines.map(({ code }) => code)).toEqual([...Array(11).fill('invalid_credentials'), 'rate_limited']);
  const accounts = lines.map(({ account }) => account);
  expect(new Set(accounts.filter((_account, index) => index !== 10)).size).toBe(1);
  expect(accounts[10]).not.toBe(accounts[0]);
  expect(service.logs()).not.toContain(email);
});
