import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { dereference } from './dereference.ts';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};
type Location = [operation: string, part: 'body' | '200' | '201', ...path: string[]];

let service: TestService;
let paths: Record<string, Record<string, Record<string, never>>>;
beforeAll(async () => {
  service = await startTestService();
  paths = dereference((await service.call('GET', '/openapi.json')).body).paths;
});
afterAll(() => service?.stop());

function operationOf(name: string): Record<string, unknown> {
  const [method = '', path = ''] = name.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${name} is not described`);
  return operation;
}

/** The schema of a body or an answer, or of a part of it: `[]` stands for the items of a list. */
function schemaAt([operation, part, ...path]: Location): Schema {
  const described = operationOf(operation) as {
    requestBody: { content: Record<string, { schema: Schema }> };
    responses: Record<string, { content: Record<string, { schema: Schema }> }>;
  };
  const holder = part === 'body' ? described.requestBody : described.responses[part];
  return path.reduce((schema, key) => inside(schema, key), holder?.content['application/json']?.schema ?? {});
}

function inside(schema: Schema, key: string): Schema {
  const found = key === '[]' ? schema.items : schema.properties?.[key];
  return found ?? schema.anyOf?.map((one) => inside(one, key)).find((one) => Object.keys(one).length > 0) ?? {};
}

/** The types that a schema allows, as the tables below write them. */
function typesOf({ type, enum: values, anyOf, format }: Schema): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(typesOf))].join(' | ');
  if (values !== undefined) return [...new Set(values.map((value) => typeof value))].join(' | ');
  const names = [type ?? []].flat().map((one) => (one === 'integer' ? 'number' : one));
  return names.map((one) => (one === 'string' && format === 'date-time' ? 'timestamp' : one)).join(' | ');
}

const CARD = `id string, companyId string, addressId string, method string, isDefault boolean, info object, info.country string,
  info.expMonth number, info.expYear number, info.cardName string, info.cardNumber string, metadata object, createdAt timestamp,
  updatedAt timestamp`;
const ADDRESS = `id string, companyId string, firstName string, lastName string, streetAddress string, aptNumber string, state string,
  country string, zipCode string, createdAt timestamp, updatedAt timestamp`;
const BILLING_INFORMATION = `id string, companyId string, paymentId string | null, paymentMethod string, inStoreCredit number,
  firstName string, lastName string, phoneNumber string, country string, address string, zipCode string, postalCode number | null,
  province string, city string, organization string, taxId string`;
const INVOICE = `id string, companyId string, billToId string, paymentId string | null, startAt timestamp, endAt timestamp, method string,
  status string, details array, details.[].title string, details.[].path string, details.[].totalRequest string,
  details.[].currency string, details.[].amount number, subTotal string, tax string, total string, metadata object | null,
  createdAt timestamp, updatedAt timestamp`;
const LABEL = `id string, companyId string, userId string, createdBy string, updatedBy string, name string, description string,
  color string, createdAt timestamp, updatedAt timestamp`;
const FLAGS = ['platform.applications', 'platform.admins', 'platform.roles', 'platform.billing', 'application.tickets']
  .concat(
    'application.agents',
    'application.customers',
    'application.live_map',
    'application.labels',
    'application.settings',
  )
  .flatMap((entry) => [`role.permission.${entry}.all boolean`, `role.permission.${entry}.view boolean`]);
const USER_PROFILE = `id string, first_name string, last_name string, phone string, email string, country string, city string,
  avatar string, company object, company.id string, company.name string, company.phone string, company.address string,
  company.describe string, company.email string, role object, role.id string, role.name string, role.description string,
  role.category string, role.permission object, role.permission.application.applications null, ${FLAGS.join(', ')}, address null,
  state string, language string, timezone string, default_app string`;

/** The fields that clients rely on, with every answer that carries the resource. */
const RESOURCES: [title: string, fields: string, ...locations: Location[]][] = [
  ['Card', CARD, ['POST /payments/cards', '201'], ['PUT /payments/cards/{card_id}', '200']],
  ['Card, in the list', `${CARD}, address object`, ['GET /payments/cards', '200', '[]']],
  ['Address, embedded in a card of the list', ADDRESS, ['GET /payments/cards', '200', '[]', 'address']],
  [
    'Address',
    ADDRESS,
    ['POST /payments/addresses', '201'],
    ['PUT /payments/addresses/{address_id}', '200'],
    ['GET /payments/addresses', '200', '[]'],
  ],
  ['Billing information', BILLING_INFORMATION, ['GET /payments/billing-information', '200']],
  [
    'Billing information, updated',
    `${BILLING_INFORMATION}, createdAt timestamp, updatedAt timestamp`,
    ['PUT /payments/billing-information', '200'],
  ],
  ['Invoice', INVOICE, ['PUT /payments/orders/{invoice_id}/pay', '200'], ['POST /operator/invoices', '201']],
  ['Invoice, in the list', `${INVOICE}, payment object | null`, ['GET /payments/orders', '200', 'data', '[]']],
  [
    'Label',
    LABEL,
    ['POST /labels', '201'],
    ['GET /labels/{label_id}', '200'],
    ['PUT /labels/{label_id}', '200'],
    ['GET /labels', '200', 'data', '[]'],
  ],
  [
    'User profile',
    USER_PROFILE,
    ['POST /auth/signup/admin', '201', 'data', 'user'],
    ['POST /auth/signup/customer', '201', 'data', 'user'],
    ['POST /auth/local', '200', 'data', 'user'],
  ],
  ['list of invoices', 'total number, page number, perPage number, data array', ['GET /payments/orders', '200']],
  [
    'list of labels',
    'current_page number, per_page number, last_page number, total number, data array',
    ['GET /labels', '200'],
  ],
  [
    'answer',
    'error null, data object, data.access_token string, data.expires_in number, data.user object',
    ['POST /auth/local', '200'],
    ['POST /auth/refresh', '200'],
  ],
];

const fieldsOf = (table: string) =>
  table.split(',').map((field) => /^\s*(\S+) (.*?)\s*$/s.exec(field)?.slice(1) as [string, string]);

describe.each(RESOURCES)('%s', (_title, table, ...locations) => {
  test.each(fieldsOf(table))('%s is there in every answer, as %s', (field, type) => {
    for (const location of locations) {
      const path = field.split('.');
      const schema = schemaAt([...location, ...path]);
      expect(typesOf(schema), location.join(' ')).toBe(type);
      const parent = schemaAt([...location, ...path.slice(0, -1)]);
      const holders = [parent, ...(parent.anyOf ?? [])];
      expect(
        holders.some(({ required }) => required?.includes(path.at(-1) ?? '')),
        `${location.join(' ')} requires it`,
      ).toBe(true);
    }
  });
});

test('an address stands on the cards of the list alone, a payment on the invoices of the list alone', () => {
  expect(schemaAt(['POST /payments/cards', '201', 'address'])).toEqual({});
  expect(schemaAt(['PUT /payments/cards/{card_id}', '200', 'address'])).toEqual({});
  expect(schemaAt(['PUT /payments/orders/{invoice_id}/pay', '200', 'payment'])).toEqual({});
});

test('the security code and the password are in no answer', () => {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => JSON.stringify(responses)),
  );
  expect(answers.filter((text) => /"(cvv|password|password_hash)":/.test(text))).toEqual([]);
});

// ASVS 6.4.2
describe('the bodies: ! is required', () => {
  const ADDRESS_BODY =
    'firstName string, lastName string, streetAddress string, aptNumber string, state string, zipCode string, country string';
  const SIGN_UP = 'first_name! string, last_name! string, email! string, password! string';
  const BODIES: [operation: string, fields: string][] = [
    [
      'POST /payments/cards',
      `isDefault boolean, addressId! string, setupId string, paymentMethod string, info object, info.cardName! string,
       info.cardNumber! string, info.expMonth! number, info.expYear! number, info.cvv! string, info.country! string`,
    ],
    ['PUT /payments/cards/{card_id}', 'isDefault boolean, info! object, info.expMonth! number, info.expYear! number'],
    [
      'PUT /payments/billing-information',
      `firstName string, lastName string, phoneNumber string, country string, address string, zipCode string, province string,
       city string, organization string, taxId string`,
    ],
    ['POST /payments/addresses', ADDRESS_BODY],
    ['PUT /payments/addresses/{address_id}', ADDRESS_BODY],
    ['POST /labels', 'name! string, description! string, color! string, userName! string'],
    ['PUT /labels/{label_id}', 'name string, description string, color string, userName string'],
    ['DELETE /labels', 'label_ids! array, label_ids.[] string'],
    ['POST /auth/signup/admin', SIGN_UP],
    ['POST /auth/signup/customer', SIGN_UP],
    ['POST /auth/local', 'email! string, password! string'],
  ];

  test.each(BODIES)('%s takes exactly its fields', (operation, table) => {
    const read = (schema: Schema, prefix = ''): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
        `${prefix}${name}${schema.required?.includes(name) ? '!' : ''} ${typesOf(property)}`,
        ...read(property, `${prefix}${name}.`),
        ...(property.items ? [`${prefix}${name}.[] ${typesOf(property.items)}`] : []),
      ]);
    expect(read(schemaAt([operation, 'body'])).sort()).toEqual(
      fieldsOf(table)
        .map((field) => field.join(' '))
        .sort(),
    );
  });
});

describe('the query parameters of invoices and labels, all optional', () => {
  const none = undefined;
  const QUERIES: [operation: string, defaults: Record<string, unknown>][] = [
    [
      'GET /payments/orders',
      {
        page: 1,
        perPage: 10,
        receipt: none,
        min: none,
        max: none,
        status: none,
        method: none,
        startAt: none,
        endAt: none,
      },
    ],
    ['GET /labels', { current_page: 1, per_page: 10, sort_by: 'DESC', order_by: 'name', name: '' }],
  ];

  test.each(QUERIES)('%s', (operation, defaults) => {
    const { parameters } = operationOf(operation) as {
      parameters: { name: string; in: string; required: boolean; schema: Schema }[];
    };
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    expect(Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema.default]))).toEqual(defaults);
    expect(inQuery.filter(({ required }) => required)).toEqual([]);
  });
});
