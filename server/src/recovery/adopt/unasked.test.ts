/** What happened to captured money at a gateway since the backup, without a request from here. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { expectSoundBooks } from '../../../test/payments/charge.ts';
import { objectOf } from '../../../test/payments/gateway-events.ts';
import { postRefund, preparePaid, reconcileRefundsNow, refundsOf } from '../../../test/payments/refunds.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { backUpToHold, findCases } from '../../../test/recovery/objects.ts';
import { openDispute, winDispute } from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import { bookUnasked, requireSameGateways } from './unasked.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(() => service?.stop());

const bookOnce = () => {
  const { gateways, database } = service;
  return bookUnasked({ db: database.db, gateways }, new Date(Date.now() - 3_600_000));
};
const book = async () => {
  for (let times = 0; times < 2; times += 1) await bookOnce();
};

const listDisputes = async () =>
  expectStatus(await service.call('GET', '/operator/disputes', { token: service.operatorKey }), 200).body.data;

describe('after a restore', () => {
  it('a refund that was made at the gateway is in the books once, with its id of then, and so is a dispute', async () => {
    const refunded = await preparePaid(service);
    const disputed = await preparePaid(service);
    const { goBack } = await backUpToHold(service);
    const gatewayPaymentId = await objectOf(service, refunded);
    const byHand = { gatewayPaymentId, amountMinor: 1_200n, idempotencyKey: randomUUID(), reference: 'by-hand' };
    await service.gateway.refundPayment(byHand);
    openDispute(service.stripe().books, await objectOf(service, disputed));
    await book();
    const readIds = async () => [await refundsOf(service, refunded), await listDisputes()].flat().map(({ id }) => id);
    const ids = await readIds();
    await goBack();
    expect(await findCases(service)).toEqual([]);
    await book();
    expect(await refundsOf(service, refunded)).toMatchObject([{ amount: '12.00', source: 'gateway' }]);
    expect(await listDisputes()).toMatchObject([{ paymentId: disputed.paymentId, status: 'NeedsResponse' }]);
    expect(await readIds()).toEqual(ids);
    await releaseCharges(service);
    await expectSoundBooks(service);
  });

  it('a refund of money that a dispute returned is booked, with the dispute', async () => {
    const paid = await preparePaid(service);
    const gatewayPaymentId = await objectOf(service, paid);
    const dispute = openDispute(service.stripe().books, gatewayPaymentId);
    await bookOnce();
    const { goBack } = await backUpToHold(service);
    winDispute(service.stripe().books, dispute);
    const byHand = { gatewayPaymentId, amountMinor: 4_800n, idempotencyKey: randomUUID(), reference: 'by-hand' };
    await service.gateway.refundPayment(byHand);
    await goBack();
    await bookOnce();
    expect(await refundsOf(service, paid)).toMatchObject([{ amount: '48.00', source: 'gateway' }]);
    await releaseCharges(service);
    await expectSoundBooks(service);
  });

  it('a refund that waits for another refund of the payment raises an alert, and is booked once it is read again', async () => {
    const paid = await preparePaid(service);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect', times: 1 });
    expectStatus(await postRefund(service, paid), 202);
    const { goBack } = await backUpToHold(service);
    const gatewayPaymentId = await objectOf(service, paid);
    const byHand = { gatewayPaymentId, amountMinor: 4_800n, idempotencyKey: randomUUID(), reference: 'by-hand' };
    await service.gateway.refundPayment(byHand);
    await goBack();
    await book();
    const asOperator = { token: service.operatorKey };
    const { data } = (await service.call('GET', `/operator/alerts?companyId=${paid.admin.companyId}`, asOperator)).body;
    expect(data).toMatchObject([{ kind: 'refunded_at_gateway', paymentId: paid.paymentId }]);
    expect(data[0].message).toContain(
      'another refund of the payment has no outcome yet. After the hold, POST /operator/refunds',
    );
    await releaseCharges(service);
    await reconcileRefundsNow(service);
    const body = { gateway: 'stripe', gatewayPaymentId };
    expectStatus(await service.call('POST', '/operator/refunds', { ...asOperator, body }), 200);
    const refunds: { source: string; status: string }[] = await refundsOf(service, paid);
    expect(refunds.map(({ source, status }) => `${source} ${status}`).toSorted()).toEqual([
      'gateway Succeeded',
      'operator Failed',
    ]);
    await expectSoundBooks(service);
  });

  it('a gateway that does not know a capture of the books is another account: nothing goes on', async () => {
    const { database, gateways } = service;
    const paid = await preparePaid(service);
    await expect(requireSameGateways(database.db, gateways)).resolves.toBeUndefined();
    const show = service.hideAtGateway(await objectOf(service, paid));
    await expect(requireSameGateways(database.db, gateways)).rejects.toMatchObject({ code: 'gateway_differs' });
    show();
  });
});
