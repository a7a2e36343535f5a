/** Refunds that were made in a gateway's dashboard since the backup, with what the journal knows of them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { type ChargeService, expectSoundBooks, paymentOf, startChargeService } from '../../../test/payments/charge.ts';
import { type Paid, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterEach(async () => {
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(() => service?.stop());

/** Refunds so much in the dashboard, and reads it from there. */
async function refundByHand(paid: Paid, amountMinor: bigint): Promise<void> {
  const { gatewayPaymentId } = await paymentOf(service, paid);
  const request = { amountMinor, idempotencyKey: randomUUID(), reference: 'by-hand' };
  await service.gateway.refundPayment({ ...request, gatewayPaymentId: gatewayPaymentId ?? '' });
  const body = { gateway: 'sandbox', gatewayPaymentId };
  expectStatus(await service.call('POST', '/operator/refunds', { token: service.operatorKey, body }), 200);
}

/** What the refunds say, but for when they came into the books. */
async function readRefunds(paid: Paid): Promise<object[]> {
  const refunds: { createdAt: string; updatedAt: string }[] = await refundsOf(service, paid);
  return refunds.map((one) => ({ ...one, createdAt: null, updatedAt: null }));
}

async function adoptAll(): Promise<void> {
  expect(expectStatus(await adopt(service), 200).body.remaining).toBe(0);
}

it('name the credit notes that they had', async () => {
  const paid = await preparePaid(service);
  const { goBack } = await prepareToGoBack(service);
  await refundByHand(paid, 1_200n);
  await refundByHand(paid, 1_200n);
  const before = await readRefunds(paid);
  expect(before).toMatchObject([{ creditNoteId: expect.any(String) }, { creditNoteId: expect.any(String) }]);
  await goBack();
  await adoptAll();
  expect(await readRefunds(paid)).toEqual(before);
});

it('name no credit note if an earlier one covers the refund', async () => {
  const paid = await preparePaid(service);
  const { goBack } = await prepareToGoBack(service);
  expectStatus(await credit(service, paid.invoice.id, { amount: '12.00' }), 201);
  await refundByHand(paid, 1_200n);
  const before = await readRefunds(paid);
  expect(before).toMatchObject([{ creditNoteId: null }]);
  await goBack();
  await adoptAll();
  expect(await readRefunds(paid)).toEqual(before);
});

it('name no credit note if theirs could not be written again, and another one has its number', async () => {
  const paid = await preparePaid(service);
  const { goBack } = await prepareToGoBack(service);
  await refundByHand(paid, 4_000n);
  await goBack(() => credit(service, paid.invoice.id, { amount: '48.00' }));
  await adoptAll();
  expect(await readRefunds(paid)).toMatchObject([{ amount: '40.00', creditNoteId: null }]);
});
