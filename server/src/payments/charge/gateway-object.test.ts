/** A process that was suspended between two steps of a charge. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paymentOf, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { expectCapturedOnce, expectUnknown } from '../../../test/payments/charge-faults.ts';
import { expectGatewayError } from '../../gateways/gateway/gateway.contract.ts';
import { paymentKeys } from '../../gateways/gateway/gateway.testing.ts';
import { createGateways } from '../../gateways/gateways.ts';
import { startTestGateway, type TestGateway, testCard } from '../../gateways/sandbox/sandbox.testing.ts';
import { readDebt } from '../debt/debt.ts';
import { selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { confirmAtGateway, createAtGateway } from './gateway-object.ts';

let sandbox: TestGateway;
beforeAll(async () => {
  sandbox = await startTestGateway();
});
afterAll(() => sandbox.close());

async function createPayment(): Promise<{ payment: Payment; id: string }> {
  const { gateway } = sandbox;
  const { token: gatewayToken } = await gateway.tokenizeCard(testCard('4242424242424242'));
  const payment: Payment = {
    companyId: randomUUID(),
    id: randomUUID(),
    invoiceId: randomUUID(),
    cardId: null,
    paypalAccountId: null,
    gateway: 'sandbox',
    gatewayToken,
    amountMinor: 500n,
    creditMinor: 0n,
    currency: 'USD',
    isOnSession: true,
    state: 'sending',
    gatewayPaymentId: null,
    sequence: 1,
    declineCode: null,
    failureReason: null,
    ...{ action: null, expiresAt: null, isExpired: false },
    reconcileCount: 0,
  };
  const keys = { ...paymentKeys(), reference: payment.id };
  const request = { ...keys, amountMinor: 500n, currency: 'USD', sourceToken: gatewayToken };
  return { payment, id: (await gateway.createPayment(request)).id };
}

it('half a minute after the object was seen, nothing is confirmed, and the outcome is left open', async () => {
  const { payment, id } = await createPayment();
  const confirmations = { windowSeconds: 82_800, pageOf: async () => 'https://billing.example.com/pay' };
  const gateway = createGateways([sandbox.gateway], confirmations).chosen;
  const late = confirmAtGateway(undefined as never, gateway, payment, {
    id,
    seenAtMs: performance.now() - 30_001,
    confirmKey: 'confirm',
  });
  await expectGatewayError(late, 'outcome_unknown');
  expect((await sandbox.control.readLedger()).captures).toEqual([]);
  const soon = confirmAtGateway(undefined as never, gateway, payment, {
    id,
    seenAtMs: performance.now(),
    confirmKey: 'confirm',
  });
  expect(await soon).toMatchObject({ status: 'captured' });
});

it('no object is made more than ten seconds after the question about the debt, because another process may have made one', async () => {
  const service = await startChargeService();
  const { db } = service.database;
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
  await expectUnknown(service, payable);
  const { id } = await paymentOf(service, payable);
  const payment = await selectPayment(db, payable.admin.companyId, id);
  const firstDebtAnswer = Promise.resolve({ objects: [], askedAtMs: performance.now() - 10_001 });
  const debt = await readDebt(db, payment);
  const late = createAtGateway(db, service.gateway, payment, { debt, firstDebtAnswer });
  await expectGatewayError(late, 'outcome_unknown');
  expect((await service.sandbox.readLedger()).payments).toEqual([]);
  await expectCapturedOnce(service, payable);
  await service.stop();
});
