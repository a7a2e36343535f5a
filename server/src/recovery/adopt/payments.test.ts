/** Captures and open objects that a gateway has and the restored database lacks, whose invoices are here. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentsOf,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { preparePayPalPayable, startPayPalChargeService } from '../../../test/payments/paypal-charge.ts';
import { postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { adoptTwice, backUpToHold, captureAgain, findCases } from '../../../test/recovery/objects.ts';
import { confirmationOf } from '../../gateways/gateway/gateway.testing.ts';

type World = { service: Omit<ChargeService, 'stop'> & { stop: () => Promise<void> }; prepare: () => Promise<Payable> };

const WORLDS: [string, () => Promise<World>][] = [
  ['the sandbox', async () => withCards(await startChargeService())],
  ['Stripe', async () => withCards(await startStripeChargeService())],
  [
    'PayPal',
    async () => {
      const service = await startPayPalChargeService();
      return { service, prepare: () => preparePayPalPayable(service) };
    },
  ],
];

function withCards(service: World['service']): World {
  return { service, prepare: () => preparePayable(service) };
}

describe.each(WORLDS)('a payment at %s that the database has lost', (_name, start) => {
  let world: World;
  let service: World['service'];
  beforeAll(async () => {
    world = await start();
    ({ service } = world);
  });
  afterEach(async () => {
    await releaseCharges(service);
    await expectSoundBooks(service);
  });
  afterAll(() => service?.stop());

  const resolve = async (payable: Payable, outcome: string) => {
    const [payment] = await paymentsOf(service, payable);
    const path = `/operator/payments/${payment?.id}/resolve`;
    return service.call('POST', path, { token: service.operatorKey, body: { outcome } });
  };

  const paidWith = async (payable: Payable) => {
    const { status, paymentId, payment } = await readInvoice(service, payable);
    return { status, paymentId, payment: { id: payment?.id, status: payment?.status, amount: payment?.amount } };
  };

  it('pays its invoice with its old id, its credit and its postings', async () => {
    const payable = await world.prepare();
    const { companyId } = payable.admin;
    await grantCredit(service, companyId, { amount: '20.00' });
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 200);
    const [before, posted] = [await paidWith(payable), await postingsOf(service, companyId)];
    await goBack();
    const cases = await findCases(service);
    expect(await adoptTwice(service, cases)).toEqual([{ state: 'done', note: expect.stringContaining('28.00 USD') }]);
    expect(await paidWith(payable)).toEqual(before);
    expect((await postingsOf(service, companyId)).toSorted()).toEqual(posted.toSorted());
    expect((await readLedger(service, companyId)).balance).toBe('0.00');
    expect(await findCases(service)).toEqual([]);
  });

  it('is refunded as before, with the refund and its credit note', async () => {
    const payable = await world.prepare();
    const { goBack } = await backUpToHold(service);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }, 'part'), 201);
    const readAll = async () => [await readRefunds(paymentId), await readNotes(payable)];
    const before = await readAll();
    await goBack();
    const cases = await findCases(service);
    expect(cases.map(({ kind }) => kind)).toEqual(['payment', 'refund']);
    expect((await adoptTwice(service, cases)).map(({ state }) => state)).toEqual(['done', 'done']);
    expect(await readAll()).toEqual(before);
    expect(await findCases(service)).toEqual([]);
  });

  it('is refunded in full: the invoice was paid, and nothing of it is charged again', async () => {
    const payable = await world.prepare();
    const { goBack } = await backUpToHold(service);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    expectStatus(await postRefund(service, { paymentId }), 201);
    await goBack();
    expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done', 'done']);
    expect(await paidWith(payable)).toMatchObject({ status: 'Succeeded', paymentId });
  });

  it('was captured before the backup and refunded after it: the refund is written again', async () => {
    const payable = await world.prepare();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const { goBack } = await backUpToHold(service);
    expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }, 'part'), 201);
    const before = [await readRefunds(paymentId), await readNotes(payable)];
    await goBack();
    const cases = await findCases(service);
    expect(cases.map(({ kind }) => kind)).toEqual(['refund']);
    expect((await adoptTwice(service, cases)).map(({ state }) => state)).toEqual(['done']);
    expect([await readRefunds(paymentId), await readNotes(payable)]).toEqual(before);
  });

  it('waits for a person when the credit is gone, so that another amount is due', async () => {
    const payable = await world.prepare();
    const { companyId } = payable.admin;
    await grantCredit(service, companyId, { amount: '20.00' });
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 200);
    await goBack(() => grantCredit(service, companyId, { amount: '-20.00' }));
    const [decision] = await adoptTwice(service, await findCases(service));
    const [payment] = await paymentsOf(service, payable);
    expect(payment).toMatchObject({ state: 'needs_review' });
    const note = expect.stringContaining(`/payments/${payment?.id}/resolve`);
    expect(decision).toEqual({ state: 'person', note, reviewOf: payment?.id });
    expect(await findCases(service)).toEqual([]);
    await releaseCharges(service);
    expect(await resolve(payable, 'succeeded')).toMatchObject({ status: 200, body: { status: 'Processing' } });
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
    expect((await capturesOf(service, payable)).map(({ amountMinor }) => amountMinor)).toEqual([2_800n, 2_000n]);
  });

  it('waits for a person when its invoice is void', async () => {
    const payable = await world.prepare();
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 200);
    await goBack(async () => expectStatus(await voidInvoice(service, payable.invoice.id), 200));
    expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['person']);
    expect(await paymentsOf(service, payable)).toMatchObject([{ state: 'needs_review' }]);
    await releaseCharges(service);
    expect((await resolve(payable, 'succeeded')).body.error.code).toBe('invoice_voided');
    expect(await resolve(payable, 'refunded')).toMatchObject({ status: 200, body: { state: 'void' } });
  });

  it('pays its invoice, whose payment that was running ends', async () => {
    const payable = await world.prepare();
    const { goBack } = await backUpToHold(service);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await goBack(async () => {
      await service.sandbox.armFault({ operation: 'any', kind: 'answer_lost_before_effect' });
      await payable.pay();
      await service.sandbox.clearFaults();
    });
    const [running] = await paymentsOf(service, payable);
    expect(running?.state).toBe('unknown');
    expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
    expect(await paidWith(payable)).toMatchObject({ status: 'Succeeded', paymentId });
  });

  const readNotes = async ({ admin, invoice }: Payable) => {
    const path = `/payments/orders/${invoice.id}/credit-notes`;
    const { data } = expectStatus(await service.call('GET', path, { token: admin.token }), 200).body;
    return data.map(({ id, number, total }: { id: string; number: string; total: string }) => ({ id, number, total }));
  };

  const readRefunds = async (paymentId: string) =>
    (await refundsOf(service, { paymentId })).map(({ id, amount, reason, creditNoteId }: Record<string, string>) => {
      return { id, amount, reason, creditNoteId };
    });
});

describe.each(WORLDS.filter(([name]) => name !== 'PayPal'))(
  'an open object at %s that the database has lost',
  (_name, start) => {
    let world: World;
    let service: World['service'];
    beforeAll(async () => {
      world = await start();
      ({ service } = world);
    });
    afterEach(async () => {
      await releaseCharges(service);
      await expectSoundBooks(service);
    });
    afterAll(() => service?.stop());

    /** Begins a charge after the backup that never confirms its object. */
    const loseOpen = async () => {
      const payable = await world.prepare();
      const { goBack } = await backUpToHold(service);
      await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
      expectStatus(await payable.pay(), 202);
      await service.sandbox.clearFaults();
      await goBack();
      return { payable, cases: await findCases(service) };
    };

    it('is canceled, and the invoice can be charged after the hold', async () => {
      const { payable, cases } = await loseOpen();
      expect(await adoptTwice(service, cases)).toEqual([{ state: 'done', note: expect.stringContaining('canceled') }]);
      expect(await findCases(service)).toEqual([]);
      await releaseCharges(service);
      expectStatus(await payable.pay(), 200);
      expect(await capturesOf(service, payable)).toHaveLength(1);
    });

    it('pays the invoice when it was captured meanwhile', async () => {
      const { payable, cases } = await loseOpen();
      const [{ objectId: gatewayPaymentId = '', content = '' } = {}] = cases;
      const { reference } = JSON.parse(content ?? '');
      const [card] = await service.database.owner<{ token: string }[]>`
      SELECT gateway_token AS token FROM cards WHERE company_id = ${payable.admin.companyId}`;
      await releaseCharges(service);
      const confirm = confirmationOf(gatewayPaymentId ?? '', 'late', card?.token);
      expect((await service.gateway.confirmPayment(confirm)).status).toBe('captured');
      await (await backUpToHold(service)).goBack();
      expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
      expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: reference });
    });

    it('is canceled when it belongs to a running payment, and another object of the debt was captured', async () => {
      const payable = await world.prepare();
      await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
      expectStatus(await payable.pay(), 202);
      await service.sandbox.clearFaults();
      const [running] = await paymentsOf(service, payable);
      const { goBack } = await backUpToHold(service);
      const captured = await captureAgain(service, payable);
      await goBack();
      expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
      expect(await service.gateway.findPayment(running?.gatewayPaymentId ?? '')).toMatchObject({ status: 'canceled' });
      expect(await paymentsOf(service, payable)).toMatchObject([
        { id: running?.id, state: 'failed', failureReason: 'superseded' },
        { state: 'captured', gatewayPaymentId: captured },
      ]);
      expect((await readInvoice(service, payable)).status).toBe('Succeeded');
    });
  },
);
