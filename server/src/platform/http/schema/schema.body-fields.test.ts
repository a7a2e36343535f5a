import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  fillPath,
  operationOf,
  prepareWorld,
  refuseFailure,
  routesWhere,
  splitRoute,
  type World,
} from '../../../../test/battery/battery.ts';
import { type Field, type FieldSchema, fieldsOf, typesOf, withField } from '../../../../test/battery/body-fields.ts';
import { signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService } from '../../../../test/harness/service.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

const withBody = routesWhere(({ body, isSigned }) => body !== undefined && !isSigned) as [
  string,
  Required<BatteryCase>,
][];

/** How many characters a text may have; every item of a list the same. */
function longestOf(route: string, { name }: Field): number {
  return BATTERY[route]?.longTexts?.[name.replaceAll('[0]', '[]')] ?? 255;
}

async function send(route: string, entry: BatteryCase, request: { body?: unknown; rawBody?: string }): Promise<Answer> {
  const { method, url } = splitRoute(route);
  const token = credentialFor(world, entry);
  const headers: Record<string, string> = request.rawBody === undefined ? {} : { 'content-type': 'application/json' };
  const credential = token === undefined ? {} : { token };
  return refuseFailure(route, await world.service.call(method, fillPath(url), { ...request, headers, ...credential }));
}

/** Sets each field to each value in turn. @returns the ones that were not refused with a 400 that names the field */
async function unrefused(
  [route, entry]: [string, Required<BatteryCase>],
  valuesFor: (field: Field) => unknown[],
): Promise<string[]> {
  const body = entry.body(world);
  const problems: string[] = [];
  const fields = fieldsOf(operationOf(world, route).body as FieldSchema);
  for (const field of fields) {
    const answers = valuesFor(field).map(async (value) => {
      const answer = await send(route, entry, { body: withField(body, field.path, value) });
      const named = answer.body?.error?.details?.some((detail: { field: string }) => detail.field === field.name);
      if (answer.status === 400 && named) return [];
      return [`${field.name} = ${JSON.stringify(value)?.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`];
    });
    problems.push(...(await Promise.all(answers)).flat());
  }
  expect(fields.length).toBeGreaterThan(0);
  return problems;
}

const isText = ({ schema }: Field) => typesOf(schema).includes('string');

// Security (Bodies, paths and queries): A value of another type is 400: no value is coerced
describe('a field of another type is 400, and nothing is coerced', () => {
  const VALUES: [type: string, value: unknown][] = [
    ['null', null],
    ['number', 12],
    ['boolean', true],
    ['string', 'true'],
    ['string', '12'],
    ['array', []],
    ['array', ['abc']],
    ['object', {}],
  ];

  test.each(withBody)('%s', async (...route) => {
    const wrongFor = ({ schema }: Field) => {
      const types = typesOf(schema);
      const fits = (type: string, value: unknown) =>
        types.includes(type) || (types.includes('integer') && value === 12);
      return VALUES.flatMap(([type, value]) => (fits(type, value) ? [] : [value]));
    };
    expect(await unrefused(route, wrongFor)).toEqual([]);
  });

  test.each(withBody)('%s: a required field that is absent is 400', async (...route) => {
    expect(await unrefused(route, ({ required, path }) => (required && path.at(-1) !== 0 ? [undefined] : []))).toEqual(
      [],
    );
  });
});

describe('a text is bounded, and trimmed before it is judged', () => {
  test.each(withBody)('%s: a text that is too long is 400', async (...route) => {
    const tooLong = (field: Field) => {
      if (!isText(field)) return [];
      const longest = longestOf(route[0], field);
      // A password counts in bytes, up to 256.
      return ['x'.repeat(longest + 2), '1'.repeat(100_000)];
    };
    expect(await unrefused(route, tooLong)).toEqual([]);
  });

  test.each(withBody)('%s: a text may be as long as its bound, in characters and not in bytes', async (...route) => {
    const [name, entry] = route;
    const schema = operationOf(world, name).body as FieldSchema;
    // What has a form of its own, and what names a row, can't be filled up.
    const isFree = (field: Field) =>
      isText(field) &&
      !('x-rule' in field.schema) &&
      !field.schema.enum &&
      !/Id$|_ids|token$|^url$|^lines/.test(field.name);
    const free = fieldsOf(schema).filter(isFree);
    for (const field of free) {
      const longest = longestOf(name, field);
      const body = withField(entry.body(world), field.path, `  ${'𝒳'.repeat(longest)}  `);
      const answer = await send(name, entry, { body });
      const details: { field: string }[] = answer.body?.error?.details ?? [];
      expect(details.filter((detail) => detail.field === field.name)).toEqual([]);
      expect([200, 201, 204, 400, 404, entry.refusal?.status]).toContain(answer.status);
    }
  });

  test.each(withBody)('%s: a required text that is empty or blank is 400', async (...route) => {
    const blank = (field: Field) =>
      isText(field) && field.required && !/^label_ids/.test(field.name) ? ['', '   ', '\t\n'] : [];
    expect(await unrefused(route, blank)).toEqual([]);
  });

  test('texts are kept without the white space around them', async () => {
    const { service, admin } = world;
    const body = { firstName: '  Ada\t', lastName: '\u00a0Love lace\n', zipCode: '   ' };
    const { body: address } = await service.call('POST', '/payments/addresses', { token: admin.token, body });
    expect([address.firstName, address.lastName, address.zipCode]).toEqual(['Ada', 'Love lace', '']);
  });
});

describe('text that no database keeps is 400', () => {
  // Security (Bodies, paths and queries): U+0000 or half a surrogate pair in any text or key of a body is 400
  test.each(withBody)('%s: U+0000 and half a surrogate pair, in a value and in a key', async (...route) => {
    const [name, entry] = route;
    const body = entry.body(world);
    const texts = ['a\0b', 'a\ud800', '\udc00\ud800'];
    const problems: string[] = [];
    for (const field of fieldsOf(operationOf(world, name).body as FieldSchema).filter(isText)) {
      const answers = texts.map((text) => send(name, entry, { body: withField(body, field.path, text) }));
      for (const answer of await Promise.all(answers))
        if (answer.status !== 400) problems.push(`${field.name}: ${answer.text}`);
    }
    for (const key of texts) {
      for (const path of [[key], ['unknown', 0, key]]) {
        const answer = await send(name, entry, { body: withField(body, path, 'x') });
        if (answer.status !== 400) problems.push(`key ${JSON.stringify(path)}: ${answer.text}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test('a whole surrogate pair, escaped or not, is text like any other', async () => {
    const rawBody = '{"firstName":"\\ud83d\\ude00","lastName":"😀","aptNumber":"\\\\u0000"}';
    const answer = await send('POST /payments/addresses', { access: 'platform.billing.all' }, { rawBody });
    expect([answer.body.firstName, answer.body.lastName, answer.body.aptNumber]).toEqual(['😀', '😀', '\\u0000']);
  });
});

describe('numbers', () => {
  test.each(['1e400', '-1e400', '1.5', '"12"', '12.0000001', '1e18', '-1', '99999999999999999999', '0.1e1000'])(
    'a month and a year of %s are 400',
    async (number) => {
      for (const [month, year] of [
        [number, '2090'],
        ['12', number],
      ]) {
        const rawBody = `{"info":{"expMonth":${month},"expYear":${year}}}`;
        const answer = await send('PUT /payments/cards/:card_id', { access: 'platform.billing.all' }, { rawBody });
        expect(answer.status, `${month}/${year}`).toBe(400);
      }
    },
  );
});

// ASVS 8.2.3
describe('what the client may not decide', () => {
  // The operator's routes refuse them.
  const ignoring = withBody.filter(([, { access }]) => access !== 'operator');
  // Security (Accounts and permissions): A company's writes ignore id, status, total, paymentId and timestamps in the body
  test.each(ignoring)('%s: unknown fields are ignored and never stored', async (name, entry) => {
    const marker = `marker${crypto.randomUUID().replaceAll('-', '')}`;
    const { service, other } = world;
    const admin = await signUpAdmin(service);
    const own = { ...world, admin };
    const id = await entry.names?.make(service, admin);
    const addressId = (await service.call('POST', '/payments/addresses', { token: admin.token, body: {} })).body.id;
    const declared = (operationOf(world, name).body as { properties?: object }).properties ?? {};
    const intruders = {
      ...Object.fromEntries(INTRUDERS.filter((key) => !(key in declared)).map((key) => [key, marker])),
      ...{ companyId: other.companyId, company_id: other.companyId },
    };
    const body = { ...intruders, ...entry.body({ ...own, addressId }) } as Record<string, unknown>;
    if ('info' in body) body.info = { ...intruders, ...(body.info as object) };
    const { method, url } = splitRoute(name);
    const token = credentialFor(own, entry);
    const path = fillPath(url, id) + (entry.query === undefined ? '' : `?${entry.query}`);
    const answer = await service.call(method, path, { body, ...(token === undefined ? {} : { token }) });
    // The link of a mail is good once; a test of its own follows one.
    if (![entry.refusal?.code, 'invalid_token'].includes(answer.body?.error?.code))
      expect([200, 201, 202, 204], answer.text).toContain(answer.status);
    expect(answer.text).not.toContain(marker);
    expect(answer.text).not.toContain(other.companyId);
    expect(await readEverything()).not.toContain(marker);
    if (answer.body?.companyId) expect(answer.body.companyId).toBe(admin.companyId);
    // What a POST makes has an id of its own.
    if (id !== undefined && method === 'PUT') expect((answer.body.data ?? answer.body).id).toBe(id);
  });

  test('a sign-up with a role, a company, a state and permissions in the body is a plain one', async () => {
    const { access, body } = withBody.find(([name]) => name === 'POST /auth/signup/customer')?.[1] ?? {};
    const wishes = {
      role: { name: 'Admin' },
      companyId: world.other.companyId,
      company: { id: world.other.companyId },
    };
    const answer = await send(
      'POST /auth/signup/customer',
      { access: access ?? 'public' },
      {
        body: {
          ...body?.(world),
          ...wishes,
          state: 'CARD_NOT_FOUND',
          permission: { platform: { billing: { all: true } } },
        },
      },
    );
    const { user } = answer.body.data;
    expect([user.role.name, user.company.id, user.state]).toEqual(['Customer', '', 'ACTIVED']);
    expect(user.role.permission.platform.billing).toEqual({ all: false, view: false });
  });
});

/** Names of columns and of fields that answers have and bodies have not. */
const INTRUDERS =
  `id unknown createdAt updatedAt created_at updated_at status state total subTotal tax paymentId payment role
  permission userId createdBy updatedBy number inStoreCredit passwordHash password_hash disabled_at gatewayToken fingerprint brand
  cardId billToId postalCode deleted_at avatar phone timezone default_app`.split(/\s+/);

async function readEverything(): Promise<string> {
  const { owner } = world.service.database;
  const tables = await owner<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`;
  const texts = await Promise.all(
    tables.map(
      ({ name }) => owner`SELECT coalesce(string_agg(kept::text, ' '), '') AS text FROM ${owner(name)} AS kept`,
    ),
  );
  return texts.map(([row]) => row?.text).join('\n');
}
