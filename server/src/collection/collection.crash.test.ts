import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS } from '../../test/actors.ts';
import { type ChargeService, chargeEnvironment, startChargeService } from '../../test/charge.ts';
import { collectAllDue, outcomesOf, prepareDebtor, readDebt } from '../../test/collection.ts';
import { endProcesses, eventually, startPaydesk } from '../../test/process.ts';
import { systemClock } from '../clock.ts';

const PATIENCE_MS = 120_000;

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => {
  await endProcesses();
  await service?.stop();
}, PATIENCE_MS);

it.each([
  ['before_collection_note', CARDS.visa, 'Succeeded', { state: 'closed', dunningStep: 0 }],
  ['after_intent', CARDS.declined, 'Failed generic_decline', { state: 'scheduled', dunningStep: 1 }],
])(
  'a worker that is killed at %s, with the card %s, leaves nothing to be done twice and nothing undone',
  async (failpoint, cardNumber, outcome, collection) => {
    const victim = await startPaydesk({ ...chargeEnvironment(service), FAILPOINTS: failpoint });
    const debtor = await prepareDebtor(service, { cardNumber });
    expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });

    const books = service.database.owner;
    const readCollection = async () => {
      const [row] = await books<[{ attempts: number; state: string; isLeased: boolean }]>`
        SELECT attempts, state, lease IS NOT NULL AS "isLeased" FROM collections WHERE invoice_id = ${debtor.invoiceId}`;
      return row;
    };
    expect(await readCollection()).toMatchObject({ attempts: 0, isLeased: true });
    // Whoever waits for as long as a dead worker's claims last finds the same.
    await books`UPDATE collections SET leased_until = now() WHERE lease IS NOT NULL`;
    await eventually(async () => {
      await service.reconcileNow();
      await collectAllDue({ ...service.dependencies, clock: systemClock }, service.server.log);
      const row = await readCollection();
      return row.state === 'closed' || row.attempts > 0;
    });
    expect(await outcomesOf(service, debtor)).toEqual([outcome]);
    expect(await readDebt(service, debtor)).toMatchObject({ collection });
  },
  PATIENCE_MS,
);
