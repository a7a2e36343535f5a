/** JSON requests to a gateway over HTTP. Failures are classified by what is known about the request's effect. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { GatewayError } from './gateway.ts';

const defaultMaximumAnswerBytes = 64 * 1024;
/** Without a limit of its own an agent ignores the server's `Keep-Alive: timeout` and reuses closed connections. */
const idleConnectionTimeoutMs = 30_000;
const maximumConnections = 256;
/**
 * The fault of our credentials, not of the request: a wrong or revoked key, one without the right, or a proxy that
 * requires one.
 */
const unauthorizedStatuses = [401, 403, 407];

export type GatewayConnectionOptions = {
  baseUrl: string;
  headers: Record<string, string>;
  /** For the whole call, from the wait for a connection to the last byte of the answer. */
  timeoutMs: number;
  /** A longer answer is an error; 64 KiB by default. */
  maximumAnswerBytes?: number;
};

export type GatewayRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  /** The time limit of this request, if it is shorter than the connection's. */
  timeoutMs?: number | undefined;
};
/** `status` is 2xx or 4xx; `body` is untrusted JSON, undefined when a refusal has none. */
export type GatewayAnswer = { status: number; body: unknown };
export type SendGatewayRequest = (request: GatewayRequest) => Promise<GatewayAnswer>;

/** One HTTP request and its answer. `timeoutMs` covers all of it. */
export type GatewayExchange = {
  method: string;
  path: string;
  headers: Record<string, string | number | string[]>;
  payload: Buffer | null;
  timeoutMs: number;
};
export type ExchangeWithGateway = (exchange: GatewayExchange) => Promise<{ status: number; bytes: Buffer }>;

/**
 * Opens a pool of kept-alive connections to one gateway that speaks JSON. Rejects with a `GatewayError`: `not_sent` when no
 * connection came about, `rate_limited` for 429, `unauthorized` for 401, 403 and 407, `outcome_unknown` for everything that leaves
 * the effect open. Other refusals (4xx) are answered, for the adapter to judge.
 */
export function connectToGateway({
  baseUrl,
  headers,
  timeoutMs,
  maximumAnswerBytes = defaultMaximumAnswerBytes,
}: GatewayConnectionOptions): SendGatewayRequest {
  const exchangeBytes = openGatewayConnections(baseUrl, { maximumAnswerBytes });
  return async ({ method, path, body, timeoutMs: limitMs = timeoutMs }) => {
    const payload = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const contentHeaders: Record<string, string | number> = payload
      ? { 'content-type': 'application/json', 'content-length': payload.length }
      : {};
    const allHeaders = { accept: 'application/json', ...headers, ...contentHeaders };
    const answer = await exchangeBytes({
      method,
      path,
      headers: allHeaders,
      payload,
      timeoutMs: Math.min(timeoutMs, limitMs),
    });
    return readAnswer(answer.status, answer.bytes);
  };
}

/**
 * Opens a pool of kept-alive connections. A request is written once and never sent again by itself, and redirects are not followed.
 * Whatever status came back is answered; rejects with a `GatewayError` `not_sent` or `outcome_unknown` when none did, or when the
 * answer is longer than `maximumAnswerBytes` (64 KiB unless given).
 */
export function openGatewayConnections(
  baseUrl: string,
  { maximumAnswerBytes = defaultMaximumAnswerBytes } = {},
): ExchangeWithGateway {
  const base = new URL(baseUrl);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw new Error('The URL of a gateway must use http or https.');
  const secure = base.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: maximumConnections, timeout: idleConnectionTimeoutMs };
  const agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const start = secure ? httpsRequest : httpRequest;

  return ({ method, path, headers, payload, timeoutMs }) =>
    exchange(start(new URL(path, base), { agent, method, headers }), { payload, timeoutMs, maximumAnswerBytes });
}

type Bounds = { payload: Buffer | null; timeoutMs: number; maximumAnswerBytes: number };

async function exchange(
  outgoing: ClientRequest,
  { payload, timeoutMs, maximumAnswerBytes }: Bounds,
): Promise<{ status: number; bytes: Buffer }> {
  let connected = false;
  let timedOut = false;
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) connected = true;
    else socket.once('connect', () => (connected = true));
  });
  // Timers run on the monotonic clock. After a pause of the process they run before the sockets do, so a stalled
  // request that was not written yet is dropped, not sent late.
  const deadline = setTimeout(() => {
    timedOut = true;
    outgoing.destroy();
  }, timeoutMs);

  try {
    return await receive(outgoing, payload, maximumAnswerBytes);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    // For the log: connection refused, unknown host, expired certificate. After a timeout of ours there is no cause to
    // log.
    const options = timedOut ? undefined : { cause: error };
    if (!connected) throw new GatewayError('not_sent', 'No connection to the gateway could be made.', options);
    const reason = timedOut ? 'The gateway gave no answer in time.' : 'The connection to the gateway broke.';
    throw new GatewayError('outcome_unknown', reason, options);
  } finally {
    clearTimeout(deadline);
  }
}

async function receive(
  outgoing: ClientRequest,
  payload: Buffer | null,
  maximumAnswerBytes: number,
): Promise<{ status: number; bytes: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    // Never removed: the connection may break after the answer, and an unhandled error would end the process.
    outgoing.on('error', reject);
    outgoing.end(payload ?? undefined);
  });

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumAnswerBytes) {
      outgoing.destroy();
      throw new GatewayError('outcome_unknown', 'The answer of the gateway is too long.');
    }
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) };
}

function readAnswer(status: number, bytes: Buffer): GatewayAnswer {
  if (status === 429) throw new GatewayError('rate_limited', 'The gateway asks for fewer requests.');
  if (unauthorizedStatuses.includes(status)) {
    throw new GatewayError('unauthorized', `The gateway refused our credentials with status ${status}.`);
  }
  // 408 is a timeout, although it is in the range of refusals.
  const refused = status >= 400 && status < 500 && status !== 408;
  if (refused) return { status, body: parseJson(bytes) };

  if (status < 200 || status > 299) {
    throw new GatewayError('outcome_unknown', `The gateway answered with status ${status}.`);
  }
  const body = parseJson(bytes);
  if (body === undefined) throw new GatewayError('outcome_unknown', 'The answer of the gateway is not JSON.');
  return { status, body };
}

/** Undefined when the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads the address of a gateway's API. @returns null when the text is not an http or https URL without a path and a login */
export function readApiBase(text: string): URL | null {
  const base = URL.parse(text);
  const isBaseUrl = base !== null && /^https?:$/.test(base.protocol) && base.pathname === '/';
  return isBaseUrl && base.search === '' && base.username === '' && base.hash === '' ? base : null;
}
