import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../../test/chaos/cells.ts';
import { runCell } from '../../../../test/chaos/chaos.ts';
import { SANDBOX } from '../../../../test/chaos/gateways/sandbox.ts';
import { COLLECTION_KILLS } from '../../../../test/chaos/payments/collection.ts';
import { REFUND_KILLS } from '../../../../test/chaos/refunds/kills.ts';
import { expectDelivered } from '../../../../test/chaos/webhooks.ts';
import { openWorld, type World } from '../../../../test/chaos/world.ts';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { COLLECTION_FAILPOINTS, FAILPOINTS, REFUND_FAILPOINTS } from '../../../platform/failpoints.ts';

/** A slice of the fault matrix of the refund, in real processes; `npm run chaos` runs all of it, and storms. */

/** The kills after which the gateway has refunded and Paydesk does not know it, on both ways. */
const SLICE = [
  'kill -9 of the API, before / refund T2',
  'kill -9 of the reconciler, before / refund T2',
  'executes_late / refund G1',
  "database's clock -24 h / refund check",
];
const cells = cellsOf(SANDBOX).shared.filter(({ fault, step }) => SLICE.includes(`${fault} / ${step}`));

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await cloneDatabase();
  world = await openWorld({ databaseUrl: database.url, apis: 1 });
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

describe('the fault matrix', () => {
  // Security (Faults at every step): Faults at every step of a refund and of the collection break no invariant
  it('has every named failpoint of refunds and of the collection', () => {
    expect(new Set(REFUND_KILLS.map(({ failpoint }) => failpoint))).toEqual(new Set(REFUND_FAILPOINTS));
    const ofCollection = COLLECTION_KILLS.map(({ failpoint }) => failpoint);
    const known: readonly string[] = FAILPOINTS;
    expect(ofCollection.filter((name) => !known.includes(name))).toEqual(COLLECTION_FAILPOINTS);
  });
});

describe('the money is refunded once, and a request with the same key gets that refund, after', () => {
  it('has every named cell', () => expect(cells).toHaveLength(SLICE.length));
  it.each(cells)('$fault $step', async (cell) => runCell(world, cell));

  it('and every event of it is delivered at least once, always with the same id (I9)', async () => {
    await expectDelivered(world.owner, world.ear);
    expect(new Set(world.ear.heard.map(({ type }) => type))).toContain('refund.succeeded');
  });
});
