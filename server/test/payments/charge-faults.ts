/** What the fault tests of all gateways share: the faults, and the result of a charge under them. */
import { expect } from 'vitest';
import type { FaultKind } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { type ChargeService, capturesOf, type Payable, paymentOf, settleAll } from './charge.ts';

/** Faults that end at once. */
export const QUICK: FaultKind[] = [
  'answer_lost_before_effect',
  'answer_lost_after_effect',
  'server_error_before_effect',
  'server_error_after_effect',
  'cached_server_error',
  'rate_limited',
  'unparsable_answer',
  'wrong_shape_answer',
  'huge_answer',
  'redirect_answer',
  'outage',
];
/** Faults that make a caller wait until its timeout. */
export const HANGING: FaultKind[] = ['hang_before_effect', 'hang_after_effect', 'executes_late'];
export const LATE_MS = 1_500;

/** Charges the invoice, and expects the answer that the outcome is not known yet. */
export async function expectUnknown(service: ChargeService, payable: Payable): Promise<void> {
  const answer = await payable.pay();
  expect(answer.status).toBe(202);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(answer.body).toMatchObject({ id: payable.invoice.id, status: 'Processing', paymentId: null });
  expect((await paymentOf(service, payable)).state).toBe('unknown');
}

/** Expects that the reconciler found the charge: the client's retry gets the payment of the first try. */
export async function expectCapturedOnce(service: ChargeService, payable: Payable): Promise<void> {
  await settleAll(service);
  await expect.poll(async () => (await service.sandbox.readFaults()).pendingEffects).toBe(0);
  const { id, state } = await paymentOf(service, payable);
  expect(state).toBe('captured');
  const { calls } = await service.sandbox.readFaults();
  expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded', paymentId: id } });
  expect((await service.sandbox.readFaults()).calls).toEqual(calls);
  expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n, currency: 'USD' }]);
}
