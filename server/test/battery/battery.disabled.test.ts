import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setDisabled } from '../customers/disabled.ts';
import { startTestService } from '../harness/service.ts';
import { createApiKey } from '../identity/api-keys.ts';
import { expectRefusal, fillPath, prepareWorld, routesWhere, splitRoute, type World } from './battery.ts';

let world: World;
let apiKey: string;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  apiKey = (await createApiKey(world.service, world.admin)).key;
  await setDisabled(world.service, world.admin.companyId, true);
});
afterAll(() => world?.service.stop());

// Logging out comes last: it ends the session of all others.
const routes = routesWhere(({ access }) => access !== 'public' && access !== 'operator')
  .map(([route]) => route)
  .toSorted((left, right) => Number(left === 'POST /auth/logout') - Number(right === 'POST /auth/logout'));

// Security (HTTP, and what all share): A disabled company reads and writes nothing
describe('a member of a disabled company', () => {
  test.each(routes)('%s', async (route) => {
    const { method, url } = splitRoute(route);
    const body = method === 'GET' ? {} : { body: {} };
    const answer = await world.service.call(method, fillPath(url), { token: world.admin.token, ...body });
    if (method === 'GET' || url.startsWith('/auth/')) expect([200, 202, 204, 400, 401, 404]).toContain(answer.status);
    else expectRefusal(answer, 403, 'company_disabled');
  });

  test.each(routes)('%s, by an API key', async (route) => {
    const { method, url } = splitRoute(route);
    const body = method === 'GET' ? {} : { body: {} };
    const answer = await world.service.call(method, fillPath(url), { token: apiKey, ...body });
    if (/^\/(auth|company\/api-keys)(\/|$)/.test(url)) expectRefusal(answer, 403, 'forbidden');
    else if (method === 'GET') expect([200, 400, 404]).toContain(answer.status);
    else expectRefusal(answer, 403, 'company_disabled');
  });

  test('another company goes on', async () => {
    const body = { name: 'Anything', description: 'Anything', color: '#ff8800', userName: 'Grace' };
    expect((await world.service.call('POST', '/labels', { token: world.other.token, body })).status).toBe(201);
  });
});
