/** Direct debits that are on their way at the gateway, and whose payments the restored database lacks. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, putSettings } from '../../../test/billing/credits.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { IBANS, saveMandate } from '../../../test/customers/card-setups.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { adoptTwice, backUpToHold, findCases } from '../../../test/recovery/objects.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => {
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(async () => service?.stop());

async function prepare(iban: string) {
  const admin = await signUpAdmin(service);
  await saveMandate(service, admin, iban);
  return prepareInvoice(service, admin, { details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }] });
}

describe('a debit on its way that the database has lost', () => {
  it('runs again with its old id and its credit, holds nothing up, and pays its invoice when it settles', async () => {
    const payable = await prepare(IBANS.settlesLater);
    expectStatus(await putSettings(service, payable.admin.companyId, { currency: 'EUR' }), 200);
    await grantCredit(service, payable.admin.companyId, { amount: '20.00', currency: 'EUR' });
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 202);
    const { id } = await paymentOf(service, payable);
    await goBack();
    expect(await paymentsOf(service, payable)).toHaveLength(0);
    const cases = await findCases(service);
    expect(await adoptTwice(service, cases)).toEqual([{ state: 'done', note: expect.stringContaining('28.00 EUR') }]);
    expect(await paymentOf(service, payable)).toMatchObject({ id, state: 'processing' });
    expect(await readInvoice(service, payable)).toMatchObject({
      status: 'Processing',
      payment: { id, status: 'Processing', amount: '28.00', creditAmount: '20.00' },
    });
    expect(await findCases(service)).toEqual([]);
    await releaseCharges(service);
    await service.sandbox.endDelays();
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId: id });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is charged by nothing else, and comes back as the gateway says', async () => {
    const payable = await prepare(IBANS.failsLater);
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 202);
    await goBack();
    await adoptTwice(service, await findCases(service));
    await releaseCharges(service);
    expectStatus(await payable.pay(), 202);
    expect(await paymentsOf(service, payable)).toHaveLength(1);
    await service.sandbox.endDelays();
    await service.reconcileNow();
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'failed', failureReason: 'declined' });
  });

  it('is not charged beside, even if nobody has noticed that the database went back', async () => {
    const payable = await prepare(IBANS.settlesLater);
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 202);
    await goBack();
    await releaseCharges(service);
    expectStatus(await payable.pay(), 202);
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'unknown' });
    await service.sandbox.endDelays();
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});
