import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/chaos.cells.ts';
import { PAYPAL } from '../../../test/chaos.paypal.ts';
import { runCell } from '../../../test/chaos.ts';
import { expectDelivered } from '../../../test/chaos.webhooks.ts';
import { openWorld, type World } from '../../../test/chaos.world.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';

/** A slice of the fault matrix through PayPal, in real processes; `npm run chaos -- --gateway paypal` runs all of it, and storms. */
const PATIENCE_MS = 120_000;

const SLICE = [
  'kill -9 of the API, before / T3',
  'kill -9 of the API, before / G3',
  'kill -9 of the gateway, during / G2',
  'keys forgotten / G2',
  'kill -9 of the API, before / refund T2',
  'answer_lost_after_effect / refund look',
  'kill -9 of the worker, before / collection note',
];
const cells = cellsOf(PAYPAL).shared.filter(({ fault, step }) => SLICE.includes(`${fault} / ${step}`));

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await cloneDatabase();
  world = await openWorld({ adapter: PAYPAL, databaseUrl: database.url, apis: 2 });
}, PATIENCE_MS);
afterAll(async () => {
  await world?.stop();
  await database?.drop();
}, PATIENCE_MS);

describe('through PayPal, both books agree after', () => {
  it('all of the slice', () => expect(cells).toHaveLength(SLICE.length));
  it.each(cells)('$fault $step', async (cell) => runCell(world, cell), PATIENCE_MS);

  it('and webhooks have told all of it (I9)', async () => expectDelivered(world.owner, world.ear), PATIENCE_MS);
});
