import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelParameters } from '../../../../test/battery/battery.labels.ts';
import { SESSION_PARAMETERS } from '../../../../test/battery/battery.sessions.ts';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  expectRefusal,
  fillPath,
  operationOf,
  prepareWorld,
  splitRoute,
  type World,
} from '../../../../test/battery/battery.ts';
import {
  AMOUNT,
  INSTANT,
  PAGE,
  PAGE_SIZE,
  type Parameter,
  ID as uuid,
} from '../../../../test/battery/cases/query-values.ts';
import { expectStatus, issueInvoice } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService } from '../../../../test/harness/service.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

/** Every query parameter of every route: one that is missing here fails the suite. */
const USAGE_BOUND: Parameter = {
  takes: ['2024-02-29', '2026-10-01', '2026-10-01T00:00:00Z', '2026-10-01T05:45:00+05:45', '2000-01-01', '9998-12-31'],
  refuses: [...INSTANT.refuses, '1999-12-31', '9999-01-01', '2026-10-01T00:01:00Z', '2026-10-01T00:15:00.001Z'],
};
const TIME: Parameter = { takes: ['2026-10-01T00:00:00Z'], refuses: ['', 'x', '2026-13-01', '1', 'null', "'"] };
const MONTH: Parameter = {
  takes: ['2026-01', '2000-01'],
  refuses: ['', 'x', '2026', '2026-1', '2026-13', '2026-00', '1999-12', '2026-01-01', 'null', '9998-12', "2026-01'"],
};
const COMPANY: Parameter = {
  takes: [uuid, uuid.toUpperCase()],
  refuses: ['', 'x', 'null', uuid.slice(1), `${uuid}0`, `{${uuid}}`, "' OR 1=1 --", '%', '*'],
};
const ACCOUNT: Parameter = { takes: ['receivable', 'cash:sandbox'], refuses: ['', 'a'.repeat(256)] };
const CURSOR: Parameter = { takes: [], refuses: ['', 'x', '1', '_', "'", uuid, 'a'.repeat(256)] };
const DELIVERIES: Record<string, Parameter> = {
  perPage: PAGE_SIZE,
  cursor: CURSOR,
  state: { takes: ['pending', 'delivered', 'failed'], refuses: ['', 'x', 'Failed', 'pending,failed'] },
};
const USAGE: Record<string, Parameter> = {
  page: PAGE,
  perPage: PAGE_SIZE,
  from: USAGE_BOUND,
  to: USAGE_BOUND,
  granularity: { takes: ['hour', 'day', 'month'], refuses: ['', 'HOUR', 'week', 'null', "day'", 'day,month'] },
  timezone: {
    takes: ['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Kathmandu', 'Etc/GMT+5'],
    refuses: ['', 'Europe/Nowhere', '+02:00', 'x', "UTC'", 'UTC;', 'a'.repeat(256)],
  },
  path: { takes: ['/v1/transcriptions', '/v1/*', '*', 'x', '%', "'", '\\'], refuses: ['', ' ', 'a'.repeat(256)] },
};

const STATE: Parameter = {
  takes: ['open', 'overdue', 'paid', 'credited', 'void', 'OPEN', 'Overdue'],
  refuses: ['', 'x', 'Processing', 'open,paid', '%', 'null', "open'"],
};

const METHOD: Parameter = {
  takes: ['Card', 'card', 'paypal', 'PayPal'],
  refuses: ['', 'x', 'cash', 'card,paypal', '%', 'null'],
};
const CURRENCY: Parameter = {
  takes: ['USD', 'JPY', 'KWD'],
  refuses: ['', 'usd', 'XXX', 'US', 'USD,EUR', '%', 'null'],
};

/** What the operator's lists of payments, refunds and credit notes have in common. */
const OF_ALL: Record<string, Parameter> = {
  page: PAGE,
  perPage: PAGE_SIZE,
  companyId: COMPANY,
  invoiceId: COMPANY,
  from: INSTANT,
  to: INSTANT,
  currency: CURRENCY,
  min: AMOUNT,
  max: AMOUNT,
};

/** The filters of the audit log. */
const AUDIT = {
  action: { takes: ['card.created', 'x', '%'], refuses: ['', ' ', 'a'.repeat(256)] },
  actor: { takes: [uuid, 'x'], refuses: ['', 'a'.repeat(256)] },
  target: { takes: [uuid, 'x'], refuses: ['', 'a'.repeat(256)] },
  from: TIME,
  to: TIME,
};

const PARAMETERS: Record<string, Record<string, Parameter>> = {
  ...SESSION_PARAMETERS,
  'GET /payments/orders': {
    page: PAGE,
    perPage: PAGE_SIZE,
    receipt: {
      takes: [uuid, uuid.toUpperCase(), 'INV-000001', 'inv-000001'],
      refuses: [
        '',
        'x',
        '1',
        'INV-',
        'INV-x',
        uuid.slice(1),
        `${uuid}0`,
        `{${uuid}}`,
        uuid.replaceAll('-', ''),
        "' OR 1=1 --",
        '%',
      ],
    },
    min: AMOUNT,
    max: AMOUNT,
    state: STATE,
    status: {
      takes: ['Processing', 'Succeeded', 'Failed', 'failed', 'SUCCEEDED'],
      refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
    },
    method: METHOD,
    startAt: INSTANT,
    endAt: INSTANT,
  },
  ...labelParameters(PAGE, PAGE_SIZE),
  'GET /operator/prices': {
    page: PAGE,
    perPage: PAGE_SIZE,
    path: { takes: ['/v1/transcriptions', '/v1/*', 'x', '%', "'"], refuses: ['', ' ', 'a'.repeat(256)] },
    currency: CURRENCY,
    companyId: {
      takes: [uuid, uuid.toUpperCase(), 'general'],
      refuses: ['', 'x', 'null', uuid.slice(1), `${uuid}0`, `{${uuid}}`, "' OR 1=1 --", '%'],
    },
    at: INSTANT,
  },
  'GET /operator/invoices': {
    page: PAGE,
    perPage: PAGE_SIZE,
    companyId: {
      takes: [uuid, uuid.toUpperCase()],
      refuses: ['', 'x', 'null', uuid.slice(1), `${uuid}0`, `{${uuid}}`, "' OR 1=1 --", '%', '*'],
    },
    number: {
      takes: ['INV-000001', 'inv-000001', 'INV-1'],
      refuses: ['', 'x', '1', 'INV-', 'INV-x', uuid, "INV-1'", '%', `INV-${'1'.repeat(19)}`],
    },
    state: STATE,
    status: {
      takes: ['Processing', 'Succeeded', 'Failed', 'failed', 'SUCCEEDED'],
      refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
    },
    startAt: INSTANT,
    endAt: INSTANT,
  },
  'GET /payments/orders/:invoice_id/credit-notes': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/invoices/:invoice_id/credit-notes': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/billing-runs': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/payments/:payment_id/refunds': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/payments': {
    ...OF_ALL,
    status: {
      takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed', 'needsreview'],
      refuses: ['', 'x', 'captured', 'Succeeded,Failed', '%', 'null', "Failed'"],
    },
    method: METHOD,
  },
  'GET /operator/refunds': {
    ...OF_ALL,
    paymentId: COMPANY,
    status: {
      takes: ['Processing', 'Succeeded', 'Failed', 'NeedsReview', 'failed'],
      refuses: ['', 'x', 'Paid', 'Succeeded,Failed', '%', 'null', "Failed'"],
    },
  },
  'GET /operator/credit-notes': {
    ...OF_ALL,
    number: {
      takes: ['CN-000001', 'cn-000001', 'CN-1'],
      refuses: ['', 'x', '1', 'CN-', 'CN-x', uuid, "CN-1'", '%', `CN-${'1'.repeat(19)}`],
    },
  },
  'GET /operator/disputes': {
    page: PAGE,
    perPage: PAGE_SIZE,
    companyId: COMPANY,
    status: { takes: ['NeedsResponse', 'Lost'], refuses: ['', 'x', 'lost', 'Won,Lost', 'null', "Won'"] },
  },
  'GET /operator/ledger': {
    companyId: COMPANY,
    account: ACCOUNT,
    from: TIME,
    to: TIME,
    perPage: PAGE_SIZE,
    cursor: CURSOR,
  },
  'GET /operator/ledger.csv': { companyId: COMPANY, account: ACCOUNT, from: TIME, to: TIME },
  'GET /operator/ledger/balances': { companyId: COMPANY, to: TIME },
  'GET /operator/reconciliation': {
    gateway: { takes: ['sandbox'], refuses: ['', 'x', "sandbox'"] },
    from: { takes: ['2026-10-01T00:00:00Z'], refuses: TIME.refuses },
    to: { takes: ['2026-11-01T00:00:00Z'], refuses: TIME.refuses },
    cursor: CURSOR,
  },
  'GET /operator/jobs': {
    page: PAGE,
    perPage: PAGE_SIZE,
    state: { takes: ['waiting', 'failed'], refuses: ['', 'x', 'Failed', 'waiting,failed'] },
    name: { takes: ['billing-schedule', 'x', '%', "'"], refuses: ['a'.repeat(256)] },
  },
  'GET /operator/alerts': {
    page: PAGE,
    perPage: PAGE_SIZE,
    state: { takes: ['open', 'acknowledged'], refuses: ['', 'x', 'Open', 'open,acknowledged'] },
    kind: { takes: ['payment_unresolved', 'x', '%', "'"], refuses: ['', ' ', 'a'.repeat(256)] },
    companyId: COMPANY,
  },
  'GET /company/invitations': { page: PAGE, per_page: PAGE_SIZE },
  'GET /company/members': { page: PAGE, per_page: PAGE_SIZE },
  'GET /company/roles': { page: PAGE, per_page: PAGE_SIZE },
  'GET /company/api-keys': { page: PAGE, per_page: PAGE_SIZE },
  'GET /company/audit-log': { page: PAGE, per_page: PAGE_SIZE, ...AUDIT },
  'GET /company/audit-log.csv': AUDIT,
  'GET /operator/audit-log': { page: PAGE, perPage: PAGE_SIZE, companyId: COMPANY, ...AUDIT },
  'GET /operator/audit-log.csv': { companyId: COMPANY, ...AUDIT },
  'GET /operator/audit-log/verification': {
    cursor: {
      takes: [`${uuid}.0`, `${uuid}.5000`],
      refuses: ['', 'x', uuid, `${uuid}.`, `${uuid}.x`, `${uuid}.-1`, "'"],
    },
  },
  'GET /operator/events': {
    perPage: PAGE_SIZE,
    cursor: CURSOR,
    companyId: COMPANY,
    type: { takes: ['card.created'], refuses: ['', 'x', 'card', 'card.created,card.updated', '*'] },
    startAt: TIME,
    endAt: TIME,
  },
  'GET /operator/webhook-endpoints/:endpoint_id/deliveries': DELIVERIES,
  'GET /payments/webhook-endpoints/:endpoint_id/deliveries': DELIVERIES,
  'GET /operator/companies/:company_id/credits': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/companies/:company_id/billing-information/changes': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/companies/:company_id/items': {
    page: PAGE,
    perPage: PAGE_SIZE,
    state: { takes: ['pending', 'invoiced'], refuses: ['', 'x', 'Pending', 'pending,invoiced'] },
  },
  'GET /operator/lost-numbers': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/keys': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/sign-in-providers': { page: PAGE, perPage: PAGE_SIZE },
  'GET /auth/oidc/:name/start': {
    return_to: {
      takes: ['/app', '/', '/app/invoices?state=open#top'],
      refuses: [
        '',
        'app',
        '//evil.example',
        '/\\evil.example',
        'https://evil.example',
        '/ä',
        '/a b',
        `/${'a'.repeat(1_000)}`,
      ],
    },
  },
  // Providers add parameters of their own.
  'GET /auth/oidc/:name/callback': {},
  'GET /operator/staff': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/mails': { page: PAGE, perPage: PAGE_SIZE },
  'GET /operator/recovery/cases': {
    page: PAGE,
    perPage: PAGE_SIZE,
    state: { takes: ['open', 'person', 'done'], refuses: ['', 'x', 'Open', 'open,done'] },
  },
  'GET /operator/recovery/invoices': { page: PAGE, perPage: PAGE_SIZE },
  'GET /payments/usage': USAGE,
  'GET /operator/usage': {
    ...USAGE,
    companyId: {
      takes: [uuid, uuid.toUpperCase()],
      refuses: ['', 'x', 'null', uuid.slice(1), `${uuid}0`, `{${uuid}}`, "' OR 1=1 --", '%', '*'],
    },
  },
  'GET /operator/billing-previews/:preview_id/invoices': {
    page: PAGE,
    perPage: PAGE_SIZE,
    outlier: { takes: ['higher', 'lower', 'gone', 'any'], refuses: ['', 'x', 'true', 'Higher', 'higher,lower'] },
    currency: { takes: ['USD', 'EUR'], refuses: ['', 'usd', 'XXX1', 'null', "USD'"] },
  },
  'GET /payments/upcoming-invoice': { period: MONTH },
  'GET /operator/companies/:company_id/upcoming-invoice': { period: MONTH },
  'GET /operator/companies': {
    page: PAGE,
    perPage: PAGE_SIZE,
    email: { takes: ['ada@example.com', 'x', '%', "'"], refuses: ['a'.repeat(256), 'a'.repeat(10_000)] },
  },
};

const parameters = Object.entries(PARAMETERS).flatMap(([route, ofRoute]) =>
  Object.entries(ofRoute).map(([name, parameter]) => ({ route, name, parameter })),
);

/** What the path ids stand for: one thing a route. */
const named = new Map<string, string | undefined>();

async function get(route: string, query: string): Promise<Answer> {
  const { method, url } = splitRoute(route);
  const entry: BatteryCase = BATTERY[route] ?? { access: 'public' };
  const token = credentialFor(world, entry);
  if (!named.has(route)) named.set(route, await entry.names?.make(world.service, world.admin));
  const isGiven = (parameter: string) => `&${query}`.includes(`&${parameter.split('=', 1)[0]}=`);
  const required = (entry.query ?? '')
    .split('&')
    .filter((parameter) => parameter !== '' && !isGiven(parameter))
    .map((parameter) => `&${parameter}`)
    .join('');
  const body = entry.body?.(world);
  return world.service.call(method, `${fillPath(url, named.get(route))}?${query}${required}`, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    // A session cookie needs it, and no other route reads it.
    headers: { origin: world.service.config.publicUrl },
  });
}

test('every query parameter of every route stands in this table', () => {
  const withQuery = world.service.operations.filter(({ query }) => query !== undefined);
  const routes = withQuery.map(({ method, url }) => `${method} ${url}`);
  expect(routes.sort()).toEqual(Object.keys(PARAMETERS).sort());
  for (const route of routes) {
    const { properties } = operationOf(world, route).query as unknown as { properties: object };
    expect(Object.keys(properties).sort()).toEqual(Object.keys(PARAMETERS[route] ?? {}).sort());
  }
});

describe.each(parameters)('$route: $name', ({ route, name, parameter }) => {
  test('takes what it is for', async () => {
    for (const value of parameter.takes) {
      const answer = await get(route, `${name}=${encodeURIComponent(value)}`);
      const { refusal } = BATTERY[route] ?? {};
      expect([200, 201, 204, refusal?.status], `${name}=${value.slice(0, 60)}: ${answer.text.slice(0, 300)}`).toContain(
        answer.status,
      );
    }
  });

  test('refuses everything else with a 400 that names it, and neither clamps nor guesses', async () => {
    for (const value of parameter.refuses) {
      const answer = await get(route, `${name}=${encodeURIComponent(value)}`);
      expect(answer.status, `${name}=${value.slice(0, 60)}: ${answer.text.slice(0, 300)}`).toBe(400);
      expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toContain(name);
    }
  });

  test('given twice is 400, whatever the values', async () => {
    const [first = 'x'] = parameter.takes;
    for (const query of [`${name}=${first}&${name}=${first}`, `${name}=${first}&${name}=x`]) {
      const answer = await get(route, query);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
  });

  test('with U+0000 or bytes that are not UTF-8 is 400', async () => {
    for (const value of ['%00', 'a%00b', '%ff', '%ed%a0%80', '%', '%zz', '%c0%af']) {
      expectRefusal(await get(route, `${name}=${value}`), 400, 'invalid_request');
    }
  });
});

test('a parameter that a route does not name is 400 and named, and so is what no text can hold', async () => {
  for (const route of Object.keys(PARAMETERS)) {
    if (BATTERY[route]?.takesAnyQuery) continue;
    for (const name of [...'unknown overdue company_id page[] __proto__ constructor 0 Page'.split(' '), '', 'a b']) {
      const answer = await get(route, `${encodeURIComponent(name)}=1`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details).toEqual([{ field: name, message: 'is not a parameter of this request' }]);
    }
    const twice = await get(route, 'unknown=1&other=2&unknown=2');
    expect(twice.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['unknown', 'other']);
    const long = await get(route, `${'x'.repeat(10_000)}=1`);
    expect(long.body.error.details[0].field).toHaveLength(255);
    expectRefusal(await get(route, 'unknown=%00'), 400, 'invalid_request');
    expectRefusal(await get(route, 'unk%00nown=1'), 400, 'invalid_request');
  }
});

describe('a number is decimal digits alone, also as a URL spells it without a client to encode it', () => {
  const pages = parameters.filter(({ parameter }) => parameter === PAGE || parameter === PAGE_SIZE);
  const SPELLINGS =
    '+1 1+ %2B1 %201 1%20 %091 1%0A %C2%A01 0x10 0X1 0b1 0o7 1e1 1E1 1e0 1.0 1. .1 1_0 1n %EF%BC%91 %D9%A1';
  test.each(pages)('$route: $name', async ({ route, name }) => {
    for (const spelling of SPELLINGS.split(' ')) {
      const answer = await get(route, `${name}=${spelling}`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
  });

  test.each(['min', 'max'])('GET /payments/orders: %s, with a point and a minus at most', async (name) => {
    for (const spelling of '0x10 1e1 1E1 1e%2B1 1e-1 %2B50 Infinity -Infinity NaN 1n 50. .5 50,5 1_0 %EF%BC%91'.split(
      ' ',
    )) {
      const answer = await get('GET /payments/orders', `${name}=${spelling}`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
    for (const value of ['50', '50.5', '-50.50']) {
      expectStatus(await get('GET /payments/orders', `${name}=${value}`), 200);
    }
  });
});

describe('filters that contradict each other', () => {
  test.each([
    ['min=2&max=1', 'min'],
    ['min=90071992547409.94&max=90071992547409.93', 'min'],
    ['min=-1&max=-2', 'min'],
    ['startAt=2026-10-02&endAt=2026-10-01', 'startAt'],
    ['startAt=2026-10-01T00:00:00.001Z&endAt=2026-10-01T00:00:00.000Z', 'startAt'],
  ])('%s is 400 on %s', async (query, field) => {
    const answer = await get('GET /payments/orders', query);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test.each([
    'min=1&max=1',
    'min=1.0&max=1.00',
    'startAt=2026-10-01&endAt=2026-10-01',
    'startAt=2026-10-01T23:00:00Z&endAt=2026-10-01',
  ])('%s is no contradiction', async (query) => {
    expectStatus(await get('GET /payments/orders', query), 200);
  });
});

describe('pages', () => {
  test('a page past the end is empty, and the defaults are page 1 with 10 items', async () => {
    const { service, admin } = world;
    await issueInvoice(service, admin.companyId);
    const orders = expectStatus(await get('GET /payments/orders', 'page=1000000&perPage=1000'), 200).body;
    expect([orders.page, orders.perPage, orders.data]).toEqual([1_000_000, 1_000, []]);
    const labels = expectStatus(await get('GET /labels', 'current_page=1000000&per_page=1000'), 200).body;
    expect([labels.current_page, labels.per_page, labels.data, labels.last_page]).toEqual([1_000_000, 1_000, [], 1]);
    const first = expectStatus(await get('GET /payments/orders', ''), 200).body;
    expect([first.page, first.perPage, first.data.length]).toEqual([1, 10, first.total]);
    const firstLabels = expectStatus(await get('GET /labels', ''), 200).body;
    expect([firstLabels.current_page, firstLabels.per_page]).toEqual([1, 10]);
  });

  test('SQL in a search is text and nothing else', async () => {
    const { service, admin } = world;
    const name = `x'; DROP TABLE labels; -- ${randomUUID()}`;
    const body = { name, description: 'x', color: '#fff', userName: 'x' };
    expectStatus(await service.call('POST', '/labels', { token: admin.token, body }), 201);
    const found = expectStatus(await get('GET /labels', `name=${encodeURIComponent(name)}`), 200).body;
    expect([found.total, found.data[0].name]).toEqual([1, name]);
  });
});
