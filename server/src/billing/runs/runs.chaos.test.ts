import { randomInt } from 'node:crypto';
import { it } from 'vitest';
import { runBillingChaos } from '../../../test/chaos/billing/billing.ts';
import { cloneDatabase } from '../../../test/harness/database/database.ts';

/** Only a few kills. `npm run chaos -- billing` kills 200 times, during every activity. */
it('whichever process is killed during ingestion, rollup and billing, all acknowledged usage is billed once, or not yet', async () => {
  const database = await cloneDatabase();
  const seed = randomInt(1_000_000_000);
  const chaos = { seed, kills: 3, processes: 2, senders: 1, databaseUrl: database.url };
  const lines: string[] = [`seed ${seed}`];
  try {
    await runBillingChaos(chaos, (line) => lines.push(line));
  } catch (error) {
    throw new Error(`${lines.join('\n')}\n${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    await database.drop();
  }
});
