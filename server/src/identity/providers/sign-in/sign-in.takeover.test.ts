import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { logIn, newEmail, pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../../test/customers/actors.ts';
import { logInByPasskey, registerPasskey } from '../../../../test/customers/second-factors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addProvider,
  begin,
  comeBack,
  cookieOf,
  type IdentityServer,
  linkAccount,
  sessionOf,
  signIn,
  startIdentityServer,
  visit,
} from '../../../../test/identity/identity-server.ts';
import { addMember, invite } from '../../../../test/identity/roles.ts';
import { mailsTo, tokenIn } from '../../../../test/mail/mails.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';

let service: TestService;
let server: IdentityServer;
beforeAll(async () => {
  [service, server] = await Promise.all([startTestService(), startIdentityServer()]);
});
afterAll(() => Promise.all([service?.stop(), server?.stop()]));
afterEach(() => server.tamper('/token', null));

/** Has somebody sit at the browser. */
function sit(email = newEmail()) {
  const person = { sub: randomUUID(), email, email_verified: true };
  server.setPerson(person);
  return person;
}

/** A company with a provider of its own. */
async function prepare() {
  const admin = await signUpAdmin(service);
  return { admin, name: await addProvider(service, server, { companyId: admin.companyId }) };
}

const callOperator = (method: 'PUT' | 'DELETE', name: string, body?: object) =>
  service.call(method, `/operator/sign-in-providers/${name}`, { token: service.operatorKey, ...(body && { body }) });

function expectFailure(answer: Answer, code: string): void {
  const location = `${service.config.publicUrl}/app/login?error=${code}`;
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  expect(cookieOf(answer, '__Host-paydesk')).toBeNull();
}

const profileOf = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/auth/me', { token }), 200).body.data;

describe('an e-mail that only the provider of a company vouches for', () => {
  /** A company makes an account with the address of somebody else, and lets it go. */
  async function squat() {
    const { admin, name } = await prepare();
    const person = sit();
    const member = await sessionOf(service, await signIn(service, name));
    const { device } = await registerPasskey(service, { ...member, email: person.email, refreshToken: '' });
    const path = `/company/members/${member.userId}`;
    expectStatus(await service.call('DELETE', path, { token: admin.token }), 204);
    return { name, person, device };
  }

  // Security (Accounts and permissions): What a company's provider says about an e-mail leads into no other company
  it('is verified for the company alone: the account joins no other by it, nor this one again', async () => {
    const { name, person } = await squat();
    const other = await prepare();
    server.setPerson(person);
    expectFailure(await signIn(service, name), 'email_not_verified');
    sit(person.email);
    for (const one of [name, other.name, await addProvider(service, server)]) {
      expectFailure(await signIn(service, one), 'email_not_verified');
    }
  });

  it('leaves no way in for the provider, nor by a passkey, once its owner has reset the password', async () => {
    const { name, person, device } = await squat();
    const { email } = person;
    expectStatus(await service.call('POST', '/auth/password/forgot', { body: { email } }), 202);
    const [mail] = await pollUntil(
      async () => (await mailsTo(service, email)).filter(({ type }) => type === 'reset_password'),
      (mails) => mails.length === 1,
    );
    const body = { token: tokenIn(mail?.text ?? ''), new_password: 'Another-horse-8' };
    expectStatus(await service.call('POST', '/auth/password/reset', { body }), 204);
    server.setPerson(person);
    expectFailure(await signIn(service, name), 'email_not_verified');
    expectStatus(await logInByPasskey(service, device), 401);
  });
});

describe('an open invitation', () => {
  it('gives its role to who joins through the provider instead, and is used up', async () => {
    const { admin, name } = await prepare();
    const customer = await signUpCustomer(service);
    const [verification] = await mailsTo(service, customer.email);
    const body = { token: tokenIn(verification.text) };
    expectStatus(await service.call('POST', '/auth/email/verify', { body }), 204);
    for (const email of [newEmail(), customer.email]) {
      const { id, token } = await invite(service, admin, { email, roleId: SYSTEM_ROLES['Support agent'].id });
      sit(email.toUpperCase());
      const isCustomer = email === customer.email;
      const answer = isCustomer ? await linkAccount(service, customer, name) : await signIn(service, name);
      const member = await sessionOf(service, answer);
      expect((await profileOf(member)).role.name).toBe('Support agent');
      const log = await service.call('GET', `/company/audit-log?target=${id}`, { token: admin.token });
      expect(log.body.data[0]).toMatchObject({ action: 'invitation.accepted', actor: { id: member.userId } });
      expectRefusal(await service.call('GET', `/auth/invitations/${token}`), 404, 'not_found');
    }
    expect((await service.call('GET', '/company/invitations', { token: admin.token })).body.total).toBe(0);
  });

  it('is not for an e-mail that the provider has not verified', async () => {
    const { admin, name } = await prepare();
    const { email } = await invite(service, admin, { roleId: SYSTEM_ROLES.Admin.id });
    server.setPerson({ sub: randomUUID(), email, email_verified: false });
    expectFailure(await signIn(service, name), 'email_not_verified');
    expect((await service.call('GET', '/company/invitations', { token: admin.token })).body.total).toBe(1);
  });
});

it('a company that demands its provider keeps a break-glass member when that one leaves', async () => {
  const { admin } = await prepare();
  await addMember(service, admin, 'Viewer');
  const heir = await addMember(service, admin, 'Admin');
  const { token } = heir;
  const demanded = await service.call('PUT', '/company/settings', { token: admin.token, body: { sign_in: 'sso' } });
  expect(expectStatus(demanded, 200).body.break_glass_member_id).toBe(admin.userId);
  expectStatus(await service.call('DELETE', `/company/members/${admin.userId}`, { token }), 204);
  expect((await service.call('GET', '/company/settings', { token })).body.break_glass_member_id).toBe(heir.userId);
  expectStatus(await logIn(service, { email: heir.email }), 200);
});

describe('a provider that changes during a sign-in', () => {
  // Security (Accounts and permissions): A provider gets no answer to what another issuer was asked
  it('gets no answer to what another issuer was asked', async () => {
    const { name } = await prepare();
    sit();
    const { location, cookie } = await begin(service, name);
    const path = await visit(location);
    const next = await startIdentityServer();
    expectStatus(await callOperator('PUT', name, { issuer: next.issuer, clientSecret: 'x' }), 200);
    expectFailure(await comeBack(service, path, cookie), 'sso_failed');
    expect([next.requests('/token'), next.requests('/.well-known/openid-configuration')]).toEqual([0, 0]);
    await next.stop();
  });

  // Security (Accounts and permissions): A provider that is deleted or given to another company during a sign-in signs nobody in
  it('signs nobody in to its former company, and nobody in once it is deleted', async () => {
    const { name } = await prepare();
    const other = await signUpAdmin(service);
    sit();
    server.tamper('/token', async (answer) => {
      expectStatus(await callOperator('PUT', name, { companyId: other.companyId }), 200);
      return answer;
    });
    expectFailure(await signIn(service, name), 'sso_failed');
    server.tamper('/token', async (answer) => {
      expectStatus(await callOperator('DELETE', name), 204);
      return answer;
    });
    const answer = await signIn(service, name);
    expectRefusal(answer, 404, 'not_found');
    expect(cookieOf(answer, '__Host-paydesk')).toBeNull();
  });
});
