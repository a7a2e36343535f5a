import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  type BatteryCase,
  credentialFor,
  fillPath,
  operationOf,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from '../../../test/battery/battery.ts';
import { type FieldSchema, fieldsOf, typesOf, withField } from '../../../test/battery/body-fields.ts';
import { withCheckDigit } from '../../../test/harness/card-numbers.ts';
import { startTestService } from '../../../test/harness/service.ts';
import { hideCardNumbers, holdsCardNumber } from './card-numbers.ts';

/** Prefixes of the large networks, with the length of their numbers. */
const ISSUED: [beginning: string, length: number][] = [
  ['4', 16],
  ['4', 19],
  ['51', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['3056', 14],
  ['36', 14],
  ['3566', 16],
  ['6011', 16],
  ['65', 16],
  ['62', 19],
  ['6759', 18],
  ['2204', 16],
];
const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(''));
const cardNumber = fc
  .constantFrom(...ISSUED)
  .chain(([beginning, length]) =>
    digits(length - 1 - beginning.length).map((rest) => withCheckDigit(`${beginning}${rest}`)),
  );

/** The zeros of some scripts. Full-width and mathematical digits look like 0 to 9. */
const ZEROS = ['0', '０', '٠', '۰', '०', '০', '๐', '߀', '𝟎', '𝟢', '🯰', '᠐'];
const inScript = (number: string, zero: string) =>
  Array.from(number, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit))).join('');

describe('a card number is found', () => {
  it.each([
    ['brackets', '⓪', '⑴'],
    ['circles', '⓪', '①'],
    ['double circles', '⓪', '⓵'],
    ['black circles', '⓿', '❶'],
    ['circles without serifs', '🄋', '➀'],
    ['black circles without serifs', '🄌', '➊'],
  ])('in %s', (_name, zero, one) => {
    const first = one.codePointAt(0) ?? 0;
    const toEnclosed = (digit: string) => (digit === '0' ? zero : String.fromCodePoint(first + Number(digit) - 1));
    for (const number of ['6011000990139424', '378282246310005']) {
      const typed = Array.from(number, toEnclosed).join('');
      expect(holdsCardNumber(typed)).toBe(true);
      expect(hideCardNumbers(typed)).toBe('[number]');
    }
  });

  it('in any script, with separators that people read as a space, a dash, a dot or nothing', () => {
    const separators = ['', ' ', '  ', '-', '.', ' - ', '\u00a0', '\u2009', '\u3000', '\u2013', '\u2011', '\u00ad'];
    const invisible = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u202e', '\ufe0f\u20e3', '\t', '\n', '·', '•', '_'];
    invisible.push('\u3164', '\uffa0', '\u115f', '\u2800', '\u180e', '&nbsp;');
    const between = fc.array(fc.constantFrom(...separators, ...invisible), { minLength: 20, maxLength: 20 });
    const beside = fc.constantFrom(
      ['', ''],
      ['card ', ' 12/29 123'],
      ['№', ''],
      ['Visa', 'x'],
      ['(', ')'],
      ['a, ', '…'],
    );
    fc.assert(
      fc.property(
        cardNumber,
        fc.constantFrom(...ZEROS),
        between,
        beside,
        (number, zero, separator, [before, after]) => {
          const typed = [...inScript(number, zero)].map(
            (digit, index) => `${index > 0 ? separator[index] : ''}${digit}`,
          );
          expect(holdsCardNumber(`${before}${typed.join('')}${after}`)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '4242,4242,4242,4242',
    '4242/4242/4242/4242',
    '3782*822463*10005',
    '①②③ 4242424242424242',
    '四二四二四二四二四二四二四二四二',
    'https://hooks.example.com/%34%32%34%32424242424242',
    '+4242424242424242',
    'the other is 5555 5555 5555 4444, call 020 7946 0000',
  ])('in %s', (text) => expect(holdsCardNumber(text)).toBe(true));
});

// Security (Card numbers and keys): Phone numbers, tax ids, IBANs, UUIDs, digests and instants are accepted
describe('no card number is found in', () => {
  it.each([
    '+49 1512 3456789',
    '+4915123456789',
    '020 7946 0000',
    'DE89 3704 0044 0532 0130 00',
    'IBAN: GB29 NWBK 6016 1331 9268 19',
    'GB 987 6543 21',
    'CHE-123.456.789 MWST',
    'Payable within 14 days. IBAN GB33 BUKB 2020 1555 5555 55.',
    '4242 4242 4242 4241',
    '9999999999999995',
    '1764000000000',
    '4222222222222',
    'order 4000-0000-0000-6',
    '42424242424242424242',
    '3-4 Street 5, 10115 Berlin, 2026-10-01 12:30:45.123',
  ])('%s', (text) => expect(holdsCardNumber(text)).toBe(false));

  it('a random UUID, digest, instant or phone number', () => {
    for (let time = 0; time < 5_000; time += 1) {
      const instant = new Date(randomInt(2 ** 41));
      const legitimate = [
        randomUUID(),
        randomUUID().replaceAll('-', ''),
        `order ${randomUUID()} of ${instant.toISOString()}`,
        `${instant.toISOString()}/${new Date(randomInt(2 ** 41)).toISOString()}`,
        `1${randomInt(1e11, 1e12)}`,
        `+${randomInt(1e10, 1e14)}`,
        `GB${randomInt(1e11, 1e12)}`,
      ];
      expect(legitimate.filter((text) => holdsCardNumber(text))).toEqual([]);
    }
  });
});

it('from a text that is stored in any case, only the number is removed', () => {
  expect(hideCardNumbers('paid with 4242 4242 4242 4242, thanks')).toBe('paid with [number], thanks');
  expect(hideCardNumbers('order 1234567890123456')).toBe('order 1234567890123456');
});

describe('over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await prepareWorld(await startTestService());
  });
  afterAll(() => world?.service.stop());

  const NUMBER = '4242424242424242';
  const FORMS = [NUMBER, '4242.4242.4242.4242', '４２４２  4242\u200b4242-٤٢٤٢'];
  const withBody = routesWhere(({ body, isSigned }) => body !== undefined && !isSigned) as [
    string,
    Required<BatteryCase>,
  ][];

  /** Fields for names that machines give, for card data, and for what is never stored. */
  const ALLOWED = new Set([
    ...[
      'cardNumber',
      'cvv',
      'password',
      'current_password',
      'new_password',
      'token',
      'refresh_token',
      'code',
      'recovery_code',
      'clientSecret',
      'key',
    ],
    ...[
      'id',
      'source',
      'label_ids[0]',
      'setupToken',
      'gatewayPaymentId',
      'gatewayDisputeId',
      'gatewayRefundId',
      'damage',
    ],
  ]);
  /** Bodies whose address is only looked up. */
  const LOOKED_UP = ['POST /auth/local', 'POST /auth/password/forgot'];

  // Security (Card numbers and keys): No text of any route may contain a card number, in any script and with any separators
  // ([abuse](abuse.md#card-numbers-in-text))
  test.each(withBody)(
    '%s: no text may contain a card number, and the error does not repeat it',
    async (name, entry) => {
      const { method, url } = splitRoute(name);
      const path = entry.query === undefined ? fillPath(url) : `${fillPath(url)}?${entry.query}`;
      const token = credentialFor(world, entry);
      const fields = fieldsOf(operationOf(world, name).body as FieldSchema).filter(
        ({ schema, path: place }) =>
          typesOf(schema).includes('string') &&
          !ALLOWED.has(String(typeof place.at(-1) === 'number' ? `${place.at(-2)}[0]` : place.at(-1))) &&
          place[0] !== 'passkey' &&
          !(LOOKED_UP.includes(name) && place[0] === 'email'),
      );
      for (const { path: place, name: field } of fields) {
        for (const form of FORMS) {
          const text = field === 'email' ? `${form}@example.com` : `Ada ${form}`;
          const body = withField(entry.body(world), place, text);
          const answer = await world.service.call(method, path, { body, ...(token ? { token } : {}) });
          expect(answer.status, `${field}: ${answer.text}`).toBe(400);
          expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
          const { message, details } = answer.body.error;
          expect(JSON.stringify([message, details])).not.toMatch(/4242|４２|٤٢/);
        }
      }
    },
  );

  it.each([
    { number: NUMBER },
    { number: Number(NUMBER) },
    { [NUMBER]: 'x' },
    { deep: [{ er: 'one: 4242 4242 4242 4242' }] },
  ])('metadata %j is rejected', async (metadata) => {
    const { service } = world;
    const entry = withBody.find(([name]) => name === 'POST /operator/invoices')?.[1];
    const body = { ...entry?.body(world), metadata };
    const answer = await service.call('POST', '/operator/invoices', { token: service.operatorKey, body });
    expect([answer.status, answer.body.error.details]).toEqual([
      400,
      [{ field: 'metadata', message: 'must not contain a card number' }],
    ]);
  });

  it('the name of an unknown field is reported without the number', async () => {
    const { service } = world;
    const body = { [`Ada ${NUMBER}`]: 1 };
    const answer = await service.call('PUT', '/operator/seller', { token: service.operatorKey, body });
    expect(answer.body.error.details).toEqual([{ field: 'Ada [number]', message: 'is not a field of this request' }]);
    const query = await service.call('GET', `/operator/companies?q${NUMBER}=1`, { token: service.operatorKey });
    expect([query.status, query.text.includes(NUMBER)]).toEqual([400, false]);
  });

  // Security (Card numbers and keys): An idempotency key or usage id that looks like a card number works, and is not stored as it is
  it('an idempotency key and a usage id that look like one work, and are stored in another form', async () => {
    const { service, admin } = world;
    const key = withCheckDigit(`4${randomInt(1e13, 1e14)}`);
    const request = { token: admin.token, headers: { 'idempotency-key': key }, body: { firstName: randomUUID() } };
    const first = await service.call('POST', '/payments/addresses', request);
    const repeat = await service.call('POST', '/payments/addresses', request);
    expect([repeat.status, repeat.body.id]).toEqual([201, first.body.id]);
    const event = {
      specversion: '1.0',
      type: 'paydesk.usage',
      source: `/${key}`,
      id: key,
      subject: admin.companyId,
      time: new Date().toISOString(),
      data: { path: '/v1/any' },
    };
    const usage = { token: service.operatorKey, body: event };
    expect((await service.call('POST', '/operator/usage', usage)).body).toMatchObject({ accepted: 1 });
    expect((await service.call('POST', '/operator/usage', usage)).body).toMatchObject({ duplicate: 1 });
    const { owner } = service.database;
    const kept = [
      ...(await owner`SELECT idempotency_keys::text AS row FROM idempotency_keys`),
      ...(await owner`SELECT usage_events::text AS row FROM usage_events`),
    ].map(({ row }) => row);
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.join('\n')).not.toContain(key);
  });

  // Security (Card numbers and keys): A request id that contains a card number reaches neither the log nor the answer
  it('a request id that contains one is replaced in the answer and in the log', async () => {
    const { service } = world;
    const number = withCheckDigit(`4${randomInt(1e13, 1e14)}`);
    const answer = await service.call('GET', '/labels', { headers: { 'x-request-id': `job-${number}` } });
    expect(answer.headers.get('x-request-id')).not.toContain(number);
    expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'));
    expect(service.logs()).not.toContain(number);
  });
});
