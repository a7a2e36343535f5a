import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS, cardBody, saveAddress, signUpAdmin } from '../../test/customers/actors.ts';
import {
  type ChargeService,
  paymentOf,
  preparePayable,
  settleAll,
  startChargeService,
} from '../../test/payments/charge.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(() => service?.stop());

const TEXT = 'a gateway gave no answer';

/** Returns the log lines about the gateway after this offset. */
function linesSince(length: number) {
  const lines = service.logs().slice(length).split('\n');
  return lines.filter((line) => line.includes(TEXT)).map((line) => JSON.parse(line));
}

it('an unanswered charge or reconciliation is logged with the call and the cause', async () => {
  const payable = await preparePayable(service);
  const before = service.logs().length;
  await service.sandbox.armFault({ operation: 'confirm', kind: 'server_error_before_effect' });
  await service.sandbox.armFault({ operation: 'find', kind: 'rate_limited' });
  expect((await payable.pay()).status).toBe(202);
  await service.reconcileNow();
  const { gatewayPaymentId: gatewayId } = await paymentOf(service, payable);
  const debt = `ref:${payable.admin.companyId}:${payable.invoice.id}`;
  const asked = { operation: 'confirmPayment', gatewayId, idempotencyKey: `${debt}-1-confirm` };
  expect(linesSince(before)).toMatchObject([
    { level: 40, gateway: 'sandbox', ...asked, err: { kind: 'outcome_unknown' } },
    { level: 40, gateway: 'sandbox', operation: 'findPayment', gatewayId, err: { kind: 'rate_limited' } },
  ]);
  await settleAll(service);
});

it('an unreachable gateway is logged with the system’s error', async () => {
  const actor = await signUpAdmin(service);
  const body = cardBody(await saveAddress(service, actor));
  const before = service.logs().length;
  await service.takeGatewayAway();
  const answer = await service
    .call('POST', '/payments/cards', { token: actor.token, body })
    .finally(() => service.bringGatewayBack());
  expect(answer.status).toBe(503);
  expect(JSON.stringify(answer.body)).not.toContain('ECONNREFUSED');
  expect(linesSince(before)).toMatchObject([
    { operation: 'tokenizeCard', err: { kind: 'not_sent', cause: { code: 'ECONNREFUSED', syscall: 'connect' } } },
  ]);
  expect(service.logs()).not.toContain(CARDS.visa);
});

it('a refusal is not logged as a warning, and answers are not in the log', async () => {
  const payable = await preparePayable(service);
  await service.database
    .owner`UPDATE cards SET gateway_token = 'card_unknown' WHERE company_id = ${payable.admin.companyId}`;
  const before = service.logs().length;
  expect(await payable.pay()).toMatchObject({
    status: 402,
    body: { error: { declineCode: 'rejected_by_gateway' } },
  });
  expect(linesSince(before)).toMatchObject([{ level: 30, operation: 'createPayment', err: { kind: 'rejected' } }]);

  const other = await preparePayable(service);
  const answered = service.logs().length;
  expect((await other.pay()).status).toBe(200);
  expect(linesSince(answered)).toEqual([]);
});
