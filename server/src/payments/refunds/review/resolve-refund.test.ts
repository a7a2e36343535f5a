/** A refund under review ends as the operator states, unless the gateway contradicts it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { findViolations } from '../../../../test/invariants/invariants.ts';
import { type ChargeService, paymentOf, startChargeService } from '../../../../test/payments/charge.ts';
import {
  type Paid,
  postingsOf,
  postRefund,
  preparePaid,
  reconcileRefundsNow,
  refundsOf,
} from '../../../../test/payments/refunds.ts';
import type { FaultKind } from '../../../gateways/sandbox/bank/bank.schema.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => service?.stop());

/** What the books are known to be wrong about, because a person said so. */
const accepted: string[] = [];
afterEach(async () => {
  await service.sandbox.clearFaults();
  const violations = await findViolations(service.database.owner, await service.sandbox.readLedger());
  expect(violations.filter((one) => !accepted.some((part) => one.includes(part)))).toEqual([]);
});

type Reviewed = Paid & { refundId: string };

/** A refund of 20.00 that met a fault, and of which nothing was found out for as long as the reconciler looks. */
async function prepareReview(kind: FaultKind, { credit }: { credit?: string } = {}): Promise<Reviewed> {
  const paid = await preparePaid(service, credit === undefined ? {} : { credit });
  await service.sandbox.armFault({ operation: 'refund', kind, times: 1 });
  expect((await postRefund(service, paid, { amount: '20.00' })).status).toBe(202);
  await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
  await service.database.owner`UPDATE refunds SET reconcile_count = 14 WHERE payment_id = ${paid.paymentId}`;
  await reconcileRefundsNow(service);
  await service.sandbox.clearFaults();
  return review(paid);
}

async function review(paid: Paid): Promise<Reviewed> {
  const [{ id, status }] = await refundsOf(service, paid);
  expect(status).toBe('NeedsReview');
  return { ...paid, refundId: id };
}

/** The gateway refunded another amount than was asked for. */
async function prepareMismatch(): Promise<Reviewed & { gatewayRefundId: string }> {
  const paid = await preparePaid(service);
  await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect', times: 1 });
  expect((await postRefund(service, paid, { amount: '20.00' })).status).toBe(202);
  await service.database.owner`UPDATE refunds SET amount_minor = 1999 WHERE payment_id = ${paid.paymentId}`;
  await reconcileRefundsNow(service);
  const reviewed = await review(paid);
  const { refunds } = await service.sandbox.readLedger();
  return { ...reviewed, gatewayRefundId: refunds.find(({ reference }) => reference === reviewed.refundId)?.id ?? '' };
}

/** Refunds money as somebody does in the gateway's dashboard. @returns the gateway's id of it */
async function giveBackByHand(paid: Paid, amountMinor: bigint): Promise<string> {
  const { gatewayPaymentId } = await paymentOf(service, paid);
  const request = { idempotencyKey: randomUUID(), gatewayPaymentId: gatewayPaymentId ?? '', amountMinor };
  return (await service.gateway.refundPayment({ ...request, reference: `by-hand-${randomUUID()}` })).id;
}

const resolve = ({ refundId }: { refundId: string }, body: object): Promise<Answer> =>
  service.call('POST', `/operator/refunds/${refundId}/resolve`, { token: service.operatorKey, body });

async function expectRefused(reviewed: Reviewed, body: object, code: string, status = 409): Promise<void> {
  const before = await refundsOf(service, reviewed);
  expect(await resolve(reviewed, body)).toMatchObject({ status, body: { error: { code } } });
  expect(await refundsOf(service, reviewed)).toEqual(before);
}

/** Who has resolved something, and how it ended, by the audit log. */
async function resolutionsOf({ admin }: Paid): Promise<object[]> {
  const path = `/operator/audit-log?companyId=${admin.companyId}&action=refund.resolved`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.map(({ actor, changes }: { actor: { kind: string }; changes: { after: object } }) => ({
    by: actor.kind,
    ...changes.after,
  }));
}

async function eventsOf({ admin }: Paid): Promise<string[]> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=100`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  const types: string[] = data.map(({ type }: { type: string }) => type);
  return types.filter((type) => type.startsWith('refund.')).toReversed();
}

// Security (Gateway events and reviews): A person resolves refunds under review, and decides only if the gateway has no answer
describe('a refund that the gateway has made', () => {
  it('has succeeded, with its postings and its credit, once, however many say so at once', async () => {
    const reviewed = await prepareReview('answer_lost_after_effect');
    await expectRefused(reviewed, { outcome: 'failed' }, 'outcome_contradicted');
    await expectRefused(reviewed, { outcome: 'succeeded', gatewayRefundId: 're_other' }, 'outcome_contradicted');
    const answers = await Promise.all([1, 2, 3, 4].map(() => resolve(reviewed, { outcome: 'succeeded' })));
    for (const answer of answers) {
      const refund = { id: reviewed.refundId, status: 'Succeeded', amount: '20.00', creditNoteId: expect.any(String) };
      expect(answer).toMatchObject({ status: 200, body: refund });
    }
    expect(await eventsOf(reviewed)).toEqual(['refund.created', 'refund.needs_review', 'refund.succeeded']);
    const postings = (await postingsOf(service, reviewed.admin.companyId)).slice(-2);
    expect(postings.sort()).toEqual(['refund_sent cash:sandbox -20.00', 'refund_sent refunds_due 20.00']);
    await expectRefused(reviewed, { outcome: 'failed' }, 'not_under_review');
    expect(await resolutionsOf(reviewed)).toMatchObject([{ by: 'operator_key', status: 'Succeeded' }]);
    const rest = await postRefund(service, reviewed);
    expect(rest.body).toMatchObject({ status: 'Succeeded', amount: '28.00' });
  });

  it('of another amount is accepted only if its id is sent', async () => {
    const reviewed = await prepareMismatch();
    accepted.push(reviewed.refundId, 'I5');
    await expectRefused(reviewed, { outcome: 'succeeded' }, 'refund_under_review');
    await expectRefused(reviewed, { outcome: 'failed' }, 'outcome_contradicted');
    const { gatewayRefundId } = reviewed;
    expect(await resolve(reviewed, { outcome: 'succeeded', gatewayRefundId })).toMatchObject({
      status: 200,
      body: { status: 'Succeeded', amount: '19.99' },
    });
  });
});

describe('a refund that the gateway has not made', () => {
  it('fails, its credit note stays, and another refund returns the money', async () => {
    const reviewed = await prepareReview('answer_lost_before_effect');
    await expectRefused(reviewed, { outcome: 'succeeded' }, 'outcome_contradicted');
    await expectRefused(reviewed, { outcome: 'succeeded', gatewayRefundId: 're_none' }, 'outcome_contradicted');
    const answers = await Promise.all([1, 2, 3, 4].map(() => resolve(reviewed, { outcome: 'failed' })));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: 'Failed' } });
    await expectRefused(reviewed, { outcome: 'succeeded' }, 'not_under_review');
    expect(await eventsOf(reviewed)).toEqual(['refund.created', 'refund.needs_review', 'refund.failed']);
    const again = await postRefund(service, reviewed, { amount: '20.00' });
    expect(again).toMatchObject({ status: 201, body: { status: 'Succeeded', creditNoteId: null } });
  });

  it('and somebody made by hand has succeeded by the name of that one, if payment and amount fit', async () => {
    const [reviewed, other] = [await prepareReview('answer_lost_before_effect'), await preparePaid(service)];
    accepted.push('which Paydesk does not know', reviewed.refundId, 'I5');
    const wrong = [await giveBackByHand(reviewed, 1_999n), await giveBackByHand(other, 2_000n)];
    for (const gatewayRefundId of wrong) {
      await expectRefused(reviewed, { outcome: 'succeeded', gatewayRefundId }, 'outcome_contradicted');
    }
    const gatewayRefundId = await giveBackByHand(reviewed, 2_000n);
    const answer = await resolve(reviewed, { outcome: 'succeeded', gatewayRefundId });
    expect(answer).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  });

  it('is not another refund of ours', async () => {
    const reviewed = await prepareReview('answer_lost_before_effect');
    const second = await postRefund(service, reviewed, { amount: '20.00' });
    expect(second.body.status).toBe('Succeeded');
    const { refunds } = await service.sandbox.readLedger();
    const gatewayRefundId = refunds.find(({ reference }) => reference === second.body.id)?.id;
    await expectRefused(reviewed, { outcome: 'succeeded', gatewayRefundId }, 'outcome_contradicted');
    expect((await resolve(reviewed, { outcome: 'failed' })).status).toBe(200);
  });
});

describe('a gateway that cannot be asked', () => {
  it.each(['outage', 'unparsable_answer', 'unauthorized'] as const)(
    '%s: 503, and it stays under review',
    async (kind) => {
      const reviewed = await prepareReview('answer_lost_after_effect');
      await service.sandbox.armFault({ operation: 'find', kind, times: null });
      for (const outcome of ['succeeded', 'failed']) {
        await expectRefused(reviewed, { outcome }, 'service_unavailable', 503);
      }
      await service.sandbox.clearFaults();
      expect((await resolve(reviewed, { outcome: 'succeeded' })).status).toBe(200);
    },
  );

  it.each(['succeeded', 'failed'])(
    'because it is not configured any more: the operator is believed (%s)',
    async (outcome) => {
      const reviewed = await prepareReview(
        outcome === 'succeeded' ? 'answer_lost_after_effect' : 'answer_lost_before_effect',
      );
      accepted.push(reviewed.refundId, 'I5');
      await service.database.owner`UPDATE refunds SET gateway = 'gone' WHERE id = ${reviewed.refundId}`;
      if (outcome === 'succeeded') await expectRefused(reviewed, { outcome }, 'invalid_request', 400);
      const answer = await resolve(reviewed, { outcome, gatewayRefundId: `re_${randomUUID()}` });
      expect(answer).toMatchObject({ status: 200, body: { status: outcome === 'succeeded' ? 'Succeeded' : 'Failed' } });
    },
  );
});

it('a refund that has not ended, or that is not there, cannot be resolved', async () => {
  const paid = await preparePaid(service);
  await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect', times: 1 });
  const { id: refundId } = (await postRefund(service, paid, { amount: '20.00' })).body;
  await expectRefused({ ...paid, refundId }, { outcome: 'succeeded' }, 'not_under_review');
  expect((await resolve({ refundId: randomUUID() }, { outcome: 'succeeded' })).status).toBe(404);
  await reconcileRefundsNow(service);
});

it('the credit of a refund goes back with it', async () => {
  const reviewed = await prepareReview('answer_lost_after_effect', { credit: '38.00' });
  expect(await resolve(reviewed, { outcome: 'succeeded' })).toMatchObject({
    status: 200,
    body: { cardAmount: '10.00', creditAmount: '10.00' },
  });
});

it('credentials that the gateway refuses raise an alert, by the request and by the reconciler, once in ten minutes', async () => {
  const paid = await preparePaid(service);
  await service.sandbox.armFault({ operation: 'any', kind: 'unauthorized', times: null });
  expect((await postRefund(service, paid, { amount: '20.00' })).status).toBe(202);
  const alerts = () => service.database.owner<{ message: string }[]>`
    SELECT message FROM alerts WHERE payment_id = ${paid.paymentId} AND kind = 'gateway_unauthorized'`;
  expect(await alerts()).toMatchObject([{ message: expect.stringContaining('no charge or refund succeeds') }]);
  await reconcileRefundsNow(service);
  expect(await alerts()).toHaveLength(1);
  await service.database
    .owner`UPDATE alerts SET created_at = now() - interval '11 minutes' WHERE payment_id = ${paid.paymentId}`;
  await reconcileRefundsNow(service);
  expect(await alerts()).toHaveLength(2);
  expect(service.logs()).toContain('the gateway refuses our credentials');
  await service.sandbox.clearFaults();
  await reconcileRefundsNow(service);
  expect((await refundsOf(service, paid))[0].status).toBe('Succeeded');
});
