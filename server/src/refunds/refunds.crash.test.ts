import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../../test/chaos.processes.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../test/charge.ts';
import { givenBack, postRefund, preparePaid } from '../../test/refunds.ts';
import { REFUND_FAILPOINTS } from '../failpoints.ts';

const PATIENCE_MS = 120_000;

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(() => service?.stop());

describe('kill -9 in the middle of a refund', () => {
  it.each(REFUND_FAILPOINTS)(
    '%s: the same key gets the one refund, and the gateway gave back once',
    async (failpoint) => {
      const [paid, key] = [await preparePaid(service), randomUUID()];
      const environment = {
        DATABASE_URL: service.database.url,
        // The keys in it are those that the requests of a key are compared by.
        DATA_DIR: service.config.dataDirectory,
        OPERATOR_KEY: service.operatorKey,
        SANDBOX_GATEWAY_URL: service.config.sandboxGatewayUrl ?? '',
        SANDBOX_GATEWAY_SECRET: service.config.sandboxGatewaySecret ?? '',
      };
      const api = await startApi({ environment, failpoint });
      const path = `/operator/payments/${paid.paymentId}/refunds`;
      const body = { reason: 'Outage', amount: '20.00' };
      const headers = { 'idempotency-key': key };
      const answer = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).catch(() => null);
      expect(answer).toBeNull();
      await api.ended;

      // The key of the process that died is taken over when its lease has run out.
      await expect
        .poll(async () => (await postRefund(service, paid, { amount: '20.00' }, key)).status, { timeout: 20_000 })
        .toBe(202);
      await expectSoundBooks(service);
      const repeated = await postRefund(service, paid, { amount: '20.00' }, key);
      expect(repeated).toMatchObject({ status: 201, body: { status: 'Succeeded', amount: '20.00' } });
      expect(await givenBack(service, paid)).toEqual([2_000n]);
    },
    PATIENCE_MS,
  );
});
