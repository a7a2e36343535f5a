import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { beginLogin, createClock, finishLogin, registerPasskey } from '../../../test/customers/second-factors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { sentCookieOf } from '../../../test/identity/operator-sessions.ts';
import { acceptStaff, addStaff, inviteStaff } from '../../../test/identity/staff.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
});
afterAll(() => service?.stop());

const asFirst = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });
const listStaff = async () => expectStatus(await asFirst('GET', '/operator/staff?perPage=1000'), 200).body.data;
const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function expectForbidden(answer: ReturnType<typeof service.call>, code = 'forbidden') {
  expect(expectStatus(await answer, 403).body.error.code).toBe(code);
}

describe('an invitation to the staff', () => {
  it('is mailed, listed and shown to who has the link, and becomes an account of the same id', async () => {
    const email = newEmail();
    const invited = expectStatus(await asFirst('POST', '/operator/staff', { email, role: 'finance' }), 201).body;
    expect(invited).toEqual({
      id: expect.any(String),
      email,
      role: 'finance',
      status: 'invited',
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await listStaff())[0]).toEqual(invited);
    const [mail] = await mailsTo(service, email);
    expect(mail).toMatchObject({ type: 'invitation', companyId: null, subject: 'Paydesk invites you' });
    const shown = await service.call('GET', `/auth/invitations/${tokenIn(mail.text)}`);
    expect(expectStatus(shown, 200).body.data).toEqual({
      company: { name: '' },
      invited_by: { name: 'first' },
      email,
      staff: true,
      role: { name: 'Staff' },
      expires_at: expect.stringMatching(/Z$/),
    });

    const staff = await acceptStaff(service, email);
    expect(staff.userId).toBe(invited.id);
    expect((await listStaff())[0]).toMatchObject({ id: invited.id, email, role: 'finance', status: 'active' });
    const again = { token: tokenIn(mail.text), first_name: 'Ada', last_name: 'Lovelace', password: PASSWORD };
    const refused = await service.call('POST', '/auth/invitations/accept', { body: again });
    expect(expectStatus(refused, 400).body.error.code).toBe('invalid_token');
  });

  it('is refused for an address that has an account or an open invitation', async () => {
    const { email } = await signUpAdmin(service);
    const taken = await asFirst('POST', '/operator/staff', { email: email.toUpperCase(), role: 'viewer' });
    expect(expectStatus(taken, 409).body.error.code).toBe('email_taken');
    const invited = await inviteStaff(service);
    const twice = await asFirst('POST', '/operator/staff', { email: invited.email, role: 'admin' });
    expect(expectStatus(twice, 409).body.error.code).toBe('already_invited');
  });

  it('cannot be accepted with an account, nor once the address has got one', async () => {
    const { email } = await inviteStaff(service);
    const [mail] = await mailsTo(service, email);
    const token = tokenIn(mail.text);
    const stranger = await signUpAdmin(service);
    const joining = { token: stranger.token, body: { token } };
    await expectForbidden(service.call('POST', '/auth/invitations/accept', joining), 'wrong_account');
    const same = await signUpAdmin(service, email);
    const own = await service.call('POST', '/auth/invitations/accept', { token: same.token, body: { token } });
    expect(expectStatus(own, 409).body.error.code).toBe('email_taken');
    const body = { token, first_name: 'Ada', last_name: 'Lovelace', password: PASSWORD };
    const signUp = await service.call('POST', '/auth/invitations/accept', { body });
    expect(expectStatus(signUp, 409).body.error.code).toBe('email_taken');
  });

  it('is sent again with a new link and seven new days; the old link is dead', async () => {
    const invited = await inviteStaff(service);
    const { id, email } = invited;
    await service.database.owner`UPDATE staff_invitations SET expires_at = now() + interval '1 hour' WHERE id = ${id}`;
    expect(expectStatus(await asFirst('POST', `/operator/staff/${id}/resend`), 200).body).toEqual(invited);
    const [mail, before] = await mailsTo(service, email);
    expectStatus(await service.call('GET', `/auth/invitations/${tokenIn(before.text)}`), 404);
    const shown = expectStatus(await service.call('GET', `/auth/invitations/${tokenIn(mail.text)}`), 200);
    expect(Date.parse(shown.body.data.expires_at) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    const log = await asFirst('GET', `/operator/audit-log?target=${id}`);
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual(['staff.reinvited', 'staff.created']);
    const staff = await acceptStaff(service, email);
    expectStatus(await asFirst('POST', `/operator/staff/${staff.userId}/resend`), 404);
  });

  it('that is taken back or has expired does not work, and the address can be invited again', async () => {
    const expired = await inviteStaff(service);
    await service.database.owner`UPDATE staff_invitations SET expires_at = now() WHERE id = ${expired.id}`;
    const deleted = await inviteStaff(service);
    expectStatus(await asFirst('DELETE', `/operator/staff/${deleted.id}`), 204);
    for (const { id, email } of [expired, deleted]) {
      const [mail] = await mailsTo(service, email);
      expectStatus(await service.call('GET', `/auth/invitations/${tokenIn(mail.text)}`), 404);
      expectStatus(await asFirst('DELETE', `/operator/staff/${id}`), 404);
      expectStatus(await asFirst('POST', `/operator/staff/${id}/resend`), 404);
      await inviteStaff(service, { email });
    }
  });
});

describe('one of the staff', () => {
  // Security (HTTP, and what all share): Staff do nothing before they have a second factor, and reach no company's paths
  it('has a profile without a company, and can do nothing before there is a second factor', async () => {
    const { email } = await inviteStaff(service, { role: 'admin' });
    const { token } = await acceptStaff(service, email);
    const { data } = expectStatus(await service.call('GET', '/auth/me', { token }), 200).body;
    expect(data).toMatchObject({
      email,
      company: { id: '' },
      role: { name: 'Staff', category: 'SYSTEM ROLE' },
      staff_role: 'admin',
      email_verified: true,
      two_factor: false,
    });
    expect(JSON.stringify(data.role.permission)).not.toContain('true');
    for (const path of ['/operator/companies', '/labels', '/auth/sessions'])
      await expectForbidden(service.call('GET', path, { token }), 'second_factor_required');
  });

  it('accepts in the cookie of the console, sets up a passkey in that session, and goes on in it', async () => {
    const { email } = await inviteStaff(service, { role: 'finance' });
    const [mail] = await mailsTo(service, email);
    expect(mail.text).toContain(`${service.config.publicUrl}/app/invitation#token=`);
    const body = { token: tokenIn(mail.text), first_name: 'Grace', last_name: 'Hopper', password: PASSWORD };
    const accepted = await service.call('POST', '/auth/invitations/accept?session=console', { body });
    const { user, access_token: token } = expectStatus(accepted, 201).body.data;
    expect(user).toMatchObject({ staff_role: 'finance', two_factor: false });
    const origin = service.config.publicUrl;
    const refresh = (cookie: string) =>
      service.call('POST', '/auth/refresh?session=console', { headers: { cookie, origin } });
    await expectForbidden(service.call('GET', '/operator/companies', { token }), 'second_factor_required');
    const refreshed = expectStatus(await refresh(sentCookieOf(accepted)), 200);
    const { access_token: next } = refreshed.body.data;
    expectStatus(await service.call('GET', '/auth/me', { token: next }), 200);
    await registerPasskey(service, { token: next, refreshToken: '', userId: user.id, companyId: '', email });
    expectStatus(await service.call('GET', '/operator/companies', { token: next }), 200);
    const { data } = expectStatus(await refresh(sentCookieOf(refreshed)), 200).body;
    expect(data.user).toMatchObject({ staff_role: 'finance', two_factor: true });
  });

  it('works under /operator as the role allows, on no path of a company, and with a second factor at each login', async () => {
    const staff = await addStaff(service, clock, 'viewer');
    const { email, app, token } = staff;
    expectStatus(await service.call('GET', '/operator/companies', { token }), 200);
    await expectForbidden(service.call('GET', '/operator/keys', { token }));
    await expectForbidden(service.call('POST', '/operator/invoices', { token, body: {} }));
    await expectForbidden(service.call('GET', '/labels', { token }));
    await expectForbidden(service.call('GET', '/company', { token }));

    const { token: step } = await beginLogin(service, { email });
    const login = await finishLogin(service, step, { code: app.code() });
    clock.goOn(1);
    const { access_token: next, user } = expectStatus(login, 200).body.data;
    expect(user).toMatchObject({ role: { name: 'Staff' }, staff_role: 'viewer', two_factor: true });
    expectStatus(await service.call('GET', '/operator/companies', { token: next }), 200);
    const removal = { password: PASSWORD, code: app.code() };
    const kept = await service.call('DELETE', '/auth/totp', { token: next, body: removal });
    expect(expectStatus(kept, 409).body.error.code).toBe('second_factor_required');
  });

  it('gets another role from the answer on', async () => {
    const { token, userId } = await addStaff(service, clock, 'viewer');
    const seller = { name: 'Northwind Interfaces Ltd' };
    await expectForbidden(service.call('PUT', '/operator/seller', { token, body: seller }));
    const changed = expectStatus(await asFirst('PUT', `/operator/staff/${userId}`, { role: 'finance' }), 200).body;
    expect(changed).toMatchObject({ id: userId, role: 'finance', status: 'active' });
    expectStatus(await service.call('PUT', '/operator/seller', { token, body: seller }), 200);
    expectStatus(await asFirst('PUT', `/operator/staff/${userId}`, { role: 'viewer' }), 200);
    await expectForbidden(service.call('PUT', '/operator/seller', { token, body: seller }));
  });

  it('who is removed is refused from the answer on, cannot log in, and leaves the address free', async () => {
    const { token, refreshToken, userId, email } = await addStaff(service, clock, 'admin');
    expectStatus(await service.call('GET', '/operator/keys', { token }), 200);
    expectStatus(await asFirst('DELETE', `/operator/staff/${userId}`), 204);
    expectStatus(await service.call('GET', '/operator/keys', { token }), 401);
    const refresh = { body: { refresh_token: refreshToken } };
    expectStatus(await service.call('POST', '/auth/refresh', refresh), 401);
    expectStatus(await service.call('POST', '/auth/local', { body: { email, password: PASSWORD } }), 401);
    expect((await listStaff()).map((one: Actor & { id: string }) => one.id)).not.toContain(userId);
    await inviteStaff(service, { email });
  });

  it('is named in the audit log, which says who was invited, accepted, got another role and was removed', async () => {
    const admin = await addStaff(service, clock, 'admin');
    const as = (method: string, path: string, body?: object) =>
      service.call(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) });
    const email = newEmail();
    const { id } = expectStatus(await as('POST', '/operator/staff', { email, role: 'viewer' }), 201).body;
    await acceptStaff(service, email);
    expectStatus(await as('PUT', `/operator/staff/${id}`, { role: 'finance' }), 200);
    expectStatus(await as('DELETE', `/operator/staff/${id}`), 204);
    const { data } = expectStatus(await asFirst('GET', `/operator/audit-log?target=${id}`), 200).body;
    const actor = { kind: 'staff', id: admin.userId, name: 'Grace Hopper' };
    const target = { kind: 'staff', id, name: email };
    const byAdmin = data.filter(({ action }: { action: string }) => action.startsWith('staff.'));
    expect(byAdmin).toMatchObject([
      { action: 'staff.deleted', companyId: null, actor, target, changes: { before: { email, role: 'finance' } } },
      { action: 'staff.updated', actor, target, changes: { before: { role: 'viewer' }, after: { role: 'finance' } } },
      { action: 'staff.created', actor, target, changes: { after: { email, role: 'viewer' } } },
    ]);
    expect(data).toContainEqual(
      expect.objectContaining({
        action: 'invitation.accepted',
        actor: expect.objectContaining({ kind: 'staff', id }),
        target: { kind: 'invitation', id, name: email },
      }),
    );
  });
});
