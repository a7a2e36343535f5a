/** A database that goes back while the gateway does not: nobody is charged twice, and what was captured is in the books again. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { grantCredit, putSettings, readLedger } from '../../../test/billing/credits.ts';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { type Actor, CARDS, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  preparePayable,
  readInvoice,
  settleAll,
} from '../../../test/payments/charge.ts';
import { type CollectionService, collectAllDue, startCollectionService } from '../../../test/payments/collection.ts';
import { givenBack, postRefund, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { confirmationOf } from '../../gateways/gateway/gateway.testing.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { payInvoice } from '../charge/charge.ts';
import { createAtGateway } from '../charge/gateway-object.ts';
import { readDebt } from '../debt/debt.ts';
import { selectLivePayment } from '../payment/payment.queries.ts';
import { refundPayment } from '../refunds/issue/refunds.service.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
  await setPrice(service, { path: '/v1/billed', unitAmount: '1.00' });
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

/** Prepares an invoice that is also collected automatically. */
async function prepareCollected(options: Parameters<typeof preparePayable>[1] = {}): Promise<Payable> {
  const payable = await preparePayable(service, options);
  expectStatus(await putSettings(service, payable.admin.companyId, { collection: 'automatic' }), 200);
  return payable;
}

const backUpNow = () => backUp(service.database.owner);

/** Counts the captures of the debt, refunded or not. */
async function countCaptures({ invoice }: Pick<Payable, 'invoice'>): Promise<number> {
  const [row] = await service.database.owner<[{ debt: string }]>`
    SELECT debt_of(invoices) AS debt FROM invoices WHERE id = ${invoice.id}`;
  const { payments, captures } = await service.sandbox.readLedger();
  const objects = new Set(payments.filter(({ debt }) => debt === row.debt).map(({ id }) => id));
  return captures.filter(({ paymentId }) => objects.has(paymentId)).length;
}

const forgetKeys = () => service.sandbox.forgetIdempotencyKeys();

/** Everything that the invoice's company sees of its payment. */
async function paidWith(payable: Payable) {
  const { status, paymentId, payment } = await readInvoice(service, payable);
  return { status, paymentId, payment: { id: payment?.id, status: payment?.status, amount: payment?.amount } };
}

describe('paid, and then restored to before', () => {
  // Security (Disks, upgrades and restores): A payment made after the backup is not charged again, and is booked again under its old id
  it.each([
    ['the collection', (_payable: Payable) => service.collect()],
    ['a person', (payable: Payable) => payable.pay()],
  ])('%s finds the capture and books it under its old id; nothing is charged', async (_who, tryAgain) => {
    const payable = await prepareCollected();
    const { restore } = await backUpNow();
    expectStatus(await payable.pay(), 200);
    const before = await paidWith(payable);
    const postings = async () =>
      (
        await service.database.owner`
      SELECT kind, account, amount_minor::text AS amount FROM ledger_postings WHERE company_id = ${payable.admin.companyId}
      ORDER BY kind, account`
      ).map((row) => Object.values(row).join(' '));
    const postedBefore = await postings();
    await restore();
    await forgetKeys();
    expect((await readInvoice(service, payable)).status).toBe('Processing');
    await tryAgain(payable);
    expect(await paidWith(payable)).toEqual(before);
    expect(await countCaptures(payable)).toBe(1);
    expect(await postings()).toEqual(postedBefore);
    const events = await service.database.owner`
      SELECT type FROM events WHERE company_id = ${payable.admin.companyId} AND type IN ('payment.captured', 'invoice.succeeded')`;
    expect(events.map(({ type }) => type).sort()).toEqual(['invoice.succeeded', 'payment.captured']);
  });

  it('by a person who pays: 200 with the old payment, and the new payment charges nothing', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUpNow();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    const states = (await paymentsOf(service, payable)).map(({ state, failureReason }) => [state, failureReason]);
    expect(states.sort()).toEqual([
      ['captured', null],
      ['failed', 'superseded'],
    ]);
  });

  it('takes the credit of the adopted payment again, once', async () => {
    const payable = await preparePayable(service);
    await grantCredit(service, payable.admin.companyId, { amount: '20.00' });
    const { restore } = await backUpNow();
    expectStatus(await payable.pay(), 200);
    await restore();
    expectStatus(await payable.pay(), 200);
    expect(await countCaptures(payable)).toBe(1);
    expect((await readLedger(service, payable.admin.companyId)).balance).toBe('0.00');
    expect(await readInvoice(service, payable)).toMatchObject({ metadata: { creditAmount: '20.00' } });
  });

  it('a capture of another amount than is due waits for a person, and nothing is charged', async () => {
    const payable = await preparePayable(service);
    await grantCredit(service, payable.admin.companyId, { amount: '20.00' });
    const { restore } = await backUpNow();
    expectStatus(await payable.pay(), 200);
    await restore();
    // The credit is gone by now.
    await grantCredit(service, payable.admin.companyId, { amount: '-20.00' });
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    expect(await countCaptures(payable)).toBe(1);
    const [review] = (await paymentsOf(service, payable)).filter(({ state }) => state === 'needs_review');
    const alerts = await service.database.owner`SELECT kind FROM alerts WHERE payment_id = ${review?.id ?? null}`;
    expect(alerts).toEqual([{ kind: 'payment_mismatch' }]);
  });

  it('books the refunds of the adopted payment again, too', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUpNow();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const refund = expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }, 'part'), 201).body;
    await restore();
    expectStatus(await payable.pay(), 200);
    expect(await refundsOf(service, { paymentId })).toMatchObject([
      { id: refund.id, amount: '8.00', reason: 'Outage' },
    ]);
    expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }, 'part'), 201);
    const { refunds } = await service.sandbox.readLedger();
    expect(refunds.filter(({ reference }) => reference === refund.id)).toHaveLength(1);
  });
});

describe('credit that a restore returns, and that covers the invoice paid by card meanwhile', () => {
  /** An invoice of 48.00 that was charged to the card after the credit of 48.00 was taken away; the restore undoes both. */
  async function prepareRestored(): Promise<{ payable: Payable; paymentId: string }> {
    const payable = await prepareCollected();
    await grantCredit(service, payable.admin.companyId, { amount: '48.00' });
    const { restore } = await backUpNow();
    await grantCredit(service, payable.admin.companyId, { amount: '-48.00' });
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await forgetKeys();
    return { payable, paymentId };
  }
  const balanceOf = async ({ admin }: Payable) => (await readLedger(service, admin.companyId)).balance;

  it.each([
    ['the collection', (_payable: Payable) => service.collect()],
    ['a person', (payable: Payable) => payable.pay()],
  ])('stays: %s finds the capture and books it under its old id', async (_who, tryAgain) => {
    const { payable, paymentId } = await prepareRestored();
    await tryAgain(payable);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await balanceOf(payable)).toBe('48.00');
    expect(await countCaptures(payable)).toBe(1);
  });

  it('is not taken while the gateway gives no answer: 503, and the capture is found later', async () => {
    const { payable, paymentId } = await prepareRestored();
    await service.takeGatewayAway();
    const refused = expectStatus(await payable.pay(), 503);
    expect(refused.body.error.code).toBe('service_unavailable');
    await service.collect();
    await service.bringGatewayBack();
    expect((await readInvoice(service, payable)).status).toBe('Processing');
    expect(await balanceOf(payable)).toBe('48.00');
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await balanceOf(payable)).toBe('48.00');
  });

  it('is not taken for a capture of another amount, which waits for a person', async () => {
    const { payable } = await prepareRestored();
    await grantCredit(service, payable.admin.companyId, { amount: '5.00' });
    expectStatus(await credit(service, payable.invoice.id, { amount: '8.00' }), 201);
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    expect(await balanceOf(payable)).toBe('53.00');
    expect(await countCaptures(payable)).toBe(1);
  });

  it('pays once the open objects are canceled, so that a late confirmation captures nothing', async () => {
    const payable = await preparePayable(service);
    await grantCredit(service, payable.admin.companyId, { amount: '48.00' });
    const { restore } = await backUpNow();
    await grantCredit(service, payable.admin.companyId, { amount: '-48.00' });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const { gatewayPaymentId } = await paymentOf(service, payable);
    await restore();
    expectStatus(await payable.pay(), 200);
    const { payments } = await service.sandbox.readLedger();
    expect(payments.find(({ id }) => id === gatewayPaymentId)?.status).toBe('canceled');
    expect(await balanceOf(payable)).toBe('0.00');
    expect(await countCaptures(payable)).toBe(0);
  });

  it('pays where the gateway that the company had a card at is no longer configured', async () => {
    const payable = await preparePayable(service);
    await grantCredit(service, payable.admin.companyId, { amount: '48.00' });
    await service.database.owner`UPDATE cards SET gateway = 'former' WHERE company_id = ${payable.admin.companyId}`;
    expectStatus(await payable.pay(), 200);
    expect(await balanceOf(payable)).toBe('0.00');
  });
});

describe('usage that was billed and captured, and then restored to before the run', () => {
  it('is the same invoice by its id when the run is made again, and is not charged again', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    expectStatus(await putSettings(service, admin.companyId, { collection: 'automatic' }), 200);
    await use(service, admin, '/v1/billed', 5, '2025-01-10T00:00:00Z');
    const { restore } = await backUpNow();
    const run = async (): Promise<Payable> => {
      await runMonth(service, '2025-01');
      return toPayable(admin, (await invoicesOf(service, admin))[0]);
    };
    const payable = await run();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await forgetKeys();
    const again = await run();
    expect(again.invoice.id).toBe(payable.invoice.id);
    await service.collect();
    expect(await readInvoice(service, again)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await countCaptures(again)).toBe(1);
  });

  it('with less usage is left to a person, and the invoice does not fail', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    await use(service, admin, '/v1/billed', 5, '2025-02-10T00:00:00Z');
    const { restore } = await backUpNow();
    await use(service, admin, '/v1/billed', 5, '2025-02-11T00:00:00Z');
    const run = async (): Promise<Payable> => {
      await runMonth(service, '2025-02');
      return toPayable(admin, (await invoicesOf(service, admin))[0]);
    };
    expectStatus(await (await run()).pay(), 200);
    await restore();
    const again = await run();
    expect((await again.pay()).body.error.code).toBe('payment_under_review');
    expect((await readInvoice(service, again)).status).toBe('Processing');
    expect(await countCaptures(again)).toBe(1);
  });
});

function toPayable(admin: Actor, invoice: { id: string }): Payable {
  const path = `/payments/orders/${invoice.id}/pay`;
  return { admin, invoice, pay: (request = {}) => service.call('PUT', path, { token: admin.token, ...request }) };
}

/** The same payment, seen by a gateway whose calls can be held up or answered by something else. */
const through = (changes: Partial<Gateway>) => {
  const { gateways } = service.dependencies;
  const gateway = { ...service.gateway, ...changes };
  return { ...service.dependencies, gateways: { ...gateways, of: () => gateway } };
};

describe('a request under which the database goes back', () => {
  it('to before its payment is answered with 503, and the next request pays once', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUpNow();
    const interrupted = through({
      createPayment: async (request) => {
        await restore();
        return service.gateway.createPayment(request);
      },
    });
    const paying = payInvoice(interrupted, payable.admin.companyId, payable.invoice.id);
    await expect(paying).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expectStatus(await payable.pay(), 200);
    expect(await countCaptures(payable)).toBe(1);
  });

  it('to before its refund is answered with 503, and the repeated request refunds once', async () => {
    const paid = await preparePaid(service);
    const { restore } = await backUpNow();
    const interrupted = through({
      refundPayment: async (request) => {
        await restore();
        return service.gateway.refundPayment(request);
      },
    });
    const request = { reason: 'Outage', amount: '8.00', idempotencyKey: 'interrupted' };
    const refunding = refundPayment(interrupted, paid.paymentId, request);
    await expect(refunding).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expectStatus(await postRefund(service, paid, { amount: '8.00' }, 'interrupted'), 201);
    expect(await givenBack(service, paid)).toEqual([800n]);
  });
});

describe('objects that are open when the database goes back', () => {
  it('are canceled before another object is made, so that a late confirmation captures nothing', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUpNow();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: 60_000 });
    const paying = payable.pay();
    await expect.poll(async () => (await service.sandbox.readFaults()).pendingEffects).toBe(1);
    const lost = await paymentOf(service, payable);
    await restore();
    await forgetKeys();
    expectStatus(await payable.pay(), 200);
    const late = service.gateway.confirmPayment(confirmationOf(lost.gatewayPaymentId ?? '', 'late'));
    await expect(late).rejects.toMatchObject({ kind: 'rejected' });
    const { payments } = await service.sandbox.readLedger();
    expect(payments.find(({ id }) => id === lost.gatewayPaymentId)?.status).toBe('canceled');
    expect(await countCaptures(payable)).toBe(1);
    await paying.catch(() => undefined);
  });

  it('are adopted if they were captured before they could be canceled', async () => {
    const payable = await prepareCollected();
    const { restore } = await backUpNow();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const lost = await paymentOf(service, payable);
    await restore();
    await forgetKeys();
    // The customer confirms between the look and the cancellation.
    const { cancelPayment, confirmPayment } = service.gateway;
    const cancelLate = async (id: string) => {
      await confirmPayment(confirmationOf(id, `by-link-${id}`));
      return cancelPayment(id);
    };
    await collectAllDue({ ...through({ cancelPayment: cancelLate }), clock: service.now }, service.server.log);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: lost.id });
    expect(await countCaptures(payable)).toBe(1);
  });
});

describe('a payment fails only when nothing was captured of its debt', () => {
  it('one canceled object does not suffice: a later attempt, which the restore has lost, was captured', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    // Attempt 1 is sending, and its answer is lost.
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const { restore } = await backUpNow();
    await settleAll(service);
    expect((await readInvoice(service, payable)).status).toBe('Failed');
    await saveCard(service, payable.admin, { isDefault: true });
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    await restore();
    await forgetKeys();
    await settleAll(service);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    const failed = await service.database.owner`
      SELECT 1 FROM events WHERE company_id = ${payable.admin.companyId} AND type = 'invoice.failed'`;
    expect(failed).toEqual([]);
    expect(await countCaptures(payable)).toBe(1);
  });
});

describe('two that charge one debt', () => {
  it('send a creation within half a minute after asking, however long a gateway may take to answer', async () => {
    const payable = await preparePayable(service);
    const limits: (number | undefined)[] = [];
    const watched = through({
      createPayment: (request) => {
        limits.push(request.timeoutMs);
        return service.gateway.createPayment(request);
      },
    });
    await payInvoice(watched, payable.admin.companyId, payable.invoice.id);
    expect(limits).toEqual([20_000]);
  });

  it('the old and the new primary use one key, and so one object', async () => {
    const payable = await prepareCollected();
    const { db } = service.database;
    const { restore } = await backUpNow();
    // The first one has asked, and its create waits until the other one has paid.
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let goOn = () => {};
    const paid = new Promise<void>((resolve) => (goOn = resolve));
    const slow = through({
      createPayment: async (request) => {
        isAsked();
        await paid;
        return service.gateway.createPayment(request);
      },
    });
    const first = collectAllDue({ ...slow, clock: service.now }, service.server.log);
    await asked;
    await restore();
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    goOn();
    await first;
    expect(await countCaptures(payable)).toBe(1);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await selectLivePayment(db, payable.admin.companyId, payable.invoice.id)).toMatchObject({ id: paymentId });
  });

  // Security (Disks, upgrades and restores): A failover that undoes a settlement, and two primaries at once, charge a debt once
  it('a capture that is in the books stops both, because the failover may lose its settlement', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const { restore } = await backUpNow();
    const { id } = await paymentOf(service, payable);
    const { listPaymentsOfDebt, createPayment } = service.gateway;
    // While the second one asks, the first one captures and settles; the failover comes before it could note an object of its own.
    let isFirst = true;
    const late = through({
      listPaymentsOfDebt: async (request) => {
        if (isFirst) {
          isFirst = false;
          await settleAll(service);
        }
        return listPaymentsOfDebt(request);
      },
      createPayment: async (request) => {
        await restore();
        return createPayment(request);
      },
    });
    const live = await selectLivePayment(service.database.db, payable.admin.companyId, payable.invoice.id);
    if (live === null) expect.fail('no payment is live');
    const debt = await readDebt(service.database.db, live);
    const created = await createAtGateway(service.database.db, late.gateways.of(), live, { debt });
    if (created.kind === 'recorded') {
      const { id: gatewayPaymentId } = created.object;
      await service.gateway.confirmPayment(confirmationOf(gatewayPaymentId, 'late'));
    }
    expect(created).toEqual({ kind: 'adopted' });
    await restore();
    await settleAll(service);
    expect(await countCaptures(payable)).toBe(1);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: id });
  });
});

describe('objects of versions before debts', () => {
  it('are the only ones that are asked for by id, so that hundreds of refused charges do not make an invoice unpayable', async () => {
    const payable = await preparePayable(service);
    await service.database.owner`
      INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, currency, state,
                            failure_reason, debt_sequence)
      SELECT company_id, gen_random_uuid(), ${payable.invoice.id}, id, 'Card', gateway, gateway_token, 4800, 'USD', 'failed', 'not_sent', 0
      FROM cards, generate_series(1, 500) WHERE company_id = ${payable.admin.companyId}`;
    expectStatus(await payable.pay(), 200);
    expect(await countCaptures(payable)).toBe(1);
  });

  it('are found by the ids that the books have', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    const payment = await paymentOf(service, payable);
    // As the version before left them.
    await service.database.owner`UPDATE payments SET debt_sequence = NULL WHERE id = ${payment.id}`;
    await service.database.owner`UPDATE invoices SET debt = NULL WHERE id = ${payable.invoice.id}`;
    service.forgetDebtAtGateway?.(payment.gatewayPaymentId ?? '');
    await forgetKeys();
    const live = await selectLivePayment(service.database.db, payable.admin.companyId, payable.invoice.id);
    if (live === null) throw new Error('there is no payment');
    const { request } = await readDebt(service.database.db, live);
    expect(request.debt).toBe(`ref:${payable.admin.companyId}:${payable.invoice.id}`);
    const found = await service.gateway.listPaymentsOfDebt(request);
    expect(found).toMatchObject([{ id: payment.gatewayPaymentId, sequence: null, reference: payment.id }]);
    await settleAll(service);
    await saveCard(service, payable.admin, { isDefault: true });
    expectStatus(await payable.pay(), 200);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});

describe('a refund that the restore took away', () => {
  // Security (Disks, upgrades and restores): A refund made after the backup is not paid again
  it('is recorded again under its old id when the operator repeats the request, and refunds once', async () => {
    const paid = await preparePaid(service);
    const { restore } = await backUpNow();
    const first = expectStatus(await postRefund(service, paid, { amount: '48.00' }, 'once'), 201).body;
    await restore();
    await forgetKeys();
    const again = expectStatus(await postRefund(service, paid, { amount: '48.00' }, 'once'), 201).body;
    expect(again).toMatchObject({ id: first.id, amount: '48.00', status: 'Succeeded' });
    expect(await givenBack(service, paid)).toEqual([4_800n]);
  });

  it('is imported before another refund, which gets no more than the rest', async () => {
    const paid = await preparePaid(service);
    const { restore } = await backUpNow();
    expectStatus(await postRefund(service, paid, { amount: '40.00' }, 'first'), 201);
    await restore();
    const refused = expectStatus(await postRefund(service, paid, { amount: '40.00' }, 'second'), 409);
    expect(refused.body.error.code).toBe('refund_exceeds_payment');
    expectStatus(await postRefund(service, paid, { amount: '8.00' }, 'third'), 201);
    expect(await givenBack(service, paid)).toEqual([4_000n, 800n]);
    expect((await refundsOf(service, paid)).map(({ amount }: { amount: string }) => amount)).toEqual(['8.00', '40.00']);
  });
});
