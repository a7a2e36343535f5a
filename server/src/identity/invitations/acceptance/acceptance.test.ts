import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { logIn, newEmail } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { addMember, createRole, invite, only } from '../../../../test/identity/roles.ts';
import { mailsTo, tokenIn } from '../../../../test/mail/mails.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const PATH = '/auth/invitations/accept';
const NAMES = { first_name: 'Grace', last_name: 'Hopper', password: PASSWORD };
const signUp = (token: string, changes: object = {}) =>
  service.call('POST', PATH, { body: { token, ...NAMES, ...changes } });
const join = (customer: { token: string }, token: string, query = '') =>
  service.call('POST', `${PATH}${query}`, { token: customer.token, body: { token } });
const entriesOf = async (target: string) =>
  (await service.call('GET', `/company/audit-log?target=${target}`, { token: admin.token })).body.data;

describe('who has no account', () => {
  it('signs up by it as a member with a verified e-mail, and gets no other mail', async () => {
    const role = await createRole(service, admin, {
      permission: only('application.labels', { all: true, view: true }),
    });
    const { id, email, token } = await invite(service, admin, { roleId: role.id });
    const { data } = expectStatus(await signUp(token), 201).body;
    expect(data.user).toMatchObject({
      first_name: 'Grace',
      last_name: 'Hopper',
      email,
      email_verified: true,
      company: { id: admin.companyId },
      role,
    });
    expectStatus(await service.call('GET', '/labels', { token: data.access_token }), 200);
    expectStatus(await logIn(service, { email }), 200);
    expect(await mailsTo(service, email)).toHaveLength(1);
    const name = 'Grace Hopper';
    expect(await entriesOf(id)).toMatchObject([
      { action: 'invitation.accepted', actor: { kind: 'user', id: data.user.id, name } },
      { action: 'invitation.created' },
    ]);
    expect((await entriesOf(data.user.id)).at(-1)).toMatchObject({
      action: 'user.signed_up',
      changes: { after: { email, role: role.name } },
    });
    expectRefusal(await signUp(token), 400, 'invalid_token');
  });

  it('gets the refresh token in a cookie with ?session=cookie', async () => {
    const { token } = await invite(service, admin);
    const answer = await service.call('POST', `${PATH}?session=cookie`, { body: { token, ...NAMES } });
    expect(expectStatus(answer, 201).body.data).not.toHaveProperty('refresh_token');
    expect(answer.headers.get('set-cookie')).toContain('__Host-paydesk=');
  });

  it('names what a sign-up needs: 400 on each field that is missing', async () => {
    const { token } = await invite(service, admin);
    const answer = await service.call('POST', PATH, { body: { token } });
    expectRefusal(answer, 400, 'invalid_request');
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['first_name', 'last_name', 'password']);
    const common = await signUp(token, { password: 'Password-123' });
    expectRefusal(common, 400, 'invalid_request');
    expect(common.body.error.details).toMatchObject([{ field: 'password' }]);
    expectStatus(await signUp(token), 201);
  });

  it('signs up one of twenty simultaneous requests', async () => {
    const { token, email } = await invite(service, admin);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect([`${status} ${body.error.code}`]).toEqual([
        expect.stringMatching(/^(400 invalid_token|409 email_taken)$/),
      ]);
    const members = await service.database.owner`SELECT company_id AS id FROM users WHERE email = ${email}`;
    expect(members.map(({ id }) => id)).toEqual([admin.companyId]);
  });
});

describe('who has an account', () => {
  it('does not sign up by it: 409 email_taken, and the invitation stays open', async () => {
    const customer = await signUpCustomer(service);
    const { token } = await invite(service, admin, { email: customer.email.toUpperCase() });
    expectRefusal(await signUp(token), 409, 'email_taken');
    expectStatus(await join(customer, token), 200);
  });

  it('joins with an access token; all sessions of the account have the permissions at once', async () => {
    const customer = await signUpCustomer(service);
    const { id, token } = await invite(service, admin, { email: customer.email });
    expectRefusal(await service.call('GET', '/payments/cards', { token: customer.token }), 403, 'forbidden');
    const { data } = expectStatus(await join(customer, token), 200).body;
    expect(data.user).toMatchObject({
      id: customer.userId,
      email_verified: true,
      company: { id: admin.companyId },
      role: { name: 'Viewer' },
    });
    for (const one of [customer.token, data.access_token])
      expectStatus(await service.call('GET', '/payments/cards', { token: one }), 200);
    expectStatus(await service.call('POST', '/auth/refresh', { body: { refresh_token: data.refresh_token } }), 200);
    expect((await entriesOf(id))[0]).toMatchObject({
      action: 'invitation.accepted',
      changes: { before: {}, after: { user_id: customer.userId, role: 'Viewer' } },
    });
    expectRefusal(await join(customer, token), 400, 'invalid_token');
  });

  it('joins with the token of its own address only: 403 wrong_account', async () => {
    const [customer, stranger] = [await signUpCustomer(service), await signUpCustomer(service)];
    const { token } = await invite(service, admin, { email: customer.email });
    expectRefusal(await join(stranger, token), 403, 'wrong_account');
    expectRefusal(await join(await signUpAdmin(service), token), 403, 'wrong_account');
    expectStatus(await join(customer, token), 200);
  });

  it('joins no second company: 409 has_company', async () => {
    const member = await addMember(service, await signUpAdmin(service), 'Viewer');
    const { token } = await invite(service, admin, { email: member.email });
    expectRefusal(await join(member, token), 409, 'has_company');
    expectStatus(await service.call('DELETE', `/company/members/${member.userId}`, { token: member.token }), 204);
    const { access_token } = expectStatus(await logIn(service, member), 200).body.data;
    expectStatus(await join({ token: access_token }, token), 200);
  });

  it('joins one of two companies that it is invited to at once', async () => {
    const [customer, other] = [await signUpCustomer(service), await signUpAdmin(service)];
    const invitations = [
      await invite(service, admin, { email: customer.email }),
      await invite(service, other, { email: customer.email }),
    ];
    const answers = await Promise.all(invitations.map(({ token }) => join(customer, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('needs a token that is good: 401, and 403 for an operator key', async () => {
    const customer = await signUpCustomer(service);
    const { token } = await invite(service, admin, { email: customer.email });
    expectRefusal(await join({ token: 'x' }, token), 401, 'unauthenticated');
    expectRefusal(await join({ token: service.operatorKey }, token), 403, 'forbidden');
    expectStatus(await join(customer, token, '?session=console'), 200);
  });
});

it('a token for another purpose does not accept an invitation, and the token of an invitation serves no other purpose', async () => {
  const customer = await signUpCustomer(service);
  const [verification] = await mailsTo(service, customer.email);
  for (const token of [tokenIn(verification.text), customer.token]) {
    expectRefusal(await join(customer, token), 400, 'invalid_token');
  }
  const { token } = await invite(service, admin, { email: newEmail() });
  expectRefusal(await service.call('POST', '/auth/email/verify', { body: { token } }), 400, 'invalid_token');
});
