import { randomUUID } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTSIDE_THE_BATTERY } from '../../../../test/battery/battery.ts';
import { signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { answeredCode, ERROR_CODES, type ErrorCode } from '../../errors.ts';
import type { Operation } from '../route/operation.ts';
import { dereference } from './dereference.ts';
import type { Json } from './openapi-components.ts';
import { exampleOf } from './openapi-schema.ts';

type Content = { schema: object; example?: unknown; examples?: Record<string, { summary?: string; value: unknown }> };
type Response = { description: string; content?: Record<string, Content>; headers?: object };
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Record<string, unknown> };
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string; description: string; license: object };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

let service: TestService;
/** As it is sent, and with what it refers to in place. */
let sent: Document;
let document: Document;
let operations: { name: string; described: Described; operation: Operation }[];
let ajv: Ajv2020;
/** By the text of the schema. */
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  service = await startTestService();
  sent = (await service.call('GET', '/openapi.json')).body;
  document = dereference(sent);
  operations = service.operations.map((operation) => {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    const described = document.paths[path]?.[operation.method.toLowerCase()];
    if (described === undefined) throw new Error(`${operation.method} ${path} is not described`);
    return { name: `${operation.method} ${path}`, described, operation };
  });
  ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat('email', /^[^@\s]+@[^@\s]+\.[^@\s]+$/);
  ajv.addFormat('password', true);
  ajv.addSchema({ $id: 'document', components: document.components });
});
afterAll(() => service?.stop());

/** What is wrong with an example by its schema; an empty list when nothing is. */
function problemsOf(schema: object, example: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate(example) ? [] : [ajv.errorsText(validate.errors), JSON.stringify(example)];
}

function everyContent(): { name: string; type: string; content: Content }[] {
  return operations.flatMap(({ name, described }) => {
    const parts = { body: described.requestBody?.content, ...mapValues(described.responses, ({ content }) => content) };
    return Object.entries(parts).flatMap(([part, contents]) =>
      Object.entries(contents ?? {}).map(([type, content]) => ({ name: `${name} ${part}`, type, content })),
    );
  });
}

/** What a reader takes for an example: the one that is given, or what the fields' own add up to. */
function exampleIn({ schema, example }: Content): unknown {
  return example ?? exampleOf(schema as Json);
}

/** The parameters without which the service answers 400, each with its example. */
function requiredQueryOf({ parameters }: Described): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  return `?${required.map(({ name, schema }) => `${name}=${[schema.examples].flat()[0]}`).join('&')}`;
}

function mapValues<T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** The statuses that a code may be answered with. */
function statusesOf(code: string): number[] {
  const names = Object.keys(ERROR_CODES) as ErrorCode[];
  return names.filter((name) => answeredCode(name) === code).map((name) => ERROR_CODES[name][0]);
}

describe('the document', () => {
  test('is OpenAPI 3.1 with a title, a version, a license and tags that are all used', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: 'Paydesk', license: { name: 'Apache-2.0' } });
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
    const used = new Set(operations.flatMap(({ described }) => described.tags));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  });

  test('is what the schema of OpenAPI 3.1 allows', async () => {
    const { valid, errors } = await new Validator().validate({ ...sent });
    expect(valid, JSON.stringify(errors, null, 2)).toBe(true);
  });

  test('describes every operation and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  test('lists every error code with its status and meaning', () => {
    for (const [name, [status, meaning]] of Object.entries(ERROR_CODES)) {
      const code = answeredCode(name as ErrorCode);
      expect(document.info.description).toContain(`| \`${code}\` | ${status} | ${meaning} |`);
    }
  });

  test('says that of a repeated key the last one counts, and when unknown fields are ignored', () => {
    expect(document.info.description).toMatch(/repeats a key,\s+the last one counts/);
    expect(document.info.description).toMatch(/unknown fields are ignored/);
    expect(document.info.description).toMatch(/an unknown field is 400/);
  });

  test('has no reference that leads nowhere, and no key that only the validator reads', () => {
    const text = JSON.stringify(sent);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'));
    expect(references.length).toBeGreaterThan(10);
    const find = (path: string[]) =>
      path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], sent);
    expect(references.filter((path) => find(path) === undefined)).toEqual([]);
    expect(text).not.toMatch(/"x-[a-z-]+":/);
  });
});

describe('every operation', () => {
  test('has a summary of its own, a tag, and an operationId that no other has', () => {
    const ids = operations.map(({ described }) => described.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const summaries = operations.map(({ described }) => described.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
    for (const { name, described } of operations) {
      expect(described.operationId, name).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
      expect(described.summary.length, name).toBeGreaterThan(4);
      expect(described.tags, name).toHaveLength(1);
    }
  });

  test('names its path parameters, each once and required', () => {
    for (const { name, described } of operations) {
      const inPath = described.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(name.match(/\{\w+\}/g) ?? []);
      // The token of a link and the name of a provider are no ids, and a company's may be an external one.
      for (const { name, required, schema } of inPath) {
        const isUuid = !['token', 'name', 'index', 'company_id'].includes(name);
        expect([required, schema.format]).toEqual([true, isUuid ? 'uuid' : undefined]);
      }
      const names = described.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('says which credential it takes: the access token, the operator’s key or none', () => {
    for (const { name, described, operation } of operations) {
      const [scheme] = described.security.map((one) => Object.keys(one).join());
      const expected = { public: undefined, operator: 'operatorKey' }[operation.access as string];
      expect([name, scheme]).toEqual([name, operation.access === 'public' ? undefined : (expected ?? 'accessToken')]);
      if (scheme) expect(document.components.securitySchemes[scheme]).toMatchObject({ type: 'http', scheme: 'bearer' });
      expect(Array.isArray(described.security)).toBe(true);
    }
  });

  test('that creates something takes an Idempotency-Key, and so does pay, but /auth, webhooks of gateways and previews do not', () => {
    const keyed = operations.filter(({ described }) =>
      described.parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    const expected = operations.filter(
      ({ name }) => /^POST \/(?!auth|gateways|operator\/(?:seller|mails)\/preview)/.test(name) || name.endsWith('/pay'),
    );
    expect(keyed.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(keyed.length).toBeGreaterThan(4);
  });
});

test('a 202 names Retry-After where the outcome is asked for again, and not where work has begun', () => {
  const accepted = operations.flatMap(({ name, described }) => {
    const answer = described.responses[202];
    return answer === undefined ? [] : [[name, Object.keys(answer.headers ?? {}).includes('Retry-After')]];
  });
  expect(Object.fromEntries(accepted)).toEqual({
    'PUT /payments/orders/{invoice_id}/pay': true,
    'POST /operator/payments/{payment_id}/refunds': true,
    'POST /auth/email/verification': false,
    'PUT /auth/email': false,
    'POST /auth/password/forgot': false,
    'POST /operator/billing-previews': false,
    'POST /operator/billing-runs': false,
    'POST /operator/invoices/{invoice_id}/charge': true,
  });
});

describe('every schema and example', () => {
  test('the schemas are JSON Schema, and each has a type, an enum or parts', () => {
    for (const { name, content } of everyContent()) {
      expect(ajv.validateSchema(content.schema), name).toBe(true);
      expect(
        Object.keys(content.schema).some((key) => ['type', '$ref', 'anyOf', 'enum'].includes(key)),
        name,
      ).toBe(true);
    }
  });

  test('each body and each success has an example that its own schema takes', () => {
    const successes = everyContent().filter(
      ({ name, type }) => / (body|2\d\d)$/.test(name) && type === 'application/json',
    );
    expect(successes.length).toBeGreaterThan(25);
    for (const { name, content } of successes) {
      const example = exampleIn(content);
      expect(example, name).toBeDefined();
      expect([name, ...problemsOf(content.schema, example)]).toEqual([name]);
    }
  });

  test('the service takes the examples of the bodies as they stand', async () => {
    const { token } = await signUpAdmin(service);
    // What names a row of the example's own company, a token or a real gateway can't be there: that is then the one thing that is wrong.
    const rows = 'addressId companyId companies subject gateway token label_ids passkey installation'.split(' ');
    for (const { name, described, operation } of operations.filter((one) => one.described.requestBody)) {
      const content = described.requestBody?.content['application/json'];
      const body = content && exampleIn(content);
      const credential = { public: undefined, operator: service.operatorKey }[operation.access as string] ?? token;
      const path = operation.url.replace(/:\w+/, randomUUID()) + requiredQueryOf(described);
      // Some requests come from pages of the service alone.
      const headers = { origin: service.config.publicUrl };
      const answer = await service.call(operation.method, path, { body, token: credential, headers });
      const wrong = (answer.body?.error?.details ?? []).map(({ field }: { field: string }) => field);
      expect([200, 201, 202, 204, 400, 401, 404, 409], name).toContain(answer.status);
      if (answer.status === 400)
        expect([name, ...wrong.filter((field: string) => !rows.includes(field))]).toEqual([name]);
      if (answer.status === 400) expect(wrong, name).toHaveLength(1);
    }
  });

  test('a success has either no content or JSON, except PDFs, CSV files, metrics and pages', () => {
    for (const { name, described, operation } of operations) {
      for (const [status, schema] of Object.entries(operation.response)) {
        const types = Object.keys(described.responses[status]?.content ?? {});
        if (schema === null) expect([name, status, types]).toEqual([name, status, []]);
        else if (/\/pdf$|seller\/preview$|\/attachments\//.test(operation.url))
          expect([name, types]).toEqual([name, ['application/pdf']]);
        else if (operation.url.endsWith('.csv')) expect([name, types]).toEqual([name, ['text/csv']]);
        else if (!OUTSIDE_THE_BATTERY.test(operation.url)) expect([name, types]).toEqual([name, ['application/json']]);
        else expect(types, name).toHaveLength(1);
      }
    }
  });
});

describe('every refusal', () => {
  test('stands under its status with each of its codes and an example in the one shape', () => {
    for (const { name, described, operation } of operations) {
      for (const [status, response] of Object.entries(described.responses).filter(([one]) => Number(one) >= 400)) {
        const { schema, examples = {} } = response.content?.['application/json'] ?? { schema: {} };
        expect(schema).toEqual(document.components.schemas.Error);
        expect(Object.keys(examples).length, `${name} ${status}`).toBeGreaterThan(0);
        for (const [code, { value }] of Object.entries(examples)) {
          expect(statusesOf(code)).toContain(Number(status));
          expect(value).toHaveProperty('error.code', code);
          expect(problemsOf(schema, value)).toEqual([]);
          expect('data' in (value as object)).toBe(operation.url.startsWith('/auth/'));
          expect(response.description).toContain(`\`${code}\``);
        }
      }
    }
  });

  test('that follows from an operation’s credential, path, body or key is declared', () => {
    for (const { name, described, operation } of operations.filter(
      ({ operation }) => !OUTSIDE_THE_BATTERY.test(operation.url),
    )) {
      const codes = Object.values(described.responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      );
      const guarded = operation.access === 'public' ? [] : ['unauthenticated', 'forbidden'];
      const isOfCompany = ![/^\/auth\//, /^\/operator\//].some((own) => own.test(operation.url)) && guarded.length > 0;
      const stopped = isOfCompany && operation.method !== 'GET' ? ['email_not_verified', 'company_disabled'] : [];
      const demanded = guarded.length > 0 && !operation.withoutSecondFactor ? ['second_factor_required'] : [];
      const ofKeys = isOfCompany && !operation.url.startsWith('/company/api-keys') ? ['address_not_allowed'] : [];
      const bodied = operation.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type'];
      const keyed = operation.idempotency ? ['idempotency_key_in_use', 'idempotency_key_reused'] : [];
      const held = operation.heldWithCharges ? ['charges_held'] : [];
      const always = ['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'];
      const addressed = operation.url.includes(':') ? ['not_found'] : [];
      const expected = [
        ...guarded,
        ...ofKeys,
        ...stopped,
        ...demanded,
        ...bodied,
        ...keyed,
        ...held,
        ...always,
        ...addressed,
        ...operation.errors.map(answeredCode),
      ];
      expect([name, new Set(codes)]).toEqual([name, new Set(expected)]);
    }
  });

  test.each([
    ['POST /auth/signup/admin', 'email_taken'],
    ['POST /auth/signup/customer', 'email_taken'],
    ['POST /auth/local', 'invalid_credentials'],
    ['POST /labels', 'label_name_taken'],
    ['PUT /labels/{label_id}', 'label_name_taken'],
    ['PUT /payments/orders/{invoice_id}/pay', 'card_declined'],
    ['PUT /payments/orders/{invoice_id}/pay', 'payment_method_required'],
    ['PUT /payments/orders/{invoice_id}/pay', 'payment_in_progress'],
  ])('%s can be refused with %s', (name, code) => {
    const described = operations.find((one) => one.name === name)?.described;
    const status = String(ERROR_CODES[code as ErrorCode][0]);
    expect(described?.responses[status]?.content?.['application/json']?.examples).toHaveProperty(code);
  });
});
