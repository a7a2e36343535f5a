import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectGatewayError } from '../../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../../gateway/gateway.testing.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { createTestFolder, type GatewayProcess, spawnGateway, type TestFolder, testCard } from '../sandbox.testing.ts';

let folder: TestFolder;
let processes: GatewayProcess[];
beforeEach(() => {
  folder = createTestFolder();
  processes = [];
});
afterEach(async () => {
  for (const { child } of processes) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  folder.remove();
});

async function start(port = 0): Promise<GatewayProcess> {
  const started = await spawnGateway(folder, port);
  processes.push(started);
  return started;
}

async function createPayments(gateway: Gateway, count: number): Promise<string[]> {
  const { token: sourceToken } = await gateway.tokenizeCard(testCard('4242424242424242'));
  const create = async () => {
    const keys = paymentKeys();
    return (await gateway.createPayment({ ...keys, amountMinor: 500n, currency: 'USD', sourceToken })).id;
  };
  return Promise.all(Array.from({ length: count }, create));
}

describe('kill -9', () => {
  test('every answered payment still exists, and keys still get the same answers', async () => {
    const first = await start();
    const [id = ''] = await createPayments(first.gateway, 1);
    const confirmKey = randomUUID();
    const refund = { gatewayPaymentId: id, amountMinor: 200n, idempotencyKey: randomUUID(), reference: 'refund-1' };
    const captured = await first.gateway.confirmPayment(confirmationOf(id, confirmKey));
    const refunded = await first.gateway.refundPayment(refund);
    expect(await first.stop('SIGKILL')).toBeNull();
    await expectGatewayError(first.gateway.findPayment(id), 'not_sent');

    const second = await start(first.port);
    expect(await first.gateway.findPayment(id)).toEqual(captured);
    expect(await second.gateway.confirmPayment(confirmationOf(id, confirmKey))).toEqual(captured);
    expect(await second.gateway.refundPayment(refund)).toEqual(refunded);
    const { captures, refunds } = await second.control.readLedger();
    expect([captures.length, refunds.length]).toEqual([1, 1]);
  });

  test('under load: every answered capture is kept, an unanswered one happened once or not at all', async () => {
    const first = await start();
    const ids = await createPayments(first.gateway, 60);
    const confirming = ids.map((id) => first.gateway.confirmPayment(confirmationOf(id, id)).then(() => id));
    await Promise.race(confirming);
    await first.stop('SIGKILL');
    const settled = await Promise.allSettled(confirming);
    const answered = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(answered.length).toBeGreaterThan(0);

    const second = await start();
    const capturedBefore = new Set((await second.control.readLedger()).captures.map((capture) => capture.paymentId));
    for (const id of answered) expect(capturedBefore).toContain(id);
    for (const id of ids) {
      expect((await second.gateway.findPayment(id))?.status).toBe(capturedBefore.has(id) ? 'captured' : 'created');
    }
    await Promise.all(ids.map((id) => second.gateway.confirmPayment(confirmationOf(id, id))));
    expect((await second.control.readLedger()).captures).toHaveLength(ids.length);
  });
});

describe('several processes on one ledger', () => {
  test('three that start simultaneously on a new ledger all start', async () => {
    await Promise.all(Array.from({ length: 3 }, () => start()));
    const [id = ''] = await createPayments(processes[0]?.gateway ?? raise(), 1);
    for (const { gateway } of processes) expect(await gateway.findPayment(id)).toMatchObject({ status: 'created' });
  });

  test('confirmations of the same payments on both capture each once, and the same create key creates one payment', async () => {
    const [left, right] = [await start(), await start()];
    const ids = await createPayments(left.gateway, 40);
    const confirm = ({ gateway }: GatewayProcess) => ids.map((id) => gateway.confirmPayment(confirmationOf(id)));
    const answers = await Promise.all([...confirm(left), ...confirm(right)]);
    expect(answers.every((payment) => payment.status === 'captured')).toBe(true);
    expect((await right.control.readLedger()).captures).toHaveLength(ids.length);

    const { token: sourceToken } = await left.gateway.tokenizeCard(testCard('4242424242424242'));
    const keys = paymentKeys();
    const request = { ...keys, amountMinor: 5n, currency: 'USD', sourceToken };
    const gateways = Array.from({ length: 20 }, (_, index) => (index % 2 ? left.gateway : right.gateway));
    const payments = await Promise.all(gateways.map((gateway) => gateway.createPayment(request)));
    expect(new Set(payments.map((payment) => payment.id)).size).toBe(1);
  });
});

describe('secrecy', () => {
  const number = '4929123412341232';
  const securityCode = '8461';

  test('neither number nor security code is in a file, the log or the output', async () => {
    const running = await start();
    const card = { ...testCard(number), securityCode };
    await running.gateway.tokenizeCard(card);
    await expectGatewayError(running.gateway.tokenizeCard({ ...card, number: `${number.slice(0, -1)}3` }), 'rejected');
    expect(await running.gateway.findPayment(number)).toBeNull();
    await expectGatewayError(running.gateway.cancelPayment(`${number}-${securityCode}`), 'rejected');
    for (const kind of ['server_error_after_effect', 'answer_lost_after_effect', 'huge_answer'] as const) {
      await running.control.armFault({ operation: 'tokenize', kind });
      await expectGatewayError(running.gateway.tokenizeCard(card), 'outcome_unknown');
    }
    expect((await running.control.readLedger()).cards).toHaveLength(4);

    const files = readdirSync(folder.path);
    expect(files).toContain('ledger.db-wal');
    const texts = files.map((file) => readFileSync(join(folder.path, file), 'latin1'));
    expect(texts.some((text) => text.includes('4929'))).toBe(true);
    for (const text of [...texts, running.output()]) {
      expect(text).not.toContain(number.slice(4, 12));
      expect(text).not.toContain(number.slice(0, 15));
      // Only as a separate number: times and ids may contain these digits.
      expect(text).not.toMatch(new RegExp(`(?<![\\w-])${securityCode}(?![\\w-])`));
    }
    expect(running.output().split('\n').length).toBeGreaterThan(5);
  });
});

describe('the process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('closes on %s and leaves a ledger without a WAL', async (signal) => {
    const running = await start();
    await createPayments(running.gateway, 3);
    expect(await running.stop(signal)).toBe(0);
    expect(readdirSync(folder.path).sort()).toEqual(['ledger.db', 'secret']);
  });

  test('reports the reason and stops if the port is taken or the secret is weak', async () => {
    const { port } = await start();
    await expect(start(port)).rejects.toThrow(/EADDRINUSE/);
    writeFileSync(folder.secretPath, 'short');
    await expect(start()).rejects.toThrow(/secret needs/);
  });

  test('the log names operation, status, fault and duration of each request', async () => {
    const running = await start();
    await running.control.armFault({ operation: 'find', kind: 'answer_lost_after_effect' });
    await expectGatewayError(running.gateway.findPayment('payment_x'), 'outcome_unknown');
    await expect
      .poll(() => running.output())
      .toMatch(/"operation":"find","status":null,"fault":"answer_lost_after_effect","durationMs":\d+}/);
  });
});

function raise(): never {
  throw new Error('No process is there.');
}
