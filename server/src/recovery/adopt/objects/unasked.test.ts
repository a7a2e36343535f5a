/** What happened to captured money at a gateway since the backup, without a request from here. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../../test/customers/actors.ts';
import { expectSoundBooks } from '../../../../test/payments/charge.ts';
import { objectOf } from '../../../../test/payments/gateway-events.ts';
import { preparePaid, refundsOf } from '../../../../test/payments/refunds.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../../test/payments/stripe-charge.ts';
import { releaseCharges } from '../../../../test/recovery/hold.ts';
import { backUpToHold, findCases } from '../../../../test/recovery/objects.ts';
import { openDispute } from '../../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import { requireSameGateways } from './same-gateways.ts';
import { bookUnasked } from './unasked.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(() => service?.stop());

const book = async () => {
  const { gateways, database } = service;
  for (let times = 0; times < 2; times += 1)
    await bookUnasked({ db: database.db, gateways }, new Date(Date.now() - 3_600_000));
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

  it('a gateway that does not know a capture of the books is another account: nothing goes on', async () => {
    const { database, gateways } = service;
    const paid = await preparePaid(service);
    await expect(requireSameGateways(database.db, gateways, [])).resolves.toEqual([]);
    const show = service.hideAtGateway(await objectOf(service, paid));
    await expect(requireSameGateways(database.db, gateways, [])).rejects.toMatchObject({ code: 'gateway_differs' });
    show();
  });
});
