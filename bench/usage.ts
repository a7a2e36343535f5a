import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { send } from './load.ts';
import { median, type Row } from './report.ts';
import { bearer, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';
import { benchSingles } from './usage.singles.ts';

const COMPANIES = 10;
const PATHS = 10;
export const BATCH_SIZE = 1_000;
/** Batches a measurement takes. */
const BATCHES = 60;
/** As many senders at once as a gateway's workers would be. */
const SENDERS = 4;

type Event = {
  specversion: '1.0';
  type: 'paydesk.usage';
  source: string;
  id: string;
  subject: string;
  time: string;
  data: { path: string; quantity: number };
};

/** Events of these companies in turn: a batch, or so many. */
export function makeEvents(companyIds: readonly string[], count = BATCH_SIZE): Event[] {
  const nowMs = Date.now();
  return Array.from({ length: count }, (_, index) => ({
    specversion: '1.0',
    type: 'paydesk.usage',
    source: '/gateways/eu-west-1',
    // Random ids are the worst case: every one of them goes to another page of the index.
    id: randomUUID(),
    subject: companyIds[index % companyIds.length] ?? '',
    time: new Date(nowMs - index).toISOString(),
    data: { path: `/v1/service-${index % PATHS}`, quantity: 1 + (index % 3) },
  }));
}

export async function seedCompanyIds(setting: Setting): Promise<string[]> {
  const companies = await Promise.all(Array.from({ length: COMPANIES }, () => seedCompany(setting)));
  return companies.map(({ companyId }) => companyId);
}

/** Reports usage of these companies, UUIDs or external ids. @returns events a second */
export async function ingest(setting: Setting, companyIds: readonly string[], batches = BATCHES): Promise<number> {
  const bodies = Array.from({ length: batches }, () => JSON.stringify(makeEvents(companyIds)));
  return rateOf(batches, () => ingestBodies(setting, bodies));
}

/** Sends batches of a thousand events, four at a time. */
export async function ingestBodies({ serviceUrl, operatorKey }: Setting, bodies: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    authorization: `Bearer ${operatorKey}`,
    'content-type': 'application/cloudevents-batch+json',
  };
  const sender = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      const { text } = await send(`${serviceUrl}/operator/usage`, { method: 'POST', headers, agent }, body);
      if (!text.startsWith(`{"accepted":${BATCH_SIZE},`)) throw new Error(text.slice(0, 500));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  agent.destroy();
}

async function rateOf(batches: number, work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (batches * BATCH_SIZE * 1_000) / (performance.now() - beganMs);
}

/** The floor: one COPY into a table like that of the events, in partitions, with one unique index over the same keys. */
async function prepareTwin({ owner }: Setting): Promise<void> {
  await owner
    .unsafe(`
    CREATE TABLE usage_twin (LIKE usage_events INCLUDING DEFAULTS, UNIQUE (company_id, digest, stored_at))
      PARTITION BY RANGE (stored_at);
    GRANT INSERT ON usage_twin TO paydesk_application;
    CREATE TABLE usage_twin_now PARTITION OF usage_twin FOR VALUES FROM ('2020-01-01') TO ('2200-01-01');
  `)
    .simple();
}

async function copy({ owner }: Setting, companyIds: readonly string[], batches = BATCHES): Promise<number> {
  const storedAt = new Date().toISOString();
  const texts = Array.from({ length: batches }, () =>
    makeEvents(companyIds)
      .map(({ subject, time, data, source, id }) =>
        [subject, storedAt, randomUUID(), time, data.quantity, data.path, source, id].join('\t'),
      )
      .join('\n')
      .concat('\n'),
  );
  return rateOf(batches, async () => {
    const table = await owner`
      COPY usage_twin (company_id, stored_at, digest, happened_at, quantity, path, source, event) FROM STDIN`.writable();
    await pipeline(Readable.from(texts), table);
  });
}

/** Ingestion in batches of 1,000 through the API, against a bare COPY. */
async function benchIngestion(setting: Setting, companyIds: readonly string[]): Promise<Row> {
  await prepareTwin(setting);
  await ingest(setting, companyIds, 10);
  await copy(setting, companyIds, 10);
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < setting.rounds; round += 1) {
    rounds.push({ floor: await copy(setting, companyIds), ours: await ingest(setting, companyIds) });
  }
  const middle = (which: 'ours' | 'floor') => median(rounds.map((round) => round[which])).toFixed(0);
  return {
    name: 'POST /operator/usage, batches of 1,000',
    ratio: median(rounds.map(({ ours, floor }) => ours / floor)),
    bound: '≥',
    limit: 0.4,
    detail: `${middle('ours')} events/s; ${middle('floor')} rows/s of one bare COPY`,
  };
}

/**
 * How the rate falls over so many events: the median of the first tenth against that of the last, each against a COPY into an empty
 * table at the same moment, so that it is not the machine that is measured.
 */
async function benchGrowth(setting: Setting, companyIds: readonly string[], total: number): Promise<Row> {
  const chunk = Math.max(5 * SENDERS, Math.round(total / BATCH_SIZE / 100));
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let sent = 0; sent < total; sent += chunk * BATCH_SIZE) {
    await setting.owner`TRUNCATE usage_twin`;
    const yardstick = await copy(setting, companyIds, 5 * SENDERS);
    const rate = await ingest(setting, companyIds, chunk);
    rates.push(rate);
    ratios.push(rate / yardstick);
  }
  const tenth = Math.ceil(rates.length / 10);
  const first = median(rates.slice(0, tenth)).toFixed(0);
  const last = median(rates.slice(-tenth)).toFixed(0);
  return {
    name: `the same falls over ${(total / 1_000_000).toFixed(1)} million events`,
    ratio: median(ratios.slice(0, tenth)) / median(ratios.slice(-tenth)),
    bound: '≤',
    limit: 1.3,
    detail: `${first} events/s at first, ${last} at last`,
  };
}

/** As many rows as 100 million events leave behind, at a hundred an hour and path: 20 companies with 20 paths over 100 days. */
async function seedHours({ owner }: Setting, companyId: string): Promise<void> {
  await owner`
    INSERT INTO usage_hours (company_id, hour, path, cutoff, quarter_1, quarter_2, quarter_3, quarter_4)
    SELECT companies.id, hour, '/v1/service-' || path, 1, 25, 25, 25, 25
    FROM generate_series(timestamptz '2025-01-01T00:00:00Z', '2025-04-10T23:00:00Z', interval '1 hour') AS hour,
         (SELECT id FROM companies ORDER BY id = ${companyId} DESC LIMIT 20) AS companies, generate_series(1, 20) AS path
    ORDER BY hour, companies.id, path`;
  await owner`
    INSERT INTO usage_days (company_id, day, path, quantity)
    SELECT company_id, date_trunc('day', hour, 'UTC'), path, sum(quarter_1 + quarter_2 + quarter_3 + quarter_4) FROM usage_hours
    WHERE hour BETWEEN '2025-01-01' AND '2025-04-11'
    GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`;
  for (const table of ['usage_hours', 'usage_days']) await owner.unsafe(`VACUUM ANALYZE ${table}`);
}

/** `GET /payments/usage` of a month by day, one request after the other, against 20 ms. */
async function benchReads(setting: Setting): Promise<Row> {
  while ((await setting.owner`SELECT FROM companies`).length < 20) await seedCompany(setting);
  const company = await seedCompany(setting);
  await seedHours(setting, company.companyId);
  const latenciesMs: number[] = [];
  for (let request = 0; request < 300; request += 1) {
    const beganMs = performance.now();
    const address = `${setting.serviceUrl}/payments/usage?from=2025-02-01&to=2025-03-01`;
    const answer = await fetch(address, { headers: bearer(company) });
    const { total } = (await answer.json()) as { total: number };
    if (total !== 20 * 28) throw new Error(`${answer.status}: ${total} lines instead of ${20 * 28}`);
    latenciesMs.push(performance.now() - beganMs);
  }
  const p50Ms = median(latenciesMs);
  return {
    name: 'GET /payments/usage, a month by day, p50',
    ratio: p50Ms / 20,
    bound: '≤',
    limit: 1,
    detail: `${p50Ms.toFixed(1)} ms of 20, 20 paths, with 100 million events rolled up`,
  };
}

/** Metering: what it takes to store usage, over so many events, and to read it. */
export async function benchUsage(setting: Setting, events: number): Promise<Row[]> {
  const companyIds = await seedCompanyIds(setting);
  return [
    await benchIngestion(setting, companyIds),
    ...(await benchSingles(setting, companyIds)),
    await benchGrowth(setting, companyIds, events),
    await benchReads(setting),
  ];
}
