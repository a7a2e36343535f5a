/** What a hold of the database stops, also in a process that has not read it yet. */
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, invoiceBody, saveCard } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import {
  givenBack,
  type Paid,
  postRefund,
  preparePaid,
  reconcileRefundsNow,
  refundsOf,
} from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { scheduleRuns } from '../../billing/runs/pass/schedule.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';

let service: ChargeService;
let open: Payable;
let paid: Paid;
type Call = 'createPayment' | 'confirmPayment' | 'cancelPayment' | 'listPaymentsOfDebt';
/** Runs when the gateway has done a call, before its answer arrives. */
let after: Partial<Record<Call, () => Promise<void> | void>> = {};

/** The gateway's call, followed by what the test has asked for. */
function followed<Call_ extends Call>(sandbox: Gateway, call: Call_): Gateway[Call_] {
  const act = async (request: never) => {
    const answer = await sandbox[call](request);
    await after[call]?.();
    return answer;
  };
  return act as Gateway[Call_];
}

beforeAll(async () => {
  service = await startChargeService({
    chooseGateways: (sandbox) => [
      {
        ...sandbox,
        createPayment: followed(sandbox, 'createPayment'),
        confirmPayment: followed(sandbox, 'confirmPayment'),
        cancelPayment: followed(sandbox, 'cancelPayment'),
        listPaymentsOfDebt: followed(sandbox, 'listPaymentsOfDebt'),
      },
    ],
  });
  [open, paid] = [await preparePayable(service), await preparePaid(service)];
});
afterEach(async () => {
  after = {};
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(() => service?.stop());

const post = (path: string, body?: object) =>
  service.call('POST', path, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

const requests: [string, () => Promise<Answer>, number][] = [
  [
    'a credit note',
    () => post(`/operator/invoices/${open.invoice.id}/credit-notes`, { amount: '1.00', reason: 'x' }),
    201,
  ],
  ['a refund', () => postRefund(service, paid, { amount: '1.00' }), 201],
  ['a billing run', () => post('/operator/billing-runs', { period: '2026-01' }), 202],
  ['an invoice by hand', () => post('/operator/invoices', invoiceBody(open.admin.companyId)), 201],
  ['a pay', () => open.pay(), 200],
];

async function countDocuments(): Promise<object> {
  const [counts] = await service.database.owner`
    SELECT (SELECT count(*) FROM invoices) AS invoices, (SELECT count(*) FROM credit_notes) AS notes,
           (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM refunds) AS refunds,
           (SELECT count(*) FROM billing_runs) AS runs, (SELECT count(*) FROM invoices WHERE voided_at IS NOT NULL) AS voided`;
  return { ...counts };
}

function expectHeld(answer: Answer): void {
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'charges_held']);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

describe.each(['has read the hold', 'has not read it yet'])(
  'a process that %s refuses, until the hold ends,',
  (knows) => {
    it.each(requests)('%s', async (_, request, status) => {
      const before = await countDocuments();
      await holdCharges(service);
      if (knows === 'has read the hold') await service.chargesHold.refresh();
      expectHeld(await request());
      expect(await countDocuments()).toEqual(before);
      await releaseCharges(service);
      expect((await request()).status).toBe(status);
    });

    it('a void', async () => {
      const { invoice } = await prepareInvoice(service, open.admin);
      await holdCharges(service);
      if (knows === 'has read the hold') await service.chargesHold.refresh();
      expectHeld(await post(`/operator/invoices/${invoice.id}/void`));
      await releaseCharges(service);
      expect((await post(`/operator/invoices/${invoice.id}/void`)).body).toMatchObject({
        voidedAt: expect.any(String),
      });
    });
  },
);

it('no billing run begins by its schedule, until the hold ends', async () => {
  expect((await post('/operator/billing-runs', { period: '2026-01' })).status).toBe(202);
  const { gateways, chargesHold, database, server } = service;
  const clock = () => new Date('2026-04-15');
  const schedule = () => scheduleRuns({ db: database.db, gateways, chargesHold, clock, logger: server.log as Logger });
  await holdCharges(service);
  const before = await countDocuments();
  await schedule();
  expect(await countDocuments()).toEqual(before);
  await releaseCharges(service);
  await schedule();
  expect(await countDocuments()).not.toEqual(before);
});

describe('a charge that a hold meets', () => {
  // Security (Disks, upgrades and restores): A hold of the database stops a charge that is running; after the hold it is completed once
  it('between the object and its record is not confirmed; after the hold it is completed once', async () => {
    const payable = await preparePayable(service);
    after.createPayment = () => holdCharges(service);
    const answer = await payable.pay();
    expect(answer).toMatchObject({ status: 202, body: { status: 'Processing' } });
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'unknown', gatewayPaymentId: null });
    after = {};
    await service.reconcileNow();
    expect(await capturesOf(service, payable)).toEqual([]);
    expect((await paymentOf(service, payable)).state).toBe('unknown');
    await releaseCharges(service);
    await settleAll(service);
    expect(await capturesOf(service, payable)).toHaveLength(1);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('before its confirmation is not continued by the reconciler; after the hold it is completed once', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect', times: 1 });
    expect((await payable.pay()).status).toBe(202);
    await holdCharges(service);
    await service.reconcileNow();
    expect(await capturesOf(service, payable)).toEqual([]);
    expect((await paymentOf(service, payable)).state).toBe('unknown');
    await releaseCharges(service);
    await settleAll(service);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('that begins as a suspicion of one process is not confirmed by that process', async () => {
    const payable = await preparePayable(service);
    after.createPayment = () => service.chargesHold.suspect('marks', 'A mark is missing.');
    expect((await payable.pay()).status).toBe(202);
    expect(await capturesOf(service, payable)).toEqual([]);
    service.chargesHold.suspect('marks', null);
    await settleAll(service);
    expect(await capturesOf(service, payable)).toHaveLength(1);
    expect(await paymentsOf(service, payable)).toHaveLength(1);
  });

  const hold = () => holdCharges(service);
  const holdAndFail = (kind: 'not_sent' | 'rejected') => async () => {
    await hold();
    throw new GatewayError(kind, 'No object was made.');
  };
  it.each([
    ['is declined', { cardNumber: CARDS.declined }, { cancelPayment: hold }, ['failed', 'Failed']],
    ['is refused', {}, { createPayment: holdAndFail('rejected') }, ['captured', 'Succeeded']],
    ['cannot be sent', {}, { listPaymentsOfDebt: holdAndFail('not_sent') }, ['captured', 'Succeeded']],
  ] as const)('while it %s does not fail; after the hold it is completed', async (_, card, met, completed) => {
    const payable = await preparePayable(service, card);
    const statesOf = async () => [
      (await paymentOf(service, payable)).state,
      (await readInvoice(service, payable)).status,
    ];
    after = met;
    expect((await payable.pay()).status).toBe(202);
    expect(await statesOf()).toEqual(['unknown', 'Processing']);
    after = {};
    await service.reconcileNow();
    expect(await statesOf()).toEqual(['unknown', 'Processing']);
    await releaseCharges(service);
    await settleAll(service);
    expect(await statesOf()).toEqual(completed);
  });

  it('does not fail because of an answer from before the database went back', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    let restore = async () => {};
    const payOtherwise = async () => {
      after = {};
      await settleAll(service);
      await saveCard(service, payable.admin, { isDefault: true });
      expect((await payable.pay()).status).toBe(200);
      await restore();
      await hold();
    };
    after.confirmPayment = async () => {
      ({ restore } = await backUp(service.database.owner));
    };
    after.cancelPayment = () => {
      after = { listPaymentsOfDebt: payOtherwise };
    };
    expect((await payable.pay()).status).toBe(202);
    expect((await readInvoice(service, payable)).status).toBe('Processing');
    await releaseCharges(service);
    await settleAll(service);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('is superseded after the hold, not during it, by a capture that a restored database lacks', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUp(service.database.owner);
    const { paymentId } = (await payable.pay()).body;
    await restore();
    after.listPaymentsOfDebt = hold;
    expect((await payable.pay()).status).toBe(202);
    expect((await paymentOf(service, payable)).state).toBe('unknown');
    after = {};
    await releaseCharges(service);
    await settleAll(service);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});

it('a refund without an outcome is not sent again during a hold, and once after it', async () => {
  const refunded = await preparePaid(service);
  await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect', times: 1 });
  expect((await postRefund(service, refunded)).status).toBe(202);
  await holdCharges(service);
  await reconcileRefundsNow(service);
  expect(await givenBack(service, refunded)).toEqual([]);
  expect(await refundsOf(service, refunded)).toMatchObject([{ status: 'Processing' }]);
  await releaseCharges(service);
  await reconcileRefundsNow(service);
  expect(await givenBack(service, refunded)).toEqual([4_800n]);
});
