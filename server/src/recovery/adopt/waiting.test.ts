/** A payment that waits for its customer or its bank, while the database goes back. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { answerBank, endsOf, payAndWait } from '../../../test/confirmations/confirmation.ts';
import { CARDS, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { IBANS, saveMandate } from '../../../test/customers/card-setups.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  prepareInvoice,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterAll(async () => service?.stop());

const EURO = { details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }] };
const prepare = () => preparePayable(service, { cardNumber: CARDS.asksAlways });

async function adoptAll(): Promise<void> {
  const { decided, remaining } = expectStatus(await adopt(service), 200).body;
  expect(decided.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
  expect(remaining).toBe(0);
}

it('and which the database has lost is an open object: canceled, and the invoice can be charged afterwards', async () => {
  const payable = await prepare();
  const { goBack } = await prepareToGoBack(service);
  const { nextAction } = await payAndWait(payable);
  await goBack();
  await adoptAll();
  await releaseCharges(service);
  expect((await answerBank(service, nextAction.clientSecret)).status).toBe(409);
  const again = await payAndWait(payable);
  expectStatus(await answerBank(service, again.nextAction.clientSecret), 200);
  expectStatus(await payable.pay(), 200);
  expect(await capturesOf(service, payable)).toHaveLength(1);
  await expectSoundBooks(service);
});

it('and was confirmed after the database had lost it pays its invoice, by its id', async () => {
  const payable = await prepare();
  const { goBack } = await prepareToGoBack(service);
  const { paymentId, nextAction } = await payAndWait(payable);
  await goBack();
  expectStatus(await answerBank(service, nextAction.clientSecret), 200);
  await adoptAll();
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('and which the backup has is booked when it was confirmed since', async () => {
  const payable = await prepare();
  const { paymentId, nextAction } = await payAndWait(payable);
  const { goBack } = await prepareToGoBack(service);
  expectStatus(await answerBank(service, nextAction.clientSecret), 200);
  await service.reconcileNow();
  expect(await endsOf(service, payable)).toEqual(['captured']);
  await goBack();
  expect(await endsOf(service, payable)).toEqual(['requires_action']);
  await adoptAll();
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
  await releaseCharges(service);
  expect(await capturesOf(service, payable)).toHaveLength(1);
  await expectSoundBooks(service);
});

it.each(['new', 'older than what is compared'])(
  'for its bank, and whose object is %s, is booked with its credit note and its refund when the debit has settled since',
  async (age) => {
    const admin = await signUpAdmin(service);
    await saveMandate(service, admin, IBANS.settlesLater);
    const payable = await prepareInvoice(service, admin, EURO);
    expectStatus(await payable.pay(), 202);
    const { goBack } = await prepareToGoBack(service);
    await service.sandbox.endDelays();
    await service.reconcileNow();
    const { paymentId } = await readInvoice(service, payable);
    expectStatus(await credit(service, payable.invoice.id, { amount: '2.00' }), 201);
    expectStatus(await postRefund(service, { paymentId }, { amount: '5.00' }), 201);
    const idsOfRefunds = async () => (await refundsOf(service, { paymentId })).map(({ id }: { id: string }) => id);
    const refunds = await idsOfRefunds();
    await goBack();
    expect(await endsOf(service, payable)).toEqual(['processing']);
    const listed = vi.spyOn(service.gateways.of('sandbox'), 'listPayments');
    if (age !== 'new') listed.mockResolvedValue({ entries: [], nextCursor: null });
    await adoptAll();
    listed.mockRestore();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await idsOfRefunds()).toEqual(refunds);
    await releaseCharges(service);
    await expectSoundBooks(service);
  },
);
