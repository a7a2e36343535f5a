/** Runs PayPal's package on our connections, and classifies each failure by what it says about the effect of the request. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
  VaultController,
} from '@paypal/paypal-server-sdk';
import { Type } from '../../../platform/http/schema/type.ts';
import { type ExchangeWithGateway, openGatewayConnections, parseJson } from '../../gateway/gateway.connection.ts';
import { matches, textLike } from '../../gateway/gateway.shapes.ts';
import { GatewayError } from '../../gateway/gateway.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** The first wait while PayPal is busy with the same object or request id. Each further wait is twice as long. */
const INITIAL_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;
/** Enough for an order with all its refunds, a page of a hundred transactions and a page of fifty disputes. */
const MAXIMUM_ANSWER_BYTES = 512 * 1024;

export type PayPalConnectionOptions = { baseUrl: string; clientId: string; clientSecret: string; timeoutMs: number };
export type PayPalApi = {
  orders: OrdersController;
  payments: PaymentsController;
  vault: VaultController;
  transactions: TransactionSearchController;
  /** Posts JSON text unchanged, where the package has no function. */
  post: (path: string, json: string) => Promise<{ body: unknown }>;
  /** Reads a path, where the package has no function. The caller must validate whatever it puts into the path. */
  get: (path: string) => Promise<{ body: unknown }>;
};
/** One request to PayPal. */
export type Call = (paypal: PayPalApi) => Promise<{ body: unknown }>;
/** Returns JSON, not yet validated. Rejects with a `PayPalRefusal` if PayPal itself refused, and with another `GatewayError` otherwise. */
export type AskPayPal = (call: Call) => Promise<unknown>;

/** Starts a deadline, after `limitMs` if that is sooner than the connection's time limit. */
export type BeginPayPalCall = (limitMs?: number) => AskPayPal;

/** PayPal examined the request and refused it. Of PayPal's answer, the error keeps only the codes. */
export class PayPalRefusal extends GatewayError {
  readonly status: number;
  /** PayPal's name of the error: `UNPROCESSABLE_ENTITY`, `RESOURCE_NOT_FOUND`. */
  readonly word: string;
  /** PayPal's codes for the causes: `INSTRUMENT_DECLINED`. */
  readonly issues: readonly string[];

  constructor(status: number, word: string, issues: readonly string[]) {
    super('rejected', `PayPal refused the request with status ${status}.`);
    this.status = status;
    this.word = word;
    this.issues = issues;
  }
}

/** PayPal rejected the access token. It may accept a new one. */
class TokenRefusal extends GatewayError {
  constructor() {
    super('unauthorized', 'PayPal refused our access token.');
  }
}

/** PayPal did not process the request, because another one holds the same object or request id. */
class Busy extends GatewayError {
  constructor() {
    super('rate_limited', 'PayPal is busy with the same object.');
  }
}

/**
 * Creates a pool of connections to PayPal. Each call of the returned function starts a deadline and returns an `AskPayPal`; all requests
 * made with that share the deadline, also those for an access token. A request is sent again only if PayPal says that it did not process
 * it, because it is busy with the same object or the access token has expired.
 */
export function connectToPayPal({ baseUrl, ...options }: PayPalConnectionOptions): BeginPayPalCall {
  const exchange = openGatewayConnections(baseUrl, { maximumAnswerBytes: MAXIMUM_ANSWER_BYTES });
  const tokens = createTokens();
  return (limitMs = options.timeoutMs) => {
    const deadlineMs = performance.now() + Math.min(options.timeoutMs, limitMs);
    const open = () => createApi(createClient({ ...options, exchange, tokens, deadlineMs }));
    let api = open();
    // A client keeps its token, so a new token needs a new client.
    const renew = () => {
      tokens.forget();
      api = open();
    };
    return (call) => ask(() => call(api), renew, deadlineMs);
  };
}

async function ask(call: () => Promise<{ body: unknown }>, renew: () => void, deadlineMs: number): Promise<unknown> {
  let mayRenew = true;
  for (let pauseMs = INITIAL_DELAY_MS; ; ) {
    try {
      return await readBody(call());
    } catch (error) {
      const failure = toFailure(error);
      if (failure instanceof TokenRefusal && mayRenew) {
        mayRenew = false;
        renew();
      } else if (failure instanceof Busy && performance.now() + pauseMs < deadlineMs) {
        await sleep(pauseMs * (0.5 + Math.random() / 2));
        pauseMs = Math.min(pauseMs * 2, MAX_DELAY_MS);
      } else throw failure;
    }
  }
}

async function readBody(answered: Promise<{ body: unknown }>): Promise<unknown> {
  const { body } = await answered;
  return typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
}

/** The package's own error is not kept as the cause, because it contains PayPal's answer. */
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
 * Creates a client of the package for one deadline. The package supports only two addresses, follows redirects and reads answers of any
 * size. It lets us replace only the axios adapter, so that adapter sends the requests over our own connections.
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

/** The part of axios's request that the package uses. */
type AxiosRequest = {
  url: string;
  method: string;
  headers: { toJSON(): Record<string, string | number | string[] | null | undefined> };
  data?: string;
};

async function send(exchange: ExchangeWithGateway, deadlineMs: number, request: AxiosRequest) {
  const timeoutMs = Math.ceil(deadlineMs - performance.now());
  // The process may have been paused until after the deadline.
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

const AnyObject = Type.Object({});

/** Accepts the JSON of a success. A proxy in between can also answer, so a refusal counts only in PayPal's own form. */
function readText(status: number, bytes: Buffer): string {
  if (status === 401) throw new TokenRefusal();
  if (status === 403 || status === 407) {
    throw new GatewayError('unauthorized', `PayPal refused our credentials with status ${status}.`);
  }
  if (status === 429) throw new GatewayError('rate_limited', 'PayPal asks for fewer requests.');
  if (status === 204 && bytes.length === 0) return '';
  const body = parseJson(bytes);
  if (status >= 200 && status < 300 && matches(AnyObject, body)) return bytes.toString();
  const refusal = status >= 400 && status < 500 && status !== 408 ? toRefusal(status, body) : null;
  throw refusal ?? new GatewayError('outcome_unknown', `PayPal's answer with status ${status} can't be read.`);
}

const Word = textLike(/^[A-Z][A-Z0-9_]{0,99}$/);
/** PayPal's errors (https://developer.paypal.com/api/rest/responses/). */
const Refusal = Type.Object({ name: Word });
const Detailed = Type.Object({ details: Type.Array(Type.Unsafe<unknown>({})) });
const Detail = Type.Object({ issue: Word });

/** Reads PayPal's errors; null for anything else. */
function toRefusal(status: number, body: unknown): GatewayError | null {
  if (!matches(Refusal, body)) return null;
  const details = matches(Detailed, body) ? body.details : [];
  const issues = details.flatMap((detail) => (matches(Detail, detail) ? [detail.issue] : []));
  if (issues.includes('PREVIOUS_REQUEST_IN_PROGRESS')) return new Busy();
  // Any other 409 reports a conflict but not its outcome.
  return status === 409 ? null : new PayPalRefusal(status, body.name, issues);
}
