import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { logIn, newEmail } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../../test/customers/actors.ts';
import { createClock, enableTotp, registerPasskey } from '../../../../test/customers/second-factors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  ATTEMPT_COOKIE,
  addProvider,
  beginLink,
  comeBack,
  cookieOf,
  type IdentityServer,
  linkAccount,
  sessionOf,
  signIn,
  startIdentityServer,
  visit,
} from '../../../../test/identity/identity-server.ts';
import { addMember } from '../../../../test/identity/roles.ts';
import { addStaff } from '../../../../test/identity/staff.ts';
import { mailsTo, tokenIn } from '../../../../test/mail/mails.ts';

const clock = createClock();
let service: TestService;
let server: IdentityServer;
let admin: Actor;
/** Of the company of the admin. */
let name: string;
beforeAll(async () => {
  [service, server] = await Promise.all([startTestService({ clock: clock.clock }), startIdentityServer()]);
  admin = await signUpAdmin(service);
  name = await addProvider(service, server, { companyId: admin.companyId });
});
afterAll(() => Promise.all([service?.stop(), server?.stop()]));
beforeEach(() => sit());

/** Has somebody sit at the browser. */
function sit(email = newEmail(), sub: string = randomUUID()) {
  const person = { sub, email, email_verified: true };
  server.setPerson(person);
  return person;
}

const call = ({ token }: Pick<Actor, 'token'>, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body && { body }) });
const remove = async ({ userId }: Actor) =>
  expectStatus(await call(admin, 'DELETE', `/company/members/${userId}`), 204);
const linksOf = async (actor: Pick<Actor, 'token'>) =>
  expectStatus(await call(actor, 'GET', '/auth/links'), 200).body.data;

async function verifyEmail({ email }: Pick<Actor, 'email'>): Promise<void> {
  const [mail] = await mailsTo(service, email);
  const body = { token: tokenIn(mail.text) };
  expectStatus(await service.call('POST', '/auth/email/verify', { body }), 204);
}

/** A customer with a verified e-mail, who sits at the browser. */
async function newCustomer(): Promise<Actor> {
  const customer = await signUpCustomer(service);
  await verifyEmail(customer);
  sit(customer.email);
  return customer;
}

/** A member with a verified e-mail and a password, who sits at the browser. */
async function newMember(): Promise<Actor> {
  const member = await addMember(service, admin, 'Viewer');
  await verifyEmail(member);
  sit(member.email);
  return member;
}

function expectFailure(answer: Answer, code: string): void {
  const location = `${service.config.publicUrl}/app/login?error=${code}`;
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  expect(cookieOf(answer, '__Host-paydesk')).toBeNull();
}

const companyOf = async ({ userId }: Actor) => {
  const [row] = await service.database.owner`SELECT company_id AS id FROM users WHERE id = ${userId}`;
  return row?.id;
};

/** Opens the address that `POST /auth/links` answers in a browser with a cookie. */
async function open(location: string, cookie: string | null): Promise<Answer> {
  const { pathname, search } = new URL(location);
  return service.call('GET', pathname + search, cookie === null ? {} : { headers: { cookie } });
}

/** Goes to the provider, after a consent, and back. */
async function goOn(started: Answer): Promise<Answer> {
  const path = await visit(expectStatus(started, 302).headers.get('location') ?? '');
  return comeBack(service, path, cookieOf(started, ATTEMPT_COOKIE));
}

describe('the company’s provider of a member who was removed', () => {
  // Security (Accounts and permissions): A company's provider opens no account of a removed member, nor makes it a member again
  it.each(['is removed', 'leaves'])(
    'does not open the account, nor make it a member again, when the member %s',
    async (how) => {
      const member = await newMember();
      const linked = await sessionOf(service, await linkAccount(service, member, name));
      await enableTotp(service, clock, member);
      expect(await linksOf(linked)).toHaveLength(1);
      if (how === 'is removed') await remove(member);
      else expectStatus(await call(member, 'DELETE', `/company/members/${member.userId}`), 204);
      expectFailure(await signIn(service, name), 'consent_required');
      expect(await companyOf(member)).toBeNull();
    },
  );

  it('opens it again after another consent', async () => {
    const member = await newMember();
    await linkAccount(service, member, name);
    await remove(member);
    const { access_token: token } = expectStatus(await logIn(service, member), 200).body.data;
    expect(await linksOf({ token })).toEqual([]);
    const again = await sessionOf(service, await linkAccount(service, { token }, name));
    expect([again.userId, again.companyId]).toEqual([member.userId, admin.companyId]);
  });

  it('does not open one without a password either, whose e-mail nobody vouches for any more', async () => {
    const member = await sessionOf(service, await signIn(service, name));
    await remove(member);
    expectFailure(await signIn(service, name), 'email_not_verified');
    expect(await companyOf(member)).toBeNull();
  });
});

describe('a company’s provider', () => {
  // Security (Accounts and permissions): A company's provider opens no account that has a password or a second factor before its user has
  // consented
  it('opens no account with a password before its user has consented, once', async () => {
    for (const user of [await newCustomer(), await newMember()]) {
      const { sub } = sit(user.email);
      const company = await companyOf(user);
      expectFailure(await signIn(service, name), 'consent_required');
      expect([await companyOf(user), await linksOf(user)]).toEqual([company, []]);
      const linked = await sessionOf(service, await linkAccount(service, user, name));
      expect([linked.userId, linked.companyId]).toEqual([user.userId, admin.companyId]);
      sit(newEmail(), sub);
      expect((await sessionOf(service, await signIn(service, name))).userId).toBe(user.userId);
    }
  });

  it.each(['TOTP', 'a passkey'])('nor one without a password, but with %s', async (factor) => {
    const customer = await newCustomer();
    if (factor === 'TOTP') await enableTotp(service, clock, customer);
    else await registerPasskey(service, customer);
    await service.database.owner`UPDATE users SET password_hash = NULL WHERE id = ${customer.userId}`;
    expectFailure(await signIn(service, name), 'consent_required');
    expect(await companyOf(customer)).toBeNull();
  });

  it('makes no customer without a password a member without consent', async () => {
    const customer = await newCustomer();
    await service.database.owner`UPDATE users SET password_hash = NULL WHERE id = ${customer.userId}`;
    expectFailure(await signIn(service, name), 'consent_required');
    expect(await companyOf(customer)).toBeNull();
  });

  it('needs a consent of its own beside that to another provider of the same issuer', async () => {
    const general = await addProvider(service, server);
    const customer = await newCustomer();
    const session = await sessionOf(service, await signIn(service, general));
    expect(session.userId).toBe(customer.userId);
    expectFailure(await signIn(service, name), 'consent_required');
    expect(await companyOf(customer)).toBeNull();
    await sessionOf(service, await linkAccount(service, customer, name));
    expect(await companyOf(customer)).toBe(admin.companyId);
    expect(await linksOf(customer)).toMatchObject([{ provider: name }]);
    expect((await sessionOf(service, await signIn(service, general))).userId).toBe(customer.userId);
  });

  it('uses the links from before consents were asked for', async () => {
    const member = await newMember();
    const { sub } = sit(member.email);
    await service.database.owner`
      INSERT INTO sign_in_links (id, issuer, subject, user_id, is_of_company)
      VALUES (gen_random_uuid(), ${server.issuer}, ${sub}, ${member.userId}, true)`;
    expect(await linksOf(member)).toMatchObject([{ provider: null, email: null, last_used_at: null }]);
    expect((await sessionOf(service, await signIn(service, name))).userId).toBe(member.userId);
    expect(await linksOf(member)).toMatchObject([{ provider: name, email: member.email }]);
  });

  // Security (Accounts and permissions): A company's provider without domains signs nobody new in
  it('from before it needed domains signs in whom it has before, and nobody new', async () => {
    const owner = await signUpAdmin(service);
    const old = await addProvider(service, server, { companyId: owner.companyId });
    const known = await sessionOf(service, await signIn(service, old));
    await service.database.owner`UPDATE sign_in_providers SET email_domains = '[]' WHERE name = ${old}`;
    expect((await sessionOf(service, await signIn(service, old))).userId).toBe(known.userId);
    sit();
    expectFailure(await signIn(service, old), 'email_domain_not_allowed');
    const customer = await newCustomer();
    expectFailure(await linkAccount(service, customer, old), 'email_domain_not_allowed');
    expect(await companyOf(customer)).toBeNull();
    const path = `/operator/sign-in-providers/${old}`;
    const body = { emailDomains: ['example.com'] };
    expectStatus(await service.call('PUT', path, { token: service.operatorKey, body }), 200);
    expect((await sessionOf(service, await linkAccount(service, customer, old))).userId).toBe(customer.userId);
  });
});

describe('a consent', () => {
  // Security (Accounts and permissions): Nobody links an account in the browser of somebody else
  it('is good in the browser in which it was given alone, once', async () => {
    const attacker = await newCustomer();
    const { location, cookie } = await beginLink(service, attacker, name);
    expect(location).toBe(`${service.config.publicUrl}/auth/oidc/${name}/start?link=true`);
    // The victim has an account at the provider, and follows the attacker’s address.
    sit();
    for (const foreign of [null, '__Host-paydesk-link=x', cookie.slice(0, -2)]) {
      expectFailure(await open(location, foreign), 'consent_required');
    }
    sit(attacker.email);
    const started = await open(location, cookie);
    expect(cookieOf(started, '__Host-paydesk-link')).toBe('__Host-paydesk-link=');
    expect((await sessionOf(service, await goOn(started))).userId).toBe(attacker.userId);
  });

  it('links no account at the provider with another e-mail: wrong_account', async () => {
    const customer = await newCustomer();
    for (const email of [newEmail(), (await signUpCustomer(service)).email]) {
      sit(email);
      expectFailure(await linkAccount(service, customer, name), 'wrong_account');
    }
    const linked = sit();
    await sessionOf(service, await signIn(service, name));
    sit(customer.email, linked.sub);
    expectFailure(await linkAccount(service, customer, name), 'wrong_account');
    expect([await companyOf(customer), await linksOf(customer)]).toEqual([null, []]);
  });

  it('needs an e-mail that both sides have verified', async () => {
    const squatter = await signUpCustomer(service);
    sit(squatter.email);
    expectFailure(await linkAccount(service, squatter, name), 'email_not_verified');
    const customer = await newCustomer();
    server.setPerson({ sub: randomUUID(), email: customer.email, email_verified: false });
    expectFailure(await linkAccount(service, customer, name), 'email_not_verified');
    expect(await linksOf(squatter)).toEqual([]);
  });

  it('to one provider is none to another, and joins no second company', async () => {
    const other = await signUpAdmin(service);
    const second = await addProvider(service, server, { companyId: other.companyId });
    const member = await newMember();
    const { location, cookie } = await beginLink(service, member, name);
    expectFailure(await open(location.replace(`/${name}/`, `/${second}/`), cookie), 'consent_required');
    expectFailure(await linkAccount(service, member, second), 'has_company');
    expect(await companyOf(member)).toBe(admin.companyId);
  });

  // Security (Accounts and permissions): A consent to a link ends with its session
  it('ends with the session in which it was given', async () => {
    const member = await newMember();
    const { access_token: token } = expectStatus(await logIn(service, member), 200).body.data;
    const { location, cookie } = await beginLink(service, { token }, name);
    const started = await open(location, cookie);
    const body = { current_password: PASSWORD, new_password: 'Another-horse-8' };
    expectStatus(await call(member, 'PUT', '/auth/password', body), 204);
    expectFailure(await goOn(started), 'consent_required');
    expect(await linksOf(member)).toEqual([]);
  });

  it('asks for the password again, or for a login within ten minutes where there is none', async () => {
    const customer = await newCustomer();
    const consent = (body: object) => call(customer, 'POST', '/auth/links', { provider: name, ...body });
    expectRefusal(await consent({}), 400, 'invalid_request');
    expectRefusal(await consent({ password: 'Wrong-horse-7' }), 401, 'invalid_credentials');
    const answer = expectStatus(await consent({ password: PASSWORD }), 200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-paydesk-link=[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/);
    const { owner } = service.database;
    await owner`UPDATE users SET password_hash = NULL WHERE id = ${customer.userId}`;
    expectStatus(await consent({}), 200);
    await owner`UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = ${customer.userId}`;
    expectRefusal(await consent({}), 401, 'reauthentication_required');
    expectRefusal(
      await call(admin, 'POST', '/auth/links', { provider: 'nobody', password: PASSWORD }),
      404,
      'not_found',
    );
  });

  it('is none of staff', async () => {
    const staff = await addStaff(service, clock, 'viewer');
    expectRefusal(await call(staff, 'POST', '/auth/links', { provider: name, password: PASSWORD }), 403, 'forbidden');
  });
});

describe('the links of a user', () => {
  it('are listed, and ended with the password; the provider does not open the account then', async () => {
    const member = await newMember();
    const { sub, email } = sit(member.email);
    await sessionOf(service, await linkAccount(service, member, name));
    const [link] = await linksOf(member);
    const time = expect.stringMatching(/Z$/);
    const issuer = server.issuer;
    const whole = { id: expect.any(String), provider: name, issuer, email, created_at: time, last_used_at: time };
    expect(link).toEqual(whole);
    const before = link.last_used_at;
    await sessionOf(service, await signIn(service, name));
    const [used] = await linksOf(member);
    expect(used).toEqual({ ...link, last_used_at: used.last_used_at });
    expect(Date.parse(used.last_used_at)).toBeGreaterThan(Date.parse(before));

    const end = (actor: Actor, body: object) => call(actor, 'DELETE', `/auth/links/${link.id}`, body);
    expectRefusal(await end(member, {}), 400, 'invalid_request');
    expectRefusal(await end(member, { password: 'Wrong-horse-7' }), 401, 'invalid_credentials');
    expectRefusal(await end(admin, { password: PASSWORD }), 404, 'not_found');
    expectStatus(await end(member, { password: PASSWORD }), 204);
    expectRefusal(await end(member, { password: PASSWORD }), 404, 'not_found');
    expect(await linksOf(member)).toEqual([]);
    sit(email, sub);
    expectFailure(await signIn(service, name), 'consent_required');
    const log = await call(admin, 'GET', `/company/audit-log?target=${member.userId}&action=user.unlinked`);
    expect(log.body.data).toMatchObject([{ changes: { before: { provider: name, issuer }, after: {} } }]);
  });

  it('stay when nothing else logs the user in: 409 last_link', async () => {
    const member = await sessionOf(service, await signIn(service, name));
    const [link] = await linksOf(member);
    const end = (body: object) => call(member, 'DELETE', `/auth/links/${link.id}`, body);
    expectRefusal(await end({}), 409, 'last_link');
    expect(await linksOf(member)).toHaveLength(1);
    await registerPasskey(service, member);
    expectStatus(await end({}), 204);
  });

  it('stay when the company demands its provider, but those of its break-glass member', async () => {
    const owner = await signUpAdmin(service);
    const own = await addProvider(service, server, { companyId: owner.companyId });
    const member = await addMember(service, owner, 'Viewer');
    for (const user of [owner, member]) {
      await verifyEmail(user);
      sit(user.email);
      await sessionOf(service, await linkAccount(service, user, own));
    }
    expectStatus(await call(owner, 'PUT', '/company/settings', { sign_in: 'sso' }), 200);
    const end = async (user: Actor) => {
      const [{ id }] = await linksOf(user);
      return call(user, 'DELETE', `/auth/links/${id}`, { password: PASSWORD });
    };
    expectRefusal(await end(member), 409, 'last_link');
    expectStatus(await end(owner), 204);
    expectStatus(await call(owner, 'PUT', '/company/settings', { sign_in: 'password' }), 200);
    expectStatus(await end(member), 204);
  });

  // Security (Accounts and permissions): Who takes an account back ends the links to providers that were made meanwhile
  it('that were made while somebody else had the address end when its owner takes the account back', async () => {
    const squatted = await newCustomer();
    const { sub: own } = sit(squatted.email);
    const general = await addProvider(service, server);
    await sessionOf(service, await signIn(service, general));
    const foreign = newEmail();
    const change = { email: foreign, password: PASSWORD };
    expectStatus(await call(squatted, 'PUT', '/auth/email', change), 202);
    const mailed = async (email: string, type: string) =>
      tokenIn((await mailsTo(service, email)).find((mail) => mail.type === type)?.text ?? '');
    const verified = await call(squatted, 'POST', '/auth/email/verify', {
      token: await mailed(foreign, 'change_email'),
    });
    expectStatus(verified, 204);
    const elsewhere = await startIdentityServer();
    const other = await addProvider(service, elsewhere);
    elsewhere.setPerson({ sub: 'squatter', email: foreign, email_verified: true });
    expect((await sessionOf(service, await signIn(service, other))).userId).toBe(squatted.userId);
    const body = { token: await mailed(squatted.email, 'email_changing') };
    expectStatus(await service.call('POST', '/auth/email/revert', { body }), 204);
    expectFailure(await signIn(service, other), 'no_account');
    sit(squatted.email, own);
    expect((await sessionOf(service, await signIn(service, general))).userId).toBe(squatted.userId);
    await elsewhere.stop();
  });
});
