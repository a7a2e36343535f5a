import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRIES } from '../../src/platform/permissions.ts';
import { startTestService } from '../harness/service.ts';
import { addMember, only } from '../identity/roles.ts';
import { fillPath, prepareWorld, routesWhere, splitRoute, type World } from './battery.ts';

let world: World;
/** A token of a member for each entry that a role can have, whose role has no other. */
let tokens: [entry: string, token: string][];
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  tokens = [];
  for (const entry of ENTRIES) {
    const { token } = await addMember(world.service, world.admin, only(entry, { all: true, view: true }));
    tokens.push([entry, token]);
  }
});
afterAll(() => world?.service.stop());

const routes = routesWhere(({ access }) => access !== 'public' && access !== 'user' && access !== 'operator');

// Security (Accounts and permissions): A role with a single permission gets no 5xx from any operation that needs one
describe('a role with a single permission gets no 5xx', () => {
  // What the permission allows is done, to objects that there are: a rule may need a second permission, or what it allows may be nothing.
  test.each(routes)('%s', async (route, { names, within, query, body }) => {
    const { method, url } = splitRoute(route);
    const last = await names?.make(world.service, world.admin);
    const ids = [...(within?.(world) ?? []), ...(last === undefined ? [] : [last])];
    const path = `${fillPath(url, ...ids)}${query === undefined ? '' : `?${query}`}`;
    const send = async ([entry, token]: [string, string]) => {
      const content = body === undefined ? {} : { body: body(world) };
      const { status, text, log } = await world.service.call(method, path, { token, ...content });
      return { entry, status, text, log };
    };
    const answers = await Promise.all(tokens.map(send));
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed.map(({ entry, text, log }) => `${route} with ${entry} alone: ${text}\n${log}`)).toEqual([]);
  });
});
