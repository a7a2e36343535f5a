/**
 * Runs the whole fault matrix and random storms against real processes: `npm run chaos -- --minutes 60`. `--gateway stripe` runs it on that
 * gateway only, instead of on each in turn. `--seed` repeats the order and the choices of an earlier run, `--rounds` says how often the
 * matrix is run (1 unless minutes are given), `--storms` how many storms follow each round, and `--only "refund T2"` runs only the cells
 * with these words. It ends with a table of the cells that were hit, for each gateway. It fails when a cell was not hit, and as soon as an
 * invariant is broken.
 * `npm run chaos -- billing` kills the processes that bill usage: `--seed` as above, `--kills` says how often (200).
 * `npm run chaos -- restore` restores databases that notice it, and brings them together: `--seeds` says how many runs there are on each
 * gateway (100), the first one with `--seed`; `--gateway` as above. `--seeds 1` repeats one run.
 */
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/data-directory.ts';
import { connectAsOwner } from '../../src/platform/database/pool.ts';
import { runBillingChaos } from './billing/billing.ts';
import { type Cells, cellsOf } from './cells.ts';
import { type Cell, createCoverage, createRandom, runCell, shuffle } from './chaos.ts';
import { CHAOS_GATEWAYS } from './gateways/gateways.ts';
import type { ChaosGateway } from './gateways/stand-ins.ts';
import { openRestorables, runRecoveries } from './recovery/runs.ts';
import { failOver, type Restorable, restoreInPlace } from './restore/databases.ts';
import { storm } from './storm.ts';
import { expectDelivered } from './webhooks.ts';
import { openWorld, type World } from './world.ts';

type Options = {
  seed: number;
  rounds: number;
  /** For all gateways together. */
  minutes: number;
  storms: number;
  gateways: readonly ChaosGateway[];
  /** Runs only cells whose fault and step contain this text. */
  only: string | null;
  part: 'matrix' | 'billing' | 'restore';
  kills: number;
  seeds: number;
};

const PARTS = ['billing', 'restore'] as const;

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kills: { type: 'string', default: '200' },
      seeds: { type: 'string', default: '100' },
      seed: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string', default: '0' },
      storms: { type: 'string', default: '5' },
      gateway: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const number = (name: string, text: string) =>
    /^\d{1,9}$/.test(text) ? Number(text) : fail(`--${name} must be a whole number`);
  const minutes = number('minutes', values.minutes);
  const [name, ...others] = positionals;
  const part = PARTS.find((known) => known === name) ?? 'matrix';
  if ((name !== undefined && part === 'matrix') || others.length > 0) fail(`the parts are ${PARTS.join(' and ')}`);
  const gateways = CHAOS_GATEWAYS.filter(({ name }) => name === (values.gateway ?? name));
  if (gateways.length === 0) fail(`--gateway must be one of ${CHAOS_GATEWAYS.map(({ name }) => name).join(', ')}`);
  return {
    gateways,
    only: values.only ?? null,
    part,
    kills: number('kills', values.kills),
    seeds: number('seeds', values.seeds),
    minutes,
    seed: number('seed', values.seed ?? String(randomInt(1_000_000_000))),
    rounds: number('rounds', values.rounds ?? (minutes > 0 ? '0' : '1')),
    storms: number('storms', values.storms),
  };
}

function fail(message: string): never {
  throw new Error(message);
}

type Databases = { url: string; restored: Restorable; stop: () => Promise<void> };

/**
 * Starts one PostgreSQL server for the API processes to share, with a database to restore in it. Worlds that kill PostgreSQL start their
 * own.
 */
async function startDatabase(): Promise<Databases> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-chaos-'));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const server = await startEmbeddedPostgres({ dataDirectory, log });
  const { host, port, user, password, database } = server.connection;
  const urlOf = (name: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`;
  const owner = connectAsOwner(urlOf(database));
  await owner.unsafe('CREATE DATABASE paydesk_restored');
  await owner.end();
  const restored = restoreInPlace(urlOf('paydesk_restored'));
  return {
    url: urlOf(database),
    restored,
    stop: async () => {
      await restored.close();
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

type Round = Options & { round: number; hit: (cell: Cell) => void };

/** The number of cells between two progress lines. */
const CELLS_A_LINE = 20;

async function runRound(cells: [Cell, World][], shared: World, options: Round): Promise<void> {
  const random = createRandom(options.seed + options.round);
  for (const [index, [cell, world]] of shuffle(random, cells).entries()) {
    await runCell(world, cell);
    options.hit(cell);
    if ((index + 1) % CELLS_A_LINE === 0) console.log(`${index + 1} of ${cells.length} cells hold`);
  }
  for (let count = 0; count < options.storms; count += 1) {
    const acts: string[] = [];
    const run = () => storm(shared, random, (what) => acts.push(what));
    const cell = { fault: `storm ${count + 1}`, step: 'all', run };
    await runCell(shared, cell).catch((error) => fail(`${error.message}\nwhat happened: ${acts.join(', ')}`));
  }
}

/** Runs the test of billing. */
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

/** Restores databases that notice it. */
async function breakRecovery({ seed, seeds, gateways }: Options): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const database = await startDatabase();
  undo.defer(database.stop);
  const { create, close } = await openRestorables(database.url);
  undo.defer(close);
  const report = (line: string) => console.log(line);
  const failed = await runRecoveries({ adapters: gateways, seed, count: seeds, create, report });
  if (failed > 0) fail(`${failed} runs have failed`);
}

async function openRestored<Name extends string>(
  adapter: ChaosGateway,
  databases: Record<Name, Restorable>,
  undo: AsyncDisposableStack,
): Promise<Record<Name, World>> {
  const opened = Object.entries<Restorable>(databases).map(async ([name, restorable]) => {
    const world = await openWorld({ adapter, restorable, apis: 2 });
    undo.defer(world.stop);
    return [name, world] as const;
  });
  return Object.fromEntries(await Promise.all(opened)) as Record<Name, World>;
}

/** Runs the whole matrix on one gateway, as often as the options say. */
async function breakGateway(gateway: ChaosGateway, options: Options): Promise<void> {
  const startedMs = performance.now();
  const minutes = () => (performance.now() - startedMs) / 60_000;
  const isWanted = ({ fault, step }: Cell) => `${fault} / ${step}`.includes(options.only ?? '');
  const all = Object.entries(cellsOf(gateway)).map(([world, cells]) => [world, cells.filter(isWanted)] as const);
  const wanted = Object.fromEntries(all) as Cells;
  const coverage = createCoverage(all.flatMap(([, cells]) => cells));
  await using undo = new AsyncDisposableStack();
  try {
    const database = await startDatabase();
    undo.defer(database.stop);
    const shared = await openWorld({ adapter: gateway, databaseUrl: database.url, apis: 2 });
    undo.defer(shared.stop);
    const embedded = await openWorld({ adapter: gateway, apis: 1 });
    undo.defer(embedded.stop);
    const standby = await failOver();
    undo.defer(standby.close);
    const worlds = {
      shared,
      embedded,
      ...(await openRestored(gateway, { restored: database.restored, promoted: standby }, undo)),
    };
    const cells = (Object.keys(wanted) as (keyof Cells)[]).flatMap((name) =>
      wanted[name].map((cell): [Cell, World] => [cell, worlds[name]]),
    );
    const share = options.minutes / options.gateways.length;
    for (let round = 0; round < options.rounds || minutes() < share; round += 1) {
      await runRound(cells, shared, { ...options, round, hit: coverage.hit });
      for (const { owner, ear } of [shared, embedded]) await expectDelivered(owner, ear);
      const heard = shared.ear.heard.length + embedded.ear.heard.length;
      const counts = `${cells.length} cells and ${options.storms} storms, ${heard} webhooks`;
      console.log(`${gateway.name}, round ${round + 1}: ${counts} in ${minutes().toFixed(1)} min`);
    }
  } finally {
    console.log(
      `\nHow often each cell was hit on ${gateway.name}, with seed ${options.seed}:\n\n${coverage.table()}\n`,
    );
  }
  const missing = coverage.missing();
  if (missing.length > 0) fail(`never hit on ${gateway.name}: ${missing.join('; ')}`);
}

async function main(): Promise<void> {
  const options = readOptions();
  console.log(`seed ${options.seed}`);
  if (options.part === 'billing') return breakBilling(options);
  if (options.part === 'restore') return breakRecovery(options);
  for (const gateway of options.gateways) await breakGateway(gateway, options);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
