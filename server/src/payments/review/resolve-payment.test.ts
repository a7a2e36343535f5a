/** A payment under review ends as the gateway says, or where it cannot say, as the operator states. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { CARDS, expectStatus } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { findViolations } from '../../../test/invariants/invariants.ts';
import {
  type ChargeService,
  capturesOf,
  type Payable,
  paymentOf,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postingsOf, refundsOf } from '../../../test/payments/refunds.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import type { Fault } from '../../gateways/sandbox/bank/bank.schema.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
/** Companies whose payments were moved to a gateway that is not there. */
const moved = new Set<string>();
afterEach(async () => {
  await service.sandbox.clearFaults();
  const violations = await findViolations(service.database.owner, await service.sandbox.readLedger());
  const isExpected = (violation: string) =>
    [...moved].some((companyId) => violation.startsWith('I5 cash:') && violation.includes(companyId));
  expect(violations.filter((violation) => !isExpected(violation))).toEqual([]);
});
afterAll(async () => service?.stop());

/** A payment that met a fault, and of which nothing was found out for as long as the reconciler looks. */
async function prepareReview(fault: Fault, { cardNumber, credit }: { cardNumber?: string; credit?: string } = {}) {
  const payable = await preparePayable(service, cardNumber === undefined ? {} : { cardNumber });
  if (credit !== undefined) await grantCredit(service, payable.admin.companyId, { amount: credit });
  await service.sandbox.armFault(fault);
  expect((await payable.pay()).status).toBe(202);
  await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
  await service.database.owner`UPDATE payments SET reconcile_count = 7 WHERE invoice_id = ${payable.invoice.id}`;
  await service.reconcileNow();
  await service.sandbox.clearFaults();
  expect((await paymentOf(service, payable)).state).toBe('needs_review');
  return payable;
}

async function prepareMismatch(): Promise<Payable> {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
  expect((await payable.pay()).body.error.code).toBe('payment_under_review');
  return payable;
}

async function resolve(payable: Payable, body: object = {}): Promise<Answer> {
  const { id } = await paymentOf(service, payable);
  return service.call('POST', `/operator/payments/${id}/resolve`, { token: service.operatorKey, body });
}

async function expectRefused(payable: Payable, body: object, code: string, status = 409): Promise<void> {
  const before = await paymentOf(service, payable);
  expect(await resolve(payable, body)).toMatchObject({ status, body: { error: { code } } });
  expect(await paymentOf(service, payable)).toEqual(before);
}

/** Who has resolved something, and how it ended, by the audit log. */
async function resolutionsOf({ admin }: Payable): Promise<object[]> {
  const path = `/operator/audit-log?companyId=${admin.companyId}&action=payment.resolved`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.map(({ actor, changes }: { actor: { kind: string }; changes: { after: object } }) => ({
    by: actor.kind,
    ...changes.after,
  }));
}

async function eventsOf({ admin, invoice }: Payable): Promise<string[]> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=100`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  const ofPayment = data.filter((event: { type: string; data: { invoiceId: string } }) => {
    return event.type.startsWith('payment.') && event.data.invoiceId === invoice.id;
  });
  return ofPayment.map(({ type }: { type: string }) => type).toReversed();
}

const LOST_CAPTURE: Fault = { operation: 'confirm', kind: 'answer_lost_after_effect' };
const NEVER_CONFIRMED: Fault = { operation: 'confirm', kind: 'answer_lost_before_effect' };

// Security (Gateway events and reviews): A person resolves payments under review, and decides only if the gateway has no answer
describe('what the gateway says counts', () => {
  it('captured as intended: the payment has succeeded, once, however many requests resolve it at once', async () => {
    const payable = await prepareReview(LOST_CAPTURE);
    await expectRefused(payable, { outcome: 'failed' }, 'outcome_contradicted');
    const answers = await Promise.all([{}, {}, { outcome: 'succeeded' }, {}].map((body) => resolve(payable, body)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { id: payable.invoice.id, status: 'Succeeded' } });
    }
    expect(await eventsOf(payable)).toEqual(['payment.started', 'payment.needs_review', 'payment.captured']);
    expect((await postingsOf(service, payable.admin.companyId)).slice(-2)).toEqual([
      'payment_captured cash:sandbox 48.00',
      'payment_captured receivable -48.00',
    ]);
    expect((await resolve(payable)).status).toBe(200);
    await expectRefused(payable, { outcome: 'failed' }, 'not_under_review');
    expect(await resolutionsOf(payable)).toEqual([{ by: 'operator_key', status: 'Succeeded' }]);
  });

  it('never confirmed: the payment is canceled at the gateway and fails, and the invoice can be paid again', async () => {
    const payable = await prepareReview(NEVER_CONFIRMED);
    await expectRefused(payable, { outcome: 'succeeded' }, 'outcome_contradicted');
    expect(await resolve(payable)).toMatchObject({ status: 200, body: { status: 'Failed' } });
    const { gatewayPaymentId } = await paymentOf(service, payable);
    const { payments } = await service.sandbox.readLedger();
    expect(payments.find(({ id }) => id === gatewayPaymentId)).toMatchObject({ status: 'canceled' });
    expect(await eventsOf(payable)).toEqual(['payment.started', 'payment.needs_review', 'payment.failed']);
    expect((await payable.pay()).status).toBe(200);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('declined: the payment fails with the bank’s reason', async () => {
    const payable = await prepareReview(LOST_CAPTURE, { cardNumber: CARDS.insufficientFunds });
    expect((await resolve(payable)).status).toBe(200);
    const payment = { status: 'Failed', declineCode: 'insufficient_funds', failureReason: 'declined' };
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
  });

  it('never sent: the payment fails, its credit is returned, and the invoice is as it was', async () => {
    const payable = await prepareReview({ operation: 'create', kind: 'answer_lost_after_effect' }, { credit: '8.00' });
    await expectRefused(payable, { outcome: 'succeeded' }, 'outcome_contradicted');
    expect(await resolve(payable)).toMatchObject({ status: 200, body: { status: 'Processing' } });
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'failed', failureReason: 'not_sent' });
    expect(await readInvoice(service, payable)).toMatchObject({ payment: { creditAmount: '8.00' } });
    const postings = await postingsOf(service, payable.admin.companyId);
    expect(postings.slice(-2)).toEqual(['credit_returned credit -8.00', 'credit_returned receivable 8.00']);
    expect((await payable.pay()).status).toBe(200);
  });

  it('while charges are held, it does not fail', async () => {
    const payable = await prepareReview(NEVER_CONFIRMED);
    await holdCharges(service);
    await expectRefused(payable, { outcome: 'failed' }, 'charges_held', 503);
    await releaseCharges(service);
    expect(await resolve(payable)).toMatchObject({ status: 200, body: { status: 'Failed' } });
  });

  it('another amount was captured: the payment stays under review until all of it is refunded at the gateway, and then fails', async () => {
    const payable = await prepareMismatch();
    const gatewayPaymentId = (await paymentOf(service, payable)).gatewayPaymentId ?? '';
    const refundAtGateway = (amountMinor: bigint) =>
      service.gateway.refundPayment({
        idempotencyKey: randomUUID(),
        gatewayPaymentId,
        amountMinor,
        reference: `by hand ${randomUUID()}`.replaceAll(' ', '-'),
      });
    for (const body of [{}, { outcome: 'failed' }]) {
      await expectRefused(payable, body, 'payment_under_review');
    }
    await refundAtGateway(4_800n);
    await expectRefused(payable, {}, 'payment_under_review');
    await refundAtGateway(1n);
    // What tells of it, the gateway's webhook too, says what is to be done, and lets the review stand.
    const body = { gateway: 'sandbox', gatewayPaymentId };
    const answer = await service.call('POST', '/operator/refunds', { token: service.operatorKey, body });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'refund_not_recorded' } } });
    const list = `/operator/alerts?kind=refunded_at_gateway&companyId=${payable.admin.companyId}`;
    const { data } = expectStatus(await service.call('GET', list, { token: service.operatorKey }), 200).body;
    expect(data).toMatchObject([
      { invoiceId: payable.invoice.id, message: expect.stringMatching(/under review.*: resolve the payment\.$/) },
    ]);
    await expectRefused(payable, { outcome: 'succeeded' }, 'payment_under_review');
    expect(await resolve(payable)).toMatchObject({ status: 200, body: { status: 'Failed' } });
    expect((await payable.pay()).status).toBe(200);
  });

  it('captured as intended, and refunded in part at the gateway meanwhile: both are booked', async () => {
    const payable = await prepareReview(LOST_CAPTURE);
    const { id: paymentId, gatewayPaymentId } = await paymentOf(service, payable);
    const [idempotencyKey, reference] = [randomUUID(), randomUUID()];
    const refund = { idempotencyKey, reference, gatewayPaymentId: gatewayPaymentId ?? '', amountMinor: 1_200n };
    await service.gateway.refundPayment(refund);
    const body = { gateway: 'sandbox', gatewayPaymentId };
    expectStatus(await service.call('POST', '/operator/refunds', { token: service.operatorKey, body }), 409);
    const answer = expectStatus(await resolve(payable), 200);
    expect(answer.body).toMatchObject({ status: 'Succeeded', creditedTotal: '12.00', refundedTotal: '12.00' });
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '12.00', source: 'gateway' }]);
  });

  it('a refund from before a restored database adopted the payment counts', async () => {
    const payable = await prepareMismatch();
    const { id, gatewayPaymentId } = await paymentOf(service, payable);
    const [idempotencyKey, reference] = [randomUUID(), randomUUID()];
    const refund = { idempotencyKey, reference, gatewayPaymentId: gatewayPaymentId ?? '', amountMinor: 4_801n };
    await service.gateway.refundPayment(refund);
    await service.database.owner`UPDATE payments SET created_at = now() + interval '2 hours' WHERE id = ${id}`;
    expect(await resolve(payable)).toMatchObject({ status: 200, body: { status: 'Failed' } });
  });
});

describe('where the gateway cannot say it', () => {
  it('a payment that it does not know has failed when a person says so', async () => {
    const payable = await prepareReview(NEVER_CONFIRMED);
    const show = service.hideAtGateway((await paymentOf(service, payable)).gatewayPaymentId ?? '');
    await expectRefused(payable, {}, 'payment_under_review');
    await expectRefused(payable, { outcome: 'succeeded' }, 'outcome_contradicted');
    expect(await resolve(payable, { outcome: 'failed' })).toMatchObject({ status: 200, body: { status: 'Failed' } });
    show();
    // For the books: what is hidden no more would be open there.
    await service.gateway.cancelPayment((await paymentOf(service, payable)).gatewayPaymentId ?? '');
  });

  it.each([
    ['outage', false],
    ['unparsable_answer', false],
    ['unauthorized', true],
  ] as const)('%s: 503, and it stays under review', async (kind, hasMovements) => {
    const payable = await prepareReview(LOST_CAPTURE);
    await service.sandbox.armFault({ operation: 'find', kind, times: null });
    await expectRefused(payable, {}, 'service_unavailable', 503);
    await expectRefused(payable, { outcome: 'failed' }, 'service_unavailable', 503);
    const alerts = await service.database.owner`
      SELECT FROM alerts WHERE company_id = ${payable.admin.companyId} AND kind = 'gateway_unauthorized'`;
    expect(alerts.length > 0).toBe(hasMovements);
    await service.sandbox.clearFaults();
    expect((await resolve(payable)).status).toBe(200);
  });

  it.each(['succeeded', 'failed'] as const)(
    'if the gateway is no longer configured, the outcome that a person sends counts: %s',
    async (outcome) => {
      const payable = await prepareReview(outcome === 'succeeded' ? LOST_CAPTURE : NEVER_CONFIRMED);
      const { id, gatewayPaymentId } = await paymentOf(service, payable);
      moved.add(payable.admin.companyId);
      await service.database.owner`UPDATE payments SET gateway = 'gone' WHERE id = ${id}`;
      await expectRefused(payable, {}, 'payment_under_review');
      const status = outcome === 'succeeded' ? 'Succeeded' : 'Failed';
      expect(await resolve(payable, { outcome })).toMatchObject({ status: 200, body: { status } });
      // For the books, which know no other gateway.
      await service.database.owner`UPDATE payments SET gateway = 'sandbox' WHERE id = ${id}`;
      await service.database.owner`DELETE FROM transitions WHERE id = ${id} AND change = 'edited'`;
      if (outcome === 'failed') await service.gateway.cancelPayment(gatewayPaymentId ?? '');
    },
  );
});

describe('what is not under review', () => {
  it('is 409 while its outcome is being found out', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault(LOST_CAPTURE);
    expect((await payable.pay()).status).toBe(202);
    await expectRefused(payable, {}, 'not_under_review');
    await service.sandbox.clearFaults();
    await service.reconcileNow();
  });

  it('and has ended otherwise is 409; unknown is 404', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    expect((await payable.pay()).status).toBe(402);
    await expectRefused(payable, { outcome: 'succeeded' }, 'not_under_review');
    expect((await resolve(payable, { outcome: 'failed' })).status).toBe(200);
    const path = `/operator/payments/${randomUUID()}/resolve`;
    expect((await service.call('POST', path, { token: service.operatorKey, body: {} })).status).toBe(404);
  });
});
