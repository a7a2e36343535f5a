/** A capture of another amount than was due: a person accepts it, in part or with the rest as credit, or refunds it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, putSettings, readLedger } from '../../../test/billing/credits.ts';
import { credit, readInvoicePdf, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, saveCard } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { findViolations } from '../../../test/invariants/invariants.ts';
import { capturesOf, type Payable, paymentsOf, preparePayable, readInvoice } from '../../../test/payments/charge.ts';
import { type CollectionService, startCollectionService } from '../../../test/payments/collection.ts';
import { givenBack, postingsOf, postRefund, reconcileRefundsNow, refundsOf } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Reconciliation } from '../../ledger/reconciliation/ledger.reconciliation.schema.ts';
import { type MarkOf, selectMissingMarks } from '../../recovery/marks/compare.worker.queries.ts';

let service: CollectionService;
let refusesRefunds = false;
beforeAll(async () => {
  service = await startCollectionService({
    chooseGateways: (sandbox) => [
      {
        ...sandbox,
        refundPayment: async (request) => {
          if (refusesRefunds) throw new GatewayError('rejected', 'The account has no money.');
          return sandbox.refundPayment(request);
        },
      },
    ],
  });
});
afterEach(async () => {
  await service.sandbox.clearFaults();
  expect(await findViolations(service.database.owner, await service.sandbox.readLedger())).toEqual([]);
});
afterAll(() => service?.stop());

const operator = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

/** A payment of 48.00 USD, less the company's credit, of which the gateway captured another amount. */
async function prepareCaptured(amountMinor: string, { granted }: { granted?: string } = {}): Promise<Payable> {
  const payable = await preparePayable(service);
  if (granted !== undefined) await grantCredit(service, payable.admin.companyId, { amount: granted });
  await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor });
  expect((await payable.pay()).body.error.code).toBe('payment_under_review');
  return payable;
}

async function firstPaymentOf(payable: Payable) {
  const [payment] = await paymentsOf(service, payable);
  if (payment === undefined) throw new Error('there is no payment');
  return { ...payment, paymentId: payment.id, gatewayPaymentId: payment.gatewayPaymentId ?? '' };
}

async function resolve(payable: Payable, outcome: string | null): Promise<Answer> {
  const { id } = await firstPaymentOf(payable);
  return operator('POST', `/operator/payments/${id}/resolve`, outcome === null ? {} : { outcome });
}

async function expectRefused(payable: Payable, outcome: string | null, code: string, status = 409): Promise<void> {
  const before = await firstPaymentOf(payable);
  expect(await resolve(payable, outcome)).toMatchObject({ status, body: { error: { code } } });
  expect(await firstPaymentOf(payable)).toEqual(before);
}

const amountsOf = async (payable: Payable) =>
  (await capturesOf(service, payable)).map(({ amountMinor }) => amountMinor);
const creditOf = async ({ admin }: Payable) => (await readLedger(service, admin.companyId)).balance;
const alertsOf = async ({ admin }: Payable): Promise<string[]> => {
  const { data } = expectStatus(await operator('GET', `/operator/alerts?companyId=${admin.companyId}`), 200).body;
  return data.map(({ kind }: { kind: string }) => kind);
};
const readWhole = async ({ invoice }: Payable) =>
  expectStatus(await operator('GET', `/operator/invoices/${invoice.id}`), 200).body;

/** What a comparison of the books lists about the object of the invoice's first payment. */
async function differencesOf(payable: Payable): Promise<string[]> {
  const { gatewayPaymentId } = await firstPaymentOf(payable);
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/operator/reconciliation?from=${from.toISOString()}&to=${to.toISOString()}${cursor}`;
    const { differences, nextCursor }: Reconciliation = expectStatus(await operator('GET', path), 200).body;
    for (const one of differences) {
      if (one.gatewayPaymentId === gatewayPaymentId) found.push(`${one.entry} ${one.kind}`);
    }
    cursor = nextCursor === null ? null : `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return found;
}

describe('an accepted capture of more than was due', () => {
  it('pays the invoice, and the rest is credit of the company, once', async () => {
    const payable = await prepareCaptured('5000');
    const answers = await Promise.all([1, 2, 3].map(() => resolve(payable, 'succeeded')));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { status: 'Succeeded', state: 'paid' } });
    expect(await amountsOf(payable)).toEqual([5_000n]);
    const { paymentId } = await firstPaymentOf(payable);
    const { balance, data } = await readLedger(service, payable.admin.companyId);
    expect([balance, data]).toMatchObject(['2.00', [{ kind: 'overpayment', amount: '2.00', paymentId }]]);
    expect((await postingsOf(service, payable.admin.companyId)).slice(-3).toSorted()).toEqual([
      'payment_captured cash:sandbox 50.00',
      'payment_captured credit -2.00',
      'payment_captured receivable -48.00',
    ]);
    expect(await differencesOf(payable)).toEqual([]);
    await expectRefused(payable, 'failed', 'not_under_review');
    await expectRefused(payable, 'refunded', 'not_under_review');
  });

  it('is found as missing when the database goes back to before the decision, and can be accepted again', async () => {
    const { db, owner } = service.database;
    const payable = await prepareCaptured('5000');
    const { restore } = await backUp(owner);
    expectStatus(await resolve(payable, 'succeeded'), 200);
    const marks = await owner<MarkOf[]>`SELECT company_id AS "companyId", mark, written_at::text AS at FROM marks`;
    expect(await selectMissingMarks(db, marks)).toEqual([]);
    await restore();
    expect(await selectMissingMarks(db, marks)).toHaveLength(1);
    expectStatus(await resolve(payable, 'succeeded'), 200);
    expect(await creditOf(payable)).toBe('2.00');
  });

  it('is refunded up to what was due, since the rest is credit', async () => {
    const payable = await prepareCaptured('5000');
    expect((await resolve(payable, 'succeeded')).status).toBe(200);
    const paid = await firstPaymentOf(payable);
    expect((await postRefund(service, paid, { amount: '48.01' })).body.error.code).toBe('refund_exceeds_payment');
    expect((await postRefund(service, paid)).body).toMatchObject({ amount: '48.00', status: 'Succeeded' });
  });

  it('is refused while the company is billed in another currency', async () => {
    const payable = await prepareCaptured('5000');
    expectStatus(await putSettings(service, payable.admin.companyId, { currency: 'EUR' }), 200);
    await expectRefused(payable, 'succeeded', 'credit_currency_differs');
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ status: 'Failed' });
  });
});

describe('an accepted capture of less than was due', () => {
  it('pays a part: the rest stays due, and a pay charges that alone', async () => {
    const payable = await prepareCaptured('3000');
    expect(await resolve(payable, 'succeeded')).toMatchObject({
      status: 200,
      body: { status: 'Processing', state: 'open', paymentId: null },
    });
    expect((await resolve(payable, 'succeeded')).status).toBe(200);
    expect((await postingsOf(service, payable.admin.companyId)).slice(-2).toSorted()).toEqual([
      'payment_captured cash:sandbox 30.00',
      'payment_captured receivable -30.00',
    ]);
    const readPdf = async () => (await readInvoicePdf(service, payable.admin, payable.invoice.id)).text;
    expect(await readPdf()).toMatch(/Paid in part\s*-\$30\.00\s*Amount due\s*\$18\.00/);
    expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded', state: 'paid' } });
    expect(await amountsOf(payable)).toEqual([3_000n, 1_800n]);
    expect(await readPdf()).toMatch(/\$48\.00 paid on/);
    expect(await readPdf()).toMatch(/Paid in part\s*-\$30\.00\s*Paid on [^$]*-\$18\.00\s*Amount due\s*\$0\.00/);
    expect(await readWhole(payable)).toMatchObject({
      attempts: [
        { amount: '30.00', status: 'Succeeded' },
        { amount: '18.00', status: 'Succeeded' },
      ],
    });
    expect(await differencesOf(payable)).toEqual([]);
  });

  it('is collected by itself, beside the credit that the payment took', async () => {
    const payable = await preparePayable(service);
    await saveCard(service, payable.admin, { isDefault: true });
    await grantCredit(service, payable.admin.companyId, { amount: '8.00' });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '1000' });
    await service.collect();
    expect((await resolve(payable, 'succeeded')).body).toMatchObject({ status: 'Processing' });
    await service.collect();
    await service.collect();
    expect(await readWhole(payable)).toMatchObject({
      ...{ status: 'Succeeded', metadata: { creditAmount: '8.00' }, collection: { state: 'closed' } },
      attempts: [
        { amount: '10.00', creditAmount: '8.00', initiator: 'automatic' },
        { amount: '30.00', creditAmount: '0.00', initiator: 'automatic' },
      ],
    });
    expect(await creditOf(payable)).toBe('0.00');
  });

  it('leaves the rest due after a decline too', async () => {
    const payable = await prepareCaptured('3000');
    expect((await resolve(payable, 'succeeded')).status).toBe(200);
    await saveCard(service, payable.admin, { cardNumber: CARDS.declined, isDefault: true });
    expect((await payable.pay()).status).toBe(402);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed' });
    await saveCard(service, payable.admin, { isDefault: true });
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
    expect(await amountsOf(payable)).toEqual([3_000n, 1_800n]);
  });

  it('lets credit notes take no more than the rest, and forbids a void', async () => {
    const payable = await prepareCaptured('3000');
    expect((await resolve(payable, 'succeeded')).status).toBe(200);
    expect((await voidInvoice(service, payable.invoice.id)).body.error.code).toBe('invoice_paid');
    expect((await credit(service, payable.invoice.id, { amount: '18.01' })).body.error.code).toBe(
      'credit_exceeds_invoice',
    );
    expectStatus(await credit(service, payable.invoice.id, { amount: '18.00' }), 201);
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded', creditedTotal: '18.00' });
    expect(await amountsOf(payable)).toEqual([3_000n]);
  });

  it('is refunded once the invoice is paid, with a credit note for each refund', async () => {
    const payable = await prepareCaptured('3000');
    expect((await resolve(payable, 'succeeded')).status).toBe(200);
    const part = await firstPaymentOf(payable);
    expect((await postRefund(service, part)).body.error.code).toBe('invoice_unpaid');
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const refunds = [await postRefund(service, part), await postRefund(service, { paymentId })];
    expect(refunds.map(({ body }) => [body.amount, typeof body.creditNoteId])).toEqual([
      ['30.00', 'string'],
      ['18.00', 'string'],
    ]);
    expect(await readInvoice(service, payable)).toMatchObject({ creditedTotal: '48.00', refundedTotal: '48.00' });
  });
});

describe('the outcome refunded', () => {
  it('refunds the money once, the payment fails, and the invoice can be paid again', async () => {
    const payable = await prepareCaptured('5000', { granted: '8.00' });
    const answers = [await resolve(payable, 'refunded'), await resolve(payable, 'refunded')];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { status: 'Failed', refundedTotal: '0.00' } });
    expect(await givenBack(service, payable)).toEqual([5_000n]);
    const payment = await firstPaymentOf(payable);
    expect(payment).toMatchObject({ state: 'failed', failureReason: 'canceled' });
    expect(await refundsOf(service, payment)).toMatchObject([
      { amount: '50.00', status: 'Succeeded', source: 'operator', creditNoteId: null },
    ]);
    expect(await creditOf(payable)).toBe('8.00');
    const { gatewayPaymentId } = payment;
    expectStatus(await operator('POST', '/operator/refunds', { gateway: 'sandbox', gatewayPaymentId }), 200);
    expect(await alertsOf(payable)).toEqual(['payment_mismatch']);
    expect(await differencesOf(payable)).toEqual([]);
    await expectRefused(payable, 'succeeded', 'not_under_review');
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
    expect(await amountsOf(payable)).toEqual([5_000n, 4_000n]);
  });

  it.each([
    ['is lost before the refund', 'answer_lost_before_effect'],
    ['is lost after the refund', 'answer_lost_after_effect'],
    ['does not come', 'outage'],
  ] as const)('503 while the answer %s; a repeat refunds once', async (_name, kind) => {
    const payable = await prepareCaptured('3000');
    await service.sandbox.armFault({ operation: 'refund', kind });
    await expectRefused(payable, 'refunded', 'service_unavailable', 503);
    await service.sandbox.clearFaults();
    await expectRefused(
      payable,
      'succeeded',
      kind === 'answer_lost_after_effect' ? 'payment_under_review' : 'outcome_contradicted',
    );
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ status: 'Failed' });
    expect(await givenBack(service, payable)).toEqual([3_000n]);
  });

  it('can be completed by the reconciler, and the next request finds that refund', async () => {
    const payable = await prepareCaptured('3000');
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect' });
    await expectRefused(payable, 'refunded', 'service_unavailable', 503);
    await reconcileRefundsNow(service);
    expect(await givenBack(service, payable)).toEqual([3_000n]);
    expect((await resolve(payable, null)).body).toMatchObject({ status: 'Failed' });
    expect((await payable.pay()).status).toBe(200);
  });

  it('leaves the payment under review if the gateway refuses', async () => {
    const payable = await prepareCaptured('3000');
    refusesRefunds = true;
    await expectRefused(payable, 'refunded', 'refund_refused');
    refusesRefunds = false;
    expect((await resolve(payable, 'succeeded')).body).toMatchObject({ status: 'Processing' });
    await payable.pay();
  });

  it('does not refund again what the gateway has refunded already', async () => {
    const payable = await prepareCaptured('3000');
    const { gatewayPaymentId } = await firstPaymentOf(payable);
    const byHand = {
      idempotencyKey: `hand-${gatewayPaymentId}`,
      gatewayPaymentId,
      reference: `hand-${gatewayPaymentId}`,
    };
    await service.gateway.refundPayment({ ...byHand, amountMinor: 1_000n });
    await expectRefused(payable, 'succeeded', 'payment_under_review');
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ status: 'Failed' });
    expect((await givenBack(service, payable)).toSorted()).toEqual([1_000n, 2_000n]);
  });

  it('is the only outcome for a capture in another currency', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_currency' });
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    await expectRefused(payable, 'succeeded', 'payment_under_review');
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ status: 'Failed' });
  });

  it('is the only outcome for a capture for a void invoice', async () => {
    const payable = await prepareCaptured('3000');
    await service.database.owner`UPDATE invoices SET voided_at = now() WHERE id = ${payable.invoice.id}`;
    await expectRefused(payable, 'succeeded', 'invoice_voided');
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ state: 'void' });
    expect(await givenBack(service, payable)).toEqual([3_000n]);
  });

  it('is possible when the intended amount was captured', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
    await service.database.owner`UPDATE payments SET reconcile_count = 7 WHERE invoice_id = ${payable.invoice.id}`;
    await service.reconcileNow();
    await service.sandbox.clearFaults();
    expect((await resolve(payable, 'refunded')).body).toMatchObject({ status: 'Failed' });
    expect(await givenBack(service, payable)).toEqual([4_800n]);
  });

  it('is refused while charges are held', async () => {
    const payable = await prepareCaptured('3000');
    await holdCharges(service);
    await expectRefused(payable, 'refunded', 'charges_held', 503);
    await releaseCharges(service);
    expect((await resolve(payable, 'refunded')).status).toBe(200);
    expect(await givenBack(service, payable)).toEqual([3_000n]);
  });
});
