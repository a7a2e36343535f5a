import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { logIn } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember, createRole, giveRole, only, roleBody } from '../../../test/identity/roles.ts';
import { type PermissionSet, SYSTEM_ROLES } from '../../platform/permissions.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const [NONE, ALL] = [
  { all: false, view: false },
  { all: true, view: true },
];

/** The permissions of several entries, everything else off. */
function both(one: PermissionSet, other: string, flags = ALL): PermissionSet {
  const { platform, application } = structuredClone(one);
  const [group, name = ''] = other.split('.');
  Object.assign(group === 'platform' ? platform : application, { [name]: flags });
  return { platform, application };
}

const call = ({ token }: Actor, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body === undefined ? {} : { body }) });

describe('a role', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const body = roleBody({ description: 'Pays' });
    const created = expectStatus(await call(admin, 'POST', '/company/roles', body), 201).body;
    expect(created).toEqual({ id: expect.any(String), category: 'CUSTOM ROLE', ...body });
    const path = `/company/roles/${created.id}`;
    expect((await call(admin, 'GET', path)).body).toEqual(created);
    const permission = only('application.labels', ALL);
    const changed = expectStatus(await call(admin, 'PUT', path, { permission }), 200).body;
    expect(changed).toEqual({ ...created, permission });
    expect((await call(admin, 'PUT', path, { description: '' })).body).toEqual({ ...changed, description: '' });
    expectStatus(await call(admin, 'DELETE', path), 204);
    expectRefusal(await call(admin, 'GET', path), 404, 'not_found');
  });

  it('has an empty description when none is given', async () => {
    const { description: _none, ...body } = roleBody();
    expect(expectStatus(await call(admin, 'POST', '/company/roles', body), 201).body.description).toBe('');
  });

  it('keeps the entries that there are, and nothing else', async () => {
    const permission = { ...only('platform.billing', ALL), secret: { all: true, view: true } };
    const created = await createRole(service, admin, { permission });
    expect(created.permission).toEqual(only('platform.billing', ALL));
    const [row] = await service.database.owner`SELECT permission FROM roles WHERE id = ${created.id}`;
    expect(row?.permission).toEqual(only('platform.billing', ALL));
  });

  it.each([
    [
      'all without view',
      both(SYSTEM_ROLES.Customer.permission, 'platform.billing', { all: true, view: false }),
      'permission.platform.billing.view',
    ],
    ['an entry that is missing', { ...only('', NONE), platform: {} }, 'permission.platform.applications'],
    [
      'applications that are not null',
      both(only('', NONE), 'application.applications'),
      'permission.application.applications',
    ],
    ['no permission at all', null, 'permission'],
  ])('is refused with %s', async (_what, permission, field) => {
    const answer = await call(admin, 'POST', '/company/roles', roleBody({ permission }));
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    const { id } = await createRole(service, admin);
    expectRefusal(await call(admin, 'PUT', `/company/roles/${id}`, { permission }), 400, 'invalid_request');
  });

  it('leaves its entries in the audit log', async () => {
    const { id, name } = await createRole(service, admin);
    expectStatus(await call(admin, 'PUT', `/company/roles/${id}`, { description: 'Other' }), 200);
    expectStatus(await call(admin, 'DELETE', `/company/roles/${id}`), 204);
    const { data } = (await call(admin, 'GET', `/company/audit-log?target=${id}`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'role.deleted',
      'role.updated',
      'role.created',
    ]);
    expect(data[1]).toMatchObject({
      target: { kind: 'role', id, name },
      changes: { before: { description: 'Reads the invoices' }, after: { description: 'Other' } },
    });
  });
});

describe('the list of roles', () => {
  it('has the own ones, newest first, then those of the system, on any pages', async () => {
    const own = [(await createRole(service, admin)).id, (await createRole(service, admin)).id];
    const all = (await call(admin, 'GET', '/company/roles')).body;
    expect(all).toMatchObject({ total: 7, page: 1, per_page: 10 });
    const names = all.data.slice(2).map(({ name }: { name: string }) => name);
    expect(all.data.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual(own.toReversed());
    expect(names).toEqual(['Admin', 'Billing manager', 'Support agent', 'Viewer', 'Customer']);
    const pages = [];
    for (const page of [1, 2, 3, 4])
      pages.push((await call(admin, 'GET', `/company/roles?per_page=3&page=${page}`)).body);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1, 0]);
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
  });

  it('has every system role, with its id, for reading too', async () => {
    for (const role of Object.values(SYSTEM_ROLES)) {
      expect((await call(admin, 'GET', `/company/roles/${role.id}`)).body).toEqual(role);
    }
  });
});

describe('the name of a role', () => {
  it.each(['Admin', 'CUSTOMER', 'billing Manager', 'ſupport agent', 'VIEWER'])(
    'is not that of a system role: %s',
    async (name) => {
      expectRefusal(await call(admin, 'POST', '/company/roles', roleBody({ name })), 409, 'role_name_taken');
      const { id } = await createRole(service, admin);
      expectRefusal(await call(admin, 'PUT', `/company/roles/${id}`, { name }), 409, 'role_name_taken');
    },
  );

  it('is unique in the company without case, and free in another', async () => {
    const name = `Straße ${randomUUID()}`;
    const { id } = await createRole(service, admin, { name });
    const again = { name: name.replace('Straße', 'STRASSE') };
    expectRefusal(await call(admin, 'POST', '/company/roles', roleBody(again)), 409, 'role_name_taken');
    const other = await createRole(service, admin);
    expectRefusal(await call(admin, 'PUT', `/company/roles/${other.id}`, again), 409, 'role_name_taken');
    expectStatus(await call(admin, 'PUT', `/company/roles/${id}`, again), 200);
    await createRole(service, await signUpAdmin(service), again);
  });
});

it('system roles are neither changed nor deleted: 409 system_role', async () => {
  for (const { id } of Object.values(SYSTEM_ROLES)) {
    expectRefusal(await call(admin, 'PUT', `/company/roles/${id}`, { description: 'x' }), 409, 'system_role');
    expectRefusal(await call(admin, 'DELETE', `/company/roles/${id}`), 409, 'system_role');
  }
});

describe('nobody gives away or touches a permission that they lack: 403 permission_not_held', () => {
  const small = only('platform.roles', ALL);
  const large = both(small, 'platform.billing');

  it('by creating, changing or deleting a role', async () => {
    const member = await addMember(service, admin, small);
    expectRefusal(
      await call(member, 'POST', '/company/roles', roleBody({ permission: large })),
      403,
      'permission_not_held',
    );
    const [weak, strong] = [
      await createRole(service, admin, { permission: small }),
      await createRole(service, admin, { permission: large }),
    ];
    expectRefusal(
      await call(member, 'PUT', `/company/roles/${weak.id}`, { permission: large }),
      403,
      'permission_not_held',
    );
    expectRefusal(await call(member, 'PUT', `/company/roles/${strong.id}`, { name: 'x' }), 403, 'permission_not_held');
    expectRefusal(await call(member, 'DELETE', `/company/roles/${strong.id}`), 403, 'permission_not_held');
    expectStatus(await call(member, 'PUT', `/company/roles/${weak.id}`, { name: randomUUID() }), 200);
    expectStatus(await call(member, 'DELETE', `/company/roles/${weak.id}`), 204);
    expect((await call(admin, 'GET', `/company/roles/${strong.id}`)).body).toEqual(strong);
  });

  it('with view alone one gives away no all', async () => {
    const member = await addMember(service, admin, both(small, 'platform.billing', { all: false, view: true }));
    expectRefusal(
      await call(member, 'POST', '/company/roles', roleBody({ permission: large })),
      403,
      'permission_not_held',
    );
    const view = both(small, 'platform.billing', { all: false, view: true });
    await createRole(service, member, { permission: view });
  });
});

describe('a role in use', () => {
  it('is not deleted: 409 role_in_use', async () => {
    const { id } = await createRole(service, admin);
    const member = await addMember(service, admin, 'Viewer');
    await service.database.owner`UPDATE users SET role = NULL, role_id = ${id} WHERE id = ${member.userId}`;
    expectRefusal(await call(admin, 'DELETE', `/company/roles/${id}`), 409, 'role_in_use');
    await giveRole(service, member, 'Viewer');
    expectStatus(await call(admin, 'DELETE', `/company/roles/${id}`), 204);
  });

  it('gives its members its new permissions at once, and stands in their profile', async () => {
    const { id, name } = await createRole(service, admin, { permission: only('application.labels', ALL) });
    const member = await addMember(service, admin, 'Viewer');
    await service.database.owner`UPDATE users SET role = NULL, role_id = ${id} WHERE id = ${member.userId}`;
    expectStatus(await call(member, 'GET', '/labels'), 200);
    const permission = only('platform.billing', ALL);
    expectStatus(await call(admin, 'PUT', `/company/roles/${id}`, { permission }), 200);
    expectRefusal(await call(member, 'GET', '/labels'), 403, 'forbidden');
    expectStatus(await call(member, 'GET', '/payments/cards'), 200);
    const { role } = expectStatus(await logIn(service, member), 200).body.data.user;
    expect(role).toEqual({ id, name, description: 'Reads the invoices', category: 'CUSTOM ROLE', permission });
  });
});

describe('the last member who may change members and roles', () => {
  it('does not lose that by a change of the role: 409 last_admin', async () => {
    const { id } = await createRole(service, admin, { permission: SYSTEM_ROLES.Admin.permission });
    await service.database.owner`UPDATE users SET role = NULL, role_id = ${id} WHERE id = ${admin.userId}`;
    for (const entry of ['platform.admins', 'platform.roles']) {
      const permission = both(SYSTEM_ROLES.Admin.permission, entry, { all: false, view: true });
      expectRefusal(await call(admin, 'PUT', `/company/roles/${id}`, { permission }), 409, 'last_admin');
    }
    const without = both(SYSTEM_ROLES.Admin.permission, 'platform.billing', NONE);
    expectStatus(await call(admin, 'PUT', `/company/roles/${id}`, { permission: without }), 200);
    await addMember(service, admin, 'Admin');
    const none = both(without, 'platform.roles', NONE);
    expectStatus(await call(admin, 'PUT', `/company/roles/${id}`, { permission: none }), 200);
  });
});
