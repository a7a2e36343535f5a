import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectSoundBooks, preparePayable, readInvoice } from '../../../test/payments/charge.ts';
import { deliver, eventOf, outcomeOf } from '../../../test/payments/gateway-events.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { processKeptEvents } from './kept-events.worker.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

it('a gateway event during a hold is accepted and changes nothing; after the hold it is acted on once', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  const event = await eventOf(service, payable, 'payment_intent.succeeded');
  const { db } = service.database;
  const actOnKept = () => processKeptEvents({ db, gateways: service.gateways }, service.server.log);

  await holdCharges(service);
  for (let repeat = 0; repeat < 2; repeat += 1) expect((await deliver(service, event)).status).toBe(200);
  expect(await actOnKept()).toBe(0);
  expect(await outcomeOf(service, event)).toBeNull();
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });

  await releaseCharges(service);
  expect(await actOnKept()).toBe(1);
  expect(await outcomeOf(service, event)).toBe('settled');
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  expect(await actOnKept()).toBe(0);
});

it('a gateway that gives no answer about a kept event is asked again later', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  const event = await eventOf(service, payable, 'payment_intent.succeeded');
  const { db, owner } = service.database;
  const actOnKept = () => processKeptEvents({ db, gateways: service.gateways }, service.server.log);
  await holdCharges(service);
  expect((await deliver(service, event)).status).toBe(200);
  await releaseCharges(service);
  await service.sandbox.armFault({ operation: 'find', kind: 'server_error_before_effect', times: 1 });
  expect(await actOnKept()).toBe(1);
  expect(await outcomeOf(service, event)).toBeNull();
  // A second ago: two connections may differ by less than what passes between them.
  await owner`UPDATE gateway_notices SET act_at = now() - interval '1 second' WHERE act_at IS NOT NULL`;
  await actOnKept();
  expect(await outcomeOf(service, event)).toBe('settled');
});

it('a gateway event about an unknown payment starts a comparison, and waits if that begins a hold', async () => {
  const payable = await preparePayable(service);
  const { restore } = await backUp(service.database.owner);
  expect((await payable.pay()).status).toBe(200);
  const event = await eventOf(service, payable, 'payment_intent.succeeded');
  await restore();
  let comparisons = 0;
  service.chargesHold.compareWith(async () => {
    comparisons += 1;
    await holdCharges(service);
    await service.chargesHold.refresh();
  });
  expect((await deliver(service, event)).status).toBe(200);
  service.chargesHold.compareWith(null);
  expect([comparisons, await outcomeOf(service, event)]).toEqual([1, null]);
  await releaseCharges(service);
  const { db } = service.database;
  expect(await processKeptEvents({ db, gateways: service.gateways }, service.server.log)).toBe(1);
  expect(await outcomeOf(service, event)).toBe('unknown_payment');
  expect((await payable.pay()).status).toBe(200);
});
