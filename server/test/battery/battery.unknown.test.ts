import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE } from '../../src/features.ts';
import { dereference } from '../../src/platform/http/openapi/dereference.ts';
import { describeApi } from '../../src/platform/http/openapi/openapi.ts';
import { startTestService } from '../harness/service.ts';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  expectRefusal,
  fillPath,
  OUTSIDE_THE_BATTERY,
  operationOf,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from './battery.ts';
import { type FieldSchema, withField } from './body-fields.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

const UNKNOWN_PARAMETER = 'is not a parameter of this request';
const PUBLIC: BatteryCase = { access: 'public' };
const UNKNOWN_FIELD = 'is not a field of this request';

// Security (Bodies, paths and queries): An unknown query parameter is 400 and named
test('an unknown query parameter is 400 and named, on every route', async () => {
  const problems: string[] = [];
  for (const { method, url } of world.service.operations) {
    const entry = OUTSIDE_THE_BATTERY.test(url) ? PUBLIC : BATTERY[`${method} ${url}`];
    if (entry === undefined || entry.takesAnyQuery) continue;
    const token = credentialFor(world, entry);
    const request = { ...(token === undefined ? {} : { token }), ...(entry.body ? { body: entry.body(world) } : {}) };
    const query = ['unknown_parameter=true', entry.query].filter((part) => part !== undefined).join('&');
    const { status, text, body } = await world.service.call(method, `${fillPath(url)}?${query}`, request);
    const details = JSON.stringify([{ field: 'unknown_parameter', message: UNKNOWN_PARAMETER }]);
    const isRefused = status === 400 && JSON.stringify(body?.error?.details) === details;
    if (!isRefused) problems.push(`${method} ${url}: ${status} ${text.slice(0, 200)}`);
  }
  expect(problems).toEqual([]);
});

const operatorsBodies = routesWhere(({ access, body }) => access === 'operator' && body !== undefined);
const operatorsWithout = routesWhere(({ access, body }, method) => access === 'operator' && !body && method !== 'GET');

/** The paths of the objects in a body whose fields are defined. In other objects, such as `metadata`, the client may send anything. */
function objectsOf(schema: FieldSchema, path: (string | number)[] = []): (string | number)[][] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => objectsOf(field, [...path, name]));
  const items = schema.items === undefined ? [] : objectsOf(schema.items, [...path, 0]);
  return [...(schema.properties === undefined ? [] : [path]), ...inside, ...items];
}

describe('an unknown field in the body of an operator route is 400 and named', () => {
  // Security (Accounts and permissions): An unknown field on an operator route is 400 and named
  test.each(operatorsBodies)('%s, in each of its objects', async (route, entry) => {
    const { method, url } = splitRoute(route);
    const token = world.service.operatorKey;
    for (const path of objectsOf(operationOf(world, route).body as FieldSchema)) {
      const body = withField(entry.body?.(world) ?? {}, [...path, 'unknownField'], 'x');
      const answer = await world.service.call(method, fillPath(url), { token, body });
      const name = [...path, 'unknownField'].join('.').replace(/\.(\d+)/g, '[$1]');
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details).toContainEqual({ field: name, message: UNKNOWN_FIELD });
    }
  });

  test.each(operatorsWithout)('%s, which takes no fields', async (route, entry) => {
    const { method, url } = splitRoute(route);
    const token = world.service.operatorKey;
    const path = entry.query === undefined ? fillPath(url) : `${fillPath(url)}?${entry.query}`;
    await entry.prepare?.(world);
    const answer = await world.service.call(method, path, { token, body: { reason: 'x' } });
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toEqual([{ field: 'reason', message: UNKNOWN_FIELD }]);
    const accepted = await world.service.call(method, path, { token, body: {} });
    if (url.includes(':')) expectRefusal(accepted, 404, 'not_found');
    else expect([200, 204]).toContain(accepted.status);
  });

  test('only the operator’s bodies are declared in the API reference without additional properties', () => {
    const { paths } = dereference(describeApi(world.service.operations, EVENT_CATALOGUE, '0')) as {
      paths: Record<string, object>;
    };
    const open = Object.entries(BATTERY).flatMap(([route, { access, body, isSigned }]) => {
      const { method, url } = splitRoute(route);
      const path = paths[url.replace(/:(\w+)/g, '{$1}')] as Record<string, { requestBody?: { content: object } }>;
      const content = path[method.toLowerCase()]?.requestBody?.content ?? {};
      const schemas = Object.values(content) as { schema: { type: string; additionalProperties?: boolean } }[];
      const closed = schemas.map(({ schema }) => schema.type !== 'object' || schema.additionalProperties === false);
      const isRight = closed.every((one) => one === (access === 'operator'));
      return body === undefined || isSigned || isRight ? [] : [route];
    });
    expect(open).toEqual([]);
  });
});
