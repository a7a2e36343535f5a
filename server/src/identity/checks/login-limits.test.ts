import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoginAttempt, logIn, newAddress, newEmail } from '../../../test/customers/accounts.ts';
import { expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { age, expectLocked, failTimes as fail, seedFailures, WRONG } from '../../../test/customers/login-failures.ts';
import { beginPasskeyLogin } from '../../../test/customers/second-factors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

/** Runs behind a proxy, which reports the client's address. */
let service: TestService;
/** Runs without a proxy, so an address in a header must be ignored. */
let exposed: TestService;
beforeAll(async () => {
  [service, exposed] = await Promise.all([startTestService({ trustedProxies: ['127.0.0.1'] }), startTestService()]);
});
afterAll(async () => Promise.all([service.stop(), exposed.stop()]));

const failTimes = (times: number, attempt: LoginAttempt, where = service) => fail(where, times, attempt);

describe('an unknown e-mail and a wrong password', () => {
  /** What a client can see of an answer, without what differs in every answer. */
  const visible = ({ status, headers, body }: Answer) => {
    const seen = Object.fromEntries(headers);
    for (const name of ['x-request-id', 'date', 'ratelimit']) expect(seen[name]).toBeDefined();
    const { requestId, ...error } = body.error;
    expect(requestId).toBe(seen['x-request-id']);
    return {
      status,
      names: [...headers.keys()],
      headers: { ...seen, 'x-request-id': '', date: '', ratelimit: '' },
      body: { ...body, error },
    };
  };

  // Security (Accounts and permissions): An unknown e-mail and a wrong password get the same status, headers and body
  it('get the same status, headers and body, apart from the request id', async () => {
    const { email } = await signUpCustomer(service);
    const wrong = await logIn(service, { email, password: WRONG, from: newAddress() });
    const unknown = await logIn(service, { email: newEmail(), password: WRONG, from: newAddress() });
    expect(wrong.status).toBe(401);
    expect(visible(unknown)).toEqual(visible(wrong));
  });

  it('are locked alike after ten failures', async () => {
    const { email } = await signUpCustomer(service);
    const unknown = newEmail();
    const from = newAddress();
    await failTimes(10, { email, from });
    await failTimes(10, { email: unknown, from });
    const [one, other] = [await logIn(service, { email, from }), await logIn(service, { email: unknown, from })];
    expectLocked(one);
    expectLocked(other);
    const timeless = (answer: Answer) => {
      const { headers, ...rest } = visible(answer);
      return { ...rest, headers: { ...headers, 'retry-after': '' } };
    };
    expect(timeless(other)).toEqual(timeless(one));
  });
});

// Security (Accounts and permissions): Ten failures lock an e-mail for an address, with `Retry-After`, and for no other address
// ASVS 6.3.1
describe('ten failed logins of an e-mail from an address within 15 minutes', () => {
  it('lock the two: even the right password is 429 with Retry-After', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    await failTimes(9, { email, from });
    expectStatus(await logIn(service, { email, from }), 200);
    await failTimes(1, { email, from });
    expectLocked(await logIn(service, { email, from }));
    expectLocked(await logIn(service, { email, from, password: WRONG }));
  });

  it('count the e-mail regardless of case and surrounding spaces', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    await failTimes(5, { email: email.toUpperCase(), from });
    await failTimes(5, { email: `  ${email} `, from });
    expectLocked(await logIn(service, { email, from }));
  });

  it('do not lock the e-mail for another address, nor the address for another e-mail', async () => {
    const [one, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    const from = newAddress();
    await failTimes(10, { email: one.email, from });
    expectStatus(await logIn(service, { email: one.email, from: newAddress() }), 200);
    expectStatus(await logIn(service, { email: other.email, from }), 200);
    expectLocked(await logIn(service, { email: one.email, from }));
  });

  it('do not end tokens that the user already has', async () => {
    const { email, token } = await signUpAdmin(service);
    const from = newAddress();
    await failTimes(10, { email, from });
    expectStatus(await service.call('GET', '/labels', { token, headers: { 'x-forwarded-for': from } }), 200);
  });

  it('count for 15 minutes, and attempts refused by the lock do not extend it', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    await failTimes(10, { email, from });
    await age(service, email, 10);
    const late = await logIn(service, { email, from });
    expectLocked(late);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(5 * 60);
    for (let time = 1; time <= 5; time += 1) expectLocked(await logIn(service, { email, from, password: WRONG }));
    await age(service, email, 5);
    expectStatus(await logIn(service, { email, from }), 200);
  });

  it('say in Retry-After when the lock ends, regardless of other failures from the address', async () => {
    const { email } = await signUpAdmin(service);
    const other = newEmail();
    const from = newAddress();
    await failTimes(1, { email: other, from });
    await age(service, other, 10);
    await failTimes(10, { email, from });
    const answer = await logIn(service, { email, from });
    expectLocked(answer);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(5 * 60);
  });

  it('do not count successful logins or requests that fail validation', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    for (let time = 1; time <= 15; time += 1) expectStatus(await logIn(service, { email, from }), 200);
    for (let time = 1; time <= 15; time += 1) {
      expectStatus(await logIn(service, { email, from, password: 'short' }), 400);
    }
    await failTimes(9, { email, from });
    expectStatus(await logIn(service, { email, from }), 200);
  });

  it('hardly exceed the limit, however many guesses arrive at once', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    const guesses = Array.from({ length: 60 }, () => logIn(service, { email, from, password: WRONG }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    const checked = statuses.filter((status) => status === 401).length;
    expect(checked).toBeGreaterThanOrEqual(10);
    expect(checked).toBeLessThanOrEqual(10 + availableParallelism());
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - checked);
    expectLocked(await logIn(service, { email, from }));
  });
});

// Security (Accounts and permissions): A hundred failures lock an e-mail everywhere for strangers, or strangers out at an address
describe('a hundred failed logins within 15 minutes', () => {
  it('of one e-mail over many addresses lock it at every address', async () => {
    const [{ email }, bystander] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    await seedFailures(
      service,
      Array.from({ length: 97 }, () => ({ email, from: newAddress() })),
    );
    for (let time = 1; time <= 2; time += 1) await failTimes(1, { email, from: newAddress() });
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
    await failTimes(1, { email, from: newAddress() });
    expectLocked(await logIn(service, { email, from: newAddress() }));
    expectLocked(await logIn(service, { email, from: newAddress(), password: WRONG }));
    expectStatus(await logIn(service, { email: bystander.email, from: newAddress() }), 200);
    await age(service, email, 15);
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
  });

  it('from one address over many e-mails lock strangers at the address, and no e-mail elsewhere', async () => {
    const [{ email }, known] = [await signUpAdmin(service), await signUpAdmin(service)];
    const from = newAddress();
    expectStatus(await logIn(service, { email: known.email, from }), 200);
    await seedFailures(
      service,
      Array.from({ length: 97 }, () => ({ email: newEmail(), from })),
    );
    for (let time = 1; time <= 2; time += 1) await failTimes(1, { email: newEmail(), from });
    // Failures of who has logged in from there do not count.
    await failTimes(9, { email: known.email, from });
    await failTimes(1, { email: newEmail(), from });
    expectLocked(await logIn(service, { email, from }));
    expectStatus(await logIn(service, { email: known.email, from }), 200);
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
  });
});

describe('a passkey that nobody has', () => {
  async function show(from: string, id = randomBytes(16).toString('base64url')): Promise<Answer> {
    const { challenge } = await beginPasskeyLogin(service);
    const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url');
    const response = { clientDataJSON, authenticatorData: 'AA', signature: 'AA' };
    const body = { passkey: { id, rawId: id, type: 'public-key', response } };
    return service.call('POST', '/auth/passkeys/login', { body, headers: { 'x-forwarded-for': from } });
  }
  const entries = async (from: string) => {
    const { body } = await service.call('GET', '/operator/audit-log?action=login.failed&perPage=1000', {
      token: service.operatorKey,
    });
    return body.data.filter(({ actor }: { actor: { ip: string } }) => actor.ip === from).length;
  };

  // Security (Accounts and permissions): Passkeys that nobody has are failed logins of their address, so that strangers do not fill the
  // audit log
  it('counts as a failed login of its address, which is refused after a hundred, and no longer recorded', async () => {
    const from = newAddress();
    await seedFailures(
      service,
      Array.from({ length: 98 }, () => ({ email: newEmail(), from })),
    );
    for (let time = 1; time <= 2; time += 1) expectStatus(await show(from), 401);
    expectLocked(await show(from));
    expect(await entries(from)).toBe(2);
    expectStatus(await show(newAddress()), 401);
  });

  it('is refused after ten tries from an address', async () => {
    const [from, id] = [newAddress(), randomBytes(16).toString('base64url')];
    for (let time = 1; time <= 10; time += 1) expectStatus(await show(from, id), 401);
    expectLocked(await show(from, id));
  });
});

describe('X-Forwarded-For', () => {
  it('of an untrusted peer does not change whose failures are counted', async () => {
    const { email } = await signUpAdmin(exposed);
    for (let time = 1; time <= 10; time += 1) await failTimes(1, { email, from: newAddress() }, exposed);
    expectLocked(await logIn(exposed, { email, from: newAddress() }));
    expectLocked(await logIn(exposed, { email }));
  });

  it('counts the last address that the trusted proxy saw, not those that the client wrote', async () => {
    const { email } = await signUpAdmin(service);
    const from = newAddress();
    for (let time = 1; time <= 10; time += 1) await failTimes(1, { email, from: `${newAddress()}, ${from}` });
    expectLocked(await logIn(service, { email, from: `${newAddress()}, ${from}` }));
    expectStatus(await logIn(service, { email, from: `${from}, ${newAddress()}` }), 200);
  });
});

describe('a client with many IPv6 addresses', () => {
  // Security (Accounts and permissions): An IPv6 address counts by its first half
  it('is counted as one client: its addresses share their first 64 bits', async () => {
    const { email } = await signUpAdmin(service);
    const network = newAddress().split(':').slice(0, 4).join(':');
    for (let time = 1; time <= 10; time += 1) await failTimes(1, { email, from: `${network}::${time}` });
    expectLocked(await logIn(service, { email, from: `${network}:ffff:1:2:3` }));
    expectStatus(await logIn(service, { email, from: newAddress() }), 200);
  });
});

it('stores the content of the e-mail field only as a hash, because people type passwords there', async () => {
  const email = newEmail();
  await failTimes(1, { email, from: newAddress() });
  const rows = await service.database.owner`SELECT login_failures::text AS row FROM login_failures`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ row }) => row).join('\n')).not.toContain(email);
  expect(service.logs()).not.toContain(email);
});
