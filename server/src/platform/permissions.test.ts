import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { type Flags, grants, type Permission, type PermissionSet, ROLES } from './permissions.ts';

const OFF: Flags = { all: false, view: false };
const ENTRIES = [
  ...['platform.applications', 'platform.admins', 'platform.roles', 'platform.billing', 'application.tickets'],
  ...[
    'application.agents',
    'application.customers',
    'application.live_map',
    'application.labels',
    'application.settings',
  ],
];

/** Everything off but for one entry. */
function only(entry: string, flags: Flags): PermissionSet {
  const { platform, application } = structuredClone(ROLES.Customer.permission);
  const [group, name = ''] = entry.split('.');
  Object.assign(group === 'platform' ? platform : application, { [name]: flags });
  return { platform, application };
}

describe('grants', () => {
  it.each(ENTRIES)('reads the flags of %s: all includes view, view does not include all', (entry) => {
    const [all, view] = [`${entry}.all` as Permission, `${entry}.view` as Permission];
    const cases: [flags: Flags, mayAll: boolean, mayView: boolean][] = [
      [OFF, false, false],
      [{ all: false, view: true }, false, true],
      [{ all: true, view: false }, true, true],
      [{ all: true, view: true }, true, true],
    ];
    for (const [flags, mayAll, mayView] of cases) {
      const permissions = only(entry, flags);
      expect([flags, grants(permissions, all), grants(permissions, view)]).toEqual([flags, mayAll, mayView]);
    }
  });

  it('does not take the flags of one entry for those of another', () => {
    for (const entry of ENTRIES) {
      const permissions = only(entry, { all: true, view: true });
      const granted = ENTRIES.filter((one) => grants(permissions, `${one}.view` as Permission));
      expect(granted).toEqual([entry]);
    }
  });

  it('grants nothing for application.applications, which is null, nor for an entry that there is not', () => {
    for (const permission of ['application.applications.view', 'application.nothing.all', 'platform.labels.view']) {
      expect(grants(ROLES.Admin.permission, permission as Permission)).toBe(false);
    }
  });
});

describe('the roles', () => {
  it('have the category SYSTEM ROLE; Admin has every flag true, Customer every flag false', () => {
    expect(Object.keys(ROLES)).toEqual(['Admin', 'Customer']);
    for (const [name, value] of [
      ['Admin', true],
      ['Customer', false],
    ] as const) {
      const { permission, ...role } = ROLES[name];
      expect(role).toEqual({ name, category: 'SYSTEM ROLE', description: expect.any(String) });
      const flags = Object.entries(permission).flatMap(([group, entries]) =>
        Object.entries(entries).map(([entry, flag]) => [`${group}.${entry}`, flag]),
      );
      const every = { all: value, view: value };
      expect(Object.fromEntries(flags)).toEqual({
        'application.applications': null,
        ...Object.fromEntries(ENTRIES.map((entry) => [entry, every])),
      });
    }
  });
});

describe('the role matrix over HTTP', () => {
  let service: TestService;
  let admin: Actor;
  let customer: Actor;
  /** Every route of a company, with the entry of the contract that gates it. */
  let routes: { method: string; path: string; entry: string; isRead: boolean }[];
  beforeAll(async () => {
    service = await startTestService();
    [admin, customer] = await Promise.all([signUpAdmin(service), signUpCustomer(service)]);
    routes = service.operations.flatMap(({ method, url }) => {
      const entry = gateOf(url);
      if (entry === undefined) return [];
      return [{ method, path: url.replace(/:\w+/, crypto.randomUUID()), entry, isRead: method === 'GET' }];
    });
  });
  afterAll(async () => service.stop());

  const gateOf = (url: string) => {
    if (url.startsWith('/payments/')) return 'platform.billing';
    if (url.startsWith('/company/audit-log')) return 'platform.admins';
    return url.startsWith('/labels') ? 'application.labels' : undefined;
  };

  const statusesFor = async ({ token }: Actor) =>
    Promise.all(routes.map(async ({ method, path }) => (await service.call(method, path, { token })).status));

  /** Gives the admin's role other permissions until the test ends. */
  const { permission: everything } = ROLES.Admin;
  afterEach(() => {
    ROLES.Admin.permission = everything;
  });

  it('is about all operations that ask for a permission, reads and writes of both areas', () => {
    const guarded = service.operations.filter(({ access }) => access.includes('.'));
    expect(routes.map(({ entry }) => entry)).toEqual(guarded.map(({ access }) => access.replace(/\.(all|view)$/, '')));
    const kinds = new Set(routes.map(({ entry, isRead }) => `${entry} ${isRead}`));
    expect([...kinds].sort()).toEqual([
      'application.labels false',
      'application.labels true',
      'platform.admins true',
      'platform.billing false',
      'platform.billing true',
    ]);
  });

  it('answers a customer with 403 on every one of them, whatever is in the request', async () => {
    expect(await statusesFor(customer)).toEqual(routes.map(() => 403));
    const answer = await service.call('PUT', '/payments/billing-information', {
      token: customer.token,
      body: { city: 7 },
    });
    expect(expectStatus(answer, 403).body.error).toMatchObject({ code: 'forbidden', details: [] });
  });

  it('lets an admin pass on every one of them', async () => {
    expect(await statusesFor(admin)).not.toContain(403);
  });

  it.each(['platform.billing', 'application.labels'])(
    'with view of %s alone one may read there, and write nowhere',
    async (entry) => {
      ROLES.Admin.permission = only(entry, { all: false, view: true });
      const forbidden = (await statusesFor(admin)).map((status) => status === 403);
      expect(forbidden).toEqual(routes.map((route) => !(route.entry === entry && route.isRead)));
    },
  );

  it.each(['platform.billing', 'application.labels'])(
    'with all of %s alone one may read and write there, and nothing elsewhere',
    async (entry) => {
      ROLES.Admin.permission = only(entry, { all: true, view: false });
      const forbidden = (await statusesFor(admin)).map((status) => status === 403);
      expect(forbidden).toEqual(routes.map((route) => route.entry !== entry));
    },
  );

  it('with every flag off one may do nothing, and every other entry opens none of them', async () => {
    ROLES.Admin.permission = only('', OFF);
    expect(await statusesFor(admin)).toEqual(routes.map(() => 403));
    for (const entry of ENTRIES.filter(
      (one) => !['platform.billing', 'application.labels', 'platform.admins'].includes(one),
    )) {
      ROLES.Admin.permission = only(entry, { all: true, view: true });
      expect(await statusesFor(admin)).toEqual(routes.map(() => 403));
    }
  });
});
