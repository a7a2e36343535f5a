import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  OPERATOR_ROLES,
  type OperatorRole,
  ROLES_OF_RESOURCES,
  resourceOf,
  STAFF_ROLES,
} from '../../src/platform/operator-roles.ts';
import { createClock } from '../customers/second-factors.ts';
import { startTestService } from '../harness/service.ts';
import { createKey } from '../identity/operator-keys.ts';
import { addStaff } from '../identity/staff.ts';
import { expectRefusal, fillPath, prepareWorld, routesWhere, splitRoute, type World } from './battery.ts';

let world: World;
/** Keys, and access tokens of staff. */
let credentials: Record<OperatorRole, string[]>;
const clock = createClock();
beforeAll(async () => {
  world = await prepareWorld(await startTestService({ clock: clock.clock }));
  const made: [OperatorRole, string[]][] = [];
  // One after the other: each goes on with the clock that the others' codes depend on.
  for (const role of OPERATOR_ROLES) {
    const { key } = await createKey(world.service, { role });
    const staff = role === 'integration' ? [] : [(await addStaff(world.service, clock, role)).token];
    made.push([role, [key, ...staff]]);
  }
  credentials = Object.fromEntries(made) as Record<OperatorRole, string[]>;
});
afterAll(() => world?.service.stop());

/** As the contract says it. */
const ADMINS_READ = /^\/operator\/(keys|staff|sign-in-providers)(\/|$)/;
const FINANCE_WRITES = [
  ...[/\/invoices(\/|$)/, /\/credit-notes(\/|$)/, /\/credits(\/|$)/, /^\/operator\/payments(\/|$)/],
  ...[/^\/operator\/refunds(\/|$)/, /\/disputes(\/|$)/, /\/prices(\/|$)/, /\/usage(-thresholds)?(\/|$)/],
  ...[
    /\/billing-settings$/,
    /\/billing-(runs|previews)(\/|$)/,
    /\/seller(\/|$)/,
    /\/alerts(\/|$)/,
    /\/jobs(\/|$)/,
    /\/views$/,
    /^\/operator\/mails(\/|$)/,
    /\/mail-settings$/,
  ],
];

/** All that a key of the operator's product may call. Every other operation is refused. */
const INTEGRATIONS: Record<string, string[]> = {
  '/operator/companies': ['GET', 'POST'],
  '/operator/companies/:company_id': ['GET', 'PUT'],
  '/operator/companies/:company_id/billing-information': ['GET', 'PUT'],
  '/operator/companies/:company_id/billing-information/changes': ['GET'],
  '/operator/companies/:company_id/billing-settings': ['GET', 'PUT'],
  '/operator/companies/:company_id/usage-thresholds': ['GET', 'POST'],
  '/operator/companies/:company_id/invitations': ['GET', 'POST'],
  '/operator/companies/:company_id/invitations/:invitation_id': ['DELETE'],
  '/operator/companies/:company_id/invitations/:invitation_id/resend': ['POST'],
  '/operator/companies/:company_id/sessions': ['GET', 'POST'],
  '/operator/companies/:company_id/sessions/:session_id': ['DELETE'],
  '/operator/companies/:company_id/upcoming-invoice': ['GET'],
  '/operator/usage': ['GET', 'POST'],
  '/operator/usage/unattributed': ['GET', 'DELETE'],
  '/operator/prices': ['GET'],
  '/operator/prices/:price_id': ['GET'],
  '/operator/invoices': ['GET'],
  '/operator/invoices/:invoice_id': ['GET'],
};

function rolesFor(route: string): OperatorRole[] {
  const { method, url } = splitRoute(route);
  const integration = INTEGRATIONS[url]?.includes(method) ? (['integration'] as const) : [];
  return [...staffRolesFor(method, url), ...integration];
}

function staffRolesFor(method: string, url: string): OperatorRole[] {
  if (method === 'GET') return ADMINS_READ.test(url) ? ['admin'] : [...STAFF_ROLES];
  if (method === 'DELETE' && url === '/operator/usage/unattributed') return ['admin'];
  return FINANCE_WRITES.some((pattern) => pattern.test(url)) ? ['finance', 'admin'] : ['admin'];
}

const routes = routesWhere(({ access }) => access === 'operator').map(([route]) => route);

// Security (HTTP, and what all share): A role of an operator key or of staff opens exactly the operator's routes that it should
describe('the roles of operator keys and staff', () => {
  test.each(routes)('%s', async (route) => {
    const { method, url } = splitRoute(route);
    const allowed = rolesFor(route);
    for (const role of OPERATOR_ROLES) {
      // Nothing is done: the ids are of nothing, and the body has a field that nobody knows.
      const body = method === 'GET' ? {} : { body: { noSuchField: true } };
      for (const token of credentials[role]) {
        const answer = await world.service.call(method, fillPath(url), { token, ...body });
        if (allowed.includes(role)) expect([200, 400, 404]).toContain(answer.status);
        else expectRefusal(answer, 403, 'forbidden');
      }
    }
  });

  test('are stated for each resource of the operator, and for nothing else', () => {
    const resources = new Set(routes.map((route) => resourceOf(splitRoute(route).url)));
    expect(Object.keys(ROLES_OF_RESOURCES).toSorted()).toEqual([...resources].toSorted());
  });

  test('the API reference says which role an operation needs', () => {
    const { server } = world.service;
    return server.inject('/openapi.json').then((answer) => {
      const { paths } = answer.json() as { paths: Record<string, Record<string, { description: string }>> };
      for (const route of routes) {
        const { method, url } = splitRoute(route);
        const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
        const [needed, ...others] = rolesFor(route);
        const alternative = others.includes('integration') ? ' or `integration`' : '';
        expect(operation?.description).toContain(`Needs the role \`${needed}\`${alternative}.`);
      }
    });
  });
});
