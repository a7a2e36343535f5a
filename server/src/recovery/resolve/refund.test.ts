/** Captures of companies that the restored database lacks: a person books them to another company, or refunds them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { invoicesOf } from '../../../test/billing/billing.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { lookNow } from '../../../test/ledger/fees-and-payouts.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { preparePayPalPayable, startPayPalChargeService } from '../../../test/payments/paypal-charge.ts';
import { postRefund, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';
import { startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { adoptTwice, backUpToHold, captureAgain, findCases, readDifferences } from '../../../test/recovery/objects.ts';
import { resolve } from '../../../test/recovery/resolve.ts';
import { SYSTEM } from '../../platform/http/route/actor.ts';
import { bookUnasked } from '../adopt/unasked.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { refundCapture } from './captures.ts';

type World = Omit<ChargeService, 'stop'> & { stop: () => Promise<void> };
const services: World[] = [];
afterEach(async () => {
  for (const service of services) {
    await releaseCharges(service);
    await expectSoundBooks(service);
  }
});
afterAll(async () => {
  for (const service of services) await service.stop();
});

/** Loses a company with its paid invoice. @returns the case of its capture */
async function loseCompany(
  service: World,
  prepare: () => Promise<Payable>,
): Promise<RecoveryCase & { objectId: string }> {
  const { goBack } = await backUpToHold(service);
  const payable = await prepare();
  expectStatus(await payable.pay(), 200);
  await goBack();
  const [found] = await findCases(service);
  if (found === undefined || found.objectId === null) throw new Error('the capture is no case');
  return { ...found, objectId: found.objectId };
}

/** As they are once a person has been told. */
const waiting = (cases: readonly RecoveryCase[]) => cases.map((found) => ({ ...found, state: 'person' as const }));

/** As adopting does after the last case. */
const bookRefunds = ({ database: { db }, gateways }: World) =>
  bookUnasked({ db, gateways }, new Date(Date.now() - 3_600_000));

async function postings(service: World) {
  const path = '/operator/ledger?perPage=100&account=unallocated';
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.map(({ companyId, kind, amount }: Record<string, string>) => [companyId, kind, amount]);
}

describe.each<[string, () => Promise<[World, () => Promise<Payable>]>]>([
  ['the sandbox', async () => startChargeService().then((service) => [service, () => preparePayable(service)])],
  ['Stripe', async () => startStripeChargeService().then((service) => [service, () => preparePayable(service)])],
  ['PayPal', async () => startPayPalChargeService().then((service) => [service, () => preparePayPalPayable(service)])],
])('a capture at %s of a company that the database has lost', (_name, start) => {
  it('waits for a person, is refunded once during the hold, and belongs to no company in the ledger', async () => {
    const [service, prepare] = await start();
    services.push(service);
    const found = await loseCompany(service, prepare);
    const [decision] = await adoptTwice(service, [found]);
    expect(decision?.state).toBe('person');
    expect(decision?.note).toContain(`--company ${found.companyId}=`);
    expect(decision?.note).toContain(`--refund ${found.objectId}`);
    expect(await findCases(service)).toEqual([]);

    const dependencies = { db: service.database.db, gateways: service.gateways };
    const request = { gateway: service.gateway.name, gatewayPaymentId: found.objectId };
    const refund = await refundCapture(dependencies, { ...request, actor: SYSTEM });
    expect(refund).toMatchObject({ ...request, amount: '48.00', currency: 'USD' });
    expect(await refundCapture(dependencies, { ...request, actor: SYSTEM })).toEqual(refund);
    const { refunds } = await service.sandbox.readLedger();
    expect(refunds.map(({ id, amountMinor }) => [id, amountMinor])).toEqual([[refund.gatewayRefundId, 4_800n]]);
    expect(await postings(service)).toEqual([
      [null, 'payment_captured', '-48.00'],
      [null, 'refund_sent', '48.00'],
    ]);
    // Stripe's fee for the capture belongs to no payment in the books.
    const fees = service.gateway.name === 'stripe' ? [{ kind: 'missing_here', entry: 'fee' }] : [];
    expect(await readDifferences(service)).toMatchObject(fees);
    expect(await findCases(service)).toEqual([]);
  });
});

describe('a capture of a company that the database has lost', () => {
  it('is refunded after the hold with Stripe’s fee for it, although the balance was read before', async () => {
    const service = await startStripeChargeService();
    services.push(service);
    await preparePaid(service);
    const found = await loseCompany(service, () => preparePayable(service));
    await adoptTwice(service, [found]);
    await releaseCharges(service);
    await lookNow(service);
    // As looks read that are made some time later.
    await service.database
      .owner`UPDATE gateway_looks SET (looked_up_to, looked_at) = (now() + interval '3 minutes', now() + interval '3 minutes')`;
    const dependencies = { db: service.database.db, gateways: service.gateways };
    await refundCapture(dependencies, { gateway: 'stripe', gatewayPaymentId: found.objectId, actor: SYSTEM });
    await lookNow(service);
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is booked to another company when a person names it, with its invoice and its refund', async () => {
    const service = await startChargeService();
    services.push(service);
    const { goBack } = await backUpToHold(service);
    const { paymentId } = await preparePaid(service);
    expectStatus(await postRefund(service, { paymentId }, { amount: '8.00' }), 201);
    await goBack();
    const cases = await findCases(service);
    expect(await adoptTwice(service, cases)).toMatchObject([{ state: 'person' }, { state: 'done' }]);
    const captures = waiting(cases.slice(0, 1));
    const heir = await signUpAdmin(service);
    const companies = new Map(captures.map(({ companyId }) => [companyId, heir.companyId]));
    expect(await adoptTwice(service, captures, companies)).toMatchObject([{ state: 'done' }]);
    await bookRefunds(service);
    const { details } = JSON.parse(captures[0]?.content ?? '');
    expect(await invoicesOf(service, heir)).toMatchObject([
      { id: details.invoiceId, number: details.invoiceNumber, status: 'Succeeded', paymentId },
    ]);
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '8.00', status: 'Succeeded' }]);
  });

  it('is booked with its refund if it was refunded in full before, and another company can still get both', async () => {
    const service = await startChargeService();
    services.push(service);
    const { goBack } = await backUpToHold(service);
    const { paymentId } = await preparePaid(service);
    expectStatus(await postRefund(service, { paymentId }), 201);
    await goBack();
    const cases = await findCases(service);
    const [decision] = await adoptTwice(service, cases);
    expect(decision).toEqual({ state: 'person', note: expect.stringContaining('booked to the account `unallocated`') });
    const both = [
      [null, 'payment_captured', '-48.00'],
      [null, 'refund_sent', '48.00'],
    ];
    expect(await postings(service)).toEqual(both);
    expect(await readDifferences(service)).toEqual([]);
    await expectSoundBooks(service);

    const [found] = cases;
    const heir = await signUpAdmin(service);
    const companies = new Map([[found?.companyId ?? '', heir.companyId]]);
    expect(await adoptTwice(service, waiting(cases.slice(0, 1)), companies)).toMatchObject([{ state: 'done' }]);
    await bookRefunds(service);
    expect(await invoicesOf(service, heir)).toMatchObject([{ status: 'Succeeded', paymentId, creditedTotal: '48.00' }]);
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '48.00', status: 'Succeeded' }]);
    expect(await postings(service)).toEqual([
      ...both,
      [null, 'refund_sent', '48.00'],
      [null, 'payment_captured', '-48.00'],
    ]);
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is refunded only by what was not refunded before, and the books have every refund', async () => {
    const service = await startChargeService();
    services.push(service);
    const refund = (gatewayPaymentId: string) =>
      refundCapture(
        { db: service.database.db, gateways: service.gateways },
        { gateway: 'sandbox', gatewayPaymentId, actor: SYSTEM },
      );
    const { goBack } = await backUpToHold(service);
    const [partly, wholly] = [await preparePaid(service), await preparePaid(service)];
    expectStatus(await postRefund(service, partly, { amount: '8.00' }), 201);
    expectStatus(await postRefund(service, wholly), 201);
    await goBack();
    await adoptTwice(service, await findCases(service));
    const { payments, refunds } = await service.sandbox.readLedger();
    const objectOf = ({ paymentId }: { paymentId: string }) =>
      payments.find(({ reference }) => reference === paymentId)?.id ?? '';
    expect(await refund(objectOf(partly))).toMatchObject({ amount: '40.00' });
    const made = { amount: '0.00', gatewayRefundId: refunds.at(-1)?.id };
    expect(await refund(objectOf(wholly))).toMatchObject(made);
    expect(await refund(objectOf(wholly))).toMatchObject(made);
    expect((await service.sandbox.readLedger()).refunds.map(({ amountMinor }) => amountMinor)).toEqual([
      800n,
      4_800n,
      4_000n,
    ]);
    expect((await postings(service)).map(([, , amount]: string[]) => amount)).toEqual(
      expect.arrayContaining(['-48.00', '8.00', '40.00', '-48.00', '48.00']),
    );
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is not refunded while the books have it or when no recovery found it, and is refunded once after a lost answer', async () => {
    const service = await startChargeService();
    services.push(service);
    const dependencies = { db: service.database.db, gateways: service.gateways };
    const refund = (gatewayPaymentId: string) =>
      refundCapture(dependencies, { gateway: 'sandbox', gatewayPaymentId, actor: SYSTEM });
    await expect(refund(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    const payable = await preparePayable(service);
    const { goBack } = await backUpToHold(service);
    expectStatus(await payable.pay(), 200);
    await goBack();
    const [found] = await findCases(service);
    await expect(refund(found?.objectId ?? '')).rejects.toMatchObject({ code: 'not_under_review' });
    await adoptTwice(service, found === undefined ? [] : [found]);
    await expect(refund(found?.objectId ?? '')).rejects.toMatchObject({ code: 'not_under_review' });
    await releaseCharges(service);

    const lost = await loseCompany(service, () => preparePayable(service));
    await adoptTwice(service, [lost]);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect', times: 1 });
    await expect(refund(lost.objectId)).rejects.toMatchObject({ code: 'service_unavailable' });
    await service.sandbox.forgetIdempotencyKeys();
    await refund(lost.objectId);
    const { refunds } = await service.sandbox.readLedger();
    expect(refunds.filter(({ paymentId }) => paymentId === lost.objectId)).toHaveLength(1);
  });

  it('is in the audit log once, with who began the refund, also if the answer of the gateway is lost', async () => {
    const service = await startChargeService();
    services.push(service);
    const found = await loseCompany(service, () => preparePayable(service));
    await adoptTwice(service, [found]);
    const refund = () => resolve(service, found.id, { outcome: 'refunded' });
    const readAudit = async () => {
      const path = '/operator/audit-log?action=recovery_refund.created';
      return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.data;
    };
    const after = { gateway: 'sandbox', gatewayPaymentId: found.objectId, amount: '48.00', currency: 'USD' };
    const once = [{ actor: { kind: 'operator_key' }, changes: { after } }];
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect', times: 1 });
    expectStatus(await refund(), 503);
    expect(await readAudit()).toMatchObject(once);
    for (const answer of await Promise.all([refund(), refund(), refund()])) expectStatus(answer, 200);
    expect(await readAudit()).toMatchObject(once);
  });

  it('cannot be booked to a company once its refund has begun, even if the gateway has not answered', async () => {
    const service = await startChargeService();
    services.push(service);
    const dependencies = { db: service.database.db, gateways: service.gateways };
    const found = await loseCompany(service, () => preparePayable(service));
    await adoptTwice(service, [found]);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect', times: 1 });
    const request = { gateway: 'sandbox', gatewayPaymentId: found.objectId };
    await expect(refundCapture(dependencies, { ...request, actor: SYSTEM })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    const heir = await signUpAdmin(service);
    const companies = new Map([[found.companyId, heir.companyId]]);
    const [decision] = await adoptTwice(service, [found], companies);
    expect(decision).toMatchObject({ state: 'person', note: expect.stringMatching(/refund .*was begun/) });
    expect(await invoicesOf(service, heir)).toEqual([]);
    await refundCapture(dependencies, { ...request, actor: SYSTEM });
    const { refunds } = await service.sandbox.readLedger();
    expect(refunds.filter(({ paymentId }) => paymentId === found.objectId)).toHaveLength(1);
    expect(await postings(service)).toHaveLength(2);
  });

  it('is refunded without a deadlock while somebody adopts it', async () => {
    const service = await startChargeService();
    services.push(service);
    const found = await loseCompany(service, () => preparePayable(service));
    await adoptTwice(service, [found]);
    const { db, owner } = service.database;
    const gateway = service.gateways.of('sandbox');
    let adopting: Promise<unknown> = Promise.resolve();
    const refundPayment = async (request: Parameters<typeof gateway.refundPayment>[0]) => {
      const made = await gateway.refundPayment(request);
      const { promise: hasCases, resolve: haveCases } = Promise.withResolvers<void>();
      adopting = owner.begin(async (tx) => {
        await tx`SELECT FROM recovery_cases WHERE object_id = ${found.objectId} FOR UPDATE`;
        haveCases();
        const countWaiting = () => db`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await expect.poll(countWaiting).toHaveLength(1);
        await tx`SELECT FROM unallocated_captures WHERE gateway_payment_id = ${found.objectId} FOR UPDATE NOWAIT`;
      });
      await hasCases;
      return made;
    };
    const gateways = { ...service.gateways, of: () => ({ ...gateway, refundPayment }) };
    const request = { gateway: 'sandbox', gatewayPaymentId: found.objectId } as const;
    expect(await refundCapture({ db, gateways }, { ...request, actor: SYSTEM })).toMatchObject({ amount: '48.00' });
    await adopting;
  });

  it('is refunded when it is a second capture of a paid debt', async () => {
    const service = await startChargeService();
    services.push(service);
    const payable = await preparePayable(service);
    expectStatus(await payable.pay(), 200);
    const { goBack } = await backUpToHold(service);
    const gatewayPaymentId = await captureAgain(service, payable);
    await goBack();
    const cases = await findCases(service);
    const [decision] = await adoptTwice(service, cases);
    expect(decision).toEqual({ state: 'person', note: expect.stringContaining(`--refund ${gatewayPaymentId}`) });
    const dependencies = { db: service.database.db, gateways: service.gateways };
    const again = await backUpToHold(service);
    await refundCapture(dependencies, { gateway: 'sandbox', gatewayPaymentId, actor: SYSTEM });
    expect(await postings(service)).toHaveLength(2);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });

    await again.goBack();
    expect(await postings(service)).toEqual([]);
    expect(await adoptTwice(service, await findCases(service))).toMatchObject([{ state: 'done' }]);
    expect(await postings(service)).toHaveLength(2);
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is booked with its refund when it is a second capture of a paid debt that was refunded in full', async () => {
    const service = await startChargeService();
    services.push(service);
    const payable = await preparePayable(service);
    expectStatus(await payable.pay(), 200);
    const { goBack } = await backUpToHold(service);
    const gatewayPaymentId = await captureAgain(service, payable);
    await service.gateway.refundPayment({
      ...{ idempotencyKey: randomUUID(), gatewayPaymentId, amountMinor: 4_800n, reference: randomUUID(), details: {} },
    });
    await goBack();
    const [decision] = await adoptTwice(service, await findCases(service));
    expect(decision).toEqual({ state: 'done', note: expect.stringContaining('booked to the account `unallocated`') });
    expect(await postings(service)).toHaveLength(2);
    expect(await readDifferences(service)).toEqual([]);
  });
});
