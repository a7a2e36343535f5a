import { setTimeout as sleep } from 'node:timers/promises';
import { askPause } from './pause.ts';
import { median, type Row } from './report.ts';
import { connectClient } from './seed.ts';
import { type Setting, startSetting } from './setting.ts';
import { BATCH_SIZE, ingest, seedCompanyIds } from './usage.ts';

const WANTED_SECONDS = 30;
const WANTED_PAUSE_MS = 50;
const EXTERNAL_ID = 'came later';

/** Batches of 1,000 by external ids, against the same by UUIDs. */
async function benchExternalIds(setting: Setting): Promise<Row> {
  const companyIds = await seedCompanyIds(setting);
  const { operator } = connectClient(setting);
  const names = companyIds.map((_, index) => `bench-${index}`);
  for (const [index, companyId] of companyIds.entries()) {
    await operator.companies.update(companyId, { externalId: names[index] ?? null });
  }
  const byName = names.map((name) => `external:${name}`);
  await ingest(setting, companyIds, 20);
  await ingest(setting, byName, 20);
  const rounds: { byId: number; byName: number }[] = [];
  for (let round = 0; round < Math.max(5, setting.rounds); round += 1) {
    rounds.push({ byId: await ingest(setting, companyIds), byName: await ingest(setting, byName) });
  }
  const middle = (which: 'byId' | 'byName') => median(rounds.map((round) => round[which])).toFixed(0);
  return {
    name: 'POST /operator/usage by external id',
    ratio: median(rounds.map((round) => round.byId / round.byName)),
    bound: '≤',
    limit: 1.1,
    detail: `${middle('byName')} events/s by external id, ${middle('byId')} by UUID`,
  };
}

/** So many events of an external id that no company has, and how long they take to be a company's from the answer that makes it on. */
async function benchAttribution(setting: Setting, events: number): Promise<Row[]> {
  const waiting = Math.min(events, 1_000_000);
  const rate = await ingest(setting, [`external:${EXTERNAL_ID}`], waiting / BATCH_SIZE);
  await askPause({ process: setting.serviceProcess });
  const beganMs = performance.now();
  const { operator } = connectClient(setting);
  await operator.companies.update(`external:${EXTERNAL_ID}`, { name: 'Later Ltd' });
  const answeredMs = performance.now() - beganMs;
  while ((await setting.owner`SELECT FROM usage_attributions`).length > 0) await sleep(20);
  const seconds = (performance.now() - beganMs) / 1_000;
  const pauseMs = await askPause({ process: setting.serviceProcess });
  const [counted] = await setting.owner<[{ events: number }]>`SELECT count(*)::int AS events FROM usage_events`;
  if (counted.events !== waiting) throw new Error(`${counted.events} events instead of ${waiting}`);
  const came = `they came at ${rate.toFixed(0)} events/s, the answer after ${answeredMs.toFixed(0)} ms`;
  const all = `${waiting.toLocaleString('en-US')} events`;
  return [
    {
      name: `${all} that wait become a company's`,
      ratio: seconds / WANTED_SECONDS,
      bound: '≤',
      limit: 1,
      detail: `${seconds.toFixed(1)} s of ${WANTED_SECONDS}; ${came}`,
    },
    {
      name: 'longest pause of the event loop meanwhile',
      ratio: pauseMs / WANTED_PAUSE_MS,
      bound: '≤',
      limit: 1,
      detail: `${pauseMs.toFixed(0)} ms of ${WANTED_PAUSE_MS}`,
    },
  ];
}

/** Usage by external ids, and usage that comes before its company. */
export async function benchUnattributed(setting: Setting, events: number): Promise<Row[]> {
  const named = await benchExternalIds(setting);
  const apart = await startSetting({ ...setting, imports: ['./pause-probe.ts'] });
  try {
    return [named, ...(await benchAttribution(apart, events))];
  } finally {
    await apart.stop();
  }
}
