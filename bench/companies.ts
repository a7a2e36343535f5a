import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { send } from './load.ts';
import { median, type Row } from './report.ts';
import { type Company, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const FEW = 100;
const REQUESTS = 200;
const SEEDED_AT_ONCE = 1_000;
const PUT_MS = 3;
/** The total of a search that finds all of them is counted. */
const MOST_COUNTING = 50;

/** What the companies of `seedCompanies` are found by. Each search finds one of them, the last one finds all. */
const SEARCHES = {
  'a word of the name': (hash: string) => hash.slice(0, 12).toUpperCase(),
  'an e-mail': (hash: string) => `billing-${hash.slice(0, 12)}`,
  'an external id': (hash: string) => `id-${hash.slice(0, 12)}`,
  'a VAT number': (hash: string) => `DE${hash.slice(0, 12)}`,
  'a word that all have': () => 'ltd',
};
type Kind = keyof typeof SEARCHES;

type Bench = { setting: Setting; agent: Agent; company: Company };

/** `GET /operator/companies?search=` of many companies against a hundred, and `PUT` of a company by its external id among many. */
export async function benchCompanies(setting: Setting, count: number): Promise<Row[]> {
  const bench = { setting, agent: new Agent({ keepAlive: true }), company: await seedCompany(setting) };
  const hashes = await seedCompanies(setting, 1, FEW);
  const kinds = Object.keys(SEARCHES) as Kind[];
  const search = (kind: Kind) => timeSearches(bench, kind, hashes);
  const ofFew = new Map<Kind, Timed>();
  for (const kind of kinds) {
    await search(kind);
    ofFew.set(kind, await search(kind));
  }
  await seedCompanies(setting, FEW + 1, count);
  const rows: Row[] = [];
  for (const [kind, before] of ofFew) {
    await search(kind);
    const after = await search(kind);
    const detail = `p50 ${after.oursMs.toFixed(2)} ms of ${count} companies, ${before.oursMs.toFixed(2)} of ${FEW}`;
    // The floor is the same read both times: it shows how busy the machine was.
    const ratio = after.oursMs / after.floorMs / (before.oursMs / before.floorMs);
    const limit = kind === 'a word that all have' ? MOST_COUNTING : 1.3;
    rows.push({ name: `search by ${kind}`, ratio, bound: '≤', limit, detail });
  }
  rows.push(...(await benchPut(bench)));
  bench.agent.destroy();
  return rows;
}

/** Companies with billing information, straight into the tables. @returns the hashes that they are named by */
export async function seedCompanies({ owner }: Setting, first: number, last: number): Promise<string[]> {
  const hashes: string[] = [];
  // The triggers count each company in one row, whose versions of a transaction are read one after the other.
  for (let next = first; next <= last; next += SEEDED_AT_ONCE) {
    const made = await owner<{ hash: string }[]>`
      WITH numbered AS MATERIALIZED (
        SELECT uuidv7() AS id, md5(number::text) AS hash
        FROM generate_series(${next}::int, ${Math.min(next + SEEDED_AT_ONCE - 1, last)}::int) AS number
      ), made AS (
        INSERT INTO companies (id, name, email, external_id)
        SELECT id, 'Rowan ' || hash || ' Ltd', 'billing-' || hash || '@example.com', 'id-' || hash FROM numbered
      ), billing AS (
        INSERT INTO billing_information (company_id, id, tax_id) SELECT id, uuidv7(), 'DE' || hash FROM numbered
      )
      SELECT hash FROM numbered`;
    hashes.push(...made.map(({ hash }) => hash));
  }
  for (const table of ['companies', 'billing_information', 'company_search_terms']) {
    await owner.unsafe(`VACUUM ANALYZE ${table}`);
  }
  return hashes;
}

function timeSearches({ setting, agent, company }: Bench, kind: Kind, hashes: readonly string[]): Promise<Timed> {
  const { serviceUrl, floorUrl, operatorKey, rounds } = setting;
  const headers = { authorization: `Bearer ${operatorKey}` };
  const ask = async (url: string) => expect(await send(url, { headers, agent }), 200);
  return timeInTurn(
    rounds,
    (number) => ask(`${serviceUrl}/operator/companies?search=${SEARCHES[kind](hashes[number % FEW] ?? '')}`),
    () => ask(`${floorUrl}/addresses?company=${company.companyId}`),
  );
}

async function benchPut({ setting, agent, company }: Bench): Promise<Row[]> {
  const { serviceUrl, floorUrl, operatorKey, rounds } = setting;
  const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' };
  const put = async (number: number, name: string, status: number) => {
    const email = `${number}@example.com`;
    const body = { name, email, metadata: { plan: 'team' }, billingInformation: { country: 'DE' } };
    const url = `${serviceUrl}/operator/companies/external:put-${number}`;
    expect(await send(url, { method: 'PUT', headers, agent }, JSON.stringify(body)), status);
  };
  const label = { description: 'A label', color: '#ff8800', userName: 'Ada', ...company };
  const insert = async () => {
    const body = JSON.stringify({ ...label, name: randomUUID() });
    expect(await send(`${floorUrl}/labels`, { method: 'POST', agent }, body), 200);
  };
  const kinds = [
    ['that creates it', (number: number) => put(number, 'Rowan Ltd', 201)],
    ['that changes it', (number: number) => put(number, `Rowan ${number} Ltd`, 200)],
    ['that changes nothing', (number: number) => put(number, `Rowan ${number} Ltd`, 200)],
  ] as const;
  const rows: Row[] = [];
  for (const [kind, work] of kinds) {
    const { oursMs, floorMs } = await timeInTurn(rounds, work, insert);
    const detail = `p50 ${oursMs.toFixed(2)} ms; ${floorMs.toFixed(2)} ms for one insert in bare SQL`;
    rows.push({
      name: `PUT of a company ${kind}, of ${PUT_MS} ms`,
      ratio: oursMs / PUT_MS,
      bound: '≤',
      limit: 1,
      detail,
    });
  }
  return rows;
}

function expect({ status, text }: { status: number; text: string }, expected: number): void {
  if (status !== expected) throw new Error(`The answer is ${status}: ${text}`);
}

type Timed = { oursMs: number; floorMs: number };

/** One request after the other, each followed by one of the floor. @returns their median times, of the median round */
async function timeInTurn(
  rounds: number,
  ours: (number: number) => Promise<void>,
  floor: () => Promise<void>,
): Promise<Timed> {
  const middles: Timed[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [oursMs, floorMs]: [number[], number[]] = [[], []];
    for (let request = 0; request < REQUESTS; request += 1) {
      oursMs.push(await timeOf(() => ours(round * REQUESTS + request)));
      floorMs.push(await timeOf(floor));
    }
    middles.push({ oursMs: median(oursMs), floorMs: median(floorMs) });
  }
  const of = (which: keyof Timed) => median(middles.map((middle) => middle[which]));
  return { oursMs: of('oursMs'), floorMs: of('floorMs') };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}
