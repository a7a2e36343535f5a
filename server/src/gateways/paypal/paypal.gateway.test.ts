import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { addAccount, approveSetup, decidePending } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type PayPalServer,
  startPayPalServer,
} from '../../../test/stand-ins/paypal/paypal-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../gateway/gateway.testing.ts';
import { type Gateway, GatewayError, type PaymentRequest } from '../gateway/gateway.ts';
import { createPayPalGateway } from './paypal.gateway.ts';

const credentials = { clientId: PAYPAL_CLIENT_ID, clientSecret: PAYPAL_CLIENT_SECRET };
const vaultId = 'canary7vault';
const sourceToken = `vault/${vaultId}`;
const confirmation = confirmationOf('ORDER1', 'key', sourceToken);
const completed = {
  id: 'ORDER1',
  status: 'COMPLETED',
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: 'default',
      amount: { currency_code: 'USD', value: '0.05' },
      custom_id: 'reference',
      payments: {
        captures: [{ id: 'CAPTURE1', status: 'COMPLETED', amount: { currency_code: 'USD', value: '0.05' } }],
      },
    },
  ],
};
/** The same order with other captures. */
const capturing = (...changes: object[]) => {
  const [unit] = completed.purchase_units;
  const captures = changes.map((change) => ({ ...unit?.payments.captures[0], ...change }));
  return { ...completed, purchase_units: [{ ...unit, payments: { captures } }] };
};
const refusal = (name: string, issue: string | null = null) => ({
  name,
  message: 'As PayPal would say it.',
  debug_id: 'b9e1f6c5a1b2c',
  details: issue === null ? [] : [{ issue, description: 'As PayPal would say it.' }],
});

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function connectTo(server: Server, timeoutMs = 1_000): Promise<Gateway> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createPayPalGateway({ ...credentials, baseUrl: `http://127.0.0.1:${port}`, timeoutMs });
}

const TOKEN = JSON.stringify({ access_token: 'A21AAtoken', token_type: 'Bearer', expires_in: 32_400 });

/** Creates an adapter for a server that issues access tokens and otherwise does what the test defines. */
const connectToHttp = (listener: RequestListener) =>
  connectTo(
    createServer((request, response) => {
      request.resume();
      if (request.url === '/v1/oauth2/token') response.writeHead(200).end(TOKEN);
      else listener(request, response);
    }),
  );

const answering = (status: number, body: unknown) =>
  connectToHttp((_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response
      .writeHead(status, { 'content-type': 'application/json', location: '/v2/checkout/orders/ORDER1' })
      .end(text);
  });

async function startPayPal(): Promise<{ paypal: PayPalServer; gateway: Gateway }> {
  const paypal = await startPayPalServer();
  closing.push(paypal.close);
  return { paypal, gateway: createPayPalGateway({ ...credentials, baseUrl: paypal.url }) };
}

function request(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const keys = paymentKeys();
  return { ...keys, amountMinor: 1_999n, currency: 'USD', sourceToken, ...changes };
}

describe("PayPal's refusals", () => {
  test.each([
    [400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX', 'rejected'],
    [401, 'AUTHENTICATION_FAILURE', null, 'unauthorized'],
    [403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED', 'unauthorized'],
    [404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'rejected'],
    [408, 'REQUEST_TIMEOUT', null, 'outcome_unknown'],
    [409, 'RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS', 'rate_limited'],
    [409, 'RESOURCE_CONFLICT', null, 'outcome_unknown'],
    [422, 'UNPROCESSABLE_ENTITY', 'ACTION_DOES_NOT_MATCH_INTENT', 'rejected'],
    [422, 'UNPROCESSABLE_ENTITY', 'DUPLICATE_INVOICE_ID', 'conflict'],
    [422, 'UNPROCESSABLE_ENTITY', null, 'rejected'],
    [429, 'RATE_LIMIT_REACHED', null, 'rate_limited'],
    [500, 'INTERNAL_SERVER_ERROR', null, 'outcome_unknown'],
    [500, 'UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED', 'outcome_unknown'],
    [503, 'SERVICE_UNAVAILABLE', null, 'outcome_unknown'],
  ] as const)('%s %s %s is %s', async (status, name, issue, kind) => {
    await expectGatewayError((await answering(status, refusal(name, issue))).confirmPayment(confirmation), kind);
  });

  test.each([
    ['INSTRUMENT_DECLINED', 'generic_decline'],
    ['TRANSACTION_REFUSED', 'generic_decline'],
    ['PAYER_CANNOT_PAY', 'payer_cannot_pay'],
    ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'invalid_account'],
    ['AGREEMENT_ALREADY_CANCELLED', 'revocation_of_authorization'],
    ['PAYER_ACTION_REQUIRED', 'authentication_required'],
    ['TRANSACTION_LIMIT_EXCEEDED', 'transaction_limit_exceeded'],
  ])('%s is a decline: %s', async (issue, declineCode) => {
    const gateway = await answering(422, refusal('UNPROCESSABLE_ENTITY', issue));
    expect(await gateway.confirmPayment(confirmation)).toMatchObject({ status: 'declined', declineCode });
  });

  test.each([301, 302, 307, 308, 500, 502, 204])(
    '%s with a body that reports success is not a success',
    async (status) => {
      const gateway = await answering(status, status === 204 ? '' : completed);
      await expectGatewayError(gateway.confirmPayment(confirmation), 'outcome_unknown');
    },
  );

  test.each([400, 404, 422])('a %s that is not from PayPal itself is not a refusal', async (status) => {
    const nameless = { details: [{ issue: 'INSTRUMENT_DECLINED' }] };
    for (const body of ['', '<h1>Not Found</h1>', '{}', '{"name":"not found"}', 'null', nameless]) {
      const gateway = await answering(status, body);
      await expectGatewayError(gateway.confirmPayment(confirmation), 'outcome_unknown');
      await expectGatewayError(gateway.findPayment('ORDER1'), 'outcome_unknown');
    }
  });

  test('only an answer that the order does not exist gives null', async () => {
    const unknown = refusal('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    expect(await (await answering(404, unknown)).findPayment('ORDER1')).toBeNull();
    await expectGatewayError((await answering(404, refusal('NOT_FOUND'))).findPayment('ORDER1'), 'rejected');
  });
});

// Security (What gateways answer): Answers of PayPal with an unknown status, shape or refusal are not accepted, and an order has ended
// only if its own state says that it can't be captured
describe('answers that are not accepted', () => {
  const [unit] = completed.purchase_units;
  const money = (value: unknown, currency_code: unknown = 'USD') => capturing({ amount: { currency_code, value } });
  test.each([
    ['text', '"captured"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['nothing', ''],
    ['half of it', '{"id":"ORDER1","status":"COMPL'],
    ['an error', refusal('UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED')],
    ['no id', { ...completed, id: undefined }],
    ['an unknown status', { ...completed, purchase_units: [{ amount: unit?.amount }], status: 'PAID' }],
    ['no intent', { ...completed, intent: undefined }],
    ['no capture', { ...completed, purchase_units: [{ amount: unit?.amount }] }],
    ['an order that is still open', { ...completed, purchase_units: [{ amount: unit?.amount }], status: 'CREATED' }],
    ['a capture that PayPal still processes', capturing({ status: 'PENDING' })],
    ['a capture of an unknown status', capturing({ status: 'MAYBE' })],
    ['no amount', capturing({ amount: undefined })],
    ['a number as amount', money(0.05)],
    ['too many decimals', money('0.051')],
    ['a negative amount', money('-0.05')],
    ['an exponent', money('5e-2')],
    ['no currency', money('0.05', null)],
    ['a wrong currency', money('0.05', 'dollars')],
    ['captures in two currencies', capturing({}, { amount: { currency_code: 'EUR', value: '0.05' } })],
    ['a body beyond 512 KiB', { ...completed, padding: 'x'.repeat(525_000) }],
  ])('%s', async (_name, body) => {
    await expectGatewayError((await answering(200, body)).confirmPayment(confirmation), 'outcome_unknown');
  });

  test('another order than the one that was asked for', async () => {
    await expectGatewayError((await answering(200, completed)).findPayment('ORDER2'), 'outcome_unknown');
  });

  test('two captures of an order are added up, so that the amount does not match', async () => {
    const twice = await answering(200, capturing({}, { id: 'CAPTURE2' }));
    expect(await twice.findPayment('ORDER1')).toMatchObject({ status: 'captured', capturedAmountMinor: 10n });
  });

  test('an order counts as canceled only if its own state says that nothing can capture it', async () => {
    const open = { ...completed, status: 'CREATED', purchase_units: [{ amount: unit?.amount }] };
    const patched = (order: object) =>
      connectToHttp((incoming, response) => {
        if (incoming.method === 'PATCH') response.writeHead(204).end();
        else response.writeHead(200).end(JSON.stringify(order));
      });
    await expectGatewayError((await patched(open)).cancelPayment('ORDER1'), 'outcome_unknown');
    await expectGatewayError(
      (await patched(capturing({ status: 'PENDING' }))).cancelPayment('ORDER1'),
      'outcome_unknown',
    );
    for (const closed of [
      { ...open, intent: 'AUTHORIZE' },
      { ...open, status: 'VOIDED' },
      capturing({ status: 'DECLINED' }),
    ]) {
      expect(await (await patched(closed)).cancelPayment('ORDER1')).toMatchObject({ status: 'canceled' });
    }
  });
});

describe('connections', () => {
  test('a refused connection is not_sent', async () => {
    const { paypal, gateway } = await startPayPal();
    await paypal.close();
    closing = [];
    await expectGatewayError(gateway.confirmPayment(confirmation), 'not_sent');
  });

  test('a creation is given up after its own time limit', async () => {
    const { paypal, gateway } = await startPayPal();
    await gateway.findPayment('ORDER1');
    await paypal.control.armFault({ operation: 'create', kind: 'hang_before_effect' });
    await expectGatewayError(gateway.createPayment(request({ timeoutMs: 100 })), 'outcome_unknown');
  });

  test('a kept-alive connection that closes on reuse is outcome_unknown, and the request is never sent twice', async () => {
    const asked: string[] = [];
    const answer = (body: string) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const gateway = await connectTo(
      createTcpServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', (data) => {
            const path = data.toString('latin1').split(' ')[1] ?? '';
            asked.push(path);
            if (path === '/v1/oauth2/token') socket.write(answer(TOKEN));
            else if (asked.length === 2) socket.write(answer(JSON.stringify(completed)));
            else socket.resetAndDestroy();
          });
      }),
    );
    await gateway.confirmPayment(confirmation);
    await expectGatewayError(gateway.confirmPayment(confirmation), 'outcome_unknown');
    await expectGatewayError(gateway.findPayment('ORDER1'), 'outcome_unknown');
    expect(asked).toHaveLength(4);
  });

  test.each([
    ['closes without an answer', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['never answers', () => undefined],
  ])('a peer that %s is outcome_unknown, and receives one request', async (_name, react) => {
    let requests = 0;
    const gateway = await connectToHttp((incoming) => {
      requests += 1;
      react(incoming.socket);
    });
    await expectGatewayError(gateway.confirmPayment(confirmation), 'outcome_unknown');
    expect(requests).toBe(1);
  });

  test('an invalid base URL throws at once', () => {
    expect(() => createPayPalGateway({ ...credentials, baseUrl: 'file:///etc/passwd' })).toThrow(/http/);
  });
});

describe('access tokens', () => {
  test('one token is fetched for all requests, also for simultaneous ones', async () => {
    const { paypal, gateway } = await startPayPal();
    await Promise.all([gateway.createPayment(request()), gateway.createPayment(request())]);
    await gateway.createPayment(request());
    expect(paypal.countTokens()).toBe(1);
  });

  test('a token that is no longer accepted is renewed, and the request is repeated', async () => {
    const { paypal, gateway } = await startPayPal();
    await gateway.createPayment(request());
    paypal.endTokens();
    expect(await gateway.createPayment(request())).toMatchObject({ status: 'created' });
    expect(paypal.countTokens()).toBe(2);
  });

  test('a token that is never accepted is renewed once', async () => {
    let asked = 0;
    const gateway = await connectToHttp((_request, response) => {
      asked += 1;
      response.writeHead(401).end('{"error":"invalid_token"}');
    });
    await expectGatewayError(gateway.createPayment(request()), 'unauthorized');
    expect(asked).toBe(2);
  });

  test('a token close to its end is not used', async () => {
    let tokens = 0;
    const short = JSON.stringify({ access_token: 'A21AAshort', token_type: 'Bearer', expires_in: 59 });
    const server = createServer((incoming, response) => {
      incoming.resume();
      const isToken = incoming.url === '/v1/oauth2/token';
      if (isToken) tokens += 1;
      response.writeHead(200).end(isToken ? short : JSON.stringify(completed));
    });
    const gateway = await connectTo(server);
    for (let times = 0; times < 3; times += 1) await gateway.findPayment('ORDER1');
    expect(tokens).toBe(3);
  });

  test('a wrong secret is unauthorized', async () => {
    const { paypal } = await startPayPal();
    const gateway = createPayPalGateway({ ...credentials, clientSecret: 'another', baseUrl: paypal.url });
    await expectGatewayError(gateway.createPayment(request()), 'unauthorized');
    expect(paypal.books.orders.size).toBe(0);
  });

  test.each([
    ['none in time', null, 'not_sent'],
    ['an error', [500, '{"name":"INTERNAL_SERVER_ERROR"}'], 'not_sent'],
    ['not JSON', [200, '<html>'], 'not_sent'],
    ['one that is not text', [200, '{"access_token":5,"token_type":"Bearer"}'], 'not_sent'],
    ['one that breaks a header', [200, '{"access_token":"a\\r\\nb: c","token_type":"Bearer"}'], 'not_sent'],
    ['too many requests', [429, '{}'], 'rate_limited'],
  ] as const)('%s: nothing else is sent, and the error says so', async (_name, answer, kind) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((incoming, response) => {
      incoming.resume();
      asked.push(incoming.url);
      if (answer !== null) response.writeHead(answer[0]).end(answer[1]);
    });
    await expectGatewayError((await connectTo(server)).createPayment(request()), kind);
    expect(asked).toEqual(['/v1/oauth2/token']);
  });
});

describe('orders', () => {
  test('name our payment and the debt, carry no source, and are charged to the account at the capture', async () => {
    const { paypal, gateway } = await startPayPal();
    const asked = request({ sourceToken: `vault/${addAccount(paypal.books)}` });
    const { id } = await gateway.createPayment(asked);
    const order = paypal.books.orders.get(id);
    expect(order).toMatchObject({ intent: 'CAPTURE', status: 'CREATED' });
    const amount = { currency_code: 'USD', value: '19.99' };
    expect(order?.purchase_units).toMatchObject([
      { amount, custom_id: `${asked.reference},,1`, invoice_id: asked.debt },
    ]);
    expect(order).not.toHaveProperty('payment_source');
    await gateway.confirmPayment(confirmationOf(id, randomUUID(), asked.sourceToken));
    expect(paypal.books.captures).toMatchObject([{ orderId: id, amount }]);
    expect(paypal.books.asked.get(id)?.vaultId).toBe(asked.sourceToken.slice('vault/'.length));
  });

  test('two orders of one payment are not both captured: a person has to decide', async () => {
    const { paypal, gateway } = await startPayPal();
    const asked = request({ sourceToken: `vault/${addAccount(paypal.books)}` });
    const first = await gateway.createPayment(asked);
    const second = await gateway.createPayment({ ...asked, idempotencyKey: randomUUID() });
    await gateway.confirmPayment(confirmationOf(first.id, randomUUID(), asked.sourceToken));
    const again = gateway.confirmPayment(confirmationOf(second.id, randomUUID(), asked.sourceToken));
    await expectGatewayError(again, 'conflict');
    expect(paypal.books.captures).toHaveLength(1);
  });

  test('after PayPal forgot the request id, a repeated confirmation captures nothing again, and nothing of a closed order', async () => {
    const { paypal, gateway } = await startPayPal();
    const asked = request({ sourceToken: `vault/${addAccount(paypal.books)}` });
    const open = await gateway.createPayment(asked);
    const closed = await gateway.createPayment(request({ sourceToken: asked.sourceToken }));
    const confirm = (id: string) => gateway.confirmPayment(confirmationOf(id, `${id}-confirm`, asked.sourceToken));
    const captured = await confirm(open.id);
    await gateway.cancelPayment(closed.id);
    await paypal.control.forgetIdempotencyKeys();
    expect(await confirm(open.id)).toEqual(captured);
    await expectGatewayError(confirm(closed.id), 'rejected');
    expect(paypal.books.captures).toHaveLength(1);
  });

  test('an account that the payer removed is declined permanently', async () => {
    const { gateway } = await startPayPal();
    const { id } = await gateway.createPayment(request());
    const answer = await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
    expect(answer).toMatchObject({ status: 'declined', declineCode: 'revocation_of_authorization' });
  });

  test.each(['COMPLETED', 'DECLINED'] as const)('a pending capture is open until PayPal says %s', async (outcome) => {
    const { paypal, gateway } = await startPayPal();
    const asked = request({ sourceToken: `vault/${addAccount(paypal.books, 'pending')}` });
    const { id } = await gateway.createPayment(asked);
    await expectGatewayError(gateway.confirmPayment(confirmationOf(id, 'key', asked.sourceToken)), 'outcome_unknown');
    await expectGatewayError(gateway.findPayment(id), 'outcome_unknown');
    await expectGatewayError(gateway.cancelPayment(id), 'outcome_unknown');
    decidePending(paypal.books, id, outcome);
    const isPaid = outcome === 'COMPLETED';
    expect(await gateway.findPayment(id)).toMatchObject({ status: isPaid ? 'captured' : 'declined' });
    expect(await gateway.cancelPayment(id)).toMatchObject({ status: isPaid ? 'captured' : 'canceled' });
  });

  test.each([
    ['KWD', 5_120n],
    ['HUF', 512_450n],
  ])('an amount of %s that PayPal would not accept is never sent', async (currency, amountMinor) => {
    const { paypal, gateway } = await startPayPal();
    await expectGatewayError(gateway.createPayment(request({ currency, amountMinor })), 'rejected');
    expect(paypal.books.orders.size).toBe(0);
  });

  test('HUF and JPY are sent without decimals and read back whole', async () => {
    const { paypal, gateway } = await startPayPal();
    const source = `vault/${addAccount(paypal.books)}`;
    for (const [currency, amountMinor] of [
      ['HUF', 512_400n],
      ['JPY', 5_124n],
    ] as const) {
      const { id } = await gateway.createPayment(request({ currency, amountMinor, sourceToken: source }));
      expect(paypal.books.orders.get(id)?.purchase_units[0].amount.value).toBe('5124');
      const captured = await gateway.confirmPayment(confirmationOf(id, randomUUID(), source));
      expect(captured).toMatchObject({ capturedAmountMinor: amountMinor, capturedCurrency: currency });
    }
  });
});

test('an account without an e-mail is not accepted, and one that the holder has not approved is rejected', async () => {
  const holder = { companyId: randomUUID(), customer: null };
  const vaulted = { id: 'x1', customer: { id: 'c1' }, payment_source: { paypal: {} } };
  const setup = { setupToken: 'SETUP1', holder };
  await expectGatewayError(Promise.resolve((await answering(201, vaulted)).vaultAccount?.(setup)), 'outcome_unknown');
  const notApproved = refusal('UNPROCESSABLE_ENTITY', 'INVALID_SETUP_TOKEN_STATE');
  await expectGatewayError(Promise.resolve((await answering(422, notApproved)).vaultAccount?.(setup)), 'rejected');
});

test('an error carries neither account data, the secret nor the text of the answer', async () => {
  const { paypal } = await startPayPal();
  const setupToken = approveSetup(paypal.books);
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(500, `echo ${vaultId}`).end(vaultId),
    (_request, response) => {
      const body = { ...refusal('UNPROCESSABLE_ENTITY', vaultId), message: `echo ${vaultId}` };
      response.writeHead(422).end(JSON.stringify(body));
    },
    (_request, response) => response.writeHead(200).end(`{"id":"${vaultId}","echo":5,"status":7}`),
    (_request, response) => response.writeHead(200).end(`${vaultId} is no JSON`),
    (incoming) => incoming.socket.destroy(),
  ];
  for (const answer of answers) {
    const gateway = await connectToHttp(answer);
    const calls = [
      gateway.confirmPayment(confirmation),
      gateway.vaultAccount?.({ setupToken, holder: { companyId: 'c', customer: null } }),
    ];
    for (const call of calls) {
      const error: unknown = await call?.catch((reason: unknown) => reason);
      if (!(error instanceof GatewayError)) throw new Error('No gateway error.');
      const text = `${error.stack} ${JSON.stringify(error)} ${inspect(error)} ${String(error.cause)}`;
      const canaries = [vaultId, setupToken, PAYPAL_CLIENT_SECRET, 'A21AAtoken', 'echo'];
      for (const canary of canaries) expect(text).not.toContain(canary);
    }
  }
});

describe('a dispute', () => {
  const sound = {
    dispute_id: 'PP-D-1',
    create_time: '2026-11-02T10:20:30.000Z',
    disputed_transactions: [{ seller_transaction_id: 'CAPTURE1' }],
    status: 'OPEN',
    dispute_amount: { currency_code: 'USD', value: '5.00' },
    // The answer to every request, the capture's and the order's too.
    id: 'ORDER1',
    intent: 'CAPTURE',
    purchase_units: [],
    supplementary_data: { related_ids: { order_id: 'ORDER1' } },
  };
  const movement = {
    affected_party: 'SELLER',
    type: 'DEBIT',
    amount: sound.dispute_amount,
    initiated_time: '2026-11-02T10:20:30Z',
  };
  const find = async (changes: object) =>
    (await (await answering(200, { ...sound, ...changes })).findDispute?.('PP-D-1'))?.[0];

  test('may have no reason, and its movements under the older name', async () => {
    const found = await find({ money_movements: [movement] });
    expect(found).toMatchObject({ gatewayPaymentId: 'ORDER1', reason: 'OTHER', movements: [{ amountMinor: 500n }] });
    expect((await find({ money_movements: [movement], fund_movements: [movement] }))?.movements).toHaveLength(1);
  });

  test.each([
    ['a status that is not documented', { status: 'CONSTRUCTOR' }],
    ['another dispute', { dispute_id: 'PP-D-2' }],
    ['no transactions', { disputed_transactions: null }],
    ['no amount', { dispute_amount: undefined }],
    ['a movement without a direction', { fund_movements: [{ ...movement, type: undefined }] }],
    ['a movement without a time', { fund_movements: [{ ...movement, initiated_time: undefined }] }],
    ['a movement without an amount', { fund_movements: [{ ...movement, amount: undefined }] }],
  ])('with %s is not accepted', async (_name, changes) => {
    await expectGatewayError(find(changes), 'outcome_unknown');
  });
});

describe('PayPal’s list of disputes', () => {
  const range = { from: new Date('2026-11-01T00:00:00Z'), to: new Date(Date.now() + 3_600_000) };
  const item = { dispute_id: 'PP-D-1', create_time: '2026-11-02T10:20:30.000Z' };
  const next = (query: string) => ({ links: [{ rel: 'next', href: `https://elsewhere.example/x?${query}` }] });
  const list = async (body: object, cursor: string | null = null) =>
    (await answering(200, body)).listDisputes?.({ ...range, cursor }) ?? Promise.resolve(null);

  test('may be empty, and name the next page by a number or a token', async () => {
    expect(await list({})).toEqual({ entries: [], nextCursor: null });
    expect(await list({ items: [item], ...next('page_size=50&page=2') })).toMatchObject({ nextCursor: 'page=2' });
    const nextPage = next('next_page_token=AX+w/e%3D%3D&page=2');
    expect(await list(nextPage, 'page=1')).toMatchObject({ nextCursor: 'next_page_token=AX+w/e==' });
  });

  test.each([
    ['no list', { items: 'PP-D-1' }, null],
    ['a dispute without an id', { items: [{ ...item, dispute_id: '../1' }] }, null],
    ['a dispute without a time', { items: [{ dispute_id: 'PP-D-1' }] }, null],
    ['a next page without a name', next('page_size=50'), null],
    ['the same page as the next', next('page=2'), 'page=2'],
  ])('with %s is not accepted', async (_name, body, cursor) => {
    await expectGatewayError(list(body, cursor), 'outcome_unknown');
  });
});
