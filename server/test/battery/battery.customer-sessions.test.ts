import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ROLES } from '../../src/platform/permissions.ts';
import { startTestService } from '../harness/service.ts';
import { openSession } from '../identity/customer-sessions.ts';
import { only } from '../identity/roles.ts';
import { BATTERY, expectRefusal, fillPath, operationOf, prepareWorld, splitRoute, type World } from './battery.ts';

let world: World;
/** May do the most that a session may. */
let all: string;
let reader: string;
let none: string;

const grant = (entries: string[], flags: { all: boolean; view: boolean }) => {
  const [platform, application] = [
    only('platform.billing', flags).platform,
    only('application.labels', flags).application,
  ];
  const nothing = SYSTEM_ROLES.Customer.permission;
  return {
    platform: entries.includes('platform') ? platform : nothing.platform,
    application: entries.includes('application') ? application : nothing.application,
  };
};

beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  const open = async (permission: object) =>
    (await openSession(world.service, world.admin.companyId, { permission })).token;
  all = await open(grant(['platform', 'application'], { all: true, view: true }));
  reader = await open(grant(['platform', 'application'], { all: false, view: true }));
  none = await open(grant([], { all: false, view: false }));
});
afterAll(() => world?.service.stop());

/** By the contract. */
const OPEN = [
  /^\w+ \/payments\/(cards|card-setups|paypal-accounts|addresses|billing-information|usage|upcoming-invoice)(\/|$)/,
  /^\w+ \/payments\/(orders|credit-notes)(\/|$)/,
  /^\w+ \/labels(\/:label_id)?$/,
  /^GET \/payments\/(billing-settings|mail-settings|usage-thresholds|overview)$/,
  /^GET \/company$/,
];
const isOpen = (route: string) => OPEN.some((pattern) => pattern.test(route));

/** Sends what passes no validation, so that nothing is done: the ids are of nothing, and the media type is wrong. */
function send(route: string, token: string) {
  const { method, url } = splitRoute(route);
  const content = method === 'GET' ? {} : { rawBody: '{', headers: { 'content-type': 'text/plain' } };
  return world.service.call(method, fillPath(url), { token, ...content });
}

const withToken = Object.entries(BATTERY).filter(([, { access }]) => access !== 'public');

// Security (HTTP, and what all share): A customer session opens exactly the routes of its company that are meant for customers
describe('a customer session', () => {
  test.each(withToken)('%s', async (route, { access }) => {
    if (!isOpen(route)) {
      for (const token of [all, reader, none]) expectRefusal(await send(route, token), 403, 'forbidden');
      return;
    }
    const isRead = splitRoute(route).method === 'GET';
    expect([200, 400, 404, 415]).toContain((await send(route, all)).status);
    const read = await send(route, reader);
    if (isRead) expect([200, 400, 404]).toContain(read.status);
    else expectRefusal(read, 403, 'forbidden');
    if (access === 'member') expect((await send(route, none)).status).toBe(200);
    else expectRefusal(await send(route, none), 403, 'forbidden');
  });

  test('is refused where a token is optional, before anything is read', async () => {
    const optional = Object.keys(BATTERY).filter((route) => operationOf(world, route).takesCredential);
    expect(optional).not.toEqual([]);
    for (const route of optional) expectRefusal(await send(route, all), 403, 'forbidden');
  });

  test('reads no metrics', async () => {
    expect((await world.service.call('GET', '/metrics', { token: all })).status).toBe(401);
  });
});
