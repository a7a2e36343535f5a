import { afterAll, beforeAll, expect, it } from 'vitest';
import { endProcesses, eventually, type PaydeskProcess, startPaydesk } from '../../../test/harness/process.ts';
import {
  type ChargeService,
  capturesOf,
  chargeEnvironment,
  paymentOf,
  preparePayable,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postRefund, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';

/** Its API runs in this process, which works on nothing in the background; a survivor beside it does. */
let service: ChargeService;
let survivor: PaydeskProcess;
beforeAll(async () => {
  service = await startChargeService();
  survivor = await startPaydesk(chargeEnvironment(service));
});
afterAll(async () => {
  await endProcesses();
  await service?.stop();
});

/** By the database's clock nobody would look at what is left for an hour. */
async function postponeChecks(): Promise<void> {
  const { owner } = service.database;
  await owner`UPDATE payments SET reconcile_at = now() + interval '1 hour' WHERE reconcile_at IS NOT NULL`;
  await owner`UPDATE refunds SET reconcile_at = now() + interval '1 hour' WHERE reconcile_at IS NOT NULL`;
}

// Security (Faults at every step): After a kill during a pay, another process takes over as soon as the dead process is detected, and the
// retry gets the outcome
it('kill -9 during a pay: the retry with the same key gets 200 and the same payment, whenever the next check was due', async () => {
  const victim = await startPaydesk({ ...chargeEnvironment(service), ROLE: 'api', FAILPOINTS: 'after_confirm' });
  const payable = await preparePayable(service);
  const path = `/payments/orders/${payable.invoice.id}/pay`;
  const request = { token: payable.admin.token, headers: { 'idempotency-key': 'a key' } };
  await expect(victim.service.call('PUT', path, request)).rejects.toThrow();
  expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });
  const left = await paymentOf(service, payable);
  expect(left.state).toBe('sending');
  await postponeChecks();

  const retried = await eventually(async () => {
    const answer = await survivor.service.call('PUT', path, request);
    return answer.body.error?.code !== 'idempotency_key_in_use' && answer;
  });
  expect(retried).toMatchObject({ status: 200, body: { status: 'Succeeded', paymentId: left.id } });
  expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n }]);
});

it('kill -9 in the middle of a refund: it is made once, whenever the next look was to be', async () => {
  const victim = await startPaydesk({
    ...chargeEnvironment(service),
    ROLE: 'api',
    FAILPOINTS: 'after_refund_intent',
  });
  const paid = await preparePaid(service);
  await expect(postRefund(victim.service, paid, { amount: '8.00' })).rejects.toThrow();
  expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await postponeChecks();
  const made = await eventually(async () => {
    const refunds = await refundsOf(service, paid);
    return refunds.every(({ status }: { status: string }) => status === 'Succeeded') && refunds;
  });
  expect(made).toMatchObject([{ amount: '8.00' }]);
});
