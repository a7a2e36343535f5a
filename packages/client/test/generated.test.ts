import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateClient } from '../../../tools/client/generate.ts';
import { writeMethods } from '../../../tools/client/methods.ts';
import { createApi } from '../src/api.ts';
import { OPERATIONS } from '../src/calls/operations.generated.ts';
import type { Operation } from '../src/calls/types.ts';

const ROOT = join(import.meta.dirname, '../../..');
const readDocument = () => JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));

type Branch = { [name: string]: Branch | ((...values: unknown[]) => unknown) };

/** The methods of a client by their names, with dots between. */
function methodsOf(branch: Branch, prefix = ''): [string, (...values: unknown[]) => unknown][] {
  return Object.entries(branch).flatMap(([name, member]) =>
    typeof member === 'function' ? [[`${prefix}${name}`, member]] : methodsOf(member, `${prefix}${name}.`),
  );
}

describe('what the client knows of the API', () => {
  it('is what docs/openapi.json says: `npm run openapi` writes both', () => {
    for (const [name, text] of Object.entries(generateClient(readDocument()))) {
      const written = readFileSync(join(ROOT, 'packages/client/src/calls', name), 'utf8');
      expect(written === text, `${name} is out of date: run npm run openapi`).toBe(true);
    }
  });

  it('is what the table in its README says', () => {
    const readme = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8');
    expect(writeMethods(readme, readDocument()) === readme, 'README.md is out of date: run npm run openapi').toBe(true);
    const listed = [...readme.matchAll(/^\| `([\w.]+)\(/gm)].map(([, name = '']) => name);
    const methods = methodsOf(createApi(async () => []) as unknown as Branch).map(([name]) => name);
    expect(listed.toSorted()).toEqual(methods.toSorted());
  });

  it('has a method for every operation, except those for gateways and those that redirect a browser', async () => {
    const sent: Operation[] = [];
    const api = createApi(async (operation) => {
      sent.push(operation);
      return [];
    });
    for (const [, method] of methodsOf(api as unknown as Branch)) await method();
    const paths = readDocument().paths as Record<string, Record<string, { responses: Record<string, object> }>>;
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => !path.endsWith('/webhooks') && !('302' in responses))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.length).toBeGreaterThan(100);
    expect(sent.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(documented.toSorted());
  });

  it('is how each is to be sent: with its key, its credential and its pages', () => {
    expect(OPERATIONS['invoices.pay']).toEqual({
      method: 'PUT',
      path: '/payments/orders/{invoice_id}/pay',
      credential: 'accessToken',
      takesKey: true,
    });
    expect(OPERATIONS['operator.events.list']).toMatchObject({ credential: 'operatorKey', list: 'cursor' });
    expect(OPERATIONS['labels.list']).toMatchObject({ takesQuery: true, list: 'current_page' });
    expect(OPERATIONS['invoices.pdf']).toMatchObject({ answer: 'bytes' });
  });
});

describe('the generator', () => {
  const operation = (changes: object) => ({
    operationId: 'listThings',
    tags: ['Things'],
    summary: 'List things',
    security: [],
    responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } } } },
    ...changes,
  });

  it('refuses a document in which two operations have one name', () => {
    const document = readDocument();
    document.paths['/payments/labels'] = { get: operation({ operationId: 'listLabelsAgain' }) };
    expect(() => generateClient(document)).toThrow(
      '/payments/labels and /labels are both labels.list: name one of them.',
    );
  });

  it('refuses a name that is given to an operation which is gone', () => {
    const document = readDocument();
    delete document.paths['/healthz'];
    expect(() => generateClient(document)).toThrow('names get /healthz, which the API has not');
  });

  it('calls what has a name by it, and writes out the rest', () => {
    const document = readDocument();
    document.components.schemas.Thing = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: ['string', 'null'] } },
    };
    const reference = { $ref: '#/components/schemas/Thing' };
    document.paths['/payments/things'] = {
      get: operation({
        responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: reference } } } } },
      }),
      post: operation({
        operationId: 'createThing',
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { kind: { enum: ['a', 'b'] } } } } },
        },
        responses: { 201: { content: { 'application/json': { schema: reference } } } },
      }),
    };
    const { 'api.generated.ts': types } = generateClient(document);
    expect(types).toContain('export type Thing = {\n  id: string | null;\n};');
    expect(types).toContain("export type ThingsCreateBody = {\n  kind?: 'a' | 'b';\n};");
    expect(types).toContain('create(body: ThingsCreateBody, options?: RequestOptions): Promise<Thing>;');
    expect(types).toContain('list(options?: RequestOptions): List<Thing, Thing[]>;');
  });
});
