import dns from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { confirmationOf } from '../gateway/gateway.testing.ts';
import { type Gateway, GatewayError } from '../gateway/gateway.ts';
import { createSandboxGateway } from './sandbox.gateway.ts';
import { testCard, testSecret } from './sandbox.testing.ts';

const timeoutMs = 1_000;
const cardNumber = '4242424242424242';
const captured = { id: 'p', status: 'captured', capturedAmountMinor: '5', capturedCurrency: 'USD', declineCode: null };

let strangers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of strangers) server.close();
  for (const socket of sockets) socket.destroy();
  strangers = [];
});

async function connectTo(stranger: Server): Promise<Gateway> {
  strangers.push(stranger);
  stranger.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  return createSandboxGateway({ baseUrl: `http://127.0.0.1:${port}`, secret: testSecret, timeoutMs });
}

/** Creates an adapter for an HTTP server that the test defines. */
const connectToHttp = (listener: RequestListener) => connectTo(createServer(listener));
/** Creates an adapter for a gateway that writes what the test defines whenever bytes arrive. */
const connectToTcp = (onData: (socket: Socket, data: Buffer) => void) =>
  connectTo(createTcpServer((socket) => socket.on('error', () => {}).on('data', (data) => onData(socket, data))));

const answering = (status: number, body: string) =>
  connectToHttp((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', location: '/payments/p' }).end(body);
  });
const answeringJson = (body: unknown) => answering(200, JSON.stringify(body));

describe('statuses', () => {
  test.each([
    [429, 'rate_limited'],
    [400, 'rejected'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [407, 'unauthorized'],
    [402, 'rejected'],
    [404, 'rejected'],
    [409, 'rejected'],
    [422, 'rejected'],
    [408, 'outcome_unknown'],
    [500, 'outcome_unknown'],
    [502, 'outcome_unknown'],
    [503, 'outcome_unknown'],
    [301, 'outcome_unknown'],
    [302, 'outcome_unknown'],
    [307, 'outcome_unknown'],
    [308, 'outcome_unknown'],
    [204, 'outcome_unknown'],
  ] as const)('%s is %s, whatever the body says', async (status, kind) => {
    const gateway = await answering(status, status === 204 ? '' : JSON.stringify(captured));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), kind);
  });

  test('only the gateway itself can say that a payment is unknown', async () => {
    const known = await answering(404, '{"error":{"code":"payment_unknown"}}');
    expect(await known.findPayment('p')).toBeNull();
    for (const body of ['', '<h1>Not Found</h1>', '{"error":{"code":"path_unknown"}}', 'null']) {
      await expectGatewayError((await answering(404, body)).findPayment('p'), 'outcome_unknown');
    }
  });
});

// Security (What gateways answer): Answers without an id, amount or currency are not accepted
describe('answers that are not accepted', () => {
  test.each([
    ['text', '"captured"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['nothing', ''],
    ['half of it', '{"id":"p","status":"cap'],
    ['depth', '['.repeat(30_000)],
    ['no id', { ...captured, id: undefined }],
    ['an empty id', { ...captured, id: '' }],
    ['a number as id', { ...captured, id: 7 }],
    ['another payment', { ...captured, id: 'q' }],
    ['an unknown status', { ...captured, status: 'paid' }],
    [
      'no confirmation',
      { id: 'p', status: 'created', capturedAmountMinor: null, capturedCurrency: null, declineCode: null },
    ],
    ['no amount', { ...captured, capturedAmountMinor: null }],
    ['a number as amount', { ...captured, capturedAmountMinor: 5 }],
    ['a fraction', { ...captured, capturedAmountMinor: '5.0' }],
    ['a negative amount', { ...captured, capturedAmountMinor: '-5' }],
    ['zero', { ...captured, capturedAmountMinor: '0' }],
    ['an exponent', { ...captured, capturedAmountMinor: '5e3' }],
    ['a hexadecimal amount', { ...captured, capturedAmountMinor: '0x5' }],
    ['a line break in the amount', { ...captured, capturedAmountMinor: '5\n' }],
    ['a huge amount', { ...captured, capturedAmountMinor: '9'.repeat(100) }],
    ['no currency', { ...captured, capturedCurrency: null }],
    ['a wrong currency', { ...captured, capturedCurrency: 'dollars' }],
    ['a decline that captured', { ...captured, status: 'declined', declineCode: 'x' }],
    [
      'a decline without a reason',
      { ...captured, status: 'declined', capturedAmountMinor: null, capturedCurrency: null },
    ],
    ['a body beyond 1 MiB', { ...captured, padding: 'x'.repeat(1_100_000) }],
  ])('%s', async (_name, body) => {
    const gateway = await answering(200, typeof body === 'string' ? body : JSON.stringify(body));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'outcome_unknown');
  });

  test('a cancellation that canceled nothing', async () => {
    const created = {
      id: 'p',
      status: 'created',
      capturedAmountMinor: null,
      capturedCurrency: null,
      declineCode: null,
    };
    await expectGatewayError((await answeringJson(created)).cancelPayment('p'), 'outcome_unknown');
  });

  test('a token that contains the card number', async () => {
    const gateway = await answeringJson({ token: `card_${cardNumber}`, brand: 'visa' });
    await expectGatewayError(gateway.tokenizeCard(testCard(cardNumber)), 'outcome_unknown');
  });

  test('a refund without a valid amount', async () => {
    const gateway = await answeringJson({ id: 'r', amountMinor: 5, currency: 'USD' });
    const refund = { gatewayPaymentId: 'p', amountMinor: 5n, idempotencyKey: 'key', reference: 'r' };
    await expectGatewayError(gateway.refundPayment(refund), 'outcome_unknown');
  });

  test('a body that is not UTF-8', async () => {
    const body = Buffer.from(JSON.stringify({ ...captured, note: '\u00ff' }), 'latin1');
    const gateway = await connectToHttp((_request, response) => response.writeHead(200).end(body));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'outcome_unknown');
  });
});

describe('connections', () => {
  const head = 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: ';
  const sound = JSON.stringify(captured);

  test('a refused connection is not_sent', async () => {
    const gateway = await answeringJson(captured);
    await new Promise((resolve) => strangers.pop()?.close(resolve));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'not_sent');
  });

  test('a host that does not exist is not_sent', async () => {
    // The system's answer for an unknown name, without asking a name server.
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    const answer = (_name: string, _options: object, callback: (error: Error) => void) =>
      setImmediate(callback, unknown);
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(answer as unknown as typeof dns.lookup);
    const gateway = createSandboxGateway({ baseUrl: 'http://gateway.invalid', secret: testSecret, timeoutMs: 5_000 });
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'not_sent');
    expect(lookup).toHaveBeenCalledOnce();
    lookup.mockRestore();
  });

  test('a kept-alive connection that closes on reuse is outcome_unknown, and the request is never sent twice', async () => {
    let requests = 0;
    const gateway = await connectToTcp((socket, data) => {
      requests += data.toString('latin1').split('HTTP/1.1\r\n').length - 1;
      if (requests === 1) socket.write(`${head}${sound.length}\r\n\r\n${sound}`);
      else socket.resetAndDestroy();
    });
    await gateway.confirmPayment(confirmationOf('p', 'first'));
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'second')), 'outcome_unknown');
    await expectGatewayError(gateway.findPayment('p'), 'outcome_unknown');
    expect(requests).toBe(3);
  });

  test('one connection serves many calls', async () => {
    const seen = new Set<unknown>();
    const gateway = await connectToHttp((request, response) => {
      seen.add(request.socket);
      response.end(sound);
    });
    for (let call = 0; call < 10; call += 1) await gateway.findPayment('p');
    expect(seen.size).toBe(1);
  });

  test.each([
    ['closes without an answer', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['stops in the middle of the head', (socket: Socket) => socket.end('HTTP/1.1 200 O')],
    ['stops in the middle of the body', (socket: Socket) => socket.end(`${head}${sound.length + 1}\r\n\r\n${sound}`)],
    ['speaks no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['sends endless headers', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)],
    ['never answers', () => undefined],
    ['answers 100 Continue and nothing else', (socket: Socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('a peer that %s is outcome_unknown', async (_name, react) => {
    const gateway = await connectToTcp(react);
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'outcome_unknown');
  });

  test('the deadline covers an answer that arrives slowly', async () => {
    const gateway = await connectToTcp((socket) => {
      socket.write(`${head}1000\r\n\r\n`);
      const timer = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => clearInterval(timer));
    });
    // The whole answer would take minutes, longer than a test may.
    await expectGatewayError(gateway.confirmPayment(confirmationOf('p', 'key')), 'outcome_unknown');
  });

  test('other schemes are rejected at once', () => {
    expect(() => createSandboxGateway({ baseUrl: 'file:///etc/passwd', secret: testSecret })).toThrow(/http/);
  });
});

/** Only as a separate number: ports and ids may contain these digits. */
const SECURITY_CODE = /(?<![\w-])737(?![\w-])/;

test('an error carries neither card data, the secret nor the text of the answer', async () => {
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(500, `echo ${cardNumber}`).end(cardNumber),
    (_request, response) => response.writeHead(422, `echo ${cardNumber}`).end(`{"error":{"code":"${cardNumber}"}}`),
    (_request, response) => response.writeHead(200).end(`{"token":"${cardNumber}","brand":"visa"}`),
    (_request, response) => response.writeHead(200).end(`${cardNumber} is no JSON`),
    (request) => request.socket.end(`HTTP/1.1 ${cardNumber} bad\r\n\r\n`),
    (request) => request.socket.destroy(),
  ];
  for (const answer of answers) {
    const gateway = await connectToHttp(answer);
    const error: unknown = await gateway.tokenizeCard(testCard(cardNumber)).catch((reason: unknown) => reason);
    if (!(error instanceof GatewayError)) throw new Error('No gateway error.');
    const text = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    for (const canary of [cardNumber, testSecret, 'echo']) expect(text).not.toContain(canary);
    expect(text).not.toMatch(SECURITY_CODE);
  }
});
