import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../../../test/harness/compile-cache.ts';
import { type ChargeService, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { type Paid, postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import type { Difference } from './ledger.reconciliation.schema.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(() => service?.stop());

const from = new Date(Date.now() - 3_600_000).toISOString();
const to = new Date(Date.now() + 3_600_000).toISOString();

async function readDifferences(
  query = `from=${from}&to=${to}`,
): Promise<{ compared: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let compared = 0;
  let cursor = '';
  do {
    const path = `/operator/reconciliation?${query}${cursor}`;
    const { status, body } = await service.call('GET', path, { token: service.operatorKey });
    expect(status).toBe(200);
    differences.push(...body.differences);
    compared += body.compared;
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
  } while (cursor !== '');
  return { compared, differences };
}

type Ended = { code: number; stdout: string; stderr: string };

function run(words: string[]): Promise<Ended> {
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey };
  const file = join(import.meta.dirname, '../../../../tools/paydesk.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** The differences about one payment. */
async function differencesOf({ invoice }: Pick<Paid, 'invoice'>): Promise<Difference[]> {
  return (await readDifferences()).differences.filter(({ invoiceId }) => invoiceId === invoice.id);
}

async function objectOf({ paymentId }: Paid): Promise<string> {
  const [row] = await service.database.owner<[{ id: string }]>`
    SELECT gateway_payment_id AS id FROM payments WHERE id = ${paymentId}`;
  return row.id;
}

describe('the two books', () => {
  it('agree, over more than a page of either', async () => {
    const paid = await preparePaid(service);
    for (let count = 0; count < 101; count += 1) {
      const key = randomUUID();
      expect((await postRefund(service, paid, { amount: '0.01' }, key)).status).toBe(201);
    }
    expect(await readDifferences()).toEqual({ compared: 204, differences: [] });
    const { code, stdout } = await run(['reconcile', from, to, '--gateway', 'sandbox']);
    expect([code, stdout]).toEqual([0, 'The books agree: 204 entries compared with sandbox.\n']);
  });

  it('differ when the gateway refunded without a request', async () => {
    const paid = await preparePaid(service);
    const gatewayPaymentId = await objectOf(paid);
    const request = { gatewayPaymentId, amountMinor: 500n, idempotencyKey: randomUUID(), reference: 'by-hand' };
    const { id: gatewayId } = await service.gateway.refundPayment(request);
    const found = (await readDifferences()).differences.filter((difference) => difference.gatewayId === gatewayId);
    expect(found).toEqual([
      {
        kind: 'missing_here',
        entry: 'refund',
        gatewayId,
        gatewayPaymentId,
        id: null,
        companyId: null,
        companyExternalId: null,
        invoiceId: null,
        here: null,
        there: { amount: '5.00', currency: 'USD', status: 'succeeded' },
        purpose: null,
      },
    ]);
  });

  it('differ in the state of a capture that is not recorded yet', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    const amount = { amount: '48.00', currency: 'USD' };
    expect(await differencesOf(payable)).toMatchObject([
      { kind: 'state', here: { ...amount, status: 'unknown' }, there: { ...amount, status: 'captured' } },
    ]);
    await service.reconcileNow();
    expect(await differencesOf(payable)).toEqual([]);
  });

  it('differ in an amount', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
    expect((await payable.pay()).status).toBe(409);
    expect(await differencesOf(payable)).toMatchObject([
      { kind: 'amount', here: { amount: '48.00', status: 'needs_review' }, there: { amount: '48.01' } },
    ]);
  });

  it('differ when the gateway does not know a recorded capture; the command lists it and exits with 1', async () => {
    const paid = await preparePaid(service);
    const gatewayPaymentId = await objectOf(paid);
    const show = service.hideAtGateway(gatewayPaymentId);
    const expected = { kind: 'missing_there', entry: 'payment', id: paid.paymentId, gatewayId: gatewayPaymentId };
    expect(await differencesOf(paid)).toMatchObject([expected]);
    const { code, stdout, stderr } = await run(['reconcile', from, to]);
    show();
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(
      `payment: here, and not at the gateway\n  here       48.00 USD captured  ${paid.paymentId}\n  gateway    -  ${gatewayPaymentId}\n` +
        `  company    ${paid.admin.companyId}, invoice ${paid.invoice.id}\n`,
    );
    expect(stdout).toMatch(/\n\d+ differences: \d+ entries compared with sandbox\.\n$/);
    expect(await differencesOf(paid)).toEqual([]);
  });

  it('ignore entries outside the interval', async () => {
    await preparePaid(service);
    const later = new Date(Date.now() + 7_200_000).toISOString();
    expect(await readDifferences(`from=${to}&to=${later}`)).toEqual({ compared: 0, differences: [] });
  });
});

describe('a comparison that cannot be made', () => {
  it.each([
    `from=${to}&to=${from}`,
    `from=${from}&to=${to}&gateway=x`,
    `from=${from}&to=${to}&cursor=x`,
    `from=${from}&to=${to}&cursor=captures:x`,
    `from=${from}&to=${to}&cursor=refunds:x`,
    `from=${from}&to=${to}&cursor=captured:x`,
  ])('is 400: %s', async (query) => {
    const answer = await service.call('GET', `/operator/reconciliation?${query}`, { token: service.operatorKey });
    expect(answer.status).toBe(400);
  });

  it('names the configured gateways when the asked one is not configured', async () => {
    const { code, stderr } = await run(['reconcile', from, to, '--gateway', 'stripe']);
    expect([code, stderr]).toEqual([2, 'gateway must be a gateway that is configured: sandbox.\n']);
  });

  it('is 503 while the gateway is unavailable, and the command says so', async () => {
    await service.takeGatewayAway();
    const { code, stderr } = await run(['reconcile', from, to]).finally(() => service.bringGatewayBack());
    expect([code, stderr]).toEqual([2, 'The gateway sandbox cannot show its books right now.\n']);
  });

  it.each([[[]], [['2026-13']], [['2026-10', 'a', 'b']], [['2026-10', '--gateway']]])(
    'is refused by the command: %j',
    async (words) => {
      const { code, stderr } = await run(['reconcile', ...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Name a month')]);
    },
  );
});
