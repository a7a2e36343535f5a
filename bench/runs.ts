import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorSeconds } from './processes.ts';
import { median, type Row } from './report.ts';
import { connectClient } from './seed.ts';
import type { Setting } from './setting.ts';

const PATHS = 20;
/** Of each path in the month, so that 10,000 companies have a million. */
const HOURS = 5;
const BATCH_SIZE = 100;
const WANTED_INVOICES_PER_SECOND = 500;
const WANTED_MEMORY_MB = 300;
const MODELS = [
  { model: 'flat' as const, unitAmount: '0.004123456789' },
  { model: 'package' as const, packageAmount: '5.00', packageSize: 100 },
  ...(['graduated', 'volume'] as const).map((model) => ({
    model,
    tiers: [100, 10_000, null].map((upTo, index) => ({ upTo, unitAmount: `0.00${9 - index}123456789` })),
  })),
];

type Run = {
  invoices: number;
  companies: number;
  seconds: number;
  /** Of the service's processor time. */
  processorSeconds: number;
  /** The most that the service held while it was at it. */
  memoryMb: number;
};

/**
 * Billing runs as the service does them: a tenth of the companies, then all, each with 20 paths; then as many again ten times over,
 * of which a tenth of the first used anything.
 */
export async function benchRuns(setting: Setting, companies: number): Promise<Row[]> {
  await setPrices(setting);
  const tenth = Math.round(companies / 10);
  await seedCompanies(setting, tenth);
  await seedHours(setting, '2025-01-01', tenth);
  const small = await runMonth(setting, '2025-01');
  await seedCompanies(setting, companies - tenth);
  await seedHours(setting, '2025-02-01', companies);
  const large = await runMonth(setting, '2025-02');
  const floor = await insertBare(setting, '2025-02');
  await seedCompanies(setting, 9 * companies);
  await seedHours(setting, '2025-03-01', tenth);
  const idle = await runMonth(setting, '2025-03');
  return [...describeRate(large, floor), ...describeMemory(small, large, idle), describeIdle(large, idle)];
}

function describeRate(run: Run, floor: number): Row[] {
  const rate = run.invoices / run.seconds;
  const processorMs = ((1_000 * run.processorSeconds) / run.invoices).toFixed(2);
  return [
    {
      name: `billing run, ${run.companies} companies of ${PATHS} paths`,
      ratio: rate / WANTED_INVOICES_PER_SECOND,
      bound: '≥',
      limit: 1,
      detail: `${rate.toFixed(0)} invoices/s of ${WANTED_INVOICES_PER_SECOND}; ${processorMs} ms of the service's processor time each`,
    },
    {
      name: 'the same against bare inserts of its invoices',
      ratio: rate / floor,
      bound: '≥',
      limit: 0.15,
      detail: `${floor.toFixed(0)} rows/s without usage, prices, numbers, locks and counters`,
    },
  ];
}

function describeMemory(small: Run, large: Run, idle: Run): Row[] {
  const figures = [small, large, idle].map(({ memoryMb, companies }) => `${memoryMb.toFixed(0)} MB at ${companies}`);
  return [
    {
      name: 'memory of a run, ten times the companies',
      ratio: large.memoryMb / small.memoryMb,
      bound: '≤',
      limit: 1.3,
      detail: `${figures.join(', ')} companies`,
    },
    {
      name: 'memory of a run',
      ratio: Math.max(small.memoryMb, large.memoryMb, idle.memoryMb) / WANTED_MEMORY_MB,
      bound: '≤',
      limit: 1,
      detail: `of ${WANTED_MEMORY_MB} MB RSS`,
    },
  ];
}

/** What a company that used nothing takes, against one with an invoice. */
function describeIdle(large: Run, idle: Run): Row {
  const invoiceMs = (1_000 * large.seconds) / large.invoices;
  const idleMs = (1_000 * idle.seconds - idle.invoices * invoiceMs) / (idle.companies - idle.invoices);
  return {
    name: `${idle.companies} companies, of which ${idle.invoices} used something`,
    ratio: idleMs / invoiceMs,
    bound: '≤',
    limit: 0.3,
    detail: `${idle.seconds.toFixed(1)} s; ${idleMs.toFixed(2)} ms without usage, ${invoiceMs.toFixed(2)} ms with`,
  };
}

export async function setPrices(setting: Setting): Promise<void> {
  const { operator } = connectClient(setting);
  const common = { currency: 'USD', freeRequests: 10, effectiveFrom: '2024-01-01T00:00:00Z' };
  for (let path = 0; path < PATHS; path += 1) {
    const model = MODELS.at(path % MODELS.length);
    if (model === undefined) throw new Error('There are no models.');
    await operator.prices.create({ ...common, path: `/v1/service-${path}`, title: `Service ${path}`, ...model });
  }
}

/**
 * So many companies more, each with an admin and billing information, straight into the tables. Their grace time keeps the
 * schedule from billing them in between.
 */
export async function seedCompanies({ owner }: Setting, count: number): Promise<void> {
  await owner`
    WITH made AS (
      INSERT INTO companies (id, name, tax_rate, invoice_grace_hours)
      SELECT uuidv7(), 'Company ' || number, 19, 1000000 FROM generate_series(1, ${count}) AS number RETURNING id
    ), billing AS (
      INSERT INTO billing_information (company_id, id, first_name, last_name, country, city, address)
      SELECT id, uuidv7(), 'Ada', 'Lovelace', 'GB', 'London', '12 St James’s Square' FROM made
    )
    INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash)
    SELECT uuidv7(), id, 'Admin', 'Ada', 'Lovelace', id || '@example.com', id || '@example.com', '' FROM made`;
  for (const table of ['companies', 'billing_information', 'users']) await owner.unsafe(`VACUUM ANALYZE ${table}`);
}

/** What the rollup leaves behind, in its order: the first companies used every path in some hours of the month. */
export async function seedHours({ owner }: Setting, from: string, companies: number): Promise<void> {
  await owner`
    INSERT INTO usage_hours (company_id, hour, path, cutoff, quarter_1, quarter_2, quarter_3, quarter_4)
    SELECT companies.id, ${from}::text::timestamptz + number * interval '140 hours' + path % 3 * interval '1 hour', '/v1/service-' || path,
           (SELECT number FROM usage_cutoffs WHERE closed_at IS NULL), 1, 20, 300, 4000 + path
    FROM generate_series(0, ${HOURS - 1}::int) AS number,
         (SELECT id FROM companies WHERE name LIKE 'Company %' ORDER BY id LIMIT ${companies}) AS companies,
         generate_series(0, ${PATHS - 1}::int) AS path
    ORDER BY number, path % 3, companies.id, path`;
  await owner`VACUUM ANALYZE usage_hours`;
}

export async function runMonth(setting: Setting, period: string): Promise<Run> {
  const { serviceProcessId, owner } = setting;
  const processorBefore = await processorSeconds(serviceProcessId);
  const { id } = await connectClient(setting).operator.billingRuns.start({ period });
  let memoryMb = 0;
  for (;;) {
    await sleep(100);
    memoryMb = Math.max(memoryMb, await residentMb(serviceProcessId));
    const [run] = await owner<[{ status: string; failures: number }]>`
      SELECT status, failures FROM billing_runs WHERE id = ${id}`;
    if (run.status === 'failed') throw new Error(`${run.failures} companies could not be billed`);
    if (run.status === 'done') break;
  }
  const [sums] = await owner<[{ invoices: number; companies: number; seconds: number }]>`
    SELECT count(invoice_id)::int AS invoices, count(*)::int AS companies,
           extract(epoch FROM (SELECT finished_at FROM billing_runs WHERE id = ${id}) - min(created_at))::float8 AS seconds
    FROM billed_periods WHERE run_id = ${id}`;
  return { ...sums, memoryMb, processorSeconds: (await processorSeconds(serviceProcessId)) - processorBefore };
}

async function residentMb(processId: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

/** The floor: the same rows into a table like that of the invoices, batch by batch, with nothing else. @returns rows a second */
async function insertBare({ owner, rounds }: Setting, period: string): Promise<number> {
  await owner`CREATE TABLE invoices_twin (LIKE invoices INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)`;
  const batches = await owner<{ rows: string; count: number }[]>`
    SELECT json_agg(row_to_json(issued))::text AS rows, count(*)::int AS count
    FROM (
      SELECT invoices.*, row_number() OVER (ORDER BY invoices.company_id) AS place
      FROM invoices JOIN billed_periods ON billed_periods.company_id = invoices.company_id AND invoice_id = id
      WHERE period = ${period}
    ) AS issued
    GROUP BY (place - 1) / ${BATCH_SIZE}::int`;
  const total = batches.reduce((sum, { count }) => sum + count, 0);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await owner`TRUNCATE invoices_twin`;
    const beganMs = performance.now();
    for (const { rows } of batches) {
      await owner`INSERT INTO invoices_twin SELECT * FROM json_populate_recordset(NULL::invoices_twin, ${rows}::text::json)`;
    }
    rates.push((total * 1_000) / (performance.now() - beganMs));
  }
  return median(rates);
}
