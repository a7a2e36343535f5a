import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { giveRole, only, signUpWithRole } from '../../test/identity/roles.ts';
import { type Flags, grants, type Permission, SYSTEM_ROLES, type SystemRoleName } from './permissions.ts';

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
      expect(grants(SYSTEM_ROLES.Admin.permission, permission as Permission)).toBe(false);
    }
  });
});

/** What each role of the system grants, by the contract: all of these entries, and the view of those. */
const GRANTED: Record<SystemRoleName, { all: string[]; view: string[] }> = {
  Admin: { all: ENTRIES, view: [] },
  'Billing manager': { all: ['platform.billing'], view: [] },
  'Support agent': {
    all: ['application.tickets', 'application.customers', 'application.live_map', 'application.labels'],
    view: ['application.agents', 'application.settings'],
  },
  Viewer: { all: [], view: ENTRIES },
  Customer: { all: [], view: [] },
};

describe('the system roles', () => {
  it.each(Object.entries(GRANTED))('%s has the category SYSTEM ROLE and its flags', (name, { all, view }) => {
    const { permission, ...role } = SYSTEM_ROLES[name as SystemRoleName];
    expect(role).toEqual({ id: expect.any(String), name, category: 'SYSTEM ROLE', description: expect.any(String) });
    const flags = Object.entries(permission).flatMap(([group, entries]) =>
      Object.entries(entries).map(([entry, flag]) => [`${group}.${entry}`, flag]),
    );
    const expected = (entry: string) => ({
      all: all.includes(entry),
      view: all.includes(entry) || view.includes(entry),
    });
    expect(Object.fromEntries(flags)).toEqual({
      'application.applications': null,
      ...Object.fromEntries(ENTRIES.map((entry) => [entry, expected(entry)])),
    });
  });

  it('are these five, each with an id of its own', () => {
    expect(Object.keys(SYSTEM_ROLES).sort()).toEqual(Object.keys(GRANTED).sort());
    expect(new Set(Object.values(SYSTEM_ROLES).map(({ id }) => id)).size).toBe(5);
  });
});

describe('the role matrix over HTTP', () => {
  let service: TestService;
  /** Every route of a company, with the entry of the contract that gates it. */
  let routes: { method: string; path: string; entry: string; isRead: boolean }[];
  beforeAll(async () => {
    service = await startTestService();
    routes = service.operations.flatMap(({ method, url }) => {
      const entry = gateOf(method, url);
      if (entry === undefined) return [];
      return [{ method, path: url.replace(/:\w+/, crypto.randomUUID()), entry, isRead: method === 'GET' }];
    });
  });
  afterAll(async () => service.stop());

  const gateOf = (method: string, url: string) => {
    if (url.startsWith('/payments/webhook-endpoints')) return 'platform.applications';
    // Each of its parts asks for its own permission, and is null without.
    if (url === '/payments/overview') return undefined;
    if (url.startsWith('/payments/')) return 'platform.billing';
    if (url.startsWith('/company/roles')) return 'platform.roles';
    if (url.startsWith('/company/api-keys')) return 'platform.applications';
    if (url.startsWith('/company') && `${method} ${url}` !== 'GET /company') return 'platform.admins';
    return url.startsWith('/labels') ? 'application.labels' : undefined;
  };

  /** The routes that answer 403. */
  const forbiddenFor = async ({ token }: Actor) => {
    const answers = await Promise.all(routes.map(({ method, path }) => service.call(method, path, { token })));
    return routes.filter((_route, index) => answers[index]?.status === 403);
  };

  it('is about all operations that ask for a permission', () => {
    const guarded = service.operations.filter(({ access }) => access.includes('.'));
    const gates = guarded.map(({ access, method }) => [access, method === 'GET']);
    expect(routes.map(({ entry, isRead }) => [`${entry}.${isRead ? 'view' : 'all'}`, isRead])).toEqual(gates);
    const entries = new Set(routes.map(({ entry }) => entry));
    expect([...entries].sort()).toEqual([
      'application.labels',
      'platform.admins',
      'platform.applications',
      'platform.billing',
      'platform.roles',
    ]);
  });

  // Security (Accounts and permissions): A customer has no permissions of a company
  it('answers a customer with 403 on every one of them, whatever is in the request', async () => {
    const { token, ...customer } = await signUpCustomer(service);
    expect(await forbiddenFor({ token, ...customer })).toEqual(routes);
    const answer = await service.call('PUT', '/payments/billing-information', { token, body: { city: 7 } });
    expect(expectStatus(answer, 403).body.error).toMatchObject({ code: 'forbidden', details: [] });
  });

  // Security (Accounts and permissions): Each permission flag closes its routes when it is off
  // ASVS 8.2.1
  it.each(Object.entries(GRANTED).filter(([name]) => name !== 'Customer'))(
    'lets the role %s pass where it grants that, and nowhere else',
    async (name, { all, view }) => {
      const member = await signUpWithRole(service, name as SystemRoleName);
      const expected = routes.filter(({ entry, isRead }) => !all.includes(entry) && !(isRead && view.includes(entry)));
      expect(await forbiddenFor(member)).toEqual(expected);
    },
  );

  // Security (Accounts and permissions): Permission to view does not allow writing
  it.each(ENTRIES)(
    'with view of %s alone one may read there and write nowhere, with all write there too',
    async (entry) => {
      const [reader, writer] = await Promise.all([
        signUpWithRole(service, only(entry, { all: false, view: true })),
        signUpWithRole(service, only(entry, { all: true, view: true })),
      ]);
      expect(await forbiddenFor(reader)).toEqual(routes.filter((route) => route.entry !== entry || !route.isRead));
      expect(await forbiddenFor(writer)).toEqual(routes.filter((route) => route.entry !== entry));
    },
  );

  // ASVS 10.3.2
  it('is that of the role that the user has now, whatever the token says', async () => {
    const admin = await signUpAdmin(service);
    const read = () => service.call('GET', '/labels', { token: admin.token });
    expectStatus(await read(), 200);
    await giveRole(service, admin, only('platform.billing', { all: true, view: true }));
    await pollUntil(read, ({ status }) => status === 403);
    expectStatus(await service.call('GET', '/payments/cards', { token: admin.token }), 200);
  });
});
