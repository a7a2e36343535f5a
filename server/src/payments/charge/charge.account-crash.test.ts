import { afterAll, beforeAll, expect, it } from 'vitest';
import { endProcesses, startPaydesk } from '../../../test/harness/process.ts';
import {
  type ChargeService,
  capturesOf,
  chargeEnvironment,
  paymentOf,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { prepareAccountPayable } from '../../../test/payments/paypal-accounts.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => {
  await endProcesses();
  await service?.stop();
});

it.each([['after_confirm', 'sending']])(
  'kill -9 at %s while a PayPal account is charged: another process answers the same key with the outcome, after one capture',
  async (failpoint, state) => {
    const victim = await startPaydesk({ ...chargeEnvironment(service), FAILPOINTS: failpoint });
    const payable = await prepareAccountPayable(service);
    const { admin, invoice, accountId, pay } = payable;
    const { token } = admin;
    const headers = { 'idempotency-key': 'a key' };
    const broken = victim.service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token, headers });
    await expect(broken).rejects.toThrow();
    await victim.ended;
    expect((await paymentOf(service, payable)).state).toBe(state);

    await service.reconcileNow();
    // The dead process would hold the key for some seconds.
    await service.database.owner`UPDATE idempotency_keys SET locked_until = now() WHERE status IS NULL`;
    expect(await pay({ headers })).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const { attempts } = (await service.call('GET', `/payments/orders/${invoice.id}`, { token })).body;
    expect(attempts).toMatchObject([{ status: 'Succeeded', paypalAccount: { id: accountId } }]);
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n }]);
  },
);
