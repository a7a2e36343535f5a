/** Runs some of the cells in which the database goes back, through one gateway. `npm run chaos` runs all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../harness/database/database.ts';
import { runCell } from '../chaos.ts';
import type { ChaosGateway } from '../gateways/stand-ins.ts';
import { openWorld, type World } from '../world.ts';
import { type Restorable, restoreInPlace } from './databases.ts';
import { restoreCells } from './restore.ts';

/** Runs the cells with these names, written as `what is lost / back to step`, with this many processes. */
export function describeRestores(adapter: ChaosGateway, apis: 1 | 2, slice: readonly string[]): void {
  const cells = restoreCells('restore').filter(({ fault, step }) => slice.includes(`${fault} / ${step}`));
  const undo = new AsyncDisposableStack();
  let world: World;

  describe(`through ${adapter.name}, nobody is charged twice after`, () => {
    beforeAll(async () => {
      const restorable = await cloneToRestore(undo);
      undo.defer(restorable.close);
      world = await openWorld({ adapter, restorable, apis });
      undo.defer(world.stop);
    });
    afterAll(() => undo.disposeAsync());

    it('every named cell exists', () => expect(cells).toHaveLength(slice.length));
    // Security (Disks, upgrades and restores): A restored or failed-over database makes no charge and no refund twice, on every gateway
    it.each(cells)('$fault, $step', async (cell) => runCell(world, cell));

    it('and the steps of every cell were compared with the model', () =>
      expect(world.steps.countDebts()).toBeGreaterThanOrEqual(cells.length));
  });
}

async function cloneToRestore(undo: AsyncDisposableStack): Promise<Restorable> {
  const database = await cloneDatabase();
  undo.defer(database.drop);
  return restoreInPlace(database.url);
}
