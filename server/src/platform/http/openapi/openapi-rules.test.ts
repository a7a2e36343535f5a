import { setImmediate } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import type { TextRule } from '../schema/text-rules.ts';
import { validateStrictly } from '../schema/validation.ts';
import { dereference } from './dereference.ts';

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  'x-rule'?: TextRule;
  [keyword: string]: unknown;
};
type Field = { name: string; schema: Schema; documented: Schema };
type Operation = {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

let service: TestService;
let paths: Record<string, Record<string, Operation>>;
let document: Ajv2020;
let fields: Field[];
let admin: Actor;
let endpointId: string;

beforeAll(async () => {
  service = await startTestService();
  const described = dereference((await service.call('GET', '/openapi.json')).body);
  paths = described.paths;
  document = readDocument(described.components.schemas);
  fields = service.operations.flatMap(fieldsOf);
  admin = await signUpAdmin(service);
  const endpoint = { token: service.operatorKey, body: { url: 'https://hooks.example.com/' } };
  endpointId = (await service.call('POST', '/operator/webhook-endpoints', endpoint)).body.id;
});
afterAll(() => service?.stop());

function describedOperation(method: string, url: string): Operation {
  const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${url} is not described`);
  return operation;
}

/** Every field of an operation's query and bodies that has a rule, beside what the document says of it. */
function fieldsOf({ method, url, query, body, mediaTypes }: TestService['operations'][number]): Field[] {
  const { parameters, requestBody } = describedOperation(method, url);
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const described = { properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])) };
  const bodies = Object.entries({ ...(body ? { 'application/json': body } : {}), ...mediaTypes });
  return [
    ...pair(`${method} ${url}`, (query ?? {}) as Schema, described),
    ...bodies.flatMap(([type, schema]) =>
      pair(`${method} ${url}`, schema as Schema, requestBody?.content[type]?.schema ?? {}),
    ),
  ];
}

function pair(name: string, schema: Schema, documented: Schema): Field[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    pair(`${name} ${key}`, property, documented.properties?.[key] ?? {}),
  );
  const items = schema.items === undefined ? [] : pair(name, schema.items, documented.items ?? {});
  return [...(schema['x-rule'] === undefined ? [] : [{ name, schema, documented }]), ...inside, ...items];
}

/** The validator that requests go through, for one field. */
function serviceTakes({ schema }: Field): (value: string) => boolean {
  const app = Fastify();
  validateStrictly(app);
  const body = { type: 'object', properties: { value: schema } };
  const validate = app.validatorCompiler?.({ schema: body, httpPart: 'body', method: 'POST', url: '/' } as never);
  return (value) => validate?.({ value }) === true;
}

function documentTakes(documented: object): (value: unknown) => boolean {
  const check = document.compile(rewriteReferences(documented));
  return (value) => check(value) as boolean;
}

/** Compiles schemas that refer to those of the document. */
function readDocument(schemas: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.addSchema({ $id: 'document', $defs: rewriteReferences(schemas) });
}

function rewriteReferences<Value extends object>(schema: Value): Value {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/$defs/'));
}

const SPACE = fc.constantFrom('', '', ' ', '\t', '\n', '\u00a0', '\u3000');
const CHARACTER = fc.constantFrom(...'aZ059 .-+:/#@*TzK\u0131\u212a\n\u00e4\u0663');
const MIXED = fc.string({ unit: fc.constantFrom(...'AaZz19 !_\u00c4\u00df\u0663'), minLength: 1, maxLength: 14 });

/** Texts that the pattern of a rule allows, those that are nearly so, and others; with white space around some. */
function textsFor(rule: TextRule): fc.Arbitrary<string> {
  const pattern = rule.documented?.pattern;
  const allowed = pattern === undefined ? MIXED : fc.stringMatching(new RegExp(`^(?:${pattern})$`), { maxLength: 100 });
  const spoilt = fc.tuple(allowed, CHARACTER, fc.nat(), fc.constantFrom(0, 1)).map(([text, character, at, cut]) => {
    const position = at % (text.length + 1);
    return text.slice(0, position) + character + text.slice(position + cut);
  });
  const text = fc.oneof({ arbitrary: allowed, weight: 3 }, { arbitrary: spoilt, weight: 2 }, MIXED);
  return fc.tuple(SPACE, text, SPACE).map((parts) => parts.join(''));
}

/** What no pattern can say: of each such rule, a text that the document allows and the service refuses. */
const BEYOND_PATTERNS: [rule: RegExp, example: string, why: string][] = [
  [/ password$/, `Aa1!${'\u{1f600}'.repeat(100)}`, 'its bytes are counted'],
  [/ (cardNumber|card number)$/, '4242 4242 4242 4241', 'a check digit'],
  [
    / (cardName|card name|(info|card) country)$/,
    'Ada \uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12',
    'digits of any script',
  ],
  [/ iban$/, 'DE89 3704 0044 0532 0130 01', 'check digits'],
  [/ timezone$/, 'Europe/Nowhere', 'zones that there are'],
  [/ language$/, 'de-de-de', 'no part twice'],
  [/ avatar$/, 'https://cdn.example.com:99999/', 'ports that there are'],
  [/ time$/, '1999-12-31T00:00:00Z', 'not before 2000, in UTC'],
  [/prices\S* effective(From|To)$/, '2026-10-01T00:30:00Z', 'whole hours of UTC'],
  [/ allowed_ips$/, '192.0.2.256', 'numbers to 255'],
  [/ (receipt|(?<! card )number)$/, 'a-0198-0198-0198-1', 'no id'],
  [/ (invoice|creditNote)Prefix$/, 'TEST-', 'kept for what is no invoice'],
];

const isBeyond = ({ name }: Field) => BEYOND_PATTERNS.some(([rule]) => rule.test(name));

test('there are fields with rules, and each says in the document what JSON Schema can say of it', () => {
  expect(fields.length).toBeGreaterThan(60);
  expect(fields.filter(({ schema }) => schema['x-rule']?.documented === undefined).map(({ name }) => name)).toEqual([]);
});

const ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const RANGE = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };
const PRICE = { path: '/v1', title: 'Speech', currency: 'USD', effectiveFrom: '2026-10' };
const CREDIT_LINE = { title: 'Back', amount: '1' };
const REPLAY = 'POST /operator/webhook-endpoints/:endpoint_id/replay';
const CREDIT_NOTE = 'POST /operator/invoices/:invoice_id/credit-notes';
const ITEMS = 'POST /operator/companies/:company_id/items';
const SETTINGS = 'PUT /operator/companies/:company_id/billing-settings';
const THRESHOLD = 'POST /operator/companies/:company_id/usage-thresholds';

// Security (Bodies, paths and queries): The reference matches the code for fields that go together, for numbers, and for text with U+0000
test.each([
  [REPLAY, {}],
  [REPLAY, { startAt: RANGE.startAt }],
  [REPLAY, { eventId: ID, ...RANGE }],
  [CREDIT_NOTE, { reason: 'Outage' }],
  [CREDIT_NOTE, { reason: 'Outage', amount: '1', details: [CREDIT_LINE] }],
  ['POST /operator/companies/:company_id/credits', { amount: 1e15, currency: 'USD', reason: 'Outage' }],
  ['POST /operator/prices', { ...PRICE, model: 'flat' }],
  ['POST /operator/prices', { ...PRICE, model: 'flat', unitAmount: '1', packageSize: 2 }],
  [CREDIT_NOTE, { reason: 'Outage', amount: '0.00' }],
  ['POST /operator/payments/:payment_id/refunds', { reason: 'Outage', amount: -1 }],
  ['POST /payments/webhook-endpoints', { url: 'http://hooks.example.com/' }],
  [ITEMS, { title: 'Onboarding' }],
  [ITEMS, { title: 'Onboarding', amount: '1', unitAmount: '1' }],
  [ITEMS, { title: 'Onboarding', amount: '1', quantity: 2 }],
  [SETTINGS, { lateUsage: { kind: 'refuse' } }],
  [THRESHOLD, { quantity: 0 }],
  [THRESHOLD, { quantity: 1.5 }],
  [THRESHOLD, { quantity: 1e18 }],
  ['PUT /operator/seller', { name: 'a\u0000b' }],
])('%s with %j: the document forbids it, and it is 400', async (operation, body) => {
  const [method = '', url = ''] = operation.split(' ');
  const { requestBody } = describedOperation(method, url);
  expect(documentTakes(requestBody?.content['application/json']?.schema ?? {})(body)).toBe(false);
  const path = url.replace(':company_id', admin.companyId).replace(':endpoint_id', endpointId).replace(/:\w+/, ID);
  const token = url.startsWith('/operator') ? service.operatorKey : admin.token;
  expect((await service.call(method, path, { token, body })).status).toBe(400);
});

test.each([{ quantity: 12 }, { quantity: '12' }, { rawBody: '{"quantity":12.0}' }, { rawBody: '{"quantity":1.2e1}' }])(
  'a whole number may be written in any way that JSON Schema calls one: %j',
  async ({ rawBody, ...body }) => {
    const headers = { 'content-type': 'application/json' };
    const sent = rawBody === undefined ? { body } : { rawBody, headers };
    const answer = await service.call('POST', '/payments/usage-thresholds', { token: admin.token, ...sent });
    expect([answer.status, answer.body.quantity]).toEqual([201, '12']);
  },
);

test.each([{ unknown: { inside: ['\u0000'] } }, { '\u0000': 1 }])(
  'U+0000 is forbidden where a company sends what nobody knows: %j',
  async (body) => {
    const { requestBody } = describedOperation('POST', '/payments/addresses');
    const allows = documentTakes(requestBody?.content['application/json']?.schema ?? {});
    expect([allows(body), allows({ unknown: { inside: ['\\u0000'] } })]).toEqual([false, true]);
    const answer = await service.call('POST', '/payments/addresses', { token: admin.token, body });
    expect(answer.status).toBe(400);
  },
);

// The last ones, because they keep this thread busy for so long that a connection which waits for the next request ends.

// Security (Bodies, paths and queries): The reference matches the code: it forbids nothing that the service accepts, and allows nothing
// that the service refuses, where JSON Schema can express the rule
test('the document allows what the service accepts, and no more if a pattern can express the rule', async () => {
  const different: string[] = [];
  const takesByRule = new Map<unknown, Field>();
  for (const field of fields)
    takesByRule.set(`${field.name.split(' ').at(-1)} ${JSON.stringify(field.documented)}`, field);
  for (const field of takesByRule.values()) {
    // The service runs in this thread: it serves its connections between two fields, and none times out.
    await setImmediate();
    const [takes, allows] = [serviceTakes(field), documentTakes(field.documented)];
    const texts = fc.sample(textsFor(field.schema['x-rule'] as TextRule), { numRuns: 150, seed: 20_261_122 });
    for (const text of texts) {
      const [taken, allowed] = [takes(text), allows(text)];
      if (taken && !allowed) different.push(`${field.name} takes ${JSON.stringify(text)}`);
      if (allowed && !taken && !isBeyond(field)) different.push(`${field.name} refuses ${JSON.stringify(text)}`);
    }
    expect(
      texts.some(takes) || / (password|timezone|cardNumber|card number|iban)$/.test(field.name),
      `${field.name} is never right`,
    ).toBe(true);
  }
  expect(different).toEqual([]);
});

test.each(BEYOND_PATTERNS)('%s: %j is beyond patterns (%s)', (rule, example) => {
  const ofRule = fields.filter(({ name }) => rule.test(name));
  expect(ofRule).not.toEqual([]);
  for (const field of ofRule) {
    expect([documentTakes(field.documented)(example), serviceTakes(field)(example)], field.name).toEqual([true, false]);
  }
});
