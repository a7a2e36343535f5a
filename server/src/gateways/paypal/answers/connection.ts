/** PayPal's own package on our connections, and every way to fail sorted by what it says about the effect. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
  VaultController,
} from '@paypal/paypal-server-sdk';
import { type ExchangeWithGateway, openGatewayConnections, parseJson } from '../../gateway/gateway.connection.ts';
import { GatewayError } from '../../gateway/gateway.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** PayPal is busy with the same object or request id: how long to wait, doubled each time. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** An order brings all its refunds along, a page of the search up to a hundred transactions, one of the disputes up to fifty. */
const MAXIMUM_ANSWER_BYTES = 512 * 1024;

export type PayPalConnectionOptions = { baseUrl: string; clientId: string; clientSecret: string; timeoutMs: number };
export type PayPalApi = {
  orders: OrdersController;
  payments: PaymentsController;
  vault: VaultController;
  transactions: TransactionSearchController;
  /** What the package has no function for: posts JSON text as it is. */
  post: (path: string, json: string) => Promise<{ body: unknown }>;
  /** The same for what is read. The path is ours: what came from elsewhere in it has been checked. */
  get: (path: string) => Promise<{ body: unknown }>;
};
/** One request to PayPal. */
export type Call = (paypal: PayPalApi) => Promise<{ body: unknown }>;
/** Answers the JSON that came, untrusted; rejects with a `GatewayError` or, where PayPal refused the request itself, a `PayPalRefusal`. */
export type AskPayPal = (call: Call) => Promise<unknown>;

/** PayPal looked at the request and refused it. Carries nothing that it said but its codes. */
export class PayPalRefusal extends GatewayError {
  readonly status: number;
  /** PayPal's word for the kind: `UNPROCESSABLE_ENTITY`, `RESOURCE_NOT_FOUND`. */
  readonly word: string;
  /** PayPal's words for what is wrong: `INSTRUMENT_DECLINED`. */
  readonly issues: readonly string[];

  constructor(status: number, word: string, issues: readonly string[]) {
    super('rejected', `PayPal refused the request with status ${status}.`);
    this.status = status;
    this.word = word;
    this.issues = issues;
  }
}

/** The access token is not taken (any more); a new one may be. */
class TokenRefusal extends GatewayError {
  constructor() {
    super('unauthorized', 'PayPal refused our access token.');
  }
}

/** Another request has the same object or request id, so that PayPal did not look at this one. */
class Busy extends GatewayError {
  constructor() {
    super('rate_limited', 'PayPal is busy with the same object.');
  }
}

/**
 * Opens a pool of connections to PayPal. Each call of the answered function begins one deadline for all requests that are made with
 * what it answers, those for an access token among them. Where PayPal says that it did not look at a request, because it is at work on
 * the same object or the access token has had its day, it is asked again; nothing else is ever sent twice.
 */
export function connectToPayPal({ baseUrl, ...options }: PayPalConnectionOptions): () => AskPayPal {
  const exchange = openGatewayConnections(baseUrl, { maximumAnswerBytes: MAXIMUM_ANSWER_BYTES });
  const tokens = createTokens();
  return () => {
    const deadlineMs = performance.now() + options.timeoutMs;
    const open = () => createApi(createClient({ ...options, exchange, tokens, deadlineMs }));
    let api = open();
    // A client keeps its token.
    const renew = () => {
      tokens.forget();
      api = open();
    };
    return (call) => ask(() => call(api), renew, deadlineMs);
  };
}

async function ask(call: () => Promise<{ body: unknown }>, renew: () => void, deadlineMs: number): Promise<unknown> {
  let mayRenew = true;
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    try {
      return await readBody(call());
    } catch (error) {
      const failure = toFailure(error);
      if (failure instanceof TokenRefusal && mayRenew) {
        mayRenew = false;
        renew();
      } else if (failure instanceof Busy && performance.now() + pauseMs < deadlineMs) {
        await sleep(pauseMs * (0.5 + Math.random() / 2));
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      } else throw failure;
    }
  }
}

async function readBody(answered: Promise<{ body: unknown }>): Promise<unknown> {
  const { body } = await answered;
  return typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
}

/** What the package throws itself is not handed on: it keeps what was answered in it. */
function toFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError('outcome_unknown', "PayPal's answer has another shape than its package knows.");
}

function createApi(client: Client): PayPalApi {
  const createRequest = client.getRequestBuilderFactory();
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    vault: new VaultController(client),
    transactions: new TransactionSearchController(client),
    async post(path, json) {
      const request = createRequest('POST', path);
      request.text(json);
      request.header('Content-Type', 'application/json');
      request.authenticate([{ oauth2: true }]);
      return request.call();
    },
    async get(path) {
      const request = createRequest('GET', path);
      request.authenticate([{ oauth2: true }]);
      return request.call();
    },
  };
}

type ClientOptions = {
  clientId: string;
  clientSecret: string;
  exchange: ExchangeWithGateway;
  tokens: Tokens;
  deadlineMs: number;
};

/**
 * A client of the package, made for one deadline. The package knows two addresses and no other, follows redirects, and reads answers
 * without bounds; so its requests go by an adapter of axios, which is what it lets us choose, to our own connections.
 */
function createClient({ clientId, clientSecret, exchange, tokens, deadlineMs }: ClientOptions): Client {
  return new Client({
    environment: Environment.Production,
    httpClientOptions: { retryConfig: { maxNumberOfRetries: 0 } },
    unstable_httpClientOptions: { adapter: (request: AxiosRequest) => send(exchange, deadlineMs, request) },
    clientCredentialsAuthCredentials: {
      oAuthClientId: clientId,
      oAuthClientSecret: clientSecret,
      oAuthTokenProvider: async (_last, manager) => {
        const accessToken = await tokens.get(() => manager.fetchToken());
        return { accessToken, tokenType: 'Bearer' };
      },
    },
  });
}

/** As much of axios's request as the package uses. */
type AxiosRequest = {
  url: string;
  method: string;
  headers: { toJSON(): Record<string, string | number | string[] | null | undefined> };
  data?: string;
};

async function send(exchange: ExchangeWithGateway, deadlineMs: number, request: AxiosRequest) {
  const timeoutMs = Math.ceil(deadlineMs - performance.now());
  // After a pause of the process it may be too late for what was to come next.
  if (timeoutMs <= 0) throw new GatewayError('outcome_unknown', 'There was no time left to ask PayPal.');
  const { pathname, search } = new URL(request.url);
  const payload = request.data === undefined ? null : Buffer.from(request.data);
  const headers: Record<string, string | number | string[]> = {};
  for (const [name, value] of Object.entries(request.headers.toJSON())) {
    if (value !== undefined && value !== null) headers[name] = value;
  }
  if (payload !== null) headers['content-length'] = payload.length;
  const method = request.method.toUpperCase();
  const { status, bytes } = await exchange({ method, path: pathname + search, headers, payload, timeoutMs });
  return { data: readText(status, bytes), status, statusText: '', headers: {}, config: request };
}

/** Sound JSON of a success. Anything between us and PayPal may answer too, so a refusal counts in PayPal's own form alone. */
function readText(status: number, bytes: Buffer): string {
  if (status === 401) throw new TokenRefusal();
  if (status === 403 || status === 407) {
    throw new GatewayError('unauthorized', `PayPal refused our credentials with status ${status}.`);
  }
  if (status === 429) throw new GatewayError('rate_limited', 'PayPal asks for fewer requests.');
  if (status === 204 && bytes.length === 0) return '';
  const body = parseJson(bytes);
  if (status >= 200 && status < 300 && isObject(body)) return bytes.toString();
  const refusal = status >= 400 && status < 500 && status !== 408 ? toRefusal(status, body) : null;
  throw refusal ?? new GatewayError('outcome_unknown', `PayPal's answer with status ${status} can't be read.`);
}

/** PayPal's errors: https://developer.paypal.com/api/rest/responses/. Null for what is none. */
function toRefusal(status: number, body: unknown): GatewayError | null {
  if (!isObject(body) || !('name' in body) || !isWord(body.name)) return null;
  const details = 'details' in body && Array.isArray(body.details) ? body.details : [];
  const issues = details.flatMap((detail: unknown) => {
    const issue = isObject(detail) && 'issue' in detail ? detail.issue : null;
    return isWord(issue) ? [issue] : [];
  });
  if (issues.includes('PREVIOUS_REQUEST_IN_PROGRESS')) return new Busy();
  // Another 409 tells of a conflict, and not of its outcome.
  return status === 409 ? null : new PayPalRefusal(status, body.name, issues);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,99}$/.test(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
