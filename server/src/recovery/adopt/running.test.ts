/** A charge that ran when the backup was taken, and was captured, credited and refunded afterwards. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  paymentsOf,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterAll(async () => service?.stop());

it.each(['create', 'confirm'] as const)(
  'after %s is paid again, with its credit note and its refund',
  async (operation) => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation, kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    const { goBack } = await prepareToGoBack(service);
    await settleAll(service);
    const { paymentId } = await readInvoice(service, payable);
    expectStatus(await credit(service, payable.invoice.id, { amount: '2.00' }), 201);
    expectStatus(await postRefund(service, { paymentId }, { amount: '5.00' }), 201);
    const refunds = await refundsOf(service, { paymentId });
    await goBack();
    expect((await paymentsOf(service, payable)).map(({ state }) => state)).toEqual(['unknown']);

    const { decided, remaining } = expectStatus(await adopt(service), 200).body;
    expect(decided.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
    expect(remaining).toBe(0);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect((await refundsOf(service, { paymentId })).map(({ id }: { id: string }) => id)).toEqual(
      refunds.map(({ id }: { id: string }) => id),
    );
    expect(await capturesOf(service, payable)).toHaveLength(1);
    await releaseCharges(service);
    await expectSoundBooks(service);
  },
);

it('whose capture is seen only after the cases were processed is booked after the last case', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  const { goBack } = await prepareToGoBack(service);
  for (let count = 0; count < 2; count += 1) await issueInvoice(service, payable.admin.companyId);
  await goBack();
  const [payment] = await paymentsOf(service, payable);
  const show = service.hideAtGateway(payment?.gatewayPaymentId ?? '');
  expect(expectStatus(await adopt(service, { limit: 1 }), 200).body).toMatchObject({ remaining: 1 });
  show();
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ remaining: 0 });
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: payment?.id });
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('has a second object that is missed until it is canceled, if the first one was canceled', async () => {
  const payable = await preparePayable(service);
  const { goBack } = await prepareToGoBack(service);
  await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
  await service.reconcileNow();
  await goBack();
  expect(expectStatus(await adopt(service, { limit: 1 }), 200).body).toMatchObject({ remaining: 1 });
  const { owner } = service.database;
  // A pass may compare it only now.
  await owner`DELETE FROM recovery_cases WHERE company_id = ${payable.admin.companyId} AND state = 'open'`;
  expect(await compareNow(service)).toBe(1);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({
    decided: [{ state: 'done', note: expect.stringContaining('canceled') }],
    remaining: 0,
  });
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await settleAll(service);
});

it('has a second object whose capture is missed until it is in the books, if the first one was canceled', async () => {
  const payable = await preparePayable(service);
  const { goBack } = await prepareToGoBack(service);
  await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  await settleAll(service);
  const { paymentId } = await readInvoice(service, payable);
  await goBack();
  const cases = await listCases(service, payable.admin.companyId);
  expect(cases.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['payment open', 'payment open']);

  expect(expectStatus(await adopt(service, { limit: 1 }), 200).body).toMatchObject({
    decided: [{ state: 'done', note: expect.stringContaining('canceled') }],
    remaining: 1,
  });
  expect(await compareNow(service)).toBe(1);
  const { owner } = service.database;
  // It is found also if the gateway lists it only now.
  await owner`DELETE FROM recovery_cases WHERE company_id = ${payable.admin.companyId} AND state = 'open'`;
  expect(await compareNow(service)).toBe(1);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('whose capture the gateway shows only after the payment has failed here is paid with another one', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
  expect((await payable.pay()).status).toBe(202);
  const { goBack } = await prepareToGoBack(service);
  await settleAll(service);
  const [captured] = await paymentsOf(service, payable);
  await goBack(async () => {
    // As a search that lags.
    const asked = vi.spyOn(service.gateways.of('sandbox'), 'listPaymentsOfDebt').mockResolvedValue([]);
    await service.sandbox.forgetIdempotencyKeys();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'declined' });
    await settleAll(service);
    asked.mockRestore();
  });
  expect(await paymentsOf(service, payable)).toMatchObject([{ id: captured?.id, state: 'failed' }]);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ remaining: 0 });
  const [, adopted] = await paymentsOf(service, payable);
  expect(adopted).toMatchObject({ state: 'captured', gatewayPaymentId: captured?.gatewayPaymentId });
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: adopted?.id });
  expect(await capturesOf(service, payable)).toHaveLength(1);
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
});
