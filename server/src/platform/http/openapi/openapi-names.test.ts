import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import type { Operation } from '../route/operation.ts';
import { namedObject } from '../schema/named.ts';
import { Type } from '../schema/type.ts';
import { describeApi } from './openapi.ts';

type Reference = { $ref?: string };
type Content = Record<string, { schema: Reference }>;
type Described = {
  requestBody?: { content: Content };
  responses: Record<string, Reference & { content?: Content }>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, { properties?: Record<string, Reference> }> };
};

let service: TestService;
let document: Document;

beforeAll(async () => {
  service = await startTestService();
  document = (await service.call('GET', '/openapi.json')).body;
});
afterAll(() => service?.stop());

/** Each operation and each event, with what a request of it and its answers hold. */
function everyContent(): [name: string, content: Content][] {
  return Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const answers = Object.entries(responses).map(([status, { content }]) => [status, content] as const);
      return [['body', requestBody?.content] as const, ...answers].flatMap(([part, content]) =>
        content === undefined ? [] : [[`${method} ${path} ${part}`, content] as [string, Content]],
      );
    }),
  );
}

function nameOf({ $ref = '' }: Reference): string {
  return /^#\/components\/schemas\/([A-Za-z]+)$/.exec($ref)?.[1] ?? '';
}

describe('what a client made from the document has a type of', () => {
  test('is every JSON body, answer and event: each has a name', () => {
    const contents = everyContent();
    const unnamed = contents.flatMap(([name, content]) =>
      Object.entries(content).flatMap(([type, { schema }]) =>
        type.endsWith('json') && nameOf(schema) === '' ? [name] : [],
      ),
    );
    expect(contents.length).toBeGreaterThan(150);
    expect(unnamed, 'wrap their schemas in named() or namedObject()').toEqual([]);
  });

  test('is the data of every event', () => {
    const data = Object.entries(document.webhooks).map(([type, { post }]) => {
      const event = nameOf(post?.requestBody?.content['application/json']?.schema ?? {});
      return [type, nameOf(document.components.schemas[event]?.properties?.data ?? {})];
    });
    expect(data.length).toBeGreaterThan(30);
    expect(data.filter(([, name]) => name === '')).toEqual([]);
  });

  test('is every refusal, which is referred to by its name', () => {
    const refusals = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, { $ref }]) => (status < '400' ? [] : [$ref])),
      ),
    );
    expect(refusals.length).toBeGreaterThan(900);
    expect(refusals.filter((one) => !/^#\/components\/responses\/[A-Za-z]+$/.test(one ?? ''))).toEqual([]);
  });
});

describe('a name', () => {
  const operation = (url: string, fields: Record<string, ReturnType<typeof Type.String>>): Operation => ({
    method: 'GET',
    url,
    operationId: `get${url.slice(1)}`,
    tag: 'Things',
    summary: url,
    access: 'public',
    response: { 200: namedObject('Thing', fields) },
    errors: [],
  });

  test('is refused when two different schemas have it', () => {
    const operations = [operation('/one', { id: Type.String() }), operation('/two', { name: Type.String() })];
    expect(() => describeApi(operations, {}, '0')).toThrow(
      'Two different schemas of the API reference have the name Thing.',
    );
  });

  test('may stand on schemas that say the same', () => {
    const operations = [operation('/one', { id: Type.String() }), operation('/two', { id: Type.String() })];
    const { components } = describeApi(operations, {}, '0') as Document & object;
    expect(components.schemas.Thing).toEqual({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' } },
    });
  });
});
