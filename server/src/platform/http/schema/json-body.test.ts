import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  expectRefusal,
  fillPath,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from '../../../../test/battery/battery.ts';
import { expectStatus, invoiceBody } from '../../../../test/customers/actors.ts';
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
const JSON_TYPE = 'application/json';

async function send(
  route: string,
  rawBody: string | Uint8Array<ArrayBuffer>,
  contentType = JSON_TYPE,
  more: Record<string, string> = {},
): Promise<Answer> {
  const { method, url } = splitRoute(route);
  const token = credentialFor(world, BATTERY[route] ?? { access: 'public' });
  const headers = { 'content-type': contentType, ...more };
  return world.service.call(method, fillPath(url), { rawBody, headers, ...(token === undefined ? {} : { token }) });
}

/** The JSON of a valid body with something added in front. */
function withMore({ body }: Required<BatteryCase>, more: string): string {
  return `{${more},${JSON.stringify(body(world)).slice(1)}`;
}

function labelJson(more: string): string {
  return `{"description":"Anything","color":"#fff","userName":"Grace",${more}}`;
}

describe('how deep a body may be', () => {
  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

  // Security (Bodies, paths and queries): JSON deeper than 32 levels is 400
  test.each(withBody)('%s: deeper than 32 levels is 400', async (route, entry) => {
    // The body itself is the first level.
    for (const more of [nested('[', ']', 32), `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`, '['.repeat(500_000)]) {
      expectRefusal(await send(route, withMore(entry, `"unknown":${more}`)), 400, 'invalid_request');
    }
  });

  test('32 levels are accepted', async () => {
    const { token } = world.admin;
    const body = labelJson(`"name":"${randomUUID()}","unknown":${nested('[', ']', 31)}`);
    expectStatus(await send('POST /labels', body), 201);
    const metadata = JSON.parse(`{"a":${nested('[', ']', 30)}}`);
    const invoice = await send(
      'POST /operator/invoices',
      JSON.stringify(invoiceBody(world.admin.companyId, { metadata })),
    );
    expect(expectStatus(invoice, 201).body.metadata).toEqual(metadata);
    expectStatus(await world.service.call('GET', '/payments/orders', { token }), 200);
  });

  test('brackets and quotes within text are not levels', async () => {
    const name = `${'[{'.repeat(40)}\\"\\\\`;
    const answer = await send('POST /labels', labelJson(`"name":"${name}"`));
    expect(expectStatus(answer, 201).body.name).toBe(`${'[{'.repeat(40)}"\\`);
  });
});

describe('keys that reach into prototypes', () => {
  const KEYS = [
    '"__proto__":{"isDefault":true}',
    '"__proto__":null',
    '"\\u005f_proto__":{"x":1}',
    '"__pr\\u006fto__":{"x":1}',
    '"\\u005F\\u005Fproto\\u005F\\u005F":1',
    '"constructor":{"prototype":{"x":1}}',
    '"c\\u006fnstructor":{"pr\\u006ftotype":{}}',
  ];

  // Security (Bodies, paths and queries): Keys that reach prototypes are 400, at any depth and in any spelling
  test.each(withBody)(
    '%s: __proto__ and constructor.prototype are 400 at any depth, escaped or not',
    async (route, entry) => {
      for (const key of KEYS) {
        const within = withMore(entry, key).replace('"info":{', `$&${key},`).replace('"details":[{', `$&${key},`);
        const bodies = [`"unknown":{${key}}`, `"unknown":[[{"a":{${key}}}]]`].map((more) => withMore(entry, more));
        for (const body of [within, within.replace(`{${key},`, '{'), ...bodies]) {
          if (body.includes(key)) expectRefusal(await send(route, body), 400, 'invalid_request');
        }
      }
    },
  );

  test('the same words as a value, or another key called constructor, are harmless', async () => {
    const answer = await send('POST /labels', labelJson('"name":"__proto__","constructor":"x","prototype":{}'));
    expect(expectStatus(answer, 201).body.name).toBe('__proto__');
  });

  // Security (Bodies, paths and queries): In a query, keys that reach prototypes are unknown parameters: 400
  test('in a query they are unknown parameters', async () => {
    for (const name of ['__proto__', 'constructor', '__proto__[a]', 'constructor.prototype.a', 'hasOwnProperty']) {
      const answer = await world.service.call('GET', `/labels?${name}=1`, { token: world.admin.token });
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});

describe('the bytes of a body', () => {
  const BYTES: Record<string, number[]> = {
    'a lone continuation byte': [0x80],
    'a cut sequence': [0xe2, 0x82],
    'an overlong slash': [0xc0, 0xaf],
    'half a surrogate pair': [0xed, 0xa0, 0x80],
    'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
    'ISO 8859-1': [0xe9],
  };

  // Security (Bodies, paths and queries): Bytes that are not UTF-8 are 400, never replaced
  test.each(withBody)('%s: bytes that are not UTF-8 are 400, never replaced', async (route, entry) => {
    const valid = new TextEncoder().encode(withMore(entry, '"unknown":"'));
    const rest = new TextEncoder().encode('"}');
    for (const [name, bytes] of Object.entries(BYTES)) {
      const answer = await send(route, new Uint8Array([...valid, ...bytes, ...rest]));
      expect(answer.status, name).toBe(400);
    }
  });

  test.each(Object.keys(BYTES))('a name with %s is not stored', async (bytes) => {
    const [before, after] = labelJson('"name":"a|b"')
      .split('|')
      .map((text) => new TextEncoder().encode(text));
    const rawBody = new Uint8Array([...(before ?? []), ...(BYTES[bytes] ?? []), ...(after ?? [])]);
    const answer = await send('POST /labels', rawBody);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.message).toContain('UTF-8');
  });

  // Security (Bodies, paths and queries): A body with another charset is 415
  test.each(['utf-16', 'UTF-16LE', 'iso-8859-1', '"utf-32"', 'us-ascii', 'latin1'])(
    'charset=%s is 415',
    async (charset) => {
      for (const type of [
        `${JSON_TYPE}; charset=${charset}`,
        `${JSON_TYPE};CHARSET=${charset}`,
        `${JSON_TYPE}; a=b; charset=${charset}`,
      ]) {
        expectRefusal(await send('POST /labels', labelJson('"name":"x"'), type), 415, 'unsupported_media_type');
      }
    },
  );

  test.each(['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf8', ''])(
    'application/json%s is taken, whatever the case of its letters',
    async (parameter) => {
      for (const type of [JSON_TYPE, 'Application/JSON']) {
        expectStatus(await send('POST /labels', labelJson(`"name":"${randomUUID()}"`), type + parameter), 201);
      }
    },
  );
});

describe('Content-Encoding', () => {
  test.each(withBody)('%s: a body with Content-Encoding is 415, even if it is not compressed', async (route, entry) => {
    const json = JSON.stringify(entry.body(world));
    for (const [rawBody, encoding] of [
      [new Uint8Array(gzipSync(json)), 'gzip'],
      [json, 'gzip'],
      [json, 'br'],
      [json, 'identity, gzip'],
    ] as const) {
      const answer = await send(route, rawBody, JSON_TYPE, { 'content-encoding': encoding });
      expectRefusal(answer, 415, 'unsupported_media_type');
      expect(answer.body.error.message).toContain('Content-Encoding');
    }
  });

  test('identity is not a compression', async () => {
    const body = labelJson(`"name":"${randomUUID()}"`);
    expectStatus(await send('POST /labels', body, JSON_TYPE, { 'content-encoding': 'Identity' }), 201);
  });
});

describe('what JSON leaves open', () => {
  // Security (Bodies, paths and queries): If a key appears twice, the last one counts, as documented
  test('the last value of a repeated key counts', async () => {
    const name = randomUUID();
    const answer = await send('POST /labels', labelJson(`"name":"first","name":"${name}","color":"#000"`));
    expect([answer.body.name, answer.body.color]).toEqual([name, '#000']);
    const nested = '{"info":{"expMonth":1,"expYear":2090},"info":{"expMonth":13,"expYear":2090}}';
    expectRefusal(await send('PUT /payments/cards/:card_id', nested), 400, 'invalid_request');
  });

  test('an object that was read may be sent back: unknown fields are ignored', async () => {
    const { token } = world.admin;
    for (const [path, change] of [
      ['/payments/billing-information', { city: 'Paris' }],
      [`/payments/addresses/${world.addressId}`, { country: 'FR' }],
    ] as const) {
      const list = path.split('/').slice(0, 3).join('/');
      const { body: read } = await world.service.call('GET', list, { token });
      const body = { ...(Array.isArray(read) ? read.find(({ id }) => id === world.addressId) : read), ...change };
      const answer = expectStatus(await world.service.call('PUT', path, { token, body }), 200);
      expect(answer.body).toEqual({ ...body, updatedAt: answer.body.updatedAt });
    }
  });

  test.each([
    ['numbers', '0', 1],
    ['lists', '[[],[]]', 5],
    ['objects', '{"a":{}}', 3],
  ])('a body of more than 25,000 values is 400: %s', async (_kind, item, values) => {
    const many = (count: number) =>
      labelJson(`"name":"${randomUUID()}","unknown":[${Array(count / values).fill(item)}]`);
    expectStatus(await send('POST /labels', many(24_000)), 201);
    expectRefusal(await send('POST /labels', many(36_000)), 400, 'invalid_request');
  });

  test('a body whose numbers are read exactly may have half as many', async () => {
    const metadata = (count: number) => ({ metadata: { a: Array(count).fill(0) } });
    const issue = (count: number) =>
      send('POST /operator/invoices', JSON.stringify(invoiceBody(world.admin.companyId, metadata(count))));
    expectStatus(await issue(8_000), 201);
    expectRefusal(await issue(13_000), 400, 'invalid_request');
  });
});

describe('label_ids', () => {
  const remove = (labelIds: unknown) => send('DELETE /labels', JSON.stringify({ label_ids: labelIds }));
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

  // Security (Bodies, paths and queries): 1 to 1,000 label ids are accepted; none, 1,001 and 100,000 are refused
  test('1 to 1,000 ids are 204; none, 1,001 and 100,000 are refused', async () => {
    expectStatus(await remove(ids(1)), 204);
    expectStatus(await remove(ids(1_000)), 204);
    expectRefusal(await remove([]), 400, 'invalid_request');
    expectRefusal(await remove(ids(1_001)), 400, 'invalid_request');
    expectRefusal(await remove(ids(100_000)), 413, 'payload_too_large');
    expectRefusal(await remove(Array(100_000).fill('x')), 400, 'invalid_request');
  });

  // Security (Bodies, paths and queries): Duplicates and ids that are not UUIDs are ignored
  test('duplicates and ids that are not UUIDs are ignored', async () => {
    const label = expectStatus(await send('POST /labels', labelJson(`"name":"${randomUUID()}"`)), 201).body;
    expectStatus(
      await remove([label.id, label.id, label.id.toUpperCase(), 'x', '', "'; DROP TABLE labels", '{}', '%']),
      204,
    );
    const { token } = world.admin;
    expectRefusal(await world.service.call('GET', `/labels/${label.id}`, { token }), 404, 'not_found');
    expectStatus(await remove([label.id]), 204);
    expectStatus(await remove(['x']), 204);
  });

  test('anything else is 400', async () => {
    const others = [
      null,
      'x',
      1,
      {},
      true,
      [1],
      [null],
      [[]],
      [{}],
      [randomUUID(), 1],
      ['x'.repeat(256)],
      ['\0'],
      undefined,
    ];
    for (const other of others) expectRefusal(await remove(other), 400, 'invalid_request');
  });
});

describe('numbers that a float can’t hold', () => {
  test('are kept as the client wrote them in the amounts of an invoice', async () => {
    const body = JSON.stringify(invoiceBody(world.admin.companyId)).replace('"48.00"', '90071992547409.93');
    const { text } = expectStatus(await send('POST /operator/invoices', body), 201);
    expect(text).toMatch(/"amount" ?: ?90071992547409\.93\b/);
    expect(text).toMatch(/"total" ?: ?"90071992547409\.93"/);
  });

  test.each([
    ['1.5e1', '15.00'],
    ['150e-1', '15.00'],
    ['1e-05', '0.00'],
    ['9007199254740993e-2', '90071992547409.93'],
    ['5E+2', '500.00'],
    ['-0.0', '0.00'],
  ])('an amount of %s is %s', async (number, total) => {
    const body = JSON.stringify(invoiceBody(world.admin.companyId)).replace('"48.00"', number);
    const invoice = expectStatus(await send('POST /operator/invoices', body), 201).body;
    expect([invoice.total, invoice.details[0].amount]).toEqual([total, Number(total)]);
  });

  test('a number in the metadata stays a number, whatever its key', async () => {
    const metadata = { amount: 5, totalRequest: 7, nested: [{ amount: 1.5 }] };
    const answer = await send(
      'POST /operator/invoices',
      JSON.stringify(invoiceBody(world.admin.companyId, { metadata })),
    );
    expect(expectStatus(answer, 201).body.metadata).toEqual(metadata);
  });

  test('a text of half a megabyte is refused like any other, wherever it is', async () => {
    // Zeros within a number with an exponent: each one restarted the search for trailing zeros.
    const number = `1${'0'.repeat(500_000)}1e5`;
    const invoice = JSON.stringify(invoiceBody(world.admin.companyId));
    expectRefusal(await send('POST /operator/invoices', invoice.replace('"48.00"', number)), 400, 'invalid_request');
    const elsewhere = await send('POST /operator/invoices', invoice.replace('{', `{"metadata":{"a":${number}},`));
    expectRefusal(elsewhere, 400, 'invalid_request');
  });

  test.each(['1e400', '-1e400', '1e200000', '0.1e999999999', '1e-999999999'])(
    'an amount of %s is 400',
    async (number) => {
      const body = JSON.stringify(invoiceBody(world.admin.companyId));
      expectRefusal(await send('POST /operator/invoices', body.replace('"48.00"', number)), 400, 'invalid_request');
      expectRefusal(await send('POST /operator/invoices', body.replace('12000', number)), 400, 'invalid_request');
    },
  );
});

describe('a body of the maximum length', () => {
  test.each([
    [
      'POST /operator/invoices',
      'details',
      1_000,
      1_900,
      { title: 1, path: 2, totalRequest: 'x', currency: 'x', amount: 'x' },
    ],
    ['POST /payments/webhook-endpoints', 'types', 100, 20_000, 'invoice.*'],
    ['PUT /operator/webhook-endpoints/:endpoint_id', 'types', 100, 20_000, 'invoice.*'],
    ['DELETE /labels', 'label_ids', 1_000, 24_000, 1],
  ])('%s: for a list that is too long only that is reported', async (route, field, most, count, item) => {
    const body = { ...BATTERY[route]?.body?.(world), [field]: Array(count).fill(item) };
    const answer = await send(route, JSON.stringify(body));
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toEqual([{ field, message: `must have at most ${most} items` }]);
  });

  // Security (Bodies, paths and queries): Every list and text that a route accepts has a maximum length
  test('has a limit for every list and text that a route takes', () => {
    const unbounded = world.service.operations.flatMap(({ method, url, body, mediaTypes }) =>
      [body, ...Object.values(mediaTypes ?? {})].flatMap((schema) =>
        schema === undefined ? [] : findUnbounded(schema as Schema, `${method} ${url}`),
      ),
    );
    expect(unbounded).toEqual([]);
  });
});

type Schema = { [keyword: string]: unknown; type?: string | string[] };

function findUnbounded(schema: Schema, path: string): string[] {
  const types = [schema.type].flat();
  const missing = [
    ...(types.includes('array') && schema.maxItems === undefined ? [path] : []),
    ...(types.includes('string') && !('maxLength' in schema || 'enum' in schema || 'format' in schema) ? [path] : []),
  ];
  const inside = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const parts = [schema.items, schema.anyOf].flat().filter((part) => part !== undefined) as Schema[];
  return [
    ...missing,
    ...inside.flatMap(([name, part]) => findUnbounded(part, `${path} ${name}`)),
    ...parts.flatMap((part) => findUnbounded(part, `${path}[]`)),
  ];
}
