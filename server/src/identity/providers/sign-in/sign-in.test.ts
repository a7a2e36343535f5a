import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { logIn, newEmail, signUpBody } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../../test/customers/actors.ts';
import { createClock, enableTotp } from '../../../../test/customers/second-factors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  ATTEMPT_COOKIE,
  addProvider,
  cookieOf,
  type IdentityServer,
  linkAccount,
  type Person,
  sessionOf,
  signIn,
  startIdentityServer,
} from '../../../../test/identity/identity-server.ts';
import { addMember, createRole } from '../../../../test/identity/roles.ts';
import { addStaff } from '../../../../test/identity/staff.ts';
import { mailsTo, tokenIn } from '../../../../test/mail/mails.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';

const PUBLIC_URL = 'http://localhost:3000';
const clock = createClock();

let service: TestService;
let server: IdentityServer;
beforeAll(async () => {
  [service, server] = await Promise.all([startTestService({ clock: clock.clock }), startIdentityServer()]);
});
afterAll(() => Promise.all([service?.stop(), server?.stop()]));
beforeEach(() => server.setPerson(newPerson()));

function newPerson(changes: Partial<Person> = {}): Person {
  const name = { given_name: 'Grace', family_name: 'Hopper' };
  return { sub: randomUUID(), email: newEmail(), email_verified: true, ...name, ...changes };
}

/** Has somebody sit at the browser. */
function sit(changes: Partial<Person> = {}): Person {
  const person = newPerson(changes);
  server.setPerson(person);
  return person;
}

/** A company with a provider of its own. */
async function prepare(changes: Record<string, unknown> = {}) {
  const admin = await signUpAdmin(service);
  const name = await addProvider(service, server, { companyId: admin.companyId, ...changes });
  return { admin, name };
}

async function verifyEmail({ email }: Pick<Actor, 'email'>): Promise<void> {
  const [mail] = await mailsTo(service, email);
  const body = { token: tokenIn(mail.text) };
  expectStatus(await service.call('POST', '/auth/email/verify', { body }), 204);
}

const locationOf = ({ headers }: Answer) => headers.get('location');

function expectFailure(answer: Answer, code: string): void {
  expect([answer.status, locationOf(answer)]).toEqual([302, `${PUBLIC_URL}/app/login?error=${code}`]);
  expect(cookieOf(answer, '__Host-paydesk')).toBeNull();
  expect(cookieOf(answer, ATTEMPT_COOKIE)).toBe(`${ATTEMPT_COOKIE}=`);
}

const profileOf = async ({ token }: Pick<Actor, 'token'>) =>
  expectStatus(await service.call('GET', '/auth/me', { token }), 200).body.data;

async function actionsOf({ token }: Actor, filter: string) {
  const { data } = expectStatus(await service.call('GET', `/company/audit-log?${filter}`, { token }), 200).body;
  return data.map(({ action }: { action: string }) => action);
}

describe('the way to the provider', () => {
  // ASVS 10.2.1
  it('has PKCE, a state, a nonce and the address to come back to, and a cookie that no page reads', async () => {
    const name = await addProvider(service, server);
    const answer = expectStatus(await service.call('GET', `/auth/oidc/${name}/start`), 302);
    const url = new URL(locationOf(answer) ?? '');
    expect(url.origin + url.pathname).toBe(`${server.issuer}/auth`);
    const random = expect.stringMatching(/^[\w-]{43}$/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'paydesk',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${PUBLIC_URL}/auth/oidc/${name}/callback`,
      code_challenge_method: 'S256',
      ...{ state: random, nonce: random, code_challenge: random },
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-paydesk-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/);
    expect(Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1')).not.toContain(name);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\evil',
    'app',
    '',
    '@evil.example',
    '/a b',
    '/a\n',
    `/${'a'.repeat(1_000)}`,
  ])('does not return to %j: 400', async (path) => {
    const name = await addProvider(service, server);
    const answer = await service.call('GET', `/auth/oidc/${name}/start?return_to=${encodeURIComponent(path)}`);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ field: 'return_to' }]);
  });

  it('of an unknown provider is 404, in both steps', async () => {
    for (const path of ['start', 'callback?code=x&state=y']) {
      expectRefusal(await service.call('GET', `/auth/oidc/nobody/${path}`), 404, 'not_found');
    }
  });
});

describe('a company’s provider', () => {
  // ASVS 6.8.1, 10.5.2
  it('makes new members, who come back as the same account whatever their e-mail is then', async () => {
    const { admin, name } = await prepare();
    const person = sit();
    const answer = await signIn(service, name, '?return_to=/app/invoices?state=open');
    expect(locationOf(answer)).toBe(`${PUBLIC_URL}/app/invoices?state=open`);
    expect([answer.text, answer.headers.get('cache-control')]).toEqual(['', 'no-store']);
    const cookies = answer.headers.getSetCookie().join('\n');
    expect(cookies).toMatch(/^__Host-paydesk=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/m);
    expect(cookies).toMatch(/^__Host-paydesk-sign-in=; Path=\/; Max-Age=0;/m);
    const member = await sessionOf(service, answer);
    expect(await profileOf(member)).toMatchObject({
      ...{ first_name: 'Grace', last_name: 'Hopper', email: person.email, email_verified: true, two_factor: false },
      ...{ company: { id: admin.companyId }, role: { name: 'Viewer' }, staff_role: null },
    });
    expect(await actionsOf(admin, `target=${member.userId}`)).toEqual(['login.succeeded', 'user.signed_up']);
    server.setPerson({ ...person, email: newEmail(), email_verified: false });
    const again = await signIn(service, name);
    expect(locationOf(again)).toBe(`${PUBLIC_URL}/app`);
    expect(await sessionOf(service, again)).toMatchObject({ userId: member.userId, email: person.email });
    expect(await mailsTo(service, person.email ?? '')).toEqual([]);
  });

  it('gives them its role', async () => {
    const { admin, name } = await prepare();
    const { id: roleId } = await createRole(service, admin);
    const path = `/operator/sign-in-providers/${name}`;
    expectStatus(await service.call('PUT', path, { token: service.operatorKey, body: { roleId } }), 200);
    const member = await sessionOf(service, await signIn(service, name));
    expect((await profileOf(member)).role.id).toBe(roleId);
  });

  it.each([
    [{ name: 'Grace Brewster Hopper' }, 'Grace', 'Brewster Hopper'],
    [{ given_name: ' Grace\n', family_name: 'Hop\u0000per', name: 'x' }, 'Grace', 'Hop per'],
    [{ name: 'Grace' }, 'Grace', '-'],
    [{ email: `grace.${randomUUID()}@example.com`, name: 7 as never }, expect.stringMatching(/^grace\./), '-'],
    [
      { given_name: '4242424242424242', family_name: 'x'.repeat(300) },
      expect.not.stringMatching(/4242424/),
      'x'.repeat(255),
    ],
  ])('reads the name of %j', async (claims, firstName, lastName) => {
    const { name } = await prepare();
    server.setPerson({ sub: randomUUID(), email: newEmail(), email_verified: true, ...claims });
    const member = await sessionOf(service, await signIn(service, name));
    expect(await profileOf(member)).toMatchObject({ first_name: firstName, last_name: lastName });
  });

  it('signs in the domains that it names, alone', async () => {
    const { name } = await prepare({ emailDomains: ['acme.example', 'ACME.test'] });
    for (const domain of ['acme.test', 'Acme.EXAMPLE']) {
      sit({ email: `${randomUUID()}@${domain}` });
      expect(locationOf(await signIn(service, name))).toBe(`${PUBLIC_URL}/app`);
    }
    for (const domain of ['example.com', 'sub.acme.example', 'notacme.example', 'acme.example.com']) {
      sit({ email: `${randomUUID()}@${domain}` });
      expectFailure(await signIn(service, name), 'email_domain_not_allowed');
    }
  });

  // Security (Accounts and permissions): A company's provider opens no account of another company
  it('makes customers members, and leaves the members of others alone', async () => {
    const { admin, name } = await prepare();
    const customer = await signUpCustomer(service);
    await verifyEmail(customer);
    sit({ email: customer.email.toUpperCase() });
    const member = await sessionOf(service, await linkAccount(service, customer, name));
    expect([member.userId, member.companyId]).toEqual([customer.userId, admin.companyId]);
    expect((await profileOf(customer)).role.name).toBe('Viewer');
    expect(await actionsOf(admin, `actor=${customer.userId}`)).toEqual([
      'login.succeeded',
      'user.linked',
      'member.created',
    ]);
    const stranger = await signUpAdmin(service);
    await verifyEmail(stranger);
    sit({ email: stranger.email });
    expectFailure(await signIn(service, name), 'has_company');
    const linked = sit();
    const other = await prepare();
    expect(locationOf(await signIn(service, name))).toBe(`${PUBLIC_URL}/app`);
    server.setPerson(linked);
    expectFailure(await signIn(service, other.name), 'has_company');
  });

  // Security (Accounts and permissions): An account is linked only by an e-mail that both sides have verified
  it('opens the account of a member by an e-mail that both sides have verified, once', async () => {
    const { admin, name } = await prepare();
    sit({ email: admin.email });
    expectFailure(await signIn(service, name), 'email_not_verified');
    await verifyEmail(admin);
    for (const isVerified of [false, undefined, 1, 'false', null]) {
      sit({ email: admin.email, email_verified: isVerified });
      expectFailure(await signIn(service, name), 'email_not_verified');
    }
    sit({ email: undefined as never });
    expectFailure(await signIn(service, name), 'email_domain_not_allowed');
    const person = sit({ email: admin.email, email_verified: 'true' });
    expectFailure(await signIn(service, name), 'consent_required');
    expect((await sessionOf(service, await linkAccount(service, admin, name))).userId).toBe(admin.userId);
    sit({ email: admin.email });
    expectFailure(await signIn(service, name), 'account_linked');
    server.setPerson(person);
    expect((await sessionOf(service, await signIn(service, name))).userId).toBe(admin.userId);
    expectStatus(await logIn(service, { email: admin.email }), 200);
    expect(await actionsOf(admin, 'action=login.failed')).toHaveLength(9);
  });

  it('makes one account of two sign-ins at the same time', async () => {
    const { name } = await prepare();
    const answers = await Promise.all([1, 2, 3].map(() => signIn(service, name)));
    const members = await Promise.all(answers.map((answer) => sessionOf(service, answer)));
    expect(new Set(members.map(({ userId }) => userId)).size).toBe(1);
  });

  it('opens no account of a removed member, and makes another of a deleted one', async () => {
    const { admin, name } = await prepare();
    const removed = await sessionOf(service, await signIn(service, name));
    const path = `/company/members/${removed.userId}`;
    expectStatus(await service.call('DELETE', path, { token: admin.token }), 204);
    expectFailure(await signIn(service, name), 'email_not_verified');
    sit();
    const deleted = await sessionOf(service, await signIn(service, name));
    expectStatus(await service.call('DELETE', '/auth/me', { token: deleted.token, body: {} }), 204);
    expect((await sessionOf(service, await signIn(service, name))).userId).not.toBe(deleted.userId);
  });
});

describe('a provider of no company', () => {
  it('opens existing accounts, and makes none', async () => {
    const name = await addProvider(service, server);
    expectFailure(await signIn(service, name), 'no_account');
    for (const account of [await signUpAdmin(service), await signUpCustomer(service)]) {
      await verifyEmail(account);
      sit({ email: account.email });
      expect((await sessionOf(service, await signIn(service, name))).userId).toBe(account.userId);
    }
  });

  it('opens no account of staff, nor of a company that demands its own', async () => {
    const name = await addProvider(service, server);
    const staff = await addStaff(service, clock, 'viewer');
    sit({ email: staff.email });
    expectFailure(await signIn(service, name), 'no_account');
    const { admin } = await prepare();
    const member = await addMember(service, admin, 'Viewer');
    await verifyEmail(member);
    sit({ email: member.email });
    expect((await sessionOf(service, await signIn(service, name))).userId).toBe(member.userId);
    await demand(admin);
    expectFailure(await signIn(service, name), 'has_company');
  });
});

async function demand({ token }: Actor, body: object = {}) {
  const request = { token, body: { sign_in: 'sso', ...body } };
  return expectStatus(await service.call('PUT', '/company/settings', request), 200).body;
}

describe('a company that demands its provider', () => {
  // Security (Accounts and permissions): Where a company demands its provider, passwords are refused
  it('refuses passwords, right ones alone with 403 sso_required, but not that of its break-glass member', async () => {
    const { admin, name } = await prepare();
    const member = await addMember(service, admin, 'Admin');
    expect(await demand(admin)).toMatchObject({ sign_in: 'sso', break_glass_member_id: admin.userId });
    expectRefusal(await logIn(service, { email: member.email }), 403, 'sso_required');
    expectRefusal(await logIn(service, { email: member.email, password: 'Wrong-horse-7' }), 401, 'invalid_credentials');
    expectStatus(await logIn(service, { email: admin.email }), 200);
    expect(await actionsOf(admin, `target=${member.userId}&action=login.failed`)).toHaveLength(2);
    await verifyEmail(member);
    sit({ email: member.email });
    expectFailure(await signIn(service, name), 'consent_required');
    // Sessions go on.
    expect((await sessionOf(service, await linkAccount(service, member, name))).userId).toBe(member.userId);
    expect((await sessionOf(service, await signIn(service, name))).userId).toBe(member.userId);
    expect(await demand(admin, { break_glass_member_id: member.userId })).toMatchObject({
      break_glass_member_id: member.userId,
    });
    expectStatus(await logIn(service, { email: member.email }), 200);
    expectRefusal(await logIn(service, { email: admin.email }), 403, 'sso_required');
    const { token } = member;
    const body = { sign_in: 'password' };
    expectStatus(await service.call('PUT', '/company/settings', { token, body }), 200);
    expectStatus(await logIn(service, { email: admin.email }), 200);
  });

  it('refuses the second step of a login that began before', async () => {
    const { admin } = await prepare();
    const member = await addMember(service, admin, 'Viewer');
    const { app } = await enableTotp(service, clock, member);
    clock.goOn(2);
    const { data } = expectStatus(await logIn(service, { email: member.email }), 200).body;
    await demand(admin);
    const body = { token: data.second_factor.token, code: app.code() };
    expectRefusal(await service.call('POST', '/auth/local/second-factor', { body }), 403, 'sso_required');
    expectRefusal(await logIn(service, { email: member.email }), 403, 'sso_required');
  });

  it('has no password to fall back on when its provider goes, but for the break-glass member', async () => {
    const { admin, name } = await prepare();
    const member = await addMember(service, admin, 'Viewer');
    await demand(admin);
    const path = `/operator/sign-in-providers/${name}`;
    expectStatus(await service.call('DELETE', path, { token: service.operatorKey }), 204);
    expectRefusal(await logIn(service, { email: member.email }), 403, 'sso_required');
    expectStatus(await logIn(service, { email: admin.email }), 200);
    const body = { sign_in: 'sso' };
    const answer = await service.call('PUT', '/company/settings', { token: admin.token, body });
    expectRefusal(answer, 409, 'no_sign_in_provider');
  });
});

describe('a session by a provider', () => {
  it('asks for no second factor of this service, set up or demanded', async () => {
    const { admin, name } = await prepare();
    await verifyEmail(admin);
    await enableTotp(service, clock, admin);
    sit({ email: admin.email });
    const session = await sessionOf(service, await linkAccount(service, admin, name));
    const body = { require_second_factor: true };
    expectStatus(await service.call('PUT', '/company/settings', { token: session.token, body }), 200);
    sit();
    const member = await sessionOf(service, await signIn(service, name));
    expectStatus(await service.call('GET', '/labels', { token: member.token }), 200);
  });

  it('shows who one is for ten minutes, since there is no password', async () => {
    const { name } = await prepare();
    const member = await sessionOf(service, await signIn(service, name));
    const begun = () => service.call('POST', '/auth/totp', { token: member.token, body: {} });
    expectStatus(await begun(), 200);
    await service.database.owner`
      UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = ${member.userId}`;
    expectRefusal(await begun(), 401, 'reauthentication_required');
    expectRefusal(await logIn(service, { email: member.email, password: PASSWORD }), 401, 'invalid_credentials');
  });

  it('reads a disabled company, and changes nothing', async () => {
    const { admin, name } = await prepare({ roleId: SYSTEM_ROLES.Admin.id });
    const path = `/operator/companies/${admin.companyId}`;
    const request = { token: service.operatorKey, body: { disabled: true } };
    expectStatus(await service.call('PUT', path, request), 200);
    const member = await sessionOf(service, await signIn(service, name));
    expectStatus(await service.call('GET', '/labels', { token: member.token }), 200);
    const change = await service.call('PUT', '/company', { token: member.token, body: { name: 'x' } });
    expectRefusal(change, 403, 'company_disabled');
  });
});

// Security (Accounts and permissions): Sign-ins with a provider that fail do not fill the audit log, which says how many there were
it('sign-ins that fail do not fill the audit log: after a hundred of one kind within an hour, the next share an entry', async () => {
  const { admin, name } = await prepare();
  const path = `/auth/oidc/${name}/callback?code=x&state=y`;
  await Promise.all(Array.from({ length: 103 }, () => service.call('GET', path)));
  server.setPerson(null);
  expectFailure(await signIn(service, name), 'access_denied');
  await service.takeAway();
  await service.bringBack();
  const log = await service.call('GET', '/company/audit-log?action=login.failed&per_page=1000', {
    token: admin.token,
  });
  const reasons = expectStatus(log, 200).body.data.map(({ changes }: { changes: { after: object } }) => changes.after);
  expect(reasons).toHaveLength(102);
  expect(reasons.slice(0, 3)).toEqual([
    { reason: 'sso_failed', failures: 3 },
    { reason: 'access_denied' },
    { reason: 'sso_failed' },
  ]);
});

it('a user who refuses at the provider comes back with access_denied', async () => {
  const { admin, name } = await prepare();
  server.setPerson(null);
  expectFailure(await signIn(service, name), 'access_denied');
  expect(await actionsOf(admin, `target=${name}&action=login.failed`)).toEqual(['login.failed']);
});

it('an address that somebody may take back makes no account', async () => {
  const { name } = await prepare();
  const customer = await signUpCustomer(service);
  const body = { email: newEmail(), password: PASSWORD };
  expectStatus(await service.call('PUT', '/auth/email', { token: customer.token, body }), 202);
  const [mail] = await mailsTo(service, body.email);
  expectStatus(await service.call('POST', '/auth/email/verify', { body: { token: tokenIn(mail.text) } }), 204);
  sit({ email: customer.email });
  expectFailure(await signIn(service, name), 'account_linked');
});

it('a provider of the environment signs in like any other', async () => {
  const configured = { name: 'provider-59', issuer: server.issuer, clientId: 'paydesk', emailDomains: [] };
  const clientSecret = 'the secret of the client: 7%+&';
  const provider = { ...configured, clientSecret, companyId: null };
  const lost = { ...provider, name: 'lost', companyId: randomUUID() };
  const own = await startTestService({ signInProviders: [provider, lost] });
  const { data } = expectStatus(await own.call('POST', '/auth/signup/admin', { body: signUpBody() }), 201).body;
  const [mail] = await mailsTo(own, data.user.email);
  expectStatus(await own.call('POST', '/auth/email/verify', { body: { token: tokenIn(mail.text) } }), 204);
  sit({ email: data.user.email });
  expect((await sessionOf(own, await signIn(own, 'provider-59'))).userId).toBe(data.user.id);
  // A company that there is not.
  const answer = await own.call('GET', '/auth/oidc/lost/start');
  expect([answer.status, locationOf(answer)]).toEqual([302, `${PUBLIC_URL}/app/login?error=sso_failed`]);
  expect(own.logs()).toContain('no company has the id that the environment gives the provider');
  await own.stop();
});
