/**
 * The whole fault matrix and storms drawn at random, against real processes: `npm run chaos -- --minutes 60`.
 * `--seed` repeats the order and the choices of an earlier run, `--rounds` says how often the matrix is run (1 unless
 * minutes are given), `--storms` how many storms follow each round. Ends with a table of the cells that were hit; fails
 * when one was not, or as soon as an invariant is broken.
 *
 * `npm run chaos -- billing` kills what makes invoices of usage: `--seed` as above, `--kills` says how often (200).
 */
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded.ts';
import { runBillingChaos } from './chaos.billing.ts';
import { gatewayCells } from './chaos.gateway.ts';
import { killCells } from './chaos.kills.ts';
import { postgresCells } from './chaos.postgres.ts';
import { raceCells } from './chaos.races.ts';
import { storm } from './chaos.storm.ts';
import { type Cell, createCoverage, createRandom, runCell, shuffle } from './chaos.ts';
import { openWorld, type World } from './chaos.world.ts';

type Options = { seed: number; rounds: number; minutes: number; storms: number; isBilling: boolean; kills: number };

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string', default: '0' },
      storms: { type: 'string', default: '5' },
    },
  });
  const number = (name: string, text: string) =>
    /^\d{1,9}$/.test(text) ? Number(text) : fail(`--${name} must be a whole number`);
  const minutes = number('minutes', values.minutes);
  const [part, ...others] = positionals;
  if ((part !== undefined && part !== 'billing') || others.length > 0) fail('there is only the part `billing`');
  return {
    isBilling: part === 'billing',
    kills: number('kills', values.kills),
    minutes,
    seed: number('seed', values.seed ?? String(randomInt(1_000_000_000))),
    rounds: number('rounds', values.rounds ?? (minutes > 0 ? '0' : '1')),
    storms: number('storms', values.storms),
  };
}

function fail(message: string): never {
  throw new Error(message);
}

/** One PostgreSQL for the API processes to share. The ones that are killed are another world's own. */
async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-chaos-'));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const server = await startEmbeddedPostgres({ dataDirectory, log });
  const { host, port, user, password, database } = server.connection;
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    stop: async () => {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function runRound(cells: [Cell, World][], options: Options & { round: number; hit: (cell: Cell) => void }) {
  const random = createRandom(options.seed + options.round);
  for (const [cell, world] of shuffle(random, cells)) {
    await runCell(world, cell);
    options.hit(cell);
  }
  const shared = cells.find(([, world]) => world.apis.length > 1)?.[1] ?? fail('There is no world to storm.');
  for (let count = 0; count < options.storms; count += 1) {
    const acts: string[] = [];
    const run = () => storm(shared, random, (what) => acts.push(what));
    const cell = { fault: `storm ${count + 1}`, step: 'all', run };
    await runCell(shared, cell).catch((error) => fail(`${error.message}\nwhat happened: ${acts.join(', ')}`));
  }
}

/** Usage that becomes invoices; the charge has the rest of this file. */
async function breakBilling({ seed, kills }: Options): Promise<void> {
  const database = await startDatabase();
  try {
    const chaos = { seed, kills, processes: 3, senders: 3, databaseUrl: database.url };
    const { table, missing } = await runBillingChaos(chaos, (line) => console.log(line));
    console.log(`\nWhat the kills met, with seed ${seed}:\n${table}\n`);
    if (missing.length > 0) fail(`never met: ${missing.join(', ')}`);
  } finally {
    await database.stop();
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  console.log(`seed ${options.seed}`);
  if (options.isBilling) return breakBilling(options);
  const startedMs = performance.now();
  const minutes = () => (performance.now() - startedMs) / 60_000;
  const undo: (() => Promise<void>)[] = [];
  const coverage = createCoverage([...killCells(), ...gatewayCells(), ...raceCells(), ...postgresCells()]);
  try {
    const database = await startDatabase();
    undo.push(database.stop);
    const shared = await openWorld({ databaseUrl: database.url, apis: 2 });
    undo.push(shared.stop);
    const embedded = await openWorld({ apis: 1 });
    undo.push(embedded.stop);
    const cells: [Cell, World][] = [
      ...[...killCells(), ...gatewayCells(), ...raceCells()].map((cell): [Cell, World] => [cell, shared]),
      ...postgresCells().map((cell): [Cell, World] => [cell, embedded]),
    ];
    for (let round = 0; round < options.rounds || minutes() < options.minutes; round += 1) {
      await runRound(cells, { ...options, round, hit: coverage.hit });
      console.log(
        `round ${round + 1}: ${cells.length} cells and ${options.storms} storms in ${minutes().toFixed(1)} min`,
      );
    }
  } finally {
    console.log(`\nHow often each cell was hit, with seed ${options.seed}:\n${coverage.table()}\n`);
    for (const step of undo.reverse()) await step();
  }
  const missing = coverage.missing();
  if (missing.length > 0) fail(`never hit: ${missing.join('; ')}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
