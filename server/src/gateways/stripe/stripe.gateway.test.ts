import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStripeBooks } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import { openDispute, submitEvidence, winDispute } from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import {
  STRIPE_SECRET_KEY,
  type StripeServer,
  startStripeServer,
} from '../../../test/stand-ins/stripe/stripe-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../gateway/gateway.testing.ts';
import { type CardDetails, type Gateway, GatewayError } from '../gateway/gateway.ts';
import { createStripeGateway } from './stripe.gateway.ts';

const timeoutMs = 1_000;
const cardNumber = '4242424242424242';
const succeeded = {
  id: 'pi_p',
  object: 'payment_intent',
  status: 'succeeded',
  amount: 5,
  amount_received: 5,
  currency: 'usd',
  created: 1,
  metadata: {},
  last_payment_error: null,
};

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function connectTo(server: Server): Promise<Gateway> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createStripeGateway({ baseUrl: `http://127.0.0.1:${port}`, secretKey: STRIPE_SECRET_KEY, timeoutMs });
}

/** Creates an adapter for a server that each test defines. */
const connectToHttp = (listener: RequestListener) => connectTo(createServer(listener));

const answering = (status: number, body: unknown) =>
  connectToHttp((request, response) => {
    request.resume();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', location: '/v1/payment_intents/pi_p' }).end(text);
  });
const refusing = (status: number, error: object) => answering(status, { error });

async function startStripe(
  options: { takesCardNumbers?: boolean } = {},
): Promise<{ stripe: StripeServer; gateway: Gateway }> {
  const stripe = await startStripeServer({ books: createStripeBooks(options) });
  closing.push(stripe.close);
  return { stripe, gateway: createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY }) };
}

function card(changes: Partial<CardDetails> = {}): CardDetails {
  const holder = { companyId: randomUUID(), customer: null };
  const details = {
    number: cardNumber,
    securityCode: '737',
    expMonth: 12,
    expYear: 2035,
    name: 'Ada',
    country: 'GB',
    holder,
  };
  return { ...details, ...changes };
}

describe("Stripe's refusals", () => {
  test.each([
    [400, { type: 'invalid_request_error' }, 'rejected'],
    [400, { type: 'idempotency_error' }, 'conflict'],
    [402, { type: 'card_error', code: 'expired_card' }, 'outcome_unknown'],
    [402, { type: 'invalid_request_error' }, 'rejected'],
    [404, { type: 'invalid_request_error', code: 'resource_missing' }, 'rejected'],
    [401, { type: 'invalid_request_error' }, 'unauthorized'],
    [403, { type: 'invalid_request_error' }, 'unauthorized'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'rate_limited'],
    [400, { type: 'invalid_request_error', code: 'rate_limit' }, 'rate_limited'],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }, 'rate_limited'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'rate_limited'],
    [408, { type: 'api_error' }, 'outcome_unknown'],
    [422, { type: 'invalid_request_error' }, 'outcome_unknown'],
    [424, { type: 'api_error' }, 'outcome_unknown'],
    [500, { type: 'api_error' }, 'outcome_unknown'],
    [500, { type: 'card_error', payment_intent: succeeded }, 'outcome_unknown'],
    [502, { type: 'api_error' }, 'outcome_unknown'],
    [503, { type: 'api_error' }, 'outcome_unknown'],
  ] as const)('%s %o is %s', async (status, error, kind) => {
    await expectGatewayError((await refusing(status, error)).confirmPayment(confirmationOf('pi_p', 'key')), kind);
  });

  test.each([301, 302, 307, 308, 500, 502, 204])(
    '%s with a body that reports success is not a success',
    async (status) => {
      const gateway = await answering(status, status === 204 ? '' : succeeded);
      await expectGatewayError(gateway.confirmPayment(confirmationOf('pi_p', 'key')), 'outcome_unknown');
    },
  );

  test.each([400, 402, 404])('a %s that is not from Stripe itself is not a refusal', async (status) => {
    for (const body of [
      '',
      '<h1>Not Found</h1>',
      '{}',
      '{"error":"no"}',
      '{"error":{"code":"resource_missing"}}',
      'null',
    ]) {
      const gateway = await answering(status, body);
      await expectGatewayError(gateway.confirmPayment(confirmationOf('pi_p', 'key')), 'outcome_unknown');
      await expectGatewayError(gateway.findPayment('pi_p'), 'outcome_unknown');
    }
  });

  test('a 200 with an error in it is not a refusal', async () => {
    await expectGatewayError(
      (await refusing(200, { type: 'card_error' })).confirmPayment(confirmationOf('pi_p', 'key')),
      'outcome_unknown',
    );
  });

  test('only an answer that the payment does not exist gives null', async () => {
    expect(
      await (await refusing(404, { type: 'invalid_request_error', code: 'resource_missing' })).findPayment('pi_p'),
    ).toBeNull();
    await expectGatewayError((await refusing(404, { type: 'invalid_request_error' })).findPayment('pi_p'), 'rejected');
  });
});

// Security (What gateways answer): Answers of Stripe with an unknown status, shape or refusal are not accepted, and nothing is sent twice
describe('answers that are not accepted', () => {
  test.each([
    ['text', '"captured"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['nothing', ''],
    ['half of it', '{"id":"pi_p","status":"succ'],
    ['no id', { ...succeeded, id: undefined }],
    ['another payment', { ...succeeded, id: 'pi_q' }],
    ['another object', { ...succeeded, object: 'charge' }],
    ['an unknown status', { ...succeeded, status: 'paid' }],
    ['a payment that waits for a capture', { ...succeeded, status: 'requires_capture' }],
    ['no confirmation', { ...succeeded, status: 'requires_confirmation' }],
    ['no amount', { ...succeeded, amount_received: null }],
    ['a text as amount', { ...succeeded, amount_received: '5' }],
    ['a fraction', { ...succeeded, amount_received: 5.5 }],
    ['a negative amount', { ...succeeded, amount_received: -5 }],
    ['an amount that a number cannot hold exactly', { ...succeeded, amount_received: 2 ** 53 }],
    ['no currency', { ...succeeded, currency: null }],
    ['a wrong currency', { ...succeeded, currency: 'dollars' }],
    ['a body beyond 4 MiB', { ...succeeded, padding: 'x'.repeat(4_200_000) }],
  ])('%s', async (_name, body) => {
    await expectGatewayError(
      (await answering(200, body)).confirmPayment(confirmationOf('pi_p', 'key')),
      'outcome_unknown',
    );
  });

  test('a decline that names another payment or a captured one', async () => {
    const declined = { ...succeeded, status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } };
    const other = await refusing(402, { type: 'card_error', payment_intent: { ...declined, id: 'pi_q' } });
    await expectGatewayError(other.confirmPayment(confirmationOf('pi_p', 'key')), 'outcome_unknown');
    const honest = await refusing(402, { type: 'card_error', payment_intent: declined });
    expect(await honest.confirmPayment(confirmationOf('pi_p', 'key'))).toMatchObject({
      status: 'declined',
      declineCode: 'card_declined',
    });
  });
});

describe('connections', () => {
  test('a refused connection is not_sent', async () => {
    const { stripe, gateway } = await startStripe();
    await stripe.close();
    closing = [];
    await expectGatewayError(gateway.confirmPayment(confirmationOf('pi_p', 'key')), 'not_sent');
  });

  test('a creation is given up after its own time limit', async () => {
    const { stripe, gateway } = await startStripe();
    const { token: sourceToken } = await gateway.tokenizeCard(card());
    await stripe.control.armFault({ operation: 'create', kind: 'hang_before_effect' });
    const request = { ...paymentKeys(), amountMinor: 500n, currency: 'USD', sourceToken, timeoutMs: 100 };
    await expectGatewayError(gateway.createPayment(request), 'outcome_unknown');
  });

  test('a kept-alive connection that closes on reuse is outcome_unknown, and the request is never sent twice', async () => {
    let requests = 0;
    const body = JSON.stringify(succeeded);
    const gateway = await connectTo(
      createTcpServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', (data) => {
            requests += data.toString('latin1').split('HTTP/1.1\r\n').length - 1;
            if (requests > 1) socket.resetAndDestroy();
            else
              socket.write(
                `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
              );
          });
      }),
    );
    await gateway.confirmPayment(confirmationOf('pi_p', 'first'));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('pi_p', 'second')), 'outcome_unknown');
    await expectGatewayError(gateway.findPayment('pi_p'), 'outcome_unknown');
    expect(requests).toBe(3);
  });

  test.each([
    ['closes without an answer', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['never answers', () => undefined],
  ])('a peer that %s is outcome_unknown, and receives one request', async (_name, react) => {
    let requests = 0;
    const gateway = await connectTo(
      createTcpServer((socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            requests += 1;
            react(socket);
          });
      }),
    );
    await expectGatewayError(gateway.confirmPayment(confirmationOf('pi_p', 'key')), 'outcome_unknown');
    expect(requests).toBe(1);
  });
});

describe('saving a card', () => {
  let stripe: StripeServer;
  let gateway: Gateway;
  beforeAll(async () => {
    stripe = await startStripeServer();
    gateway = createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY });
    return stripe.close;
  });

  test('creates one customer for a company, and names it with each card', async () => {
    const first = await gateway.tokenizeCard(card());
    expect(first.token).toMatch(/^cus_\w+\/pm_\w+$/);
    const holder = { companyId: randomUUID(), customer: first.customer ?? '' };
    const second = await gateway.tokenizeCard(card({ holder }));
    expect(second.customer).toBe(first.customer);
    expect(second.token).not.toBe(first.token);
  });

  test('a customer carries the ids of its company', async () => {
    const holder = { companyId: randomUUID(), companyExternalId: `x${'😀'.repeat(254)}`, customer: null };
    const { customer = '' } = await gateway.tokenizeCard(card({ holder }));
    const { paydesk_company_external_id: start, ...rest } = stripe.books.customers.get(customer)?.metadata ?? {};
    expect(start).toBe(`x${'😀'.repeat(249)}`);
    expect(rest).toEqual({ paydesk_company: holder.companyId, paydesk_company_external_id_2: '😀'.repeat(5) });
    const renamed = { ...holder, companyExternalId: 'acme' };
    expect((await gateway.tokenizeCard(card({ holder: renamed }))).customer).toBe(customer);
    expect(stripe.books.customers.get(customer)?.metadata.paydesk_company_external_id).toBe('acme');
  });

  test('twice at once for a new company creates one customer', async () => {
    const holder = { companyId: randomUUID(), customer: null };
    const cards = await Promise.all([gateway.tokenizeCard(card({ holder })), gateway.tokenizeCard(card({ holder }))]);
    expect(cards[0]?.customer).toBe(cards[1]?.customer);
  });

  test('creates another customer after the first was deleted', async () => {
    const { companyId, customer } = { companyId: randomUUID(), customer: 'cus_deleted' };
    const saved = await gateway.tokenizeCard(card({ holder: { companyId, customer } }));
    expect(saved.customer).not.toBe('cus_deleted');
    expect(stripe.books.customers.has(saved.customer ?? '')).toBe(true);
  });

  test.each([
    ['an invalid number', { number: '4242424242424241' }],
    ['a card that the bank declines when it is saved', { number: '4000000000000002' }],
    ['a card that has expired', { expYear: 2020 }],
  ])('%s is rejected', async (_name, changes) => {
    await expectGatewayError(gateway.tokenizeCard(card(changes)), 'rejected');
  });

  test('leaves out a country that is not an ISO code', async () => {
    const { token } = await gateway.tokenizeCard(card({ country: 'Britain' }));
    const method = stripe.books.methods.get(token.split('/')[1] ?? '');
    expect(method?.billing_details).toEqual({ address: { country: null }, name: 'Ada' });
  });

  test('is unauthorized, and no fault of the card, if Stripe accepts no card numbers from the account', async () => {
    const { gateway: refused } = await startStripe({ takesCardNumbers: false });
    await expectGatewayError(refused.tokenizeCard(card()), 'unauthorized');
  });
});

describe('a dispute', () => {
  async function prepareDispute(options: Parameters<typeof openDispute>[2] = {}) {
    const { stripe, gateway } = await startStripe();
    const { token: sourceToken } = await gateway.tokenizeCard(card());
    const request = { ...paymentKeys(), sourceToken, amountMinor: 4_800n };
    const { id } = await gateway.createPayment({ ...request, currency: 'USD' });
    await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
    return { books: stripe.books, gateway, paymentId: id, dispute: openDispute(stripe.books, id, options) };
  }

  test('names its payment, its status, and the movements of its money', async () => {
    const { books, gateway, paymentId, dispute } = await prepareDispute({ reason: 'duplicate' });
    const taken = { id: expect.stringMatching(/^txn_/), amountMinor: 4_800n, createdAt: expect.any(Date) };
    const found = {
      id: dispute.id,
      gatewayPaymentId: paymentId,
      status: 'needs_response',
      amountMinor: 4_800n,
      currency: 'USD',
      reason: 'duplicate',
      movements: [taken],
      createdAt: expect.any(Date),
    };
    expect(await gateway.findDispute?.(dispute.id)).toEqual([found]);
    submitEvidence(books, dispute);
    winDispute(books, dispute);
    const movements = [taken, { ...taken, amountMinor: -4_800n }];
    expect(await gateway.findDispute?.(dispute.id)).toEqual([{ ...found, status: 'won', movements }]);
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000), cursor: null };
    expect((await gateway.listDisputes?.(range))?.entries.map(({ id }) => id)).toEqual([dispute.id]);
    expect(await gateway.findDispute?.('dp_unknown')).toEqual([]);
  });

  test('prevents Stripe from refunding its payment', async () => {
    const { gateway, paymentId } = await prepareDispute();
    const refund = { gatewayPaymentId: paymentId, amountMinor: 1n, reference: 'x', idempotencyKey: randomUUID() };
    await expectGatewayError(gateway.refundPayment(refund), 'rejected');
  });

  const sound = {
    id: 'dp_p',
    object: 'dispute',
    status: 'needs_response',
    amount: 5,
    currency: 'usd',
    reason: 'general',
    created: 1,
    payment_intent: 'pi_p',
    balance_transactions: [{ id: 'txn_p', amount: -5, currency: 'usd', created: 1 }],
  };

  test.each([
    ['warning_needs_response', 'needs_response'],
    ['warning_under_review', 'under_review'],
    ['appeal_under_review', 'under_review'],
    ['warning_closed', 'closed'],
    ['prevented', 'closed'],
    ['lost', 'lost'],
  ])('%s is %s', async (status, expected) => {
    const gateway = await answering(200, { ...sound, status });
    expect(await gateway.findDispute?.('dp_p')).toMatchObject([{ status: expected }]);
  });

  test.each([
    ['a status that is not documented', { status: 'constructor' }],
    ['another dispute', { id: 'dp_other' }],
    ['no movements', { balance_transactions: null }],
    ['a movement without a number', { balance_transactions: [{ ...sound.balance_transactions[0], amount: '5' }] }],
    ['no reason', { reason: null }],
  ])('with %s is not accepted', async (_name, changes) => {
    const gateway = await answering(200, { ...sound, ...changes });
    await expectGatewayError(gateway.findDispute?.('dp_p') ?? Promise.resolve(), 'outcome_unknown');
  });

  test('that is not about a payment intent is ignored', async () => {
    const gateway = await answering(200, { ...sound, payment_intent: null });
    expect(await gateway.findDispute?.('dp_p')).toEqual([]);
  });
});

test('an amount that Stripe cannot represent exactly is never sent', async () => {
  const { stripe, gateway } = await startStripe();
  const { token: sourceToken } = await gateway.tokenizeCard(card());
  const request = { ...paymentKeys(), sourceToken };
  await expectGatewayError(gateway.createPayment({ ...request, amountMinor: 5_124n, currency: 'KWD' }), 'rejected');
  expect(stripe.books.intents.size).toBe(0);
  const created = await gateway.createPayment({ ...request, amountMinor: 5_000n, currency: 'ISK' });
  expect(stripe.books.intents.get(created.id)).toMatchObject({ amount: 500_000, currency: 'isk' });
  const captured = await gateway.confirmPayment(confirmationOf(created.id));
  expect(captured).toMatchObject({ status: 'captured', capturedAmountMinor: 5_000n, capturedCurrency: 'ISK' });
});

test('an invalid base URL throws at once', () => {
  expect(() => createStripeGateway({ baseUrl: 'file:///etc/passwd', secretKey: STRIPE_SECRET_KEY })).toThrow(/http/);
});

test('an error carries neither card data, the secret nor the text of the answer', async () => {
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(500, `echo ${cardNumber}`).end(cardNumber),
    (_request, response) => {
      const error = { type: 'card_error', code: cardNumber, message: `echo ${cardNumber}`, param: 'number' };
      response.writeHead(402).end(JSON.stringify({ error }));
    },
    (_request, response) => response.writeHead(200).end(`{"id":"pm_${cardNumber}","object":"payment_method"}`),
    (_request, response) => response.writeHead(200).end(`${cardNumber} is no JSON`),
    (request) => request.socket.destroy(),
  ];
  for (const answer of answers) {
    const gateway = await connectToHttp(answer);
    const error: unknown = await gateway.tokenizeCard(card()).catch((reason: unknown) => reason);
    if (!(error instanceof GatewayError)) throw new Error('No gateway error.');
    const text = `${error.stack} ${JSON.stringify(error)} ${inspect(error)} ${String(error.cause)}`;
    for (const canary of [cardNumber, STRIPE_SECRET_KEY, 'echo']) expect(text).not.toContain(canary);
    // Only as a separate number: ports and ids may contain these digits.
    expect(text).not.toMatch(/(?<![\w-])737(?![\w-])/);
  }
});
