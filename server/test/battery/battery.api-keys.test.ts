import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../harness/service.ts';
import { createApiKey } from '../identity/api-keys.ts';
import { only } from '../identity/roles.ts';
import { BATTERY, expectRefusal, fillPath, operationOf, prepareWorld, splitRoute, type World } from './battery.ts';

let world: World;
/** May do everything, from everywhere. */
let all: string;
/** The same, from an address that no test has. */
let elsewhere: string;
const byEntry = new Map<string, { reader: string; writer: string }>();

const routesWithToken = Object.entries(BATTERY).filter(([, { access }]) => access !== 'public');
const permitted = routesWithToken.filter(([, { access }]) => access.includes('.'));
const entryOf = (access: string) => access.replace(/\.(all|view)$/, '');

beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  const create = async (changes: object) => (await createApiKey(world.service, world.admin, changes)).key;
  [all, elsewhere] = [await create({}), await create({ allowed_ips: ['192.0.2.1'] })];
  for (const entry of new Set(permitted.map(([, { access }]) => entryOf(access)))) {
    const [reader, writer] = [
      await create({ permission: only(entry, { all: false, view: true }) }),
      await create({ permission: only(entry, { all: true, view: true }) }),
    ];
    byEntry.set(entry, { reader, writer });
  }
});
afterAll(() => world?.service.stop());

/** Sends what passes no validation, so that nothing is done: the ids are of nothing, and the media type is wrong. */
function send(route: string, token: string, headers: Record<string, string> = {}) {
  const { method, url } = splitRoute(route);
  const content = method === 'GET' ? {} : { rawBody: '{', headers: { ...headers, 'content-type': 'text/plain' } };
  return world.service.call(method, fillPath(url), { token, headers, ...content });
}

/** By the contract: neither the account of a user, nor the keys themselves, nor the operator's. */
const isClosed = (route: string) => /^\/(auth|company\/api-keys|operator)(\/|$)/.test(splitRoute(route).url);

// Security (HTTP, and what all share): An API key opens exactly the routes that its permissions grant, and neither accounts nor keys
describe('an API key', () => {
  test.each(routesWithToken)('%s', async (route, { access }) => {
    if (isClosed(route)) {
      for (const key of [all, elsewhere]) expectRefusal(await send(route, key), 403, 'forbidden');
      return;
    }
    expect([200, 400, 404, 415]).toContain((await send(route, all)).status);
    expectRefusal(await send(route, elsewhere), 403, 'address_not_allowed');
    const isRead = splitRoute(route).method === 'GET';
    for (const [entry, { reader, writer }] of byEntry) {
      const isOwn = access.includes('.') && entry === entryOf(access);
      const [read, written] = [await send(route, reader), await send(route, writer)];
      if (!isOwn && access.includes('.')) for (const answer of [read, written]) expectRefusal(answer, 403, 'forbidden');
      if (isOwn) expect(written.status).not.toBe(403);
      if (isOwn && isRead) expect(read.status).not.toBe(403);
      if (isOwn && !isRead) expectRefusal(read, 403, 'forbidden');
    }
  });

  test('is in the API reference where it is accepted, and nowhere else', async () => {
    const { paths } = (await world.service.call('GET', '/openapi.json')).body;
    for (const [route] of Object.entries(BATTERY)) {
      const { method, url } = splitRoute(route);
      const { security } = paths[url.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      const isAccepted = security.some((scheme: object) => 'apiKey' in scheme);
      expect([route, isAccepted]).toEqual([route, operationOf(world, route).access !== 'public' && !isClosed(route)]);
    }
  });
});
