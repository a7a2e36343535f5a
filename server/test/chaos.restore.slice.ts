/** A slice of the cells in which the database goes back, through one gateway; `npm run chaos` runs all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failOver, type Restorable, restoreInPlace } from './chaos.restore.databases.ts';
import { restoreCells } from './chaos.restore.ts';
import type { ChaosGateway } from './chaos.stand-ins.ts';
import { runCell } from './chaos.ts';
import { openWorld, type World } from './chaos.world.ts';
import { cloneDatabase } from './database.ts';

/** Runs the cells that are named as `what is lost / back to step`. */
export function describeRestores(adapter: ChaosGateway, kind: Restorable['kind'], slice: readonly string[]): void {
  const cells = restoreCells(kind).filter(({ fault, step }) => slice.includes(`${fault} / ${step}`));
  const undo: (() => Promise<unknown>)[] = [];
  let world: World;

  describe(`through ${adapter.name}, nobody is charged twice after`, () => {
    beforeAll(async () => {
      const restorable = kind === 'promotion' ? await failOver() : await cloneToRestore(undo);
      undo.push(restorable.close);
      world = await openWorld({ adapter, restorable, apis: 2 });
      undo.push(world.stop);
    });
    afterAll(async () => {
      for (const step of undo.reverse()) await step();
    });

    it('all of the slice', () => expect(cells).toHaveLength(slice.length));
    it.each(cells)('$fault, $step', async (cell) => runCell(world, cell));
  });
}

async function cloneToRestore(undo: (() => Promise<unknown>)[]): Promise<Restorable> {
  const database = await cloneDatabase();
  undo.push(database.drop);
  return restoreInPlace(database.url);
}
