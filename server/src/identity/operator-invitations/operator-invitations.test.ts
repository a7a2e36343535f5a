import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { createClock } from '../../../test/customers/second-factors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { addMember, createRole, invite as inviteAsMember } from '../../../test/identity/roles.ts';
import { addStaff } from '../../../test/identity/staff.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { ensureOperatorKey } from '../operators/operators.service.ts';

const clock = createClock();
let service: TestService;
let key: { id: string; key: string };
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
  expectStatus(await as(service.operatorKey, 'PUT', '/operator/seller', { name: 'Northwind' }), 200);
  key = await createKey(service, { name: 'Our backend', role: 'integration' });
});
afterAll(() => service?.stop());

const NAMES = { first_name: 'Grace', last_name: 'Hopper', password: PASSWORD };
const as = (token: string, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const signUp = (token: string) => service.call('POST', '/auth/invitations/accept', { body: { token, ...NAMES } });
const join = ({ token }: { token: string }, link: string) =>
  service.call('POST', '/auth/invitations/accept', { token, body: { token: link } });
const invitationsOf = (companyId: string) => `/operator/companies/${companyId}/invitations`;
const linkTo = async (email: string) => tokenIn((await mailsTo(service, email))[0].text);

/** A company without members, as a product creates it. */
async function createCompany(changes: object = {}): Promise<{ id: string; externalId: string }> {
  const body = { name: 'Acme Robotics', externalId: randomUUID(), ...changes };
  return expectStatus(await as(key.key, 'POST', '/operator/companies', body), 201).body;
}

async function invite(companyId: string, changes: object = {}, token = key.key) {
  const email = newEmail();
  const invitation = expectStatus(await as(token, 'POST', invitationsOf(companyId), { email, ...changes }), 201).body;
  return { ...invitation, token: await linkTo(invitation.email) };
}

describe('an invitation that the operator sends', () => {
  it('is a mail of the seller with one link, and makes its recipient an Admin of a company without members', async () => {
    const company = await createCompany();
    const path = invitationsOf(`external:${company.externalId}`);
    const email = newEmail();
    const invitation = expectStatus(await as(key.key, 'POST', path, { email }), 201).body;
    expect(invitation).toEqual({
      id: expect.any(String),
      companyId: company.id,
      companyExternalId: company.externalId,
      email,
      role: { id: expect.any(String), name: 'Admin' },
      invitedBy: { id: key.id, name: 'Our backend' },
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect((await as(key.key, 'GET', path)).body).toEqual({ total: 1, page: 1, perPage: 10, data: [invitation] });
    const [mail] = await mailsTo(service, email);
    expect(mail).toMatchObject({ companyId: company.id, subject: 'Northwind invites you to join Acme Robotics' });
    expect(mail.text).toContain('Northwind invites you to join Acme Robotics in the role Admin.');
    expect(mail.text).not.toContain('Our backend');
    const link = tokenIn(mail.text);
    const shown = expectStatus(await service.call('GET', `/auth/invitations/${link}`), 200).body.data;
    expect(shown).toMatchObject({ company: { name: 'Acme Robotics' }, invited_by: { name: 'Northwind' }, email });

    const { user, access_token: token } = expectStatus(await signUp(link), 201).body.data;
    expect(user).toMatchObject({ email, email_verified: true, company: { id: company.id }, role: { name: 'Admin' } });
    expect((await as(token, 'GET', '/company/members')).body).toMatchObject({ total: 1, data: [{ id: user.id }] });
    expect((await as(key.key, 'GET', path)).body.total).toBe(0);
    expect((await as(key.key, 'GET', `/operator/companies/${company.id}`)).body.members).toBe(1);
    expectRefusal(await signUp(link), 400, 'invalid_token');
  });

  it('lets a person join who has an account without a company', async () => {
    const company = await createCompany();
    const customer = await signUpCustomer(service);
    const { token } = await invite(company.id, { email: customer.email.toUpperCase() });
    const { user } = expectStatus(await join(customer, token), 200).body.data;
    expect(user).toMatchObject({ id: customer.userId, company: { id: company.id }, role: { name: 'Admin' } });
    const other = await signUpAdmin(service);
    const second = await invite(company.id, { email: other.email });
    expectRefusal(await join(other, second.token), 409, 'has_company');
  });

  it('gives a role of the system or of the company by its name, without case', async () => {
    const admin = await signUpAdmin(service);
    const { name } = await createRole(service, admin);
    for (const role of ['billing MANAGER', name.toUpperCase()]) {
      const { token, role: given } = await invite(admin.companyId, { role });
      const { user } = expectStatus(await signUp(token), 201).body.data;
      expect(user.role.id).toBe(given.id);
      expect(given.name.toLowerCase()).toBe(role.toLowerCase());
    }
    for (const role of ['Customer', 'Staff', 'Nothing', name, randomUUID()]) {
      const refused = await as(key.key, 'POST', invitationsOf((await createCompany()).id), { email: newEmail(), role });
      expectRefusal(refused, 400, 'invalid_request');
      expect(refused.body.error.details).toMatchObject([{ field: 'role' }]);
    }
  });

  it('is refused to members and to who is invited; of an unknown company it is 404', async () => {
    const admin = await signUpAdmin(service);
    const path = invitationsOf(admin.companyId);
    expectRefusal(await as(key.key, 'POST', path, { email: admin.email }), 409, 'already_member');
    const { email } = await inviteAsMember(service, admin);
    expectRefusal(await as(key.key, 'POST', path, { email: email.toUpperCase() }), 409, 'already_invited');
    for (const unknown of [randomUUID(), 'external:nobody', 'nobody']) {
      expectRefusal(await as(key.key, 'POST', invitationsOf(unknown), { email: newEmail() }), 404, 'not_found');
      expectRefusal(await as(key.key, 'GET', invitationsOf(unknown)), 404, 'not_found');
    }
  });

  it('is sent again at most five times an hour, and deleted, under its own company alone', async () => {
    const [company, other] = [await createCompany(), await createCompany()];
    const { id, email, token } = await invite(company.id);
    const path = `${invitationsOf(company.id)}/${id}`;
    for (const method of ['POST', 'DELETE']) {
      const elsewhere = `${invitationsOf(other.id)}/${id}${method === 'POST' ? '/resend' : ''}`;
      expectRefusal(await as(key.key, method, elsewhere), 404, 'not_found');
    }
    for (let mails = 2; mails <= 5; mails += 1) expectStatus(await as(key.key, 'POST', `${path}/resend`), 200);
    expectRefusal(await as(key.key, 'POST', `${path}/resend`), 429, 'rate_limited');
    expectRefusal(await signUp(token), 400, 'invalid_token');
    const link = await linkTo(email);
    expectStatus(await as(key.key, 'DELETE', path), 204);
    expectRefusal(await signUp(link), 400, 'invalid_token');
    expectRefusal(await as(key.key, 'DELETE', path), 404, 'not_found');
  });

  it('leaves its entries in the logs of the company and of the operator, with the key or the person as the actor', async () => {
    const admin = await signUpAdmin(service);
    const staff = await addStaff(service, clock, 'admin');
    const { id, email, token } = await invite(admin.companyId);
    expectStatus(await as(staff.token, 'POST', `${invitationsOf(admin.companyId)}/${id}/resend`), 200);
    expectStatus(await as(key.key, 'DELETE', `${invitationsOf(admin.companyId)}/${id}`), 204);
    const byKey = { kind: 'operator_key', id: key.id, name: 'Our backend' };
    for (const [caller, path] of [
      [admin.token, `/company/audit-log?target=${id}`],
      [service.operatorKey, `/operator/audit-log?target=${id}&companyId=${admin.companyId}`],
    ] as const) {
      const { data } = expectStatus(await as(caller, 'GET', path), 200).body;
      expect(data).toMatchObject([
        { action: 'invitation.deleted', actor: byKey, target: { kind: 'invitation', id, name: email } },
        { action: 'invitation.resent', actor: { kind: 'staff', id: staff.userId } },
        { action: 'invitation.created', actor: byKey, changes: { after: { email, role: { name: 'Admin' } } } },
      ]);
      expect(JSON.stringify(data)).not.toContain(token);
    }
  });

  it('is on the list of the company, which sends it again and deletes it; that of staff has their name', async () => {
    const admin = await signUpAdmin(service);
    const staff = await addStaff(service, clock, 'admin');
    const ofKey = await invite(admin.companyId);
    const ofStaff = await invite(admin.companyId, {}, staff.token);
    const { data } = expectStatus(await as(admin.token, 'GET', '/company/invitations'), 200).body;
    expect(data).toMatchObject([
      { id: ofStaff.id, role: { name: 'Admin' }, invited_by: { id: staff.userId, name: 'Grace Hopper' } },
      { id: ofKey.id, role: { name: 'Admin' }, invited_by: { id: key.id, name: 'Northwind' } },
    ]);
    expect((await mailsTo(service, ofStaff.email))[0].subject).toMatch(/^Grace Hopper invites you/);
    const resent = await as(admin.token, 'POST', `/company/invitations/${ofKey.id}/resend`);
    expect(expectStatus(resent, 200).body.invited_by).toEqual({ id: key.id, name: 'Northwind' });
    expectStatus(await as(admin.token, 'DELETE', `/company/invitations/${ofStaff.id}`), 204);
    expectStatus(await signUp(await linkTo(ofKey.email)), 201);
    const mine = await inviteAsMember(service, admin);
    const listed = await as(key.key, 'GET', invitationsOf(admin.companyId));
    expect(listed.body.data).toMatchObject([{ id: mine.id, invitedBy: { id: admin.userId, name: 'Ada Lovelace' } }]);
  });
});

describe('an invitation of the operator ends', () => {
  const asFirst = (method: string, path: string, body?: object) => as(service.operatorKey, method, path, body);

  async function expectRefused(companyId: string, { id, token }: { id: string; token: string }) {
    expectRefusal(await signUp(token), 403, 'permission_not_held');
    expectRefusal(await asFirst('POST', `${invitationsOf(companyId)}/${id}/resend`), 403, 'permission_not_held');
    expectStatus(await asFirst('DELETE', `${invitationsOf(companyId)}/${id}`), 204);
  }

  // Security (Accounts and permissions): An invitation to a company works as long as the operator key or the person who sent it may invite
  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['is deleted', async (keyId) => expectStatus(await asFirst('DELETE', `/operator/keys/${keyId}`), 204)],
    [
      'expires',
      async (keyId) => service.database.owner`UPDATE operator_keys SET expires_at = now() WHERE id = ${keyId}`,
    ],
  ])('with the key that has sent it, once that %s', async (_what, end) => {
    const { id } = await createCompany();
    const sender = await createKey(service, { role: 'integration', expiresAt: '2099-01-01T00:00:00Z' });
    const invited = await invite(id, {}, sender.key);
    await end(sender.id);
    await expectRefused(id, invited);
  });

  it('with the role of the person who has sent it', async () => {
    const { id } = await createCompany();
    const staff = await addStaff(service, clock, 'admin');
    const [first, second] = [await invite(id, {}, staff.token), await invite(id, {}, staff.token)];
    expectStatus(await asFirst('PUT', `/operator/staff/${staff.userId}`, { role: 'finance' }), 200);
    await expectRefused(id, first);
    expectStatus(await asFirst('DELETE', `/operator/staff/${staff.userId}`), 204);
    await expectRefused(id, second);
  });

  it('with the first key, once that is replaced', async () => {
    const { id } = await createCompany();
    const invited = await invite(id, {}, service.operatorKey);
    // What a restart with another OPERATOR_KEY does.
    service.operatorKey = `opk_${randomUUID().replaceAll('-', '')}`;
    await ensureOperatorKey(service.database.db, '', service.operatorKey);
    await expectRefused(id, invited);
  });

  it('not with a member who leaves the company', async () => {
    const admin = await signUpAdmin(service);
    const second = await addMember(service, admin, 'Admin');
    const { token } = await invite(admin.companyId);
    expectStatus(await as(admin.token, 'DELETE', `/company/members/${second.userId}`), 204);
    expectStatus(await signUp(token), 201);
  });
});
