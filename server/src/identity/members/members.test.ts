import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { logIn } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember, createRole, only } from '../../../test/identity/roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const ALL = { all: true, view: true };

const call = ({ token }: Actor, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const pathOf = ({ userId }: Actor) => `/company/members/${userId}`;
const giveRole = (caller: Actor, member: Actor, roleId: string) =>
  call(caller, 'PUT', pathOf(member), { role_id: roleId });

describe('the list of members', () => {
  it('shows each with the role, newest first, on pages', async () => {
    const viewer = await addMember(service, admin, 'Viewer');
    const custom = await addMember(service, admin, only('platform.billing', ALL));
    const { body } = expectStatus(await call(admin, 'GET', '/company/members'), 200);
    expect(body).toMatchObject({ total: 3, page: 1, per_page: 10 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([custom.userId, viewer.userId, admin.userId]);
    expect(body.data[1]).toEqual({
      id: viewer.userId,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: viewer.email,
      role: { id: SYSTEM_ROLES.Viewer.id, name: 'Viewer' },
      email_verified: false,
      two_factor: false,
      created_at: expect.stringMatching(/Z$/),
    });
    const second = (await call(admin, 'GET', '/company/members?per_page=2&page=2')).body;
    expect([second.total, second.data]).toEqual([3, [body.data[2]]]);
  });

  it('has nobody of another company, and no customers', async () => {
    await Promise.all([signUpAdmin(service), signUpCustomer(service)]);
    expect((await call(admin, 'GET', '/company/members')).body.total).toBe(1);
  });
});

describe('another role', () => {
  it('holds at once, and stands in the audit log', async () => {
    const member = await addMember(service, admin, 'Viewer');
    expectStatus(await call(member, 'GET', '/payments/cards'), 200);
    const { id, name } = await createRole(service, admin, { permission: only('application.labels', ALL) });
    const answer = expectStatus(await giveRole(admin, member, id), 200).body;
    expect(answer).toMatchObject({ id: member.userId, role: { id, name } });
    expectRefusal(await call(member, 'GET', '/payments/cards'), 403, 'forbidden');
    expectStatus(await call(member, 'GET', '/labels'), 200);
    const { data } = (await call(admin, 'GET', '/company/audit-log?action=member.updated')).body;
    expect(data).toMatchObject([
      {
        target: { kind: 'member', id: member.userId, name: member.email },
        changes: { before: { role: { name: 'Viewer' } }, after: { role: { id, name } } },
      },
    ]);
  });

  it.each([
    ['Customer', async () => SYSTEM_ROLES.Customer.id],
    ['an unknown one', async () => randomUUID()],
    ['no id', async () => 'Viewer'],
    ['another company’s', async () => (await createRole(service, await signUpAdmin(service))).id],
  ])('is refused when it is %s: 400 on role_id', async (_what, makeId) => {
    const member = await addMember(service, admin, 'Viewer');
    const answer = await giveRole(admin, member, await makeId());
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ field: 'role_id' }]);
  });

  it('can be given or taken only by a member who has all of its permissions: else 403 permission_not_held', async () => {
    const manager = await addMember(service, admin, only('platform.admins', ALL));
    const [viewer, equal] = [
      await addMember(service, admin, 'Viewer'),
      await addMember(service, admin, only('platform.admins', ALL)),
    ];
    const { id: own } = await createRole(service, admin, { permission: only('platform.admins', ALL) });
    for (const refused of [
      await giveRole(manager, viewer, own),
      await giveRole(manager, equal, SYSTEM_ROLES.Viewer.id),
      await giveRole(manager, manager, SYSTEM_ROLES.Admin.id),
      await giveRole(manager, admin, own),
      await call(manager, 'DELETE', pathOf(admin)),
      await call(manager, 'DELETE', pathOf(viewer)),
    ]) {
      expectRefusal(refused, 403, 'permission_not_held');
    }
    expectStatus(await giveRole(manager, equal, own), 200);
    expectStatus(await call(manager, 'DELETE', pathOf(equal)), 204);
  });
});

describe('a member who is removed', () => {
  it('is a customer from then on; the sessions end at once', async () => {
    const member = await addMember(service, admin, 'Viewer');
    const { access_token: other } = expectStatus(await logIn(service, member), 200).body.data;
    for (const token of [member.token, other])
      expectStatus(await service.call('GET', '/payments/cards', { token }), 200);
    expectStatus(await call(admin, 'DELETE', pathOf(member)), 204);
    for (const token of [member.token, other])
      expectRefusal(await service.call('GET', '/payments/cards', { token }), 401, 'unauthenticated');
    const body = { refresh_token: member.refreshToken };
    expectRefusal(await service.call('POST', '/auth/refresh', { body }), 401, 'session_revoked');
    expectRefusal(await call(admin, 'DELETE', pathOf(member)), 404, 'not_found');
    const { user, access_token: token } = expectStatus(await logIn(service, member), 200).body.data;
    expect([user.id, user.company.id, user.role.name]).toEqual([member.userId, '', 'Customer']);
    expectRefusal(await service.call('GET', '/payments/cards', { token }), 403, 'forbidden');
    const { data } = (await call(admin, 'GET', `/company/audit-log?target=${member.userId}`)).body;
    expect(data[0]).toMatchObject({ action: 'member.deleted', target: { name: member.email } });
  });

  it('may be oneself, without any permission; others may not', async () => {
    const member = await addMember(service, admin, only('application.labels', ALL));
    const other = await addMember(service, admin, only('application.labels', ALL));
    expectRefusal(await call(member, 'DELETE', pathOf(other)), 403, 'forbidden');
    expectRefusal(await call(member, 'PUT', pathOf(member), { role_id: SYSTEM_ROLES.Viewer.id }), 403, 'forbidden');
    expectStatus(
      await call(member, 'DELETE', pathOf(member).toUpperCase().replace('/COMPANY/MEMBERS', '/company/members')),
      204,
    );
    expectRefusal(await call(member, 'GET', '/company'), 401, 'unauthenticated');
    const customer = await signUpCustomer(service);
    expectRefusal(await call(customer, 'DELETE', pathOf(customer)), 403, 'forbidden');
  });

  it('loses the labels on them as an agent', async () => {
    const member = await addMember(service, admin, 'Support agent');
    const label = { name: 'Senior', description: 'x', color: '#fff', userName: 'Ada' };
    const { id } = expectStatus(await call(admin, 'POST', '/labels', label), 201).body;
    const record = { type: 'agent', id: member.userId };
    expectStatus(await call(admin, 'PUT', '/labels/assignments', { ...record, label_ids: [id] }), 200);
    expectStatus(await call(admin, 'DELETE', pathOf(member)), 204);
    expect((await call(admin, 'GET', `/labels/${id}`)).body.assignments).toBe(0);
  });
});

describe('the sessions of a member', () => {
  const endSessionsOf = (caller: Actor, member: Actor) => call(caller, 'DELETE', `${pathOf(member)}/sessions`);

  // ASVS 7.4.5
  it('end at once, and the member can log in again', async () => {
    const member = await addMember(service, admin, 'Viewer');
    const { access_token: other } = expectStatus(await logIn(service, member), 200).body.data;
    for (const token of [member.token, other]) expectStatus(await service.call('GET', '/company', { token }), 200);
    expectStatus(await endSessionsOf(admin, member), 204);
    for (const token of [member.token, other])
      expectRefusal(await service.call('GET', '/company', { token }), 401, 'unauthenticated');
    const body = { refresh_token: member.refreshToken };
    expectRefusal(await service.call('POST', '/auth/refresh', { body }), 401, 'session_revoked');
    const { access_token: token } = expectStatus(await logIn(service, member), 200).body.data;
    expectStatus(await service.call('GET', '/company', { token }), 200);
    expectStatus(await call(admin, 'GET', '/company'), 200);
    const { data } = (await call(admin, 'GET', '/company/audit-log?action=member.sessions_ended')).body;
    expect(data).toMatchObject([{ target: { id: member.userId, name: member.email }, changes: null }]);
  });

  it('go on when somebody lacks a permission of the member, or belongs to another company', async () => {
    const manager = await addMember(service, admin, only('platform.admins', ALL));
    expectRefusal(await endSessionsOf(manager, admin), 403, 'permission_not_held');
    expectRefusal(await endSessionsOf(await signUpAdmin(service), admin), 404, 'not_found');
    expectStatus(await call(admin, 'GET', '/company'), 200);
  });
});

describe('the last admin', () => {
  it('is neither removed, nor leaves, nor gets another role: 409 last_admin', async () => {
    const viewer = SYSTEM_ROLES.Viewer.id;
    await addMember(service, admin, only('platform.admins', ALL));
    await addMember(service, admin, only('platform.roles', ALL));
    expectRefusal(await giveRole(admin, admin, viewer), 409, 'last_admin');
    expectRefusal(await call(admin, 'DELETE', pathOf(admin)), 409, 'last_admin');
    expectStatus(await call(admin, 'GET', '/payments/cards'), 200);
    const second = await addMember(service, admin, 'Admin');
    expectStatus(await giveRole(admin, admin, viewer), 200);
    expectRefusal(await call(second, 'DELETE', pathOf(second)), 409, 'last_admin');
    expectStatus(await call(admin, 'DELETE', pathOf(admin)), 204);
  });

  it('stays when all admins remove themselves, each other, or their permissions at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const founder = await signUpAdmin(service);
      const admins = [founder, await addMember(service, founder, 'Admin'), await addMember(service, founder, 'Admin')];
      const [one, other, third] = admins as [Actor, Actor, Actor];
      const answers = await Promise.all([
        call(one, 'DELETE', pathOf(one)),
        call(other, 'DELETE', pathOf(other)),
        giveRole(third, third, SYSTEM_ROLES.Viewer.id),
      ]);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused.map(({ body }) => body.error.code)).toEqual(['last_admin']);
      const [row] = await service.database.owner`
        SELECT count(*)::int AS count FROM users WHERE company_id = ${founder.companyId} AND role = 'Admin'`;
      expect(row?.count).toBe(1);
    }
  });
});
