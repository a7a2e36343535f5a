import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS } from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  paymentOf,
  preparePayable,
  startChargeService,
} from '../../../test/payments/charge.ts';
import type { Tx } from '../../platform/database/database.ts';
import { cancelObject } from '../debt/debt.ts';
import { markUnknown, postponeCheck } from '../outcomes/outcomes.queries.ts';
import { claimDue } from '../outcomes/outcomes.worker.queries.ts';
import { settleUnresolved } from '../outcomes/reconciler.ts';
import { markSending, PAYMENT_QUEUE, selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { PAYMENTS } from '../reconcile/reconcile-payments.ts';
import { settleCanceled, settleCaptured, settleUnsent, writeCanceled, writeUnsent } from './settle-payment.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const captured = { id: 'payment_x', status: 'captured', declineCode: null } as const;
const inFull = { ...captured, capturedAmountMinor: 4_800n, capturedCurrency: 'USD' };
const tooMuch = { ...inFull, capturedAmountMinor: 4_801n };

async function load(payable: Payable): Promise<Payment> {
  const { id, companyId } = await paymentOf(service, payable);
  return selectPayment(service.database.db, companyId, id);
}

/** Everything that is written down about an invoice. */
async function readAll({ invoice }: Payable): Promise<unknown> {
  const { owner } = service.database;
  return [
    await owner`SELECT * FROM invoices WHERE id = ${invoice.id}`,
    await owner`SELECT * FROM payments WHERE invoice_id = ${invoice.id}`,
    await owner`SELECT alerts.* FROM alerts JOIN payments ON payments.id = payment_id WHERE invoice_id = ${invoice.id}`,
  ];
}

const object = (gatewayPaymentId: string) => ({ gatewayPaymentId, sequence: 1 });

/** Confirmed, with a lost answer: state unknown, with the gateway's id. */
async function prepareUnknown(operation: 'create' | 'confirm'): Promise<Payable> {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation, kind: 'answer_lost_before_effect' });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

describe('a late or repeated word about a payment that has ended changes nothing', () => {
  const words: [string, (payment: Payment) => Promise<unknown>][] = [
    ['captured', (payment) => settleCaptured(service.database.db, payment, inFull)],
    ['captured with another amount', (payment) => settleCaptured(service.database.db, payment, tooMuch)],
    ['canceled', (payment) => settleCanceled(service.database.db, payment, payment.gatewayPaymentId ?? '')],
    ['not sent', (payment) => settleUnsent(service.database.db, payment, 'not_sent')],
    ['rejected', (payment) => settleUnsent(service.database.db, payment, 'rejected')],
    ['unresolved', (payment) => settleUnresolved(PAYMENTS, service.database.db, payment)],
    ['unknown', ({ companyId, id }) => markUnknown(service.database.db, companyId, PAYMENT_QUEUE, id, 5)],
    ['sending', ({ companyId, id }) => markSending(service.database.db, companyId, id, object('payment_x'))],
    ['later', (payment) => postponeCheck(service.database.db, payment.companyId, PAYMENT_QUEUE, payment, 5)],
  ];

  it.each(words)('captured, then: %s', async (_word, say) => {
    const payable = await preparePayable(service);
    expect((await payable.pay()).status).toBe(200);
    const before = await readAll(payable);
    await say(await load(payable));
    expect(await readAll(payable)).toEqual(before);
  });

  it.each(words.slice(2))('failed, then: %s', async (_word, say) => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    expect((await payable.pay()).status).toBe(402);
    const before = await readAll(payable);
    await say(await load(payable));
    expect(await readAll(payable)).toEqual(before);
  });

  it.each([
    ['in full', inFull],
    ['with another amount', tooMuch],
  ])('but money that was captured (%s) after a failure is an alert: nobody else would notice', async (_what, found) => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await payable.pay();
    const payment = await load(payable);
    await settleCaptured(service.database.db, payment, found);
    const alerts = await service.database.owner`SELECT kind FROM alerts WHERE payment_id = ${payment.id}`;
    expect(alerts).toMatchObject([{ kind: 'payment_captured_after_failure' }]);
    const [invoice] = await service.database.owner`SELECT status FROM invoices WHERE id = ${payable.invoice.id}`;
    expect([(await load(payable)).state, invoice?.status]).toEqual(['failed', 'Failed']);
  });
});

describe('who may write', () => {
  it.each(['not_sent', 'rejected'] as const)(
    '%s, says one, after another has written down an object that it may have confirmed: that is no end',
    async (reason) => {
      const payable = await prepareUnknown('confirm');
      const before = await readAll(payable);
      const payment = await load(payable);
      expect(await settleUnsent(service.database.db, payment, reason)).toEqual(payment);
      expect(await readAll(payable)).toEqual(before);
    },
  );

  it('the first object that is written down is the one: a second one is refused', async () => {
    const payable = await prepareUnknown('create');
    const { companyId, id } = await load(payable);
    expect(await markSending(service.database.db, companyId, id, object('payment_a'))).toBe(true);
    await markUnknown(service.database.db, companyId, PAYMENT_QUEUE, id, 5);
    expect(await markSending(service.database.db, companyId, id, object('payment_b'))).toBe(false);
    expect((await load(payable)).gatewayPaymentId).toBe('payment_a');
  });

  it('a reconciler that slept longer than its lease changes 0 rows', async () => {
    const { db, owner } = service.database;
    const payable = await prepareUnknown('confirm');
    const makeDue = () =>
      owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE invoice_id = ${payable.invoice.id}`;
    const claim = async () => {
      await makeDue();
      const due = await claimDue(db, PAYMENT_QUEUE, { gateway: 'sandbox', limit: 100 });
      const claimed = due.find(({ invoiceId }) => invoiceId === payable.invoice.id);
      return claimed ?? expect.fail('nothing was claimed');
    };
    const [sleeper, other] = [await claim(), await claim()];
    const before = await readAll(payable);
    expect(await postponeCheck(db, sleeper.companyId, PAYMENT_QUEUE, sleeper, 300)).toBe(false);
    await settleUnresolved(PAYMENTS, db, sleeper);
    expect(await readAll(payable)).toEqual(before);
    expect(await postponeCheck(db, other.companyId, PAYMENT_QUEUE, other, 300)).toBe(true);
  });

  it('a request that comes late neither shortens the lease of a reconciler nor resets its schedule', async () => {
    const { db, owner } = service.database;
    const payable = await prepareUnknown('create');
    const { companyId, id } = await load(payable);
    await owner`UPDATE payments SET reconcile_at = now() + interval '40 seconds', reconcile_count = 1 WHERE id = ${id}`;
    const nextCheck = async () => (await owner`SELECT reconcile_at FROM payments WHERE id = ${id}`)[0]?.reconcile_at;
    const before = await nextCheck();
    await markUnknown(db, companyId, PAYMENT_QUEUE, id, 5);
    await markSending(db, companyId, id, object(`payment_${id}`));
    await markUnknown(db, companyId, PAYMENT_QUEUE, id, 5);
    expect(await nextCheck()).toEqual(before);
  });
});

describe('a payment that ends and a setting that wakes the collection at the same time wait for each other, without a deadlock:', () => {
  it.each([
    ['declined', 'confirm', (tx: Tx, payment: Payment, object: string) => writeCanceled(tx, payment, object)],
    ['rejected', 'create', (tx: Tx, payment: Payment) => writeUnsent(tx, payment, 'rejected')],
  ] as const)('%s', async (_outcome, lost, write) => {
    const { db } = service.database;
    const payable = await prepareUnknown(lost);
    const payment = await load(payable);
    const { companyId, gatewayPaymentId: object } = payment;
    if (object !== null) await cancelObject(service.gateway, payment, object);
    const lockCompany = (tx: Tx) => tx`SELECT FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
    const wake = (tx: Tx) => tx`UPDATE companies SET collection = 'automatic' WHERE id = ${companyId}`;
    const end = async (tx: Tx) => void (await write(tx, payment, object ?? ''));
    await sendDuring(service.database, lockCompany, () => db.begin(end), wake);
    expect((await load(payable)).state).toBe('failed');
  });
});
