import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectGatewayError } from '../../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../../gateway/gateway.testing.ts';
import type { Gateway, GatewayErrorKind, PaymentRequest } from '../../gateway/gateway.ts';
import type { Fault, FaultKind } from '../bank/bank.schema.ts';
import { startTestGateway, type TestGateway, testCard, testSecret } from '../sandbox.testing.ts';

const shortTimeoutMs = 500;
/** Longer than any test waits. */
const NEVER_MS = 600_000;

let sandbox: TestGateway;
let gateway: Gateway;
/** Has a short timeout. */
let hurriedGateway: Gateway;
beforeAll(async () => {
  sandbox = await startTestGateway();
  gateway = sandbox.gateway;
  hurriedGateway = sandbox.connect({ timeoutMs: shortTimeoutMs });
});
afterEach(() => sandbox.control.clearFaults());
afterAll(() => sandbox.close());

async function newRequest(currency = 'USD'): Promise<PaymentRequest> {
  const { token: sourceToken } = await sandbox.gateway.tokenizeCard(testCard('4242424242424242'));
  return { ...paymentKeys(), amountMinor: 500n, currency, sourceToken };
}

async function newPayment(currency = 'USD'): Promise<string> {
  return (await sandbox.gateway.createPayment(await newRequest(currency))).id;
}

async function countCaptures(id: string): Promise<number> {
  const { captures } = await sandbox.control.readLedger();
  return captures.filter((capture) => capture.paymentId === id).length;
}

type Expectation = { kind: FaultKind; error: GatewayErrorKind; capturesAtOnce: 0 | 1 };
const brokenConfirmations: Expectation[] = [
  { kind: 'answer_lost_before_effect', error: 'outcome_unknown', capturesAtOnce: 0 },
  { kind: 'answer_lost_after_effect', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'hang_before_effect', error: 'outcome_unknown', capturesAtOnce: 0 },
  { kind: 'hang_after_effect', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'server_error_before_effect', error: 'outcome_unknown', capturesAtOnce: 0 },
  { kind: 'server_error_after_effect', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'cached_server_error', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'rate_limited', error: 'rate_limited', capturesAtOnce: 0 },
  { kind: 'unauthorized', error: 'unauthorized', capturesAtOnce: 0 },
  { kind: 'forbidden', error: 'unauthorized', capturesAtOnce: 0 },
  { kind: 'unparsable_answer', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'wrong_shape_answer', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'huge_answer', error: 'outcome_unknown', capturesAtOnce: 1 },
  { kind: 'redirect_answer', error: 'outcome_unknown', capturesAtOnce: 1 },
];

describe('a confirmation with the fault', () => {
  test.each(brokenConfirmations)('$kind: $error, $capturesAtOnce captures', async ({ kind, error, capturesAtOnce }) => {
    const id = await newPayment();
    const callsBefore = (await sandbox.control.readFaults()).calls.confirm;
    await sandbox.control.armFault({ operation: 'confirm', kind });
    const caller = error === 'outcome_unknown' ? hurriedGateway : gateway;
    await expectGatewayError(caller.confirmPayment(confirmationOf(id)), error);

    await expect.poll(() => countCaptures(id)).toBe(capturesAtOnce);
    const { calls, faults } = await sandbox.control.readFaults();
    expect(calls.confirm).toBe(callsBefore + 1);
    expect(faults).toMatchObject([{ kind, hits: 1, remaining: 0 }]);
    expect((await gateway.findPayment(id))?.status).toBe(capturesAtOnce === 1 ? 'captured' : 'created');
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject({ status: 'captured' });
    expect(await countCaptures(id)).toBe(1);
  });

  test('executes_late: no answer, and the capture comes later', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await expectGatewayError(hurriedGateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
    expect(await sandbox.gateway.findPayment(id)).toMatchObject({ status: 'created' });
    expect((await sandbox.control.readFaults()).pendingEffects).toBe(1);

    await sandbox.control.endDelays();
    expect(await countCaptures(id)).toBe(1);
    expect((await sandbox.control.readFaults()).pendingEffects).toBe(0);
    expect(await sandbox.gateway.findPayment(id)).toMatchObject({ status: 'captured' });
  });

  test('executes_late: canceled in the meantime, the capture never comes', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
    await expectGatewayError(hurriedGateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
    await sandbox.gateway.cancelPayment(id);
    await sandbox.control.endDelays();
    expect((await sandbox.control.readFaults()).pendingEffects).toBe(0);
    expect(await sandbox.gateway.findPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await countCaptures(id)).toBe(0);
  });

  test('executes_late: by itself after its delay', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: 1 });
    await expectGatewayError(hurriedGateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
    await expect.poll(() => countCaptures(id)).toBe(1);
  });

  test('a creation is given up after its own time limit', async () => {
    await sandbox.control.armFault({ operation: 'create', kind: 'hang_before_effect' });
    const request = { ...(await newRequest()), timeoutMs: shortTimeoutMs };
    await expectGatewayError(gateway.createPayment(request), 'outcome_unknown');
  });

  test('latency below the deadline: a late but valid answer', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'latency', delayMs: 150 });
    const startedMs = performance.now();
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject({ status: 'captured' });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(145);
  });

  test('latency beyond the deadline: given up, then captured anyway', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'latency', delayMs: NEVER_MS });
    await expectGatewayError(hurriedGateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
    expect(await countCaptures(id)).toBe(0);
    await sandbox.control.endDelays();
    await expect.poll(() => countCaptures(id)).toBe(1);
  });

  test('latency and a lost answer together', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'latency', delayMs: 50 });
    await sandbox.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await expectGatewayError(gateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
    expect(await countCaptures(id)).toBe(1);
  });
});

describe('cached_server_error', () => {
  test('the key keeps answering 500 although the operation took effect, also after clearing', async () => {
    const id = await newPayment();
    const key = randomUUID();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'cached_server_error' });
    await expectGatewayError(gateway.confirmPayment(confirmationOf(id, key)), 'outcome_unknown');
    await sandbox.control.clearFaults();
    await expectGatewayError(gateway.confirmPayment(confirmationOf(id, key)), 'outcome_unknown');
    expect(await gateway.findPayment(id)).toMatchObject({ status: 'captured', capturedAmountMinor: 500n });
    expect(await countCaptures(id)).toBe(1);
  });

  test('affects only operations that have a key', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'any', kind: 'cached_server_error' });
    expect(await gateway.findPayment(id)).toMatchObject({ status: 'created' });
    await expectGatewayError(gateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
  });
});

describe('the bank', () => {
  test('captures another amount', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
    const captured = { status: 'captured', capturedAmountMinor: 501n, capturedCurrency: 'USD' };
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject(captured);
    expect(await gateway.findPayment(id)).toMatchObject(captured);
  });

  test('captures the amount that the test sets', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '7' });
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject({ capturedAmountMinor: 7n });
    const refund = { gatewayPaymentId: id, amountMinor: 8n, idempotencyKey: randomUUID(), reference: 'refund-1' };
    await expectGatewayError(gateway.refundPayment(refund), 'rejected');
  });

  test.each([
    ['USD', undefined, 'EUR'],
    ['EUR', undefined, 'USD'],
    ['USD', 'JPY', 'JPY'],
  ])('captures another currency: %s, %s -> %s', async (asked, wanted, captured) => {
    const id = await newPayment(asked);
    const fault: Fault = { operation: 'confirm', kind: 'captures_another_currency' };
    await sandbox.control.armFault(wanted ? { ...fault, currency: wanted } : fault);
    const answer = { capturedAmountMinor: 500n, capturedCurrency: captured };
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject(answer);
  });

  test('declines a good card once, and captures when the payment is confirmed again before it is canceled', async () => {
    const id = await newPayment();
    const key = randomUUID();
    await sandbox.control.armFault({ operation: 'confirm', kind: 'declined', declineCode: 'do_not_honor' });
    const declined = await gateway.confirmPayment(confirmationOf(id, key));
    expect(declined).toMatchObject({ status: 'declined', declineCode: 'do_not_honor' });
    expect(await gateway.confirmPayment(confirmationOf(id, key))).toEqual(declined);
    expect(await gateway.confirmPayment(confirmationOf(id))).toMatchObject({ status: 'captured' });
    expect(await countCaptures(id)).toBe(1);
  });
});

describe('arming', () => {
  type Verb = 'tokenize' | 'create' | 'confirm' | 'cancel' | 'find' | 'refund' | 'list';
  const call: Record<Verb, (id: string) => Promise<unknown>> = {
    tokenize: () => gateway.tokenizeCard(testCard('4242424242424242')),
    create: async () => gateway.createPayment({ ...(await newRequest()), idempotencyKey: randomUUID() }),
    confirm: (id) => gateway.confirmPayment(confirmationOf(id)),
    cancel: (id) => gateway.cancelPayment(id),
    find: (id) => gateway.findPayment(id),
    refund: (id) =>
      gateway.refundPayment({
        gatewayPaymentId: id,
        amountMinor: 1n,
        idempotencyKey: randomUUID(),
        reference: 'refund-1',
      }),
    list: () => gateway.listPayments({ from: new Date(0), to: new Date(), cursor: null }),
  };

  test.each(Object.keys(call) as Verb[])('a fault affects only %s, as often as requested', async (operation) => {
    const id = await newPayment();
    await sandbox.gateway.confirmPayment(confirmationOf(id));
    await sandbox.control.armFault({ operation, kind: 'answer_lost_before_effect', times: 2 });
    for (const other of Object.keys(call) as Verb[]) {
      const harmless = other === operation || (other === 'create' && operation === 'tokenize');
      if (!harmless) await expect(call[other](id)).resolves.toBeDefined();
    }
    await expectGatewayError(call[operation](id), 'outcome_unknown');
    await expectGatewayError(call[operation](id), 'outcome_unknown');
    await expect(call[operation](id)).resolves.toBeDefined();
  });

  test('an outage affects every operation until it is cleared, and keeps other armed faults', async () => {
    const id = await newPayment();
    await sandbox.control.armFault({ operation: 'find', kind: 'rate_limited' });
    await sandbox.control.armFault({ operation: 'any', kind: 'outage' });
    for (const operation of ['tokenize', 'confirm', 'cancel', 'find', 'refund', 'find'] as const) {
      await expectGatewayError(call[operation](id), 'outcome_unknown');
    }
    const { faults } = await sandbox.control.readFaults();
    expect(faults).toMatchObject([{ hits: 0 }, { hits: 6, remaining: null }]);
    await sandbox.control.clearFaults();
    expect(await gateway.findPayment(id)).toMatchObject({ status: 'created' });
  });

  test('a fault without a limit remains until it is cleared', async () => {
    await sandbox.control.armFault({ operation: 'find', kind: 'rate_limited', times: null });
    for (let call = 0; call < 5; call += 1) await expectGatewayError(gateway.findPayment('payment_x'), 'rate_limited');
    await sandbox.control.clearFaults();
    expect(await gateway.findPayment('payment_x')).toBeNull();
  });

  test.each([
    { operation: 'find', kind: 'declined' },
    { operation: 'cancel', kind: 'cached_server_error' },
    { operation: 'confirm', kind: 'latency' },
    { operation: 'confirm', kind: 'executes_late' },
    { operation: 'confirm', kind: 'no_such_fault' },
    { operation: 'sing', kind: 'outage' },
    { operation: 'confirm', kind: 'outage', times: 0 },
  ])('refuses %o, which could never occur', async (fault) => {
    await expect(sandbox.control.armFault(fault as Fault)).rejects.toThrow(/422/);
  });
});

test('closing ends hanging answers, and drops late effects', async () => {
  const closing = await startTestGateway();
  const { token: sourceToken } = await closing.gateway.tokenizeCard(testCard('4242424242424242'));
  const keys = paymentKeys();
  const { id } = await closing.gateway.createPayment({ ...keys, amountMinor: 5n, currency: 'USD', sourceToken });
  await closing.control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: NEVER_MS });
  await closing.control.armFault({ operation: 'find', kind: 'latency', delayMs: NEVER_MS });
  const late = expectGatewayError(closing.gateway.confirmPayment(confirmationOf(id)), 'outcome_unknown');
  const slow = expectGatewayError(closing.gateway.findPayment(id), 'outcome_unknown');
  await expect.poll(async () => (await closing.control.readFaults()).calls).toMatchObject({ confirm: 1, find: 1 });

  await closing.close();
  await Promise.all([late, slow]);
  await expectGatewayError(closing.gateway.findPayment(id), 'not_sent');
});

test('closing answers the request in progress, although its connection would be kept open', async () => {
  const closing = await startTestGateway();
  // The gateway answers that it waits for the body.
  const headers = { authorization: `Bearer ${testSecret}`, 'content-length': '2', expect: '100-continue' };
  const agent = new Agent({ keepAlive: true });
  const outgoing = request(new URL('/payments', closing.server.url), { method: 'POST', headers, agent });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.write('{');

  const closed = closing.close();
  outgoing.end('}');
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(422);
  await closed;
});
