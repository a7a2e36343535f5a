/** Some runs of databases that go back, through one gateway. `npm run chaos -- restore` draws many. */
import { describe, it } from 'vitest';
import { cloneDatabase } from '../../harness/database/database.ts';
import type { ChaosGateway } from '../gateways/stand-ins.ts';
import { type Restorable, restoreInPlace } from '../restore/databases.ts';
import { drawPlan, type Plan } from './plan.ts';
import { runAlone } from './runs.ts';

/** Long enough for both to be asked for the same. */
const ALIVE_MS = 2_000;

/** Runs these plans. What they leave open is drawn. */
export function describeRecoveries(
  adapter: ChaosGateway,
  plans: readonly (Partial<Plan> & Pick<Plan, 'seed'>)[],
): void {
  describe(`through ${adapter.name}, nothing is charged twice and nothing is missing afterwards`, () => {
    // Security (Disks, upgrades and restores): A copy of the database with the live key of a gateway, two primaries, and a restored
    // database that is brought together lose and repeat nothing
    it.each(plans.map((plan) => ({ ...drawPlan(plan.seed, 'restore'), ...plan })))(
      '$scene, the journal is $journal',
      async (plan) => runAlone(adapter, plan, { create: cloneToRestore, aliveMs: ALIVE_MS }),
    );
  });
}

async function cloneToRestore(): Promise<Restorable> {
  const database = await cloneDatabase();
  const restorable = restoreInPlace(database.url);
  return {
    ...restorable,
    close: async () => {
      await restorable.close();
      await database.drop();
    },
  };
}
