import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

/**
 * Ten thousand random rows, which the test also keeps in memory: every pair of filters is compared with a linear
 * search.
 */
const ROWS = 10_000;
const HOUR_MS = 3_600_000;
const FIRST_START_MS = Date.UTC(2026, 0, 1);
const AUGUST_END_MS = Date.UTC(2026, 8, 1);

type Row = {
  id: string;
  number: string;
  startMs: number;
  endMs: number;
  status: string;
  method: string;
  cents: number;
};

let service: TestService;
let admin: Actor;
/** As the list shows them. */
let rows: Row[];

/** Returns random numbers that are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  const random = createRandom(20_261_121);
  const pick = (count: number) => Math.floor(random() * count);
  rows = Array.from({ length: ROWS }, (_, index) => {
    const startMs = FIRST_START_MS + pick(365 * 24) * HOUR_MS;
    return {
      id: `0198f2d4-7c1e-7b3a-9f52-${index.toString(16).padStart(12, '0')}`,
      number: `INV-${String(index + 1).padStart(6, '0')}`,
      startMs,
      endMs: startMs + (1 + pick(60 * 24)) * HOUR_MS,
      status: ['Processing', 'Failed'][pick(2)] ?? '',
      method: ['Card', 'paypal'][pick(2)] ?? '',
      cents: pick(2_000) * 5,
    };
  });
  const { owner } = service.database;
  const [billing] = await owner<
    { id: string }[]
  >`SELECT id FROM billing_information WHERE company_id = ${admin.companyId}`;
  // The latest possible start of an invoice that ends by the end of August.
  if (rows[0] !== undefined) Object.assign(rows[0], { startMs: AUGUST_END_MS - 1, endMs: AUGUST_END_MS });
  const json = JSON.stringify(
    rows.map((row) => ({ ...row, startAt: new Date(row.startMs), endAt: new Date(row.endMs), total: row.cents / 100 })),
  );
  await owner`
    INSERT INTO invoices (company_id, id, number, bill_to_id, start_at, end_at, method, status, currency, minor_unit_digits,
                          tax_rate, sub_total, tax, total, details, buyer, seller)
    SELECT ${admin.companyId}, id, number, ${billing?.id ?? ''}, "startAt", "endAt", method, status, 'USD', 2, 0, total, 0, total,
           '[]', '{}', '{}'
    FROM json_to_recordset(${json}::text::json)
      AS row (id uuid, number text, "startAt" timestamptz, "endAt" timestamptz, method text, status text, total numeric)`;
  rows.sort(newestFirst);
});
afterAll(async () => service.stop());

const list = (query: string) => service.call('GET', `/payments/orders${query}`, { token: admin.token });

/** Sorts by the newest period, then the newest id. */
function newestFirst(left: Row, right: Row): number {
  return right.startMs - left.startMs || (right.id < left.id ? -1 : 1);
}

const FILTERS: Record<string, { query: string; matches: (row: Row) => boolean }[]> = {
  status: [
    { query: 'status=failed', matches: ({ status }) => status === 'Failed' },
    { query: 'status=PROCESSING', matches: ({ status }) => status === 'Processing' },
    { query: 'status=Succeeded', matches: () => false },
  ],
  method: [
    { query: 'method=CARD', matches: ({ method }) => method === 'Card' },
    { query: 'method=paypal', matches: ({ method }) => method === 'paypal' },
  ],
  min: [{ query: 'min=42.35', matches: ({ cents }) => cents >= 4_235 }],
  max: [{ query: 'max=55.5', matches: ({ cents }) => cents <= 5_550 }],
  startAt: [
    { query: 'startAt=2026-03-31', matches: ({ startMs }) => startMs >= Date.UTC(2026, 2, 31) },
    { query: 'startAt=2026-03-31T05:00:00%2B02:00', matches: ({ startMs }) => startMs >= Date.UTC(2026, 2, 31, 3) },
  ],
  endAt: [
    { query: 'endAt=2026-08-31', matches: ({ endMs }) => endMs <= Date.UTC(2026, 8, 1) },
    { query: 'endAt=2026-08-31T05:00:00Z', matches: ({ endMs }) => endMs <= Date.UTC(2026, 7, 31, 5) },
  ],
  receipt: [
    { query: 'receipt=inv-000777', matches: ({ number }) => number === 'INV-000777' },
    { query: 'receipt=0198F2D4-7C1E-7B3A-9F52-00000000002A', matches: ({ id }) => id.endsWith('00000000002a') },
  ],
};

const SINGLES = Object.values(FILTERS).flat();
const PAIRS = Object.keys(FILTERS).flatMap((left, index, names) =>
  names
    .slice(index + 1)
    .flatMap((right) => (FILTERS[left] ?? []).flatMap((one) => (FILTERS[right] ?? []).map((other) => [one, other]))),
);

describe('GET /payments/orders', () => {
  // Security (Amounts, documents and card data): Every pair of invoice filters finds the same as a plain search of 10,000 rows
  it.each(
    [...SINGLES.map((filter) => [filter]), ...PAIRS].map(
      (filters) => [filters.map(({ query }) => query).join('&'), filters] as const,
    ),
  )('filters by %s like a linear search', async (query, filters) => {
    const expected = rows.filter((row) => filters.every(({ matches }) => matches(row)));
    const { body, text } = await list(`?${query}&perPage=50`);
    expect(body.total).toBe(expected.length);
    expect(body.data.map(({ id }: Row) => id)).toEqual(expected.slice(0, 50).map(({ id }) => id));
    expect((await list(`?${query}&perPage=50`)).text).toBe(text);
  });

  it('defaults to page 1 with 10 invoices, and counts all of them', async () => {
    const { body } = await list('');
    expect(body).toMatchObject({ total: ROWS, page: 1, perPage: 10 });
    expect(body.data).toHaveLength(10);
  });

  // Security (Bodies, paths and queries): A page of invoices never has more than 1,000 rows
  it('shows every invoice once over all pages, and an empty page past the end', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 10; page += 1)
      seen.push(...(await list(`?perPage=1000&page=${page}`)).body.data.map(({ id }: Row) => id));
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect((await list('?perPage=1000&page=11')).body).toMatchObject({ data: [], total: ROWS, page: 11 });
  });

  it('keeps totals exact when invoices change between two equal requests', async () => {
    const before = (await list('?status=Failed&min=10')).body.total;
    const [changed] = await service.database.owner<{ count: number }[]>`
      WITH changed AS (
        UPDATE invoices SET status = 'Failed'
        WHERE company_id = ${admin.companyId} AND id IN (
          SELECT id FROM invoices WHERE company_id = ${admin.companyId} AND status = 'Processing' AND total >= 10 LIMIT 7
        ) RETURNING id
      ) SELECT count(*)::int AS count FROM changed`;
    expect(changed?.count).toBe(7);
    expect((await list('?status=Failed&min=10')).body.total).toBe(before + 7);
    const failed = await service.database.owner<{ id: string }[]>`SELECT id FROM invoices WHERE status = 'Failed'`;
    expect((await list('?status=Failed')).body.total).toBe(failed.length);
    const failedIds = new Set(failed.map(({ id }) => id));
    for (const row of rows) if (failedIds.has(row.id)) row.status = 'Failed';
  });

  it('updates a page when an invoice leaves it between two equal requests', async () => {
    const query = '?status=Processing&max=60&startAt=2026-02-01&endAt=2026-11-30';
    const [first, ...others] = (await list(query)).body.data.map(({ id }: Row) => id);
    expect((await list(query)).body.data[0].id).toBe(first);
    await service.database
      .owner`UPDATE invoices SET status = 'Failed' WHERE company_id = ${admin.companyId} AND id = ${first}`;
    const after = (await list(query)).body.data;
    expect(after.slice(0, 9).map(({ id }: Row) => id)).toEqual(others);
    expect(after.every(({ status }: Row) => status === 'Processing')).toBe(true);
    for (const row of rows) if (row.id === first) row.status = 'Failed';
  });

  it("shows the latest payment's current state even if the page's invoices did not change", async () => {
    const query = '?min=1&startAt=2026-06-01';
    const [invoice] = (await list(query)).body.data;
    expect(invoice.payment).toBeNull();
    const pay = (declineCode: string, createdAt: string) => service.database.owner`
      INSERT INTO payments (company_id, id, invoice_id, method, gateway, amount_minor, currency, state, failure_reason,
                            decline_code, created_at)
      VALUES (${admin.companyId}, ${randomUUID()}, ${invoice.id}, 'Card', 'sandbox', 100, 'USD', 'failed', 'declined', ${declineCode},
              ${createdAt}::text::timestamptz)`;
    await pay('lost_card', '2026-06-01T00:00:00Z');
    expect((await list(query)).body.data[0].payment).toMatchObject({ status: 'Failed', declineCode: 'lost_card' });
    await pay('expired_card', '2026-06-02T00:00:00Z');
    expect((await list(query)).body.data[0].payment).toMatchObject({ declineCode: 'expired_card' });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=',
    'page=abc',
    'page=1e18',
    'page=1&page=2',
    'perPage=0',
    'perPage=1001',
    'status=Paid',
    'status=',
    'method=cash',
    'min=NaN',
    'min=1e400',
    'max=Infinity',
    'min=2&max=1',
    'startAt=yesterday',
    'startAt=2026-02-30',
    'startAt=2026-10-01T00:00:00',
    'endAt=0000-01-01',
    'startAt=2026-10-02&endAt=2026-10-01',
    'receipt=42',
    'receipt=INV-000001%00',
  ])('rejects %s with 400', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it("never shows another company's invoices", async () => {
    const other = await signUpAdmin(service);
    const { body } = await service.call('GET', `/payments/orders?receipt=${rows[0]?.id}`, { token: other.token });
    expect(body).toMatchObject({ total: 0, data: [] });
  });
});
