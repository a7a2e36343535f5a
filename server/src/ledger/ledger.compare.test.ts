import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../../test/harness/compile-cache.ts';
import { objectOf } from '../../test/payments/gateway-events.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../test/payments/paypal-charge.ts';
import { openDispute } from '../../test/stand-ins/paypal/paypal-server.disputes.ts';

let service: PayPalChargeService;
beforeAll(async () => {
  service = await startPayPalChargeService();
});
afterAll(() => service?.stop());

const from = new Date(Date.now() - 3_600_000).toISOString();
const to = new Date(Date.now() + 3_600_000).toISOString();

function reconcile(...words: string[]): Promise<{ code: number; lines: string[]; stderr: string }> {
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey };
  const file = join(import.meta.dirname, '../../../tools/paydesk.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [file, 'reconcile', from, to, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.trimEnd().split('\n'), stderr });
    });
  });
}

it('the command compares the books of every gateway, and exits with 1 if any of them differs', async () => {
  const payable = await preparePayPalPayable(service);
  expect((await payable.pay()).status).toBe(200);
  const gatewayPaymentId = await objectOf(service, payable);
  const request = { gatewayPaymentId, amountMinor: 500n, idempotencyKey: randomUUID(), reference: randomUUID() };
  await service.gateway.refundPayment(request);
  const { code, lines } = await reconcile();
  expect([code, lines[0], lines[1]]).toEqual([
    1,
    'The books agree: 0 entries compared with sandbox.',
    'refund: at the gateway, and not here',
  ]);
  expect(lines.at(-1)).toMatch(/^1 difference: \d+ entries compared with paypal\.$/);
  const body = JSON.stringify({ gateway: 'paypal', gatewayPaymentId });
  expect(lines).toContain(`  to record  POST /operator/refunds ${body}`);
  const sandboxAlone = { code: 0, lines: ['The books agree: 0 entries compared with sandbox.'], stderr: '' };
  expect(await reconcile('--gateway', 'sandbox')).toEqual(sandboxAlone);
});

it('a gateway that does not answer makes the command exit with 2, and the others are still compared', async () => {
  await service.sandbox.armFault({ operation: 'list', kind: 'outage' });
  const { code, lines, stderr } = await reconcile();
  await service.sandbox.clearFaults();
  expect([code, lines]).toEqual([2, ['The books agree: 0 entries compared with sandbox.']]);
  expect(stderr).toMatch(/paypal/i);
});

it("following the command's advice about a refund and a dispute that no gateway event reported makes the books agree", async () => {
  const payable = await preparePayPalPayable(service);
  expect((await payable.pay()).status).toBe(200);
  const gatewayPaymentId = await objectOf(service, payable);
  const { books } = service.paypal();
  openDispute(books, gatewayPaymentId, { value: '20.00' });
  const request = { gatewayPaymentId, amountMinor: 500n, idempotencyKey: randomUUID(), reference: 'by-hand' };
  await service.gateway.refundPayment(request);
  const words = ['--gateway', 'paypal'];
  for (const line of (await reconcile(...words)).lines) {
    const [, path, body] = /^ {2}to record {2}POST (\/\S+) (.*)$/.exec(line) ?? [];
    if (path === undefined || body === undefined) continue;
    const options = { token: service.operatorKey, body: JSON.parse(body) };
    expect((await service.call('POST', path, options)).status).toBe(200);
  }
  const { code, lines } = await reconcile(...words);
  expect([code, lines]).toEqual([0, [expect.stringMatching(/^The books agree: \d+ entries compared with paypal\.$/)]]);
});
