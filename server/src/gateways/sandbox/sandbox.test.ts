import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../gateway/gateway.testing.ts';
import { createSandboxControl } from './sandbox.control.ts';
import { startTestGateway, type TestGateway, testCard, testSecret } from './sandbox.testing.ts';
import { startSandboxGateway } from './server/server.ts';

let sandbox: TestGateway;
beforeAll(async () => {
  sandbox = await startTestGateway();
});
afterAll(() => sandbox.close());

async function createPayment(number: string, amountMinor = 500n, currency = 'USD'): Promise<string> {
  const { token: sourceToken } = await sandbox.gateway.tokenizeCard(testCard(number));
  const keys = paymentKeys();
  return (await sandbox.gateway.createPayment({ ...keys, amountMinor, currency, sourceToken })).id;
}

describe('test cards', () => {
  test.each([
    ['4000000000000002', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000009987', 'lost_card'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000119', 'processing_error'],
  ])('%s is saved and then declined with %s', async (number, declineCode) => {
    const id = await createPayment(number);
    expect(await sandbox.gateway.confirmPayment(confirmationOf(id))).toMatchObject({ status: 'declined', declineCode });
  });

  test.each(['4242424242424242', '5555555555554444', '4000056655665556', '6304000000000000', '500000000009'])(
    '%s succeeds',
    async (number) => {
      const id = await createPayment(number);
      expect(await sandbox.gateway.confirmPayment(confirmationOf(id))).toMatchObject({ status: 'captured' });
    },
  );

  test.each([
    ['4242424242424242', 'visa'],
    ['4222222222222', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['2221000000000009', 'mastercard'],
    ['2720990000000007', 'mastercard'],
    ['2721000000000004', 'unknown'],
    ['378282246310005', 'amex'],
    ['6011111111111117', 'discover'],
    ['6445644564456445', 'discover'],
    ['3056930009020004', 'diners'],
    ['36227206271667', 'diners'],
    ['3566002020360505', 'jcb'],
    ['3527000000000008', 'unknown'],
    ['6200000000000005', 'unionpay'],
    ['8171999927660000', 'unionpay'],
    ['6304000000000000', 'unknown'],
  ])('%s is %s', async (number, brand) => {
    expect(await sandbox.gateway.tokenizeCard(testCard(number))).toMatchObject({ brand });
  });

  test.each(['4242424242424241', '42424242424', '42424242424242424242', '4242 4242 4242 4242', '', 'x'.repeat(16)])(
    'the number %o is rejected',
    async (number) => {
      await expectGatewayError(sandbox.gateway.tokenizeCard(testCard(number)), 'rejected');
    },
  );
});

describe('the ledger', () => {
  test('keeps every operation, with exact amounts beyond 2^53', async () => {
    const amountMinor = 9_007_199_254_740_993n;
    const id = await createPayment('4242424242424242', amountMinor, 'KWD');
    await sandbox.gateway.confirmPayment(confirmationOf(id));
    await sandbox.gateway.refundPayment({
      gatewayPaymentId: id,
      amountMinor: 3n,
      idempotencyKey: randomUUID(),
      reference: 'refund-1',
    });

    const ledger = await sandbox.control.readLedger();
    const payment = ledger.payments.find((candidate) => candidate.id === id);
    expect(payment).toMatchObject({ amountMinor, currency: 'KWD', status: 'captured', declineCode: null });
    expect(ledger.captures.filter((capture) => capture.paymentId === id)).toMatchObject([
      { amountMinor, currency: 'KWD' },
    ]);
    expect(ledger.refunds.filter((refund) => refund.paymentId === id)).toMatchObject([
      { amountMinor: 3n, currency: 'KWD' },
    ]);
    const card = ledger.cards.find((candidate) => candidate.token === payment?.sourceToken);
    expect(card).toMatchObject({ brand: 'visa', firstFour: '4242', lastFour: '4242', declineCode: null });
  });

  test('keeps a decline after the payment is canceled', async () => {
    const id = await createPayment('4000000000009987');
    await sandbox.gateway.confirmPayment(confirmationOf(id));
    await sandbox.gateway.cancelPayment(id);
    const { payments } = await sandbox.control.readLedger();
    expect(payments.find((payment) => payment.id === id)).toMatchObject({
      status: 'canceled',
      declineCode: 'lost_card',
    });
  });

  test('creates a second payment for the same request if the key was forgotten', async () => {
    const { token: sourceToken } = await sandbox.gateway.tokenizeCard(testCard('4242424242424242'));
    const keys = paymentKeys();
    const request = { ...keys, amountMinor: 5n, currency: 'USD', sourceToken };
    const first = await sandbox.gateway.createPayment(request);
    await sandbox.control.forgetIdempotencyKeys();
    expect((await sandbox.gateway.createPayment(request)).id).not.toBe(first.id);
  });

  test('of the first version is upgraded, and keeps its data', async () => {
    const ledgerPath = `${sandbox.folder.path}/older.db`;
    const start = () => startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret: testSecret });
    await (await start()).close();
    const older = new DatabaseSync(ledgerPath);
    older.exec(`
      DROP INDEX payments_by_time;
      DROP INDEX refunds_by_time;
      DROP INDEX payments_of_debt;
      DROP INDEX payments_without_debt;
      ALTER TABLE payments DROP COLUMN debt;
      ALTER TABLE payments DROP COLUMN sequence;
      ALTER TABLE payments DROP COLUMN details;
      ALTER TABLE refunds DROP COLUMN details;
      ALTER TABLE refunds DROP COLUMN reference;
      ALTER TABLE cards DROP COLUMN detached_at;
      ALTER TABLE cards DROP COLUMN asks;
      ALTER TABLE cards DROP COLUMN is_set_up;
      ALTER TABLE payments DROP COLUMN asking;
      DROP TABLE accounts;
      DROP TABLE setups;
      DROP TABLE debits;
      DROP TABLE disputes;
      DROP INDEX payments_under_way;
      ALTER TABLE payments DROP COLUMN ends_at;
      DROP TABLE fingerprint_key;
      ALTER TABLE payments DROP COLUMN source_token;
      ALTER TABLE payments ADD COLUMN card_token TEXT REFERENCES cards;
      PRAGMA user_version = 1`);
    older.exec(`
      INSERT INTO cards (token, brand, first_four, last_four) VALUES ('card_1', 'visa', '4242', '4242');
      INSERT INTO payments (id, amount_minor, currency, card_token, reference, status)
      VALUES ('payment_1', 5, 'USD', 'card_1', 'ours', 'captured');
      INSERT INTO captures (id, payment_id, amount_minor, currency) VALUES ('capture_1', 'payment_1', 5, 'USD');
      INSERT INTO refunds (id, payment_id, amount_minor, currency) VALUES ('refund_1', 'payment_1', 2, 'USD')`);
    older.close();
    const server = await start();
    const { cards, payments, refunds } = await createSandboxControl({
      baseUrl: server.url,
      secret: testSecret,
    }).readLedger();
    await server.close();
    const refund = { id: 'refund_1', paymentId: 'payment_1', amountMinor: 2n, currency: 'USD', reference: '' };
    expect(refunds).toEqual([refund]);
    expect(payments).toMatchObject([{ id: 'payment_1', sourceToken: cards[0]?.token, status: 'captured' }]);
  });

  test('of a newer version is refused', async () => {
    const ledgerPath = `${sandbox.folder.path}/newer.db`;
    const newer = new DatabaseSync(ledgerPath);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const start = startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret: testSecret });
    await expect(start).rejects.toThrow(/newer version/);
  });

  test.each(['', '-wal', '-shm'])('is a file%s that only its owner can read', (suffix) => {
    expect(statSync(`${sandbox.folder.ledgerPath}${suffix}`).mode & 0o777).toBe(0o600);
  });
});

/** Sends a request without the adapter. @returns the status */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, sandbox.server.url), { method, headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    outgoing.end(body);
  });
}

describe('authorization', () => {
  const paths: [method: string, path: string][] = [
    ['POST', '/cards'],
    ['POST', '/cards/detach'],
    ['POST', '/accounts'],
    ['POST', '/payments'],
    ['POST', '/payments/payment_x/confirm'],
    ['POST', '/payments/payment_x/cancel'],
    ['GET', '/payments/payment_x'],
    ['POST', '/refunds'],
    ['POST', '/test/faults'],
    ['GET', '/test/faults'],
    ['DELETE', '/test/faults'],
    ['DELETE', '/test/delays'],
    ['GET', '/test/ledger'],
    ['DELETE', '/test/idempotency-keys'],
    ['GET', '/nowhere'],
  ];
  const wrong = [
    {},
    { authorization: testSecret },
    { authorization: `Bearer ${testSecret}x` },
    { authorization: 'Bearer ' },
  ];

  test.each(paths)('%s %s needs the secret', async (method, path) => {
    for (const headers of wrong) expect(await send(method, path, headers as Record<string, string>)).toBe(401);
  });

  test('an adapter with another secret is unauthorized', async () => {
    const stranger = sandbox.connect({ secret: 'some-other-secret-here' });
    await expectGatewayError(stranger.tokenizeCard(testCard('4242424242424242')), 'unauthorized');
    await expectGatewayError(stranger.findPayment('payment_x'), 'unauthorized');
  });

  test.each(['', 'short', 'with spaces in between', 'a-secret-of-unusual-letters-ß'])(
    'a gateway does not start with the secret %o',
    async (secret) => {
      const { ledgerPath } = sandbox.folder;
      await expect(startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret })).rejects.toThrow(/secret/);
    },
  );
});

describe('bad requests', () => {
  const authorized = { authorization: `Bearer ${testSecret}` };
  const payment = { idempotencyKey: 'k', amountMinor: '5', currency: 'USD', sourceToken: 'card_x', reference: 'r' };

  test.each([
    ['not JSON', '{', 400],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['not an object', '[]', 422],
    ['nothing', '', 422],
    ['a number as amount', JSON.stringify({ ...payment, amountMinor: 5 }), 422],
    ['a fraction as amount', JSON.stringify({ ...payment, amountMinor: '5.5' }), 422],
    ['an amount beyond 64 bits', JSON.stringify({ ...payment, amountMinor: '9'.repeat(19) }), 422],
    ['a currency in small letters', JSON.stringify({ ...payment, currency: 'usd' }), 422],
    ['an unknown field', JSON.stringify({ ...payment, extra: 1 }), 422],
    ['an empty key', JSON.stringify({ ...payment, idempotencyKey: '' }), 422],
  ])('a payment with %s is refused', async (_name, body, status) => {
    expect(await send('POST', '/payments', authorized, body)).toBe(status);
  });

  test('a body beyond 16 KiB is refused, whether its length is declared or not', async () => {
    const body = JSON.stringify({ ...payment, reference: 'x'.repeat(20_000) });
    expect(await send('POST', '/payments', { ...authorized, 'content-length': String(body.length) }, body)).toBe(413);
    expect(await send('POST', '/payments', { ...authorized, 'transfer-encoding': 'chunked' }, body)).toBe(413);
  });

  test('a body that grows too large is refused while it is still arriving', async () => {
    const outgoing = request(new URL('/cards', sandbox.server.url), {
      method: 'POST',
      headers: authorized,
      agent: false,
    });
    outgoing.on('error', () => {});
    outgoing.write('x'.repeat(20_000));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    outgoing.destroy();
  });

  test('an unknown path or method is refused', async () => {
    expect(await send('GET', '/', authorized)).toBe(404);
    expect(await send('DELETE', '/payments/payment_x', authorized)).toBe(404);
  });
});
