/** Stripe's own package on our connections, and every way to fail sorted by what it says about the effect. */
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { openGatewayConnections, parseJson } from '../gateway/gateway.connection.ts';
import { GatewayError } from '../gateway/gateway.ts';

/** Stripe is busy with the same object or key: how long to wait, doubled each time. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** A page of a list holds a hundred payments, each with its metadata. */
const MAXIMUM_ANSWER_BYTES = 1024 * 1024;

export type StripeConnectionOptions = { baseUrl: string; secretKey: string; timeoutMs: number };
export type CallOptions = { timeout: number; maxNetworkRetries: 0 };
/** One request to Stripe; `options` have to go with it. */
export type Call<Answer> = (stripe: Stripe, options: CallOptions) => Promise<Answer>;
/** Rejects with a `GatewayError` or, where Stripe refused the request itself, a `StripeRefusal`. */
export type AskStripe = <Answer>(call: Call<Answer>) => Promise<Answer>;

/** Stripe looked at the request and refused it. Carries nothing that it said but its codes. */
export class StripeRefusal extends GatewayError {
  /** Stripe's word for the kind: `card_error`, `invalid_request_error`, `idempotency_error`. */
  readonly type: string;
  readonly code: string;
  readonly parameter: string;
  /** Private, so that no log writes it out with the error. */
  readonly #paymentIntent: unknown;

  constructor({ rawType, code, param, payment_intent, statusCode }: StripeErrorParts) {
    const isOtherRequest = rawType === 'idempotency_error';
    super(isOtherRequest ? 'conflict' : 'rejected', `Stripe refused the request with status ${statusCode}.`);
    this.type = plainWord(rawType);
    this.code = plainWord(code);
    this.parameter = plainWord(param);
    this.#paymentIntent = payment_intent;
  }

  /** The object as the refusal left it; untrusted. */
  get paymentIntent(): unknown {
    return this.#paymentIntent;
  }
}

type StripeErrorParts = Pick<
  Stripe.errors.StripeError,
  'rawType' | 'code' | 'param' | 'payment_intent' | 'statusCode' | 'detail'
>;

/** Empty for what is no word of Stripe's. */
function plainWord(text: unknown): string {
  return typeof text === 'string' && /^[a-z][a-z_[\]]{0,99}$/.test(text) ? text : '';
}

/**
 * Opens a pool of connections to Stripe. Each call of the answered function begins one deadline for all requests that are made with
 * what it answers. While Stripe says that it is at work on the same object or key, which means that it did not look at this request,
 * it is asked again; nothing else is ever sent twice.
 */
export function connectToStripe({ baseUrl, secretKey, timeoutMs }: StripeConnectionOptions): () => AskStripe {
  const stripe = new Stripe(secretKey, {
    httpClient: createHttpClient(baseUrl),
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: 'Paydesk' },
  });
  return () => {
    const deadlineMs = performance.now() + timeoutMs;
    return (call) => ask(stripe, deadlineMs, call);
  };
}

async function ask<Answer>(stripe: Stripe, deadlineMs: number, call: Call<Answer>): Promise<Answer> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const leftMs = Math.max(1, Math.ceil(deadlineMs - performance.now()));
    try {
      return await call(stripe, { timeout: leftMs, maxNetworkRetries: 0 });
    } catch (error) {
      const failure = toFailure(error);
      if (failure !== 'busy') throw failure;
      if (performance.now() + pauseMs > deadlineMs) {
        throw new GatewayError('rate_limited', 'Stripe is busy with the same object.');
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** `busy`: Stripe did not look at the request, because another one holds the object (429) or the key (409). */
function toFailure(error: unknown): GatewayError | 'busy' {
  if (error instanceof GatewayError) return error;
  // Not handed on: the package keeps what was answered in it.
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new GatewayError('outcome_unknown', "Stripe's package failed.");
  }
  const parts: StripeErrorParts = error;
  if (parts.detail instanceof GatewayError) return parts.detail;
  if (parts.statusCode === 409 || parts.code === 'lock_timeout') return 'busy';
  if (parts.statusCode === 429 || parts.code === 'rate_limit') {
    return new GatewayError('rate_limited', 'Stripe asks for fewer requests.');
  }
  if ([400, 402, 404].includes(parts.statusCode ?? 0)) return new StripeRefusal(parts);
  return new GatewayError('outcome_unknown', `Stripe's answer with status ${parts.statusCode} says nothing.`);
}

/**
 * The package's own client sends a request again when a kept-alive connection closes, even with its retries switched off, and takes
 * any JSON without `error` for success, whatever the status.
 */
function createHttpClient(baseUrl: string): Stripe.HttpClient {
  const exchange = openGatewayConnections(baseUrl, { maximumAnswerBytes: MAXIMUM_ANSWER_BYTES });
  return {
    getClientName: () => 'paydesk',
    async makeRequest(_host, _port, path, method, headers, requestData, _protocol, timeoutMs) {
      const payload = requestData ? Buffer.from(requestData) : null;
      const answer = await exchange({ method, path, headers: readHeaders(headers), payload, timeoutMs });
      const body = readBody(answer.status, answer.bytes);
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => ({}),
        getRawResponse: () => ({}),
        toStream: () => {
          throw new Error('Nothing is streamed.');
        },
        toJSON: async () => body,
      };
    },
  };
}

function readHeaders(headers: object): Record<string, string | number | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined && value !== null));
}

/** Sound JSON of a success, or of a refusal that Stripe itself wrote; anything between us and Stripe may answer too. */
function readBody(status: number, bytes: Buffer): object {
  if (status === 401 || status === 403 || status === 407) {
    throw new GatewayError('unauthorized', `Stripe refused our credentials with status ${status}.`);
  }
  const body = parseJson(bytes);
  const error = isObject(body) && 'error' in body ? body.error : undefined;
  if (isObject(body) && status >= 200 && status < 300 && error === undefined) return body;
  if (isObject(body) && status >= 400 && status < 500 && status !== 408 && hasType(error)) return body;
  if (status === 429) throw new GatewayError('rate_limited', 'Stripe asks for fewer requests.');
  throw new GatewayError('outcome_unknown', `Stripe's answer with status ${status} can't be read.`);
}

function hasType(error: unknown): boolean {
  return isObject(error) && 'type' in error && typeof error.type === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
