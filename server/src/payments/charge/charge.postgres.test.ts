import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCell } from '../../../test/chaos/chaos.ts';
import { SANDBOX } from '../../../test/chaos/gateways/sandbox.ts';
import { postgresCells } from '../../../test/chaos/payments/postgres.ts';
import { openWorld, type World } from '../../../test/chaos/world.ts';

/** A backend at either end of a charge, the server after the gateway refunded; `npm run chaos` has either in every transaction. */
const SLICE = ['backend, during T1', 'backend, during T3', 'postmaster, during refund T2'];
const cells = postgresCells(SANDBOX).filter(({ fault, step }) =>
  SLICE.some((cell) => `${fault} ${step}`.endsWith(` ${cell}`)),
);

describe('PostgreSQL dies in the middle of a transaction of the charge: 503, it comes back by itself, one capture', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ apis: 1 });
  });
  afterAll(async () => {
    await world?.stop();
  });

  it('every named cell exists', () => expect(cells).toHaveLength(SLICE.length));
  it.each(cells)('$fault $step', async (cell) => runCell(world, cell));
});
