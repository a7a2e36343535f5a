import { afterEach, beforeEach, expect, it } from 'vitest';
import { CARDS } from '../../test/actors.ts';
import { outcomesOf, prepareDebtor, readDebt } from '../../test/collection.ts';
import { cloneDatabase, type TestDatabase } from '../../test/database.ts';
import { endProcesses, eventually, startPaydesk } from '../../test/process.ts';

const PATIENCE_MS = 120_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  await endProcesses();
  await database.drop();
}, PATIENCE_MS);

it.each([
  ['before_collection_note', CARDS.visa, 'Succeeded', { state: 'closed', dunningStep: 0 }],
  ['after_intent', CARDS.declined, 'Failed generic_decline', { state: 'scheduled', dunningStep: 1 }],
])(
  'a worker that is killed at %s, with the card %s, leaves nothing to be done twice and nothing undone',
  async (failpoint, cardNumber, outcome, collection) => {
    const victim = await startPaydesk({ DATABASE_URL: database.url, FAILPOINTS: failpoint });
    const debtor = await prepareDebtor(victim.service, { cardNumber });
    expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });

    const { dataDirectory, service: before } = victim;
    const { service } = await startPaydesk({
      DATABASE_URL: database.url,
      DATA_DIR: dataDirectory,
      OPERATOR_KEY: before.operatorKey,
    });
    const books = database.owner;
    const [left] = await books`SELECT attempts, lease IS NOT NULL AS "isLeased" FROM collections`;
    expect(left).toEqual({ attempts: 0, isLeased: true });
    // Whoever waits for as long as a dead worker's claims last finds the same.
    await books`UPDATE collections SET leased_until = now()`;
    await books`UPDATE payments SET reconcile_at = now() WHERE reconcile_at IS NOT NULL`;
    await eventually(async () => {
      const [row] = await books<[{ attempts: number; state: string }]>`SELECT attempts, state FROM collections`;
      return row.state === 'closed' || row.attempts > 0;
    });
    expect(await outcomesOf(service, debtor)).toEqual([outcome]);
    expect(await readDebt(service, debtor)).toMatchObject({ collection });
  },
  PATIENCE_MS,
);
