import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE } from '../../src/features.ts';
import { dereference } from '../../src/platform/http/openapi/dereference.ts';
import { describeApi } from '../../src/platform/http/openapi/openapi.ts';
import { giveExternalId } from '../customers/external-ids.ts';
import { startTestService } from '../harness/service.ts';
import {
  BATTERY,
  type BatteryCase,
  fillPath,
  makePathIds,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from './battery.ts';

/** What has to be encoded in a path, and decoded once. */
const EXTERNAL_ID = 'acme/ä%2F+ &?#:1';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  await giveExternalId(world.service, world.admin.companyId, EXTERNAL_ID);
});
afterAll(() => world?.service.stop());

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  type?: string | string[];
  pattern?: string;
  maxLength?: number;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Described = {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Reference = { paths: Record<string, Record<string, Described>>; webhooks: Record<string, { post: Described }> };

function readReference(): Reference {
  return dereference(describeApi(world.service.operations, EVENT_CATALOGUE, '0')) as unknown as Reference;
}

const schemasOf = ({ content = {} }: Content): Schema[] => Object.values(content).map(({ schema }) => schema);

/** Every object inside a schema, with its path. */
function objectsIn(schema: Schema, path: string): [string, Record<string, Schema>][] {
  const { properties = {}, items, anyOf = [] } = schema;
  return [
    ...(schema.properties === undefined ? [] : [[path, properties] as [string, Record<string, Schema>]]),
    ...Object.entries(properties).flatMap(([name, inside]) => objectsIn(inside, `${path}.${name}`)),
    ...(items === undefined ? [] : objectsIn(items, `${path}[]`)),
    ...anyOf.flatMap((choice) => objectsIn(choice, path)),
  ];
}

const operationsOf = ({ paths }: Reference) =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/operator'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ name: `${method} ${path}`, described })),
    );

describe('the API reference', () => {
  test('has companyExternalId beside each companyId of an answer to the operator and of an event', () => {
    const reference = readReference();
    const answers = operationsOf(reference).flatMap(({ name, described }) =>
      Object.values(described.responses).flatMap((answer) => schemasOf(answer).map((schema) => ({ name, schema }))),
    );
    const events = Object.entries(reference.webhooks).flatMap(([name, { post }]) =>
      schemasOf(post.requestBody ?? {}).map((schema) => ({ name, schema })),
    );
    const objects = [...answers, ...events].flatMap(({ name, schema }) => objectsIn(schema, name));
    const withCompany = objects.filter(([, properties]) => 'companyId' in properties);
    expect(withCompany.length).toBeGreaterThan(100);
    expect(withCompany.filter(([, properties]) => !('companyExternalId' in properties)).map(([path]) => path)).toEqual(
      [],
    );
  });

  test('takes an external id wherever the operator names a company', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const named = operationsOf(readReference()).flatMap(({ name, described }) => [
      ...(described.parameters ?? []).map((parameter) => ({ where: `${name} ${parameter.name}`, ...parameter })),
      ...schemasOf(described.requestBody ?? {})
        .flatMap((schema) => objectsIn(schema, name))
        .flatMap(([path, properties]) =>
          Object.entries(properties).map(([field, schema]) => ({ where: `${path}.${field}`, name: field, schema })),
        ),
    ]);
    const ids = named.filter(({ name }) => /company_?id$/i.test(name));
    expect(ids.length).toBeGreaterThan(30);
    const refused = ids.filter(({ schema }) => !ajv.validate(schema, `external:${'x'.repeat(255)}`));
    expect(refused.map(({ where }) => where)).toEqual([]);
  });
});

const encode = (id: string) => encodeURIComponent(`external:${id}`);

/** Calls the route as the case does, with another id of its company in the path or the query. */
async function call(route: string, entry: BatteryCase, companyId: string, query = entry.query) {
  const { method, url } = splitRoute(route);
  const ids = await makePathIds(world, entry);
  const path = fillPath(url.replace(':company_id', companyId), ...ids.filter((id) => id !== world.admin.companyId));
  const body = entry.body === undefined ? {} : { body: entry.body(world) };
  const token = world.service.operatorKey;
  return world.service.call(method, query === undefined ? path : `${path}?${query}`, { token, ...body });
}

const ofCompany = routesWhere(({ access }) => access === 'operator').filter(([route]) =>
  route.includes('/:company_id'),
);
const byQuery = routesWhere(({ access, parameters = {} }) => access === 'operator' && 'companyId' in parameters);

describe('an id of a company in a path of the operator may be its external id', () => {
  test.each(ofCompany)('%s', async (route, entry) => {
    const found = await call(route, entry, encode(EXTERNAL_ID));
    expect([200, 201, 204]).toContain(found.status);
    // It creates the company that there is not, and says what is wrong with the id.
    if (route === 'PUT /operator/companies/:company_id') return;
    for (const id of ['nobody', '', ' ', 'x'.repeat(256), 'a\u0085b', 'a\nb']) {
      const unknown = await call(route, entry, encode(id));
      const random = await call(route, entry, crypto.randomUUID());
      expect([id, unknown.status, unknown.body.error?.code]).toEqual([id, random.status, random.body.error?.code]);
    }
  });
});

describe('a companyId of a query of the operator may be an external id', () => {
  test.each(byQuery)('%s', async (route, entry) => {
    const others = entry.query?.replace(/companyId=[^&]*&?/, '');
    const ask = async (id: string) => {
      const query = [`companyId=${encodeURIComponent(id)}`, others].filter(Boolean).join('&');
      const { status, text, body } = await call(route, entry, '', query);
      return { status, text: text.replaceAll(/"requestId":"[^"]*"/g, ''), field: body?.error?.details?.[0]?.field };
    };
    const { companyId } = world.admin;
    expect(await ask(` external: ${EXTERNAL_ID} `)).toEqual(await ask(companyId));
    expect(await ask('external:nobody')).toEqual(await ask(crypto.randomUUID()));
    for (const bad of ['external:', 'external: ', `external:${'x'.repeat(256)}`, 'external:a\u0080b', 'acme'])
      expect(await ask(bad)).toMatchObject({ status: 400, field: 'companyId' });
  });
});

test('the battery knows each parameter that names a company', () => {
  const declared = operationsOf(readReference()).flatMap(({ name, described }) =>
    (described.parameters ?? []).some((parameter) => parameter.name === 'companyId') ? [name] : [],
  );
  const known = byQuery.map(([route]) => route.replace(/^\w+/, (method) => method.toLowerCase()));
  expect(known.toSorted()).toEqual(declared.toSorted());
  expect(Object.keys(BATTERY).length).toBeGreaterThan(100);
});
