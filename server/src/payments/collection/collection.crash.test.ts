import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS } from '../../../test/customers/actors.ts';
import { endProcesses, eventually, startPaydesk } from '../../../test/harness/process.ts';
import { type ChargeService, chargeEnvironment, startChargeService } from '../../../test/payments/charge.ts';
import { outcomesOf, prepareDebtor, readDebt } from '../../../test/payments/collection.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => {
  await endProcesses();
  await service?.stop();
});

// Security (Faults at every step): After a kill of a worker of the collection, another one takes its attempts over
it.each([
  ['before_collection_record', CARDS.visa, 'Succeeded', { state: 'closed', dunningStep: 0 }],
  ['after_intent', CARDS.declined, 'Failed generic_decline', { state: 'scheduled', dunningStep: 1 }],
])(
  'after a worker is killed at %s, with the card %s, another one takes its lease, repeats nothing and leaves nothing out',
  async (failpoint, cardNumber, outcome, collection) => {
    const victim = await startPaydesk({ ...chargeEnvironment(service), FAILPOINTS: failpoint });
    const debtor = await prepareDebtor(service, { cardNumber });
    expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });

    const books = service.database.owner;
    const readCollection = async () => {
      const [row] = await books<[{ attempts: number; state: string; isLeased: boolean; now: Date; leasedUntil: Date }]>`
        SELECT attempts, state, lease IS NOT NULL AS "isLeased", now(), leased_until AS "leasedUntil"
        FROM collections WHERE invoice_id = ${debtor.invoiceId}`;
      return row;
    };
    const left = await readCollection();
    expect(left).toMatchObject({ attempts: 0, isLeased: true });
    const survivor = await startPaydesk(chargeEnvironment(service));
    const settled = await eventually(async () => {
      const row = await readCollection();
      return (row.state === 'closed' || row.attempts > 0) && row;
    });
    // By the database's clock the lease would run for minutes.
    expect(settled.now.getTime()).toBeLessThan(left.leasedUntil.getTime());
    expect(await survivor.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await outcomesOf(service, debtor)).toEqual([outcome]);
    expect(await readDebt(service, debtor)).toMatchObject({ collection });
  },
);
