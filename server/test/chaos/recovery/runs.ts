/** Many runs of a database that goes back, each in a world of its own. */
import { randomBytes } from 'node:crypto';
import { createTestFolder } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { connectAsOwner } from '../../../src/platform/database/pool.ts';
import type { ChaosGateway } from '../gateways/stand-ins.ts';
import { failOver, type Restorable, restoreInPlace } from '../restore/databases.ts';
import { openWorld } from '../world.ts';
import { createPlanCoverage } from './coverage.ts';
import { drawPlan, type Plan, withoutWaits } from './plan.ts';
import { runPlan, SETTINGS } from './recovery.ts';

const TEMPLATE = 'paydesk_template';
const RUNS_A_LINE = 5;
const ALIVE_MS = 60_000;

/** Makes a database for each run, in a server of which this URL names the superuser. */
export async function openRestorables(
  url: string,
): Promise<{ create: () => Promise<Restorable>; close: () => Promise<void> }> {
  const urlOf = (name: string) => url.replace(/[^/]*$/, name);
  const maintenance = connectAsOwner(urlOf('postgres'));
  await maintenance.unsafe(`CREATE DATABASE ${TEMPLATE}`);
  const template = connectAsOwner(urlOf(TEMPLATE));
  await migrate(template);
  await template.end();
  return {
    async create() {
      const name = `paydesk_${randomBytes(6).toString('hex')}`;
      await maintenance.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
      const restorable = restoreInPlace(urlOf(name));
      return {
        ...restorable,
        close: async () => {
          await restorable.close();
          await maintenance.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    close: () => maintenance.end(),
  };
}

/** Where no payment waits, a plan leaves that out. */
function planFor({ answerBank }: ChaosGateway, plan: Plan): Plan {
  return answerBank === undefined ? withoutWaits(plan) : plan;
}

/** Runs one plan in a new world. `aliveMs` says how long two primaries live beside each other. */
export async function runAlone(
  adapter: ChaosGateway,
  drawn: Plan,
  { create, aliveMs }: { create: () => Promise<Restorable>; aliveMs: number },
): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const plan = planFor(adapter, drawn);
  const restorable = plan.kind === 'promotion' ? await failOver() : await create();
  undo.defer(restorable.close);
  const environment = { ...SETTINGS, ...(await startBeside(adapter, undo)) };
  const world = await openWorld({ adapter, restorable, apis: plan.apis, notices: true, environment });
  undo.defer(world.stop);
  await runPlan(world, plan, aliveMs);
}

/** Starts the gateway that the adapter needs beside its own. @returns how API processes are configured for it */
async function startBeside({ beside }: ChaosGateway, undo: AsyncDisposableStack): Promise<Record<string, string>> {
  if (beside === undefined) return {};
  const folder = createTestFolder();
  undo.defer(folder.remove);
  const gateway = await beside.spawn(folder);
  undo.defer(async () => {
    await gateway.stop('SIGKILL');
  });
  return beside.environmentOf(gateway);
}

type Runs = {
  adapters: readonly ChaosGateway[];
  /** The first seed, and how many there are for each gateway. */
  seed: number;
  count: number;
  create: () => Promise<Restorable>;
  report: (line: string) => void;
};

/** Runs this many seeds on each gateway. A run that fails is reported, and the others go on. @returns how many have failed */
export async function runRecoveries({ adapters, seed, count, create, report }: Runs): Promise<number> {
  let failed = 0;
  for (const adapter of adapters) {
    const startedMs = performance.now();
    const coverage = createPlanCoverage();
    let failedHere = 0;
    for (let index = 0; index < count; index += 1) {
      const plan = planFor(adapter, drawPlan(seed + index));
      coverage.hit(plan);
      const run = runAlone(adapter, plan, { create, aliveMs: ALIVE_MS });
      await run.catch((error: Error) => {
        failedHere += 1;
        report(error.message);
      });
      if ((index + 1) % RUNS_A_LINE > 0 && index + 1 < count) continue;
      const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
      report(`${adapter.name}: ${index + 1} of ${count} seeds, ${failedHere} failed, in ${minutes} min`);
    }
    report(`\nWhat the runs on ${adapter.name} covered:\n\n${coverage.table()}\n`);
    failed += failedHere;
  }
  return failed;
}
