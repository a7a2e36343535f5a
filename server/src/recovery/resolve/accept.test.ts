/** A second capture of a debt that is paid already: a person accepts it, and it is credit of the company. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { putSettings, readLedger } from '../../../test/billing/credits.ts';
import { expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { adoptTwice, backUpToHold, captureAgain, findCases, readDifferences } from '../../../test/recovery/objects.ts';
import { resolveCapture } from '../../../test/recovery/resolve.ts';
import { type MarkOf, selectMissingMarks } from '../marks/compare.worker.queries.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => {
  await service.sandbox.clearFaults();
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(() => service?.stop());

type Second = Payable & { paymentId: string; object: string };

/** A paid invoice of 48.00 USD whose debt was captured once more by what the database has lost; a person has been told. */
async function prepareSecond(): Promise<Second> {
  const payable = await preparePayable(service);
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  const { goBack } = await backUpToHold(service);
  const object = await captureAgain(service, payable);
  await goBack();
  const [decision] = await adoptTwice(service, await findCases(service));
  expect(decision).toEqual({ state: 'person', note: expect.stringContaining(`--accept ${object}\``) });
  return { ...payable, paymentId, object };
}

const accept = (gatewayPaymentId: string) => resolveCapture(service, gatewayPaymentId, 'accepted');
const refund = (gatewayPaymentId: string) => resolveCapture(service, gatewayPaymentId, 'refunded');
const read = async (path: string) =>
  expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
const creditOf = async ({ admin }: Payable) => (await readLedger(service, admin.companyId)).balance;

async function auditOf({ admin }: Payable): Promise<string[]> {
  const path = `/operator/audit-log?companyId=${admin.companyId}&action=payment.accepted`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.map(({ target }: { target: { id: string } }) => target.id);
}

describe('a second capture of a debt that is accepted', () => {
  it('is credit of the company once, also during the hold, and the books agree with the gateway', async () => {
    const second = await prepareSecond();
    const answers = await Promise.all([1, 2, 3].map(() => accept(second.object)));
    const [first] = answers;
    const { companyId } = second.admin;
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...{ gateway: 'sandbox', gatewayPaymentId: second.object, companyId, invoiceId: second.invoice.id },
        ...{ paymentId: expect.any(String), amount: '48.00', currency: 'USD' },
      },
    });
    for (const answer of answers) expect(answer.body).toEqual(first?.body);
    const { paymentId } = first?.body ?? {};
    expect(await readLedger(service, companyId)).toMatchObject({
      balance: '48.00',
      data: [{ kind: 'overpayment', amount: '48.00', paymentId, invoiceId: second.invoice.id }],
    });
    expect((await postingsOf(service, companyId)).slice(-2).toSorted()).toEqual([
      'payment_captured cash:sandbox 48.00',
      'payment_captured credit -48.00',
    ]);
    expect(await auditOf(second)).toEqual([paymentId]);
    expect(await readInvoice(service, second)).toMatchObject({ status: 'Succeeded', paymentId: second.paymentId });
    const whole = await read(`/operator/invoices/${second.invoice.id}`);
    expect(whole.payment).toMatchObject({ id: second.paymentId, amount: '48.00' });
    expect(whole.attempts).toMatchObject([{ id: second.paymentId }, { id: paymentId, amount: '48.00' }]);
    const [event] = (await read(`/operator/events?type=payment.captured&companyId=${companyId}`)).data;
    expect(event.data).toMatchObject({ id: paymentId, amount: '48.00', status: 'Succeeded' });
    const { total } = await read(`/operator/payments?companyId=${companyId}&currency=USD&min=48.00&max=48.00`);
    expect(total).toBe(2);
    expect(await findCases(service)).toEqual([]);
    expect(await readDifferences(service)).toEqual([]);
  });

  it('pays the next invoice, and refunds of both payments return what they took', async () => {
    const second = await prepareSecond();
    const { paymentId: accepted } = expectStatus(await accept(second.object), 200).body;
    await releaseCharges(service);
    const { id: next } = await issueInvoice(service, second.admin.companyId, {
      details: [{ title: 'Support', path: '/v1/support', totalRequest: 1, currency: 'USD', amount: '50.00' }],
    });
    const path = `/payments/orders/${next}/pay`;
    const { paymentId } = expectStatus(await service.call('PUT', path, { token: second.admin.token }), 200).body;
    expect(await creditOf(second)).toBe('0.00');
    expect((await postRefund(service, { paymentId: accepted })).body.error.code).toBe('refund_exceeds_payment');
    expect((await postRefund(service, { paymentId })).body).toMatchObject({ amount: '50.00', status: 'Succeeded' });
    expect((await postRefund(service, second)).body).toMatchObject({ amount: '48.00', status: 'Succeeded' });
    expect(await creditOf(second)).toBe('48.00');
    expect(await refundsOf(service, { paymentId: accepted })).toEqual([]);
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is either accepted or refunded when a person asks for both at once', async () => {
    const second = await prepareSecond();
    const [accepted, refunded] = await Promise.all([accept(second.object), refund(second.object)]);
    const isAccepted = accepted.status === 200;
    expect(isAccepted).toBe(refunded.status !== 200);
    expect(await creditOf(second)).toBe(isAccepted ? '48.00' : '0.00');
    const other = isAccepted ? refund : accept;
    expect((await other(second.object)).body.error.code).toBe('not_under_review');
    expect(await readDifferences(service)).toEqual([]);
  });

  it('is found as missing when the database goes back to before the acceptance', async () => {
    const { db, owner } = service.database;
    const second = await prepareSecond();
    const { restore } = await backUp(owner);
    expectStatus(await accept(second.object), 200);
    const marks = await owner<MarkOf[]>`SELECT company_id AS "companyId", mark, written_at::text AS at FROM marks`;
    expect(await selectMissingMarks(db, marks)).toEqual([]);
    await restore();
    expect(await selectMissingMarks(db, marks)).toHaveLength(1);
  });

  it('is refused without an answer of the gateway, after a partial refund, and in another currency than the credit', async () => {
    const second = await prepareSecond();
    await service.sandbox.armFault({ operation: 'find', kind: 'outage' });
    expect((await accept(second.object)).status).toBe(503);
    await service.sandbox.clearFaults();
    expectStatus(await putSettings(service, second.admin.companyId, { currency: 'EUR' }), 200);
    expect((await accept(second.object)).body.error.code).toBe('credit_currency_differs');
    expectStatus(await putSettings(service, second.admin.companyId, { currency: 'USD' }), 200);
    const byHand = { idempotencyKey: `hand-${second.object}`, reference: `hand-${second.object}`, amountMinor: 100n };
    await service.gateway.refundPayment({ ...byHand, gatewayPaymentId: second.object, isRecovery: true });
    expect((await accept(second.object)).body.error.code).toBe('payment_under_review');
    expect(await creditOf(second)).toBe('0.00');
  });

  it('is refused unless a recovery has left it to a person, and when its company is lost', async () => {
    expect((await accept('sbx_unknown')).body.error.code).toBe('not_found');
    const { goBack } = await backUpToHold(service);
    const lost = await preparePayable(service);
    expectStatus(await lost.pay(), 200);
    await goBack();
    const [found] = await findCases(service);
    const object = found?.objectId ?? '';
    expect((await accept(object)).body.error.code).toBe('not_under_review');
    await adoptTwice(service, found === undefined ? [] : [found]);
    expect(await accept(object)).toMatchObject({ status: 409, body: { error: { code: 'not_under_review' } } });
    await refund(object);
  });
});
