import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { newEmail } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createApiKey } from '../../../../test/identity/api-keys.ts';
import {
  addProvider,
  type IdentityServer,
  sessionOf,
  signIn,
  startIdentityServer,
} from '../../../../test/identity/identity-server.ts';
import { addMember, createRole, invite, only } from '../../../../test/identity/roles.ts';
import { mailsTo } from '../../../../test/mail/mails.ts';
import { SYSTEM_ROLES, type SystemRoleName } from '../../../platform/permissions.ts';

let service: TestService;
let server: IdentityServer;
let admin: Actor;
let inviter: Actor;
beforeAll(async () => {
  [service, server] = await Promise.all([startTestService(), startIdentityServer()]);
});
afterAll(() => Promise.all([service?.stop(), server?.stop()]));
beforeEach(async () => {
  admin = await signUpAdmin(service);
  inviter = await addMember(service, admin, 'Admin');
});

const NAMES = { first_name: 'Grace', last_name: 'Hopper', password: PASSWORD };
const idOf = (role: SystemRoleName) => SYSTEM_ROLES[role].id;
const asAdmin = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: admin.token, ...(body && { body }) });
const give = async (roleId: string) =>
  expectStatus(await asAdmin('PUT', `/company/members/${inviter.userId}`, { role_id: roleId }), 200);
const signUp = (token: string) => service.call('POST', '/auth/invitations/accept', { body: { token, ...NAMES } });
const join = (customer: Actor, token: string) =>
  service.call('POST', '/auth/invitations/accept', { token: customer.token, body: { token } });
const isMember = async (email: string) => {
  const rows = await service.database.owner`
    SELECT 1 FROM users WHERE email = ${email} AND company_id = ${admin.companyId}`;
  return rows.length === 1;
};

describe('an invitation whose inviter was made Viewer', () => {
  // Security (Accounts and permissions): An invitation gives at most what whoever sent it may give at that moment
  it.each(['Admin', 'Billing manager', 'Viewer'] as const)(
    'to become %s is refused: 403 permission_not_held',
    async (role) => {
      const customer = await signUpCustomer(service);
      const invitations = [
        await invite(service, inviter, { roleId: idOf(role) }),
        await invite(service, inviter, { email: customer.email, roleId: idOf(role) }),
      ];
      await give(idOf('Viewer'));
      const [mine, theirs] = invitations;
      expectRefusal(await signUp(mine?.token), 403, 'permission_not_held');
      expectRefusal(await join(customer, theirs?.token), 403, 'permission_not_held');
      expect([await isMember(mine?.email), await isMember(customer.email)]).toEqual([false, false]);
    },
  );

  it('stays open: it works once the inviter is an admin again', async () => {
    const { token, email } = await invite(service, inviter, { roleId: idOf('Admin') });
    await give(idOf('Viewer'));
    expectRefusal(await signUp(token), 403, 'permission_not_held');
    await give(idOf('Admin'));
    expectStatus(await signUp(token), 201);
    expect(await isMember(email)).toBe(true);
  });

  it('is not sent again by anybody: an admin deletes it and invites anew', async () => {
    const { id, email } = await invite(service, inviter, { roleId: idOf('Admin') });
    await give(idOf('Viewer'));
    const resent = await asAdmin('POST', `/company/invitations/${id}/resend`);
    expectRefusal(resent, 403, 'permission_not_held');
    expect(await mailsTo(service, email)).toHaveLength(1);
    expectStatus(await asAdmin('DELETE', `/company/invitations/${id}`), 204);
    const { token } = await invite(service, admin, { email, roleId: idOf('Admin') });
    expect(expectStatus(await signUp(token), 201).body.data.user.role.name).toBe('Admin');
  });

  it('gives nobody its role by single sign-on, who gets that of the provider', async () => {
    const name = await addProvider(service, server, { companyId: admin.companyId, emailDomains: ['example.com'] });
    const email = newEmail();
    await invite(service, inviter, { email, roleId: idOf('Admin') });
    await give(idOf('Viewer'));
    server.setPerson({ sub: randomUUID(), email, email_verified: true });
    const member = await sessionOf(service, await signIn(service, name));
    const { data } = expectStatus(await service.call('GET', '/auth/me', { token: member.token }), 200).body;
    expect([data.company.id, data.role.name]).toEqual([admin.companyId, 'Viewer']);
  });
});

const all = { all: true, view: true };

describe('what the inviter holds now', () => {
  it('counts for each permission of the role, as it is now', async () => {
    const permission = only('platform.admins', all);
    const role = await createRole(service, admin, { permission });
    const { token } = await invite(service, inviter, { roleId: role.id });
    await give(role.id);
    const wider = { ...permission, platform: { ...permission.platform, billing: all } };
    expectStatus(await asAdmin('PUT', `/company/roles/${role.id}`, { permission: wider }), 200);
    const narrow = await createRole(service, admin, { permission });
    await give(narrow.id);
    expectRefusal(await signUp(token), 403, 'permission_not_held');
    expectStatus(await asAdmin('PUT', `/company/roles/${narrow.id}`, { permission: wider }), 200);
    expectStatus(await signUp(token), 201);
  });

  it('has to include inviting', async () => {
    const role = await createRole(service, admin, { permission: only('application.labels', all) });
    const { token } = await invite(service, inviter, { roleId: role.id });
    await give(role.id);
    expectRefusal(await signUp(token), 403, 'permission_not_held');
  });
});

describe('an invitation that an API key has sent', () => {
  const expire = (keyId: string) => service.database.owner`
    UPDATE api_keys SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day' WHERE id = ${keyId}`;

  // Security (Accounts and permissions): An invitation that an API key has sent works as long as the key does
  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['was deleted', async (keyId) => expectStatus(await asAdmin('DELETE', `/company/api-keys/${keyId}`), 204)],
    ['has expired', expire],
  ])('is refused once the key %s, and not sent again: 403 permission_not_held', async (_what, end) => {
    const key = await createApiKey(service, admin);
    const { id, token } = await invite(service, { ...admin, token: key.key }, { roleId: idOf('Admin') });
    await end(key.id);
    expectRefusal(await signUp(token), 403, 'permission_not_held');
    expectRefusal(await asAdmin('POST', `/company/invitations/${id}/resend`), 403, 'permission_not_held');
  });

  it('works while the key does', async () => {
    const { key } = await createApiKey(service, admin, { expires_at: '2099-12-31T00:00:00Z' });
    const { token } = await invite(service, { ...admin, token: key }, { roleId: idOf('Admin') });
    expect(expectStatus(await signUp(token), 201).body.data.user.role.name).toBe('Admin');
  });

  it('gives no more than the key by a role that was widened since', async () => {
    const permission = only('platform.admins', all);
    const role = await createRole(service, admin, { permission });
    const { key } = await createApiKey(service, admin, { permission });
    const { token } = await invite(service, { ...admin, token: key }, { roleId: role.id });
    const wider = { ...permission, platform: { ...permission.platform, billing: all } };
    expectStatus(await asAdmin('PUT', `/company/roles/${role.id}`, { permission: wider }), 200);
    expectRefusal(await signUp(token), 403, 'permission_not_held');
  });
});
