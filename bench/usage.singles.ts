import { describe, type Figures, load, type Target } from './load.ts';
import { postgresSeconds, processorSeconds } from './processes.ts';
import { median, type Row } from './report.ts';
import type { Setting } from './setting.ts';

/** Callers at the same time, and how many of the rows of single INSERTs are wanted as events. */
const CALLERS: [number, number][] = [
  [1, 0.3],
  [32, 0.6],
  [128, 0.8],
];

/** `POST /operator/usage` with one event a request, against one INSERT committed alone, for as many callers. */
export async function benchSingles(setting: Setting, companyIds: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [connections, limit] of CALLERS) {
    const name = `POST /operator/usage, one event, ${connections} at once`;
    rows.push({ name, bound: '≥', limit, ...(await compareSingles(setting, companyIds[0] ?? '', connections)) });
  }
  return rows;
}

/** Both in turn, round by round. */
async function compareSingles(setting: Setting, companyId: string, connections: number) {
  const { serviceUrl, floorUrl, operatorKey, serviceProcessId, rounds, seconds } = setting;
  const event = {
    specversion: '1.0',
    type: 'paydesk.usage',
    source: '/gateways/eu-west-1',
    id: '[<id>]',
    subject: companyId,
    time: new Date().toISOString(),
    data: { path: '/v1/service', quantity: 1 },
  };
  const target = { method: 'POST' as const, body: JSON.stringify(event), connections };
  const ours: Target = {
    ...target,
    url: `${serviceUrl}/operator/usage`,
    headers: { authorization: `Bearer ${operatorKey}` },
  };
  const floor: Target = { ...target, url: `${floorUrl}/usage` };
  for (const warmedUp of [floor, ours]) await load(warmedUp, 1);

  const used = async () => (await processorSeconds(serviceProcessId)) + (await postgresSeconds(setting));
  const results: { floor: Figures; ours: Figures; spent: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const other = await load(floor, seconds);
    const before = await used();
    const figures = await load(ours, seconds);
    results.push({ floor: other, ours: figures, spent: ((await used()) - before) / (figures.perSecond * seconds) });
  }
  const middle = (value: (result: (typeof results)[number]) => number) => median(results.map(value));
  const side = (which: 'ours' | 'floor') => ({
    perSecond: middle((result) => result[which].perSecond),
    p50Ms: middle((result) => result[which].p50Ms),
  });
  const spentMs = middle(({ spent }) => spent * 1_000).toFixed(2);
  return {
    ratio: middle((result) => result.ours.perSecond / result.floor.perSecond),
    detail: `${describe({ ours: side('ours'), floor: side('floor') })}; ${spentMs} ms of processor time each`,
  };
}
