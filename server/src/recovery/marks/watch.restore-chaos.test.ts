/** Real processes notice that their database went back, by their next connection to it: charges are held before anything is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failOver, type Restorable, restoreInPlace } from '../../../test/chaos/restore/databases.ts';
import { api, openWorld, otherApi, pay, prepareCharge, until, type World } from '../../../test/chaos/world.ts';
import { cloneDatabase } from '../../../test/harness/database/database.ts';

async function openRestorable(kind: Restorable['kind'], undo: AsyncDisposableStack): Promise<Restorable> {
  if (kind === 'promotion') return failOver();
  const database = await cloneDatabase();
  undo.defer(database.drop);
  return restoreInPlace(database.url);
}

describe.each<Restorable['kind']>(['restore', 'promotion'])('a %s under running processes', (kind) => {
  const undo = new AsyncDisposableStack();
  let world: World;
  beforeAll(async () => {
    const restorable = await openRestorable(kind, undo);
    undo.defer(restorable.close);
    world = await openWorld({ restorable, apis: 2, notices: true });
    undo.defer(world.stop);
  });
  afterAll(() => undo.disposeAsync());

  const isHeld = async () => {
    const answers = await Promise.all([api(world), otherApi(world)].map((one) => one.send('GET', '/readyz')));
    return answers.every(({ status, body }) => status === 200 && body.charges === 'held');
  };

  it('holds charges in all of them', async () => {
    const [paid, open] = [await prepareCharge(world), await prepareCharge(world)];
    await world.restorable?.take();
    await until(async () => (await pay(world, api(world), paid)).status === 200, 'it is paid');
    await world.restorable?.putBack();
    // The other process has charged nothing: it knows what the first one has written to the journal.
    const codes: unknown[] = [];
    await until(async () => {
      const { status, body } = await pay(world, otherApi(world), open);
      if (body.error?.code !== 'service_unavailable') codes.push(status === 503 ? body.error.code : status);
      return codes.length > 0;
    }, 'the database is back');
    expect(codes).toEqual(['charges_held']);
    await until(isHeld, 'both hold charges');
    const { body } = await api(world).send('GET', '/readyz');
    expect(body.reason).toMatch(/^The database lacks/);
    expect((await world.gateway.control.readLedger()).captures).toHaveLength(1);
  });
});
