import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresSeconds } from './processes.ts';
import { median, type Row } from './report.ts';
import { runMonth, seedCompanies, setPrices } from './runs.ts';
import type { Setting } from './setting.ts';
import { ingestBodies } from './usage.ts';

const COMPANIES = 500;
const DAYS = 28;
const PATHS = 3;
const ROLLUPS_MS = 10_000;

type Cost = { runMs: number; serviceMs: number; postgresMs: number };

/**
 * Runs of 500 companies, each with a usage event a day of three paths: once when the usage has been rolled up, once right after the
 * 42,000 events came, and while PostgreSQL believes that none wait. For an invoice, of the time of the run and of the processor time of
 * the service and of PostgreSQL.
 */
export async function benchBurst(setting: Setting): Promise<Row[]> {
  await setPrices(setting);
  await seedCompanies(setting, COMPANIES);
  const companies = await setting.owner<{ id: string }[]>`SELECT id FROM companies ORDER BY id DESC LIMIT ${COMPANIES}`;
  const rounds: { peace: Cost; burst: Cost }[] = [];
  await billBurst(setting, companies, '2024-01', { inPeace: true });
  for (let round = 0; round < setting.rounds; round += 1) {
    const peace = await billBurst(setting, companies, monthOf(2 * round), { inPeace: true });
    rounds.push({ peace, burst: await billBurst(setting, companies, monthOf(2 * round + 1), { inPeace: false }) });
  }
  const ofPeace = rounds.map(({ peace }) => peace);
  return [
    {
      name: `a billing run of ${COMPANIES}, in peace, ms an invoice`,
      ratio: median(ofPeace.map(({ runMs }) => runMs)),
      bound: '≤',
      limit: 0.7,
      detail: describe(ofPeace),
    },
    {
      name: `the same right after ${COMPANIES * DAYS * PATHS} events`,
      ratio: median(rounds.map(({ peace, burst }) => burst.runMs / peace.runMs)),
      bound: '≤',
      limit: 1.5,
      detail: describe(rounds.map(({ burst }) => burst)),
    },
  ];
}

function describe(costs: readonly Cost[]): string {
  const middle = (read: (cost: Cost) => number) => median(costs.map(read)).toFixed(2);
  const [run, service, postgres] = [
    middle(({ runMs }) => runMs),
    middle(({ serviceMs }) => serviceMs),
    middle(({ postgresMs }) => postgresMs),
  ];
  return `${run} ms an invoice; of processor time ${service} ms of the service, ${postgres} ms of PostgreSQL`;
}

/** Such as 2024-02: the index-th month after the first. */
function monthOf(index: number): string {
  return new Date(Date.UTC(2024, 1 + index)).toISOString().slice(0, 7);
}

async function billBurst(
  setting: Setting,
  companies: readonly { id: string }[],
  month: string,
  { inPeace }: { inPeace: boolean },
): Promise<Cost> {
  const { owner } = setting;
  await waitForRollup(setting);
  await owner`VACUUM ANALYZE usage_deltas`;
  // The rollups of this time are planned for the empty table.
  await sleep(ROLLUPS_MS);
  await ingestBodies(setting, makeBodies(companies, month));
  if (inPeace) await waitForRollup(setting);
  const before = await postgresSeconds(setting);
  const { invoices, processorSeconds } = await runMonth(setting, month);
  const [{ runMs }] = await owner<[{ runMs: number }]>`
    SELECT 1000 * extract(epoch FROM finished_at - started_at)::float8 AS "runMs" FROM billing_runs WHERE period = ${month}`;
  if (invoices !== COMPANIES) throw new Error(`${invoices} invoices instead of ${COMPANIES}`);
  const postgresMs = 1_000 * ((await postgresSeconds(setting)) - before);
  return {
    runMs: runMs / COMPANIES,
    serviceMs: (1_000 * processorSeconds) / COMPANIES,
    postgresMs: postgresMs / COMPANIES,
  };
}

async function waitForRollup({ owner }: Setting): Promise<void> {
  for (;;) {
    const [{ waiting }] = await owner<[{ waiting: boolean }]>`SELECT EXISTS (SELECT FROM usage_deltas) AS waiting`;
    if (!waiting) return;
    await sleep(100);
  }
}

/** Batches of a thousand, in the order of time. */
function makeBodies(companies: readonly { id: string }[], month: string): string[] {
  const events = Array.from({ length: DAYS }, (_, day) =>
    Array.from({ length: PATHS }, (__, path) =>
      companies.map(({ id }, index) => ({
        ...{ specversion: '1.0', type: 'paydesk.usage', source: '/gateways/eu-west-1', id: randomUUID(), subject: id },
        time: new Date(Date.parse(`${month}-01T00:00:00Z`) + (24 * day + (index % 24)) * 3_600_000).toISOString(),
        data: { path: `/v1/service-${path}`, quantity: 1_000 + index },
      })),
    ),
  ).flat(2);
  return Array.from({ length: events.length / 1_000 }, (_, batch) =>
    JSON.stringify(events.slice(batch * 1_000, (batch + 1) * 1_000)),
  );
}
