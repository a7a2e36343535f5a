import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ROLES } from '../../src/platform/permissions.ts';
import { startTestService } from '../harness/service.ts';
import { createApiKey } from '../identity/api-keys.ts';
import { openView } from '../identity/operator-sessions.ts';
import { BATTERY, expectRefusal, fillPath, operationOf, prepareWorld, splitRoute, type World } from './battery.ts';

let world: World;
let view: string;
/** Of a member's key that may read everything: what it may read, a view may. */
let viewer: string;

beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  view = (await openView(world.service, world.admin.companyId)).token;
  viewer = (await createApiKey(world.service, world.admin, { permission: SYSTEM_ROLES.Viewer.permission })).key;
});
afterAll(() => world?.service.stop());

/** Sends what passes no validation where it would write: the ids are of nothing, and the media type is wrong. */
function send(route: string, token: string, method = splitRoute(route).method) {
  const content = method === 'GET' ? {} : { rawBody: '{', headers: { 'content-type': 'text/plain' } };
  return world.service.call(method, fillPath(splitRoute(route).url), { token, ...content });
}

const withToken = Object.entries(BATTERY).filter(([, { access }]) => access !== 'public');
const isOfCompany = (access: string) => access === 'member' || access.includes('.');

// Security (HTTP, and what all share): A view reads what a member may who may read everything, and does nothing else
describe('a view of a company', () => {
  test.each(withToken)('%s', async (route, { access }) => {
    const { method } = splitRoute(route);
    const isOpen = method === 'GET' && (access === 'member' || access.endsWith('.view'));
    const answer = await send(route, view);
    if (!isOpen) return expectRefusal(answer, 403, 'forbidden');
    expect([200, 400, 404]).toContain(answer.status);
    if (operationOf(world, route).refusesApiKeys !== true && isOfCompany(access))
      expect((await send(route, viewer)).status).toBe(answer.status);
  });

  test('is open where a company is read: there is something that it reads, and something that it does not', () => {
    const reads = withToken.filter(([route, { access }]) => isOfCompany(access) && splitRoute(route).method === 'GET');
    expect(reads.length).toBeGreaterThan(20);
    expect(reads.filter(([, { access }]) => access.endsWith('.all'))).toEqual([]);
  });

  test('is refused where a token is optional, before anything is read', async () => {
    const optional = Object.keys(BATTERY).filter((route) => operationOf(world, route).takesCredential);
    expect(optional).not.toEqual([]);
    for (const route of optional) expectRefusal(await send(route, view), 403, 'forbidden');
  });

  test('reads no metrics', async () => {
    expect((await world.service.call('GET', '/metrics', { token: view })).status).toBe(401);
  });
});
