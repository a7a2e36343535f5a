import { afterAll, beforeAll, describe, it } from 'vitest';
import { postgresCells } from '../../test/chaos.postgres.ts';
import { runCell } from '../../test/chaos.ts';
import { openWorld, type World } from '../../test/chaos.world.ts';

const PATIENCE_MS = 120_000;

/** A backend of the charge, the server in the middle of a refund; `npm run chaos` has either in every transaction. */
const cells = postgresCells().filter(({ fault, step }) => fault.includes('backend') !== step.startsWith('refund'));

describe('PostgreSQL dies in the middle of a transaction of the charge: 503, it comes back by itself, one capture', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ apis: 1 });
  }, PATIENCE_MS);
  afterAll(async () => {
    await world?.stop();
  }, PATIENCE_MS);

  it.each(cells)('$fault $step', async (cell) => runCell(world, cell), PATIENCE_MS);
});
