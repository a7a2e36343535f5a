/** Captures that a gateway has and whose invoices the restored database lacks too. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, readRun, runMonth, setPrice, startRun, use, work } from '../../../test/billing/billing.ts';
import { putSettings } from '../../../test/billing/credits.ts';
import { addItem } from '../../../test/billing/items.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import type { TestService } from '../../../test/harness/service.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { adoptTwice, backUpToHold, findCases } from '../../../test/recovery/objects.ts';
import { closeUsageCutoff } from '../../metering/usage/usage.service.ts';

const USED_AT = '2026-10-05T10:00:00Z';

/** What the company's next invoice would be. */
async function upcomingTotal(service: TestService, { companyId }: Actor, month: string): Promise<string> {
  const path = `/operator/companies/${companyId}/upcoming-invoice?period=${month}`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.total;
}

/** Bills July, then late usage of it with that of August, which is paid and lost; then both usages are sent again. */
async function loseLateUsage(service: ChargeService, admin: Actor): Promise<void> {
  await use(service, admin, '/v1/rebuilt', 800, '2026-07-05T10:00:00Z');
  await runMonth(service, '2026-07');
  const { goBack } = await backUpToHold(service);
  const work = async () => {
    await use(service, admin, '/v1/rebuilt', 400, '2026-07-06T10:00:00Z');
    await use(service, admin, '/v1/rebuilt', 1_600, '2026-08-06T10:00:00Z');
  };
  await work();
  await runMonth(service, '2026-08');
  const [, { id, subTotal }] = await invoicesOf(service, admin);
  expect(subTotal).toBe('25.00');
  expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 200);
  await goBack();
  expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
  await closeUsageCutoff(service.database.db);
  await releaseCharges(service);
  const [, { details }] = await invoicesOf(service, admin);
  expect(details).toMatchObject([{ title: 'As captured', amount: 25 }]);
  await work();
}

describe('an invoice that the database has lost with its payment', () => {
  let service: ChargeService;
  beforeAll(async () => {
    service = await startChargeService();
    await setPrice(service, { path: '/v1/rebuilt', unitAmount: '0.0125' });
  });
  afterEach(async () => {
    await releaseCharges(service);
    await expectSoundBooks(service);
  });
  afterAll(() => service?.stop());

  const prepare = async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    expectStatus(await putSettings(service, admin.companyId, { taxRate: '7.7' }), 200);
    return admin;
  };
  const pay = async ({ token }: Actor, { id }: { id: string }) =>
    expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token }), 200).body;
  const lostNumbers = async () =>
    expectStatus(await service.call('GET', '/operator/lost-numbers?perPage=100', { token: service.operatorKey }), 200)
      .body.data;
  const statesOf = async () => (await adoptTwice(service, await findCases(service))).map(({ state }) => state);
  /** What the company reads of its only invoice. */
  const read = async (admin: Actor) => {
    const [{ updatedAt: _updated, createdAt: _created, dueAt: _due, collection: _collection, payment, ...invoice }] =
      await invoicesOf(service, admin);
    return { ...invoice, payment: { id: payment?.id, status: payment?.status } };
  };

  it('of a run has its id, number and lines again, computed from the usage, and no run bills the month again', async () => {
    const admin = await prepare();
    await use(service, admin, '/v1/rebuilt', 3_333, USED_AT);
    await addItem(service, admin.companyId, { amount: '12.00', taxRate: '20' });
    const { goBack } = await backUpToHold(service);
    await runMonth(service, '2026-10');
    const [issued] = await invoicesOf(service, admin);
    await pay(admin, issued);
    const before = await read(admin);
    await goBack();
    expect(await statesOf()).toEqual(['done']);
    expect(await read(admin)).toEqual(before);
    await releaseCharges(service);
    const { id } = await startRun(service, '2026-10');
    await work(service);
    expect((await readRun(service, id)).status).toBe('done');
    expect(await invoicesOf(service, admin)).toHaveLength(1);
    const next = await issueInvoice(service, admin.companyId);
    expect(Number(next.number.slice(-6))).toBe(Number(issued.number.slice(-6)) + 1);
  });

  it('of a run whose usage is lost too has one line with what was captured', async () => {
    const admin = await prepare();
    const { goBack } = await backUpToHold(service);
    await use(service, admin, '/v1/rebuilt', 3_333, USED_AT);
    await runMonth(service, '2026-10');
    const [issued] = await invoicesOf(service, admin);
    await pay(admin, issued);
    const { details: _details, ...before } = await read(admin);
    await goBack();
    expect(await statesOf()).toEqual(['done']);
    const { details, ...after } = await read(admin);
    expect(after).toEqual(before);
    expect(details).toMatchObject([{ title: 'As captured', amount: Number(before.subTotal), kind: 'usage' }]);
    const pdf = await service.call('GET', `/payments/orders/${issued.id}/pdf`, { token: admin.token });
    expect(pdf.status).toBe(200);
  });

  it('by hand has its reference again', async () => {
    const admin = await prepare();
    const { goBack } = await backUpToHold(service);
    const issued = await issueInvoice(service, admin.companyId, { reference: 'order 7', taxRate: '20' });
    await pay(admin, issued);
    await goBack();
    expect(await statesOf()).toEqual(['done']);
    expect(await read(admin)).toMatchObject({
      ...{ id: issued.id, number: issued.number, reference: 'order 7', status: 'Succeeded' },
      ...{ subTotal: issued.subTotal, tax: issued.tax, total: issued.total, taxRate: '20' },
    });
  });

  it('gets another number when another document has got its own since, which is recorded as lost', async () => {
    const admin = await prepare();
    const { goBack } = await backUpToHold(service);
    const issued = await issueInvoice(service, admin.companyId);
    await pay(admin, issued);
    await goBack(async () => {
      const other = await signUpAdmin(service);
      expect((await issueInvoice(service, other.companyId)).number).toBe(issued.number);
    });
    expect(await statesOf()).toEqual(['done']);
    const after = await read(admin);
    expect(after).toMatchObject({ id: issued.id, status: 'Succeeded' });
    expect(after.number).not.toBe(issued.number);
    expect(await lostNumbers()).toContainEqual(expect.objectContaining({ number: issued.number, total: '48.00' }));
  });

  it('is not written if the month was issued again with another number: the payment pays the new invoice', async () => {
    const admin = await prepare();
    await use(service, admin, '/v1/rebuilt', 3_333, USED_AT);
    const { goBack } = await backUpToHold(service);
    await runMonth(service, '2026-10');
    const [issued] = await invoicesOf(service, admin);
    await pay(admin, issued);
    await goBack(async () => {
      await issueInvoice(service, (await signUpAdmin(service)).companyId);
      await runMonth(service, '2026-10');
    });
    const [again] = await invoicesOf(service, admin);
    expect(again.number).not.toBe(issued.number);
    expect(await statesOf()).toEqual(['done']);
    expect(await read(admin)).toMatchObject({ id: issued.id, number: again.number, status: 'Succeeded' });
    const reason = `Superseded by ${again.number}, for the same debt.`;
    expect(await lostNumbers()).toContainEqual(expect.objectContaining({ number: issued.number, reason }));
  });

  it('had several tax rates and its usage is lost: a person decides', async () => {
    const admin = await prepare();
    const { goBack } = await backUpToHold(service);
    await use(service, admin, '/v1/rebuilt', 3_333, USED_AT);
    await addItem(service, admin.companyId, { amount: '12.00', taxRate: '20' });
    await runMonth(service, '2026-10');
    const [issued] = await invoicesOf(service, admin);
    await pay(admin, issued);
    await goBack();
    const decisions = await adoptTwice(service, await findCases(service));
    expect(decisions).toEqual([{ state: 'person', note: expect.stringContaining(issued.number) }]);
    expect(await invoicesOf(service, admin)).toEqual([]);
    expect(await findCases(service)).toEqual([]);
  });

  it('of a run covers its month alone, although earlier months are no longer billed', async () => {
    const admin = await prepare();
    for (const day of ['2026-07-05', '2026-08-05']) await use(service, admin, '/v1/rebuilt', 80, `${day}T10:00:00Z`);
    await use(service, admin, '/v1/rebuilt', 3_333, '2026-09-05T10:00:00Z');
    await runMonth(service, '2026-07');
    const { goBack } = await backUpToHold(service);
    await runMonth(service, '2026-08');
    await runMonth(service, '2026-09');
    const [, skipped, issued] = await invoicesOf(service, admin);
    await pay(admin, issued);
    await goBack();
    const decisions = await adoptTwice(service, await findCases(service));
    expect(decisions).toEqual([{ state: 'done', note: expect.stringContaining('is paid by payment') }]);
    const [, { id, startAt, total, status }] = await invoicesOf(service, admin);
    expect({ id, startAt, total, status }).toEqual({
      ...{ id: issued.id, startAt: issued.startAt, total: issued.total, status: 'Succeeded' },
    });
    // Nothing that is left knows the invoice of August, which nobody had paid.
    const nothing = { companyId: null, total: '0', currency: null };
    expect(await lostNumbers()).toContainEqual(
      expect.objectContaining({ number: skipped.number, type: 'invoice', ...nothing }),
    );
  });

  it('of a run records how much of each month it billed, so that usage which is sent again is not billed twice', async () => {
    const admin = await prepare();
    await loseLateUsage(service, admin);
    expect(await upcomingTotal(service, admin, '2026-09')).toBe('0.00');
    await use(service, admin, '/v1/rebuilt', 80, '2026-07-07T10:00:00Z');
    expect(await upcomingTotal(service, admin, '2026-09')).toBe('1.08');
  });
});

it('Stripe: an invoice of a customer whose first card was saved after the backup is written again', async () => {
  const service = await startStripeChargeService();
  const admin = await signUpAdmin(service);
  const { goBack } = await backUpToHold(service);
  await saveCard(service, admin);
  const issued = await issueInvoice(service, admin.companyId, { taxRate: '20' });
  const { paymentId } = expectStatus(
    await service.call('PUT', `/payments/orders/${issued.id}/pay`, { token: admin.token }),
    200,
  ).body;
  await goBack();
  expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
  expect(await invoicesOf(service, admin)).toMatchObject([
    { id: issued.id, number: issued.number, total: issued.total, status: 'Succeeded', paymentId },
  ]);
  await releaseCharges(service);
  await expectSoundBooks(service);
  await service.stop();
});

describe('PayPal', () => {
  let service: PayPalChargeService;
  beforeAll(async () => {
    service = await startPayPalChargeService();
    await setPrice(service, { path: '/v1/rebuilt', unitAmount: '0.0125' });
  });
  afterAll(() => service?.stop());

  it('an invoice whose object says neither total nor tax is written again with what was captured', async () => {
    const { admin } = await preparePayPalPayable(service);
    const { goBack } = await backUpToHold(service);
    const issued = await issueInvoice(service, admin.companyId, { method: 'paypal', reference: 'order_8' });
    const { paymentId } = expectStatus(
      await service.call('PUT', `/payments/orders/${issued.id}/pay`, { token: admin.token }),
      200,
    ).body;
    await goBack();
    expect((await adoptTwice(service, await findCases(service))).map(({ state }) => state)).toEqual(['done']);
    const found = (await invoicesOf(service, admin)).find(({ id }: { id: string }) => id === issued.id);
    expect(found).toMatchObject({
      ...{ number: issued.number, total: '48.00', reference: 'order_8', method: 'paypal' },
      ...{ status: 'Succeeded', paymentId },
    });
    await releaseCharges(service);
    await expectSoundBooks(service);
  });

  it('an invoice of a run may have billed late usage of earlier months: when that usage is sent again, a person decides', async () => {
    const { admin, invoice } = await preparePayPalPayable(service);
    expectStatus(
      await service.call('POST', `/operator/invoices/${invoice.id}/void`, { token: service.operatorKey }),
      200,
    );
    const body = { invoiceMethod: 'paypal' };
    expectStatus(await service.call('PUT', '/payments/billing-settings', { token: admin.token, body }), 200);
    await loseLateUsage(service, admin);
    expect(await upcomingTotal(service, admin, '2026-09')).toBe('0.00');
    for (const month of ['2026-08', '2026-09']) await runMonth(service, month);
    const path = `/operator/alerts?kind=recovery_review&companyId=${admin.companyId}`;
    const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
    expect(data.map(({ message }: { message: string }) => message).toSorted()).toEqual([
      expect.stringMatching(/^Usage of 2026-07 worth 5\.00 USD .* not billed.*items/),
      expect.stringMatching(/usage of 2026-08 .* worth 5\.00 USD \(net\) less/),
    ]);
  });
});
