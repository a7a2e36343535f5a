import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from '../customers/actors.ts';
import type { Request } from '../harness/request.ts';
import { startTestService } from '../harness/service.ts';
import {
  credentialFor,
  fillPath,
  makePathIds,
  operationOf,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from './battery.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

type Json = Record<string, unknown>;
type ObjectSchema = { type?: unknown; properties?: Record<string, ObjectSchema> };

/** All updates that have a body, and can be read back. */
const updates = routesWhere(
  ({ body, notReadBack }, method) => method === 'PUT' && body !== undefined && notReadBack === undefined,
);

/** The paths of the fields that both the body and the answer have, including those of nested objects, and that have more than one value. */
function commonFields(body: ObjectSchema, answer: ObjectSchema, path: string[] = []): string[][] {
  return Object.entries(body.properties ?? {}).flatMap(([name, field]) => {
    const shown = answer.properties?.[name];
    if (shown === undefined || field.type === 'null') return [];
    const inside = commonFields(field, shown, [...path, name]);
    return inside.length > 0 ? inside : [[...path, name]];
  });
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Json | undefined)?.[name], value);
const pick = (value: unknown, fields: readonly string[][]): Json =>
  Object.fromEntries(fields.map((path) => [path.join('.'), valueAt(value, path)]));

/** Reads an object again: from its own address if it has one, otherwise from its list. */
async function readBack(url: string, ids: string[], credential: Request): Promise<Json> {
  const read = (path: string) => world.service.call('GET', path, credential);
  const isThere = (path: string) => world.service.operations.some((one) => one.method === 'GET' && one.url === path);
  if (isThere(url)) return expectStatus(await read(fillPath(url, ...ids)), 200).body;
  const list = url.replace(/\/:\w+$/, '');
  const { body } = expectStatus(await read(fillPath(list, ...ids)), 200);
  return (body.data ?? body).find(({ id, name }: { id?: string; name?: string }) => (id ?? name) === ids.at(-1));
}

describe('an update', () => {
  test.each(updates)(
    '%s changes each field that it accepts, and each field reads back as it was sent',
    async (route, entry) => {
      const { method, url } = splitRoute(route);
      const operation = operationOf(world, route);
      const common = commonFields(operation.body as ObjectSchema, operation.response[200] as ObjectSchema);
      const fields = common.filter((path) => !entry.fixed?.includes(path.join('.')));
      const token = credentialFor(world, entry);
      const credential = token === undefined ? {} : { token };
      const ids = await makePathIds(world, entry);
      const body = entry.update?.(world) ?? entry.body?.(world) ?? {};

      const before = pick(await readBack(url, ids, credential), fields);
      const sent = pick(body, fields);
      const isChanged = (name: string) =>
        sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(before[name]);
      const unchanged = Object.keys(sent).filter((name) => !isChanged(name));
      expect(unchanged, 'fields that the update of the case in the battery leaves as they are').toEqual([]);

      const answer = expectStatus(
        await world.service.call(method, fillPath(url, ...ids), { ...credential, body }),
        200,
      );
      expect(pick(answer.body, fields)).toEqual(sent);
      expect(pick(await readBack(url, ids, credential), fields)).toEqual(sent);
    },
  );
});
