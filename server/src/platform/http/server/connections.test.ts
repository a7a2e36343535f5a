import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hostLine,
  openSocket,
  type RawAnswer,
  readAnswer,
  sendRaw,
} from '../../../../test/harness/network/raw-http.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createServer, type ServerOptions } from './server.ts';

let service: TestService;
let host: string;
beforeAll(async () => {
  service = await startTestService();
  host = hostLine(service.url);
});
afterAll(() => service?.stop());

/** Expects exactly one answer, an error in the usual shape, and then the end of the connection. */
function expectRefusedOnce(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.closed], answer.head).toEqual([status, true]);
  expect(answer.body.includes('HTTP/1.1'), 'more than one answer').toBe(false);
  const { error } = JSON.parse(answer.body);
  expect([error.code, error.details]).toEqual([code, []]);
  expect(answer.head.toLowerCase()).toContain(`x-request-id: ${error.requestId}`);
  expect(answer.head.toLowerCase()).toContain('connection: close');
}

// Security (HTTP, and what all share): Ambiguous requests (smuggling) get one 400, and the connection closes
describe('ambiguous requests get one 400 and the end of the connection', () => {
  const smuggled = () => `GET /healthz HTTP/1.1\r\n${host}\r\n`;
  const post = (headers: string, body = '') => `POST /auth/local HTTP/1.1\r\n${host}${headers}\r\n${body}`;
  const CASES: Record<string, () => string> = {
    'Content-Length and Transfer-Encoding': () =>
      post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled()}`),
    'Transfer-Encoding and Content-Length': () =>
      post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled()}`),
    'two lengths': () => post('Content-Length: 5\r\nContent-Length: 6\r\n', `12345${smuggled()}`),
    'a length that is no number': () => post('Content-Length: 5x\r\n', '12345'),
    'a negative length': () => post('Content-Length: -1\r\n', '12345'),
    'Transfer-Encoding: xchunked': () => post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled()}`),
    'Transfer-Encoding: chunked, identity': () => post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'),
    'Transfer-Encoding: chunked twice': () =>
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${smuggled()}`),
    'lines that end in a bare LF': () => 'GET /healthz HTTP/1.1\nHost: x\n\n',
    'a header that ends in a bare CR': () => `GET /healthz HTTP/1.1\r\n${host}X-A: a\rX-B: b\r\n\r\n`,
    'a space before the colon': () => `GET /healthz HTTP/1.1\r\n${host}Content-Length : 5\r\n\r\n`,
    'a header without a name': () => `GET /healthz HTTP/1.1\r\n${host}: x\r\n\r\n`,
    'U+0000 in a header': () => `GET /healthz HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`,
    'a line that goes on in the next one': () => `GET /healthz HTTP/1.1\r\n ${host}\r\n`,
    'a method that is none': () => `GRAB /healthz HTTP/1.1\r\n${host}\r\n`,
    'bytes that are no HTTP': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'another version': () => `GET /healthz HTTP/3.0\r\n${host}\r\n`,
    'HTTP/2 without asking': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a byte beyond ASCII in the path': () => `GET /labels?name=\xff HTTP/1.1\r\n${host}\r\n`,
    'two Host headers': () => `GET /healthz HTTP/1.1\r\n${host}Host: evil.example.com\r\n\r\n${smuggled()}`,
    'the same Host twice': () => `GET /healthz HTTP/1.1\r\n${host}${host.replace('Host', 'HOST')}\r\n`,
    'no Host': () => 'GET /healthz HTTP/1.1\r\n\r\n',
    'no Host on a path that nobody knows': () => 'GET /nothing HTTP/1.1\r\n\r\n',
  };

  test.each(Object.keys(CASES))('%s', async (name) => {
    expectRefusedOnce(await sendRaw(service.url, CASES[name]?.() ?? ''), 400, 'invalid_request');
  });

  test('a flood of chunk extensions is cut off', async () => {
    const flood = `1;${'a'.repeat(20_000)}\r\nx\r\n`;
    const answer = await sendRaw(service.url, post('Transfer-Encoding: chunked\r\n', flood));
    expectRefusedOnce(answer, 400, 'invalid_request');
  });

  // Security (HTTP, and what all share): Headers of 17 kB are 431
  test('headers of 17 kB are 431', async () => {
    for (const headers of [`X-A: ${'a'.repeat(17_000)}\r\n`, `X-A: ${'a'.repeat(170)}\r\n`.repeat(100)]) {
      const answer = await sendRaw(service.url, `GET /healthz HTTP/1.1\r\n${host}${headers}\r\n`);
      expectRefusedOnce(answer, 431, 'headers_too_large');
    }
  });

  test('a path of 17 kB is refused, and one of 10 kB is an unknown path', async () => {
    const get = (length: number) => `GET /${'a'.repeat(length)} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    expectRefusedOnce(await sendRaw(service.url, get(17_000)), 431, 'headers_too_large');
    expectRefusedOnce(await sendRaw(service.url, get(10_000)), 404, 'not_found');
  });
});

describe('what old and unusual clients may do', () => {
  test.each([
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n'],
    [
      'an absolute address',
      'GET http://any.example.com/healthz HTTP/1.1\r\nHost: any.example.com\r\nConnection: close\r\n\r\n',
    ],
    [
      'an expectation that nobody knows',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    ],
    [
      'an upgrade that nobody offers',
      'GET /healthz HTTP/1.0\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])('%s is answered as usual', async (_name, request) => {
    const answer = await sendRaw(service.url, request);
    expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}']);
    expect(answer.head).toContain('x-request-id');
  });

  test.each(['http://any.example.com/auth/local', 'HTTPS://any.example.com/auth/local?a=1', '/%61uth/local'])(
    'POST %s means the path that it names, in errors too',
    async (target) => {
      const headers = `${host}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;
      const answer = await sendRaw(service.url, `POST ${target} HTTP/1.1\r\n${headers}\r\n{}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid_request' }, data: null });
    },
  );

  test('an absolute address has the methods of its path, and is unknown where its path is', async () => {
    const ask = (line: string) => sendRaw(service.url, `${line} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    const refused = await ask('PATCH http://any.example.com/auth/local');
    expect([refused.status, /^allow: (.*)$/im.exec(refused.head)?.[1]]).toEqual([405, 'POST']);
    expect((await ask('GET http://any.example.com')).status).toBe(200);
    for (const line of ['GET http://any.example.com/auth/nowhere?a=1', 'OPTIONS *'])
      expect((await ask(line)).status, line).toBe(404);
  });

  test('Expect: 100-continue gets 100 Continue', async () => {
    const body = '{"email":1}';
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n`;
    const { head, body: rest } = await sendRaw(
      service.url,
      `POST /auth/local HTTP/1.1\r\n${host}${headers}\r\n${body}`,
    );
    expect(head).toContain('HTTP/1.1 100 Continue');
    expect(rest).toContain('HTTP/1.1 400');
  });
});

describe('slow clients', () => {
  // Security (HTTP, and what all share): Headers may take 10 seconds, a whole request 20
  test('the limits: 10 s for the headers, 20 s for the request, checked every second', async () => {
    const { server } = service.server;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 20_000]);
    expect(server.headersTimeout).toBeLessThan(server.requestTimeout);
    expect(Reflect.get(server, 'connectionsCheckingInterval')).toBe(1_000);
  });

  // Security (HTTP, and what all share): Requests that never end are cut off
  test.each([
    ['headers', 'POST /x HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'a body with a length',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
    [
      'a chunked body',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
    ],
    ['nothing at all', ''],
  ])('%s that never end are cut off with 408', async (_name, beginning) => {
    const { url, app } = await startBareServer();
    app.server.headersTimeout = 200;
    app.server.requestTimeout = 400;
    expectRefusedOnce(await sendRaw(url, beginning), 408, 'request_timeout');
    await app.close();
  });
});

// Security (HTTP, and what all share): Connections are limited, in total and for each address
describe('connection limits', () => {
  test('one address may hold MAX_CONNECTIONS_PER_ADDRESS, and open another when it closes one', async () => {
    const { url, app } = await startBareServer({ maxConnectionsPerAddress: 3 });
    const held = await Promise.all([holdConnection(url), holdConnection(url), holdConnection(url)]);
    expect(await isServed(url)).toBe(false);
    expect(await isServed(url)).toBe(false);
    const [first] = held;
    first?.destroy();
    await expect.poll(() => isServed(url)).toBe(true);
    for (const socket of held) socket.destroy();
    await app.close();
  });

  test('there are at most MAX_CONNECTIONS in all', async () => {
    const { url, app } = await startBareServer({ maxConnections: 2 });
    const held = await Promise.all([holdConnection(url), holdConnection(url)]);
    expect(await isServed(url)).toBe(false);
    for (const socket of held) socket.destroy();
    await expect.poll(() => isServed(url)).toBe(true);
    await app.close();
  });
});

describe('clients that leave their side of the connection open', () => {
  const slow = 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const CASES = {
    'are no HTTP': 'these bytes are no HTTP\r\n',
    'send nothing': '',
    'never end their headers': 'GET /x HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    'never end their body': `${slow}Content-Length: 100\r\n\r\n{`,
    'never send what was refused as too large': `${slow}Content-Length: 10000000\r\n\r\n{`,
    'ask for the end': 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'have two hosts': 'GET /x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'read nothing of a long answer': 'GET /long HTTP/1.1\r\nHost: x\r\n\r\n',
    'read nothing of many answers': 'GET /some HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100),
  };

  // Security (HTTP, and what all share): Clients that leave their side open, or read nothing, are disconnected within seconds
  test('lose their connection anyway', async () => {
    const lose = async ([name, bytes]: [string, string]) => {
      const { url, app } = await startBareServer({ maxConnectionsPerAddress: 1, stalledTimeoutMs: 300 });
      app.server.headersTimeout = 300;
      app.server.requestTimeout = 600;
      const socket = await openHalf(url);
      if (name.startsWith('read nothing')) socket.pause();
      else socket.resume();
      socket.write(bytes);
      await expect.poll(() => isServed(url), { message: name }).toBe(true);
      socket.destroy();
      await app.close();
    };
    await Promise.all(Object.entries(CASES).map(lose));
  });

  test('while a slow reader gets all of a long answer', async () => {
    const { url, app } = await startBareServer({ stalledTimeoutMs: 10_000 });
    const socket = await openHalf(url);
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let length = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length < 20 * chunk.length) await sleep(100);
    }
    expect(length).toBeGreaterThan(LONG_BYTES);
    socket.destroy();
    await app.close();
  });
});

// Security (HTTP, and what all share): 1,000 slow clients do not keep others out
test('with 1,000 clients that never finish their headers all others are served', async () => {
  const { url, app } = await startBareServer();
  // On any machine they are not cut off while the test runs.
  app.server.headersTimeout = 60_000;
  app.server.requestTimeout = 90_000;
  const slow = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(url)));
  for (const socket of slow) socket.write('GET /x HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  expect(await Promise.all(Array.from({ length: 50 }, () => isServed(url)))).toEqual(Array(50).fill(true));
  expect(slow.filter((socket) => socket.readyState !== 'open')).toEqual([]);
  for (const socket of slow) socket.destroy();
  await app.close();
});

/** More than the buffers of both ends hold together. */
const LONG_BYTES = 50_000_000;

/** A connection whose own side stays open when the server has closed its side. */
async function openHalf(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The server with what holds for every route, and one route that reads a body. */
async function startBareServer(options: Partial<ServerOptions> = {}): Promise<{ url: string; app: FastifyInstance }> {
  const { corsOrigins, trustedProxies, maxConnections, maxConnectionsPerAddress } = service.config;
  const limits = { corsOrigins, trustedProxies, maxConnections, maxConnectionsPerAddress };
  const app = await createServer({ ...limits, logger: pino({ level: 'silent' }), ...options });
  app.post('/x', async () => ({}));
  app.get('/x', async () => ({}));
  app.get('/long', async () => 'x'.repeat(LONG_BYTES));
  app.get('/some', async () => 'x'.repeat(LONG_BYTES / 50));
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), app };
}

const GET_AND_STAY = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

/** A connection that was served and stays open. */
async function holdConnection(url: string): Promise<Socket> {
  const socket = await openSocket(url);
  socket.write(GET_AND_STAY);
  await once(socket, 'data');
  return socket;
}

async function isServed(url: string): Promise<boolean> {
  const socket = await openSocket(url);
  socket.write(GET_AND_STAY.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  return (await readAnswer(socket)).status === 200;
}
