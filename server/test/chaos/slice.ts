/** Runs a part of the fault matrix through one gateway, in real processes. `npm run chaos -- --gateway NAME` runs all of it, and storms. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { cellsOf } from './cells.ts';
import { runCell } from './chaos.ts';
import type { ChaosGateway } from './gateways/stand-ins.ts';
import { expectDelivered } from './webhooks.ts';
import { openWorld, type World } from './world.ts';

/** Runs the cells with these names, written as `fault / step`. */
export function describeSlice(adapter: ChaosGateway, slice: readonly string[]): void {
  const cells = cellsOf(adapter).shared.filter(({ fault, step }) => slice.includes(`${fault} / ${step}`));
  let database: TestDatabase;
  let world: World;

  describe(`through ${adapter.name}, both books agree after`, () => {
    beforeAll(async () => {
      database = await cloneDatabase();
      world = await openWorld({ adapter, databaseUrl: database.url, apis: 1 });
    });
    afterAll(async () => {
      await world?.stop();
      await database?.drop();
    });

    it('every named cell exists', () => expect(cells).toHaveLength(slice.length));
    it.each(cells)('$fault $step', async (cell) => runCell(world, cell));

    it('and the steps of every cell were compared with the model', () =>
      expect(world.steps.countDebts()).toBeGreaterThanOrEqual(cells.length));

    // Security (Faults at every step): Faults at every step break no invariant through Stripe and through PayPal (`stripe.chaos.test.ts`,
    // `paypal.chaos.test.ts`)
    it('and the webhook endpoint has received every event (I9)', async () => expectDelivered(world.owner, world.ear));
  });
}
