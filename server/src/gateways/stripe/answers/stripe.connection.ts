/** Runs Stripe's package on our connections, and classifies each failure by what it says about the effect of the request. */
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { Type } from '../../../platform/http/schema/type.ts';
import { openGatewayConnections, parseJson } from '../../gateway/gateway.connection.ts';
import { matches } from '../../gateway/gateway.shapes.ts';
import { GatewayError } from '../../gateway/gateway.ts';

/** The first wait while Stripe is busy with the same object or key. Each further wait is twice as long. */
const INITIAL_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;
/** Enough for a page of a list: a hundred payments, each with its charge and the metadata of both. */
const MAXIMUM_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * The version of Stripe's API that the adapter is written for. Later ones answer `payment_method_types` with 400
 * (https://docs.stripe.com/changelog/dahlia/2026-08-26/removes-payment-method-types-parameter-from-payment-intents-setup-intents).
 */
const STRIPE_API_VERSION = '2026-07-29.dahlia';

export type StripeConnectionOptions = { baseUrl: string; secretKey: string; timeoutMs: number };
export type CallOptions = { timeout: number; maxNetworkRetries: 0 };
/** One request to Stripe. It must pass `options` on. */
export type Call<Answer> = (stripe: Stripe, options: CallOptions) => Promise<Answer>;
/** Rejects with a `StripeRefusal` if Stripe itself refused the request, and with another `GatewayError` otherwise. */
export type AskStripe = <Answer>(call: Call<Answer>) => Promise<Answer>;

/** Starts a deadline, after `limitMs` if that is sooner than the connection's time limit. */
export type BeginStripeCall = (limitMs?: number) => AskStripe;

/** Stripe examined the request and refused it. Of Stripe's answer, a log shows only the codes. */
export class StripeRefusal extends GatewayError {
  /** Stripe's type of the error: `card_error`, `invalid_request_error`, `idempotency_error`. */
  readonly type: string;
  readonly code: string;
  readonly parameter: string;
  /** Private, so that no log includes it. */
  readonly #paymentIntent: unknown;

  constructor({ rawType, code, param, payment_intent, statusCode }: StripeErrorParts) {
    const isOtherRequest = rawType === 'idempotency_error';
    super(isOtherRequest ? 'conflict' : 'rejected', `Stripe refused the request with status ${statusCode}.`);
    this.type = toPlainWord(rawType);
    this.code = toPlainWord(code);
    this.parameter = toPlainWord(param);
    this.#paymentIntent = payment_intent;
  }

  /** The payment intent in the refusal, not yet validated. */
  get paymentIntent(): unknown {
    return this.#paymentIntent;
  }
}

type StripeErrorParts = Pick<
  Stripe.errors.StripeError,
  'rawType' | 'code' | 'param' | 'payment_intent' | 'statusCode' | 'detail'
>;

/** Returns an empty string for anything that can't be one of Stripe's codes. */
function toPlainWord(text: unknown): string {
  return typeof text === 'string' && /^[a-z][a-z_[\]]{0,99}$/.test(text) ? text : '';
}

/**
 * Creates a pool of connections to Stripe. Each call of the returned function starts a deadline and returns an `AskStripe`; all requests
 * made with that share the deadline. A request is sent again only if Stripe says that it did not process it, because it is busy with the
 * same object or key.
 */
export function connectToStripe({ baseUrl, secretKey, timeoutMs }: StripeConnectionOptions): BeginStripeCall {
  const stripe = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION as NonNullable<Stripe.StripeConfig['apiVersion']>,
    httpClient: createHttpClient(baseUrl),
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: 'Paydesk' },
  });
  return (limitMs = timeoutMs) => {
    const deadlineMs = performance.now() + Math.min(timeoutMs, limitMs);
    return (call) => ask(stripe, deadlineMs, call);
  };
}

async function ask<Answer>(stripe: Stripe, deadlineMs: number, call: Call<Answer>): Promise<Answer> {
  for (let pauseMs = INITIAL_DELAY_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_DELAY_MS)) {
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

/** `busy` means that Stripe did not process the request, because another one holds the object (429) or the key (409). */
function toFailure(error: unknown): GatewayError | 'busy' {
  if (error instanceof GatewayError) return error;
  // The package's error is not kept as the cause, because it contains Stripe's answer.
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
  return new GatewayError('outcome_unknown', `Stripe's answer with status ${parts.statusCode} has no error message.`);
}

/**
 * Replaces the package's own client, which repeats a request when a kept-alive connection closes, even with its retries switched off,
 * and which treats any JSON without `error` as a success, whatever the status.
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

const Success = Type.Object({ error: Type.Optional(Type.Unsafe<never>({ not: {} })) });
const Refusal = Type.Object({ error: Type.Object({ type: Type.String() }) });

/** Accepts the JSON of a success, or of a refusal that Stripe itself wrote: a proxy in between can also answer. */
function readBody(status: number, bytes: Buffer): object {
  if (status === 401 || status === 403 || status === 407) {
    throw new GatewayError('unauthorized', `Stripe refused our credentials with status ${status}.`);
  }
  const body = parseJson(bytes);
  if (status >= 200 && status < 300 && matches(Success, body)) return body;
  if (status >= 400 && status < 500 && status !== 408 && matches(Refusal, body)) return body;
  if (status === 429) throw new GatewayError('rate_limited', 'Stripe asks for fewer requests.');
  throw new GatewayError('outcome_unknown', `Stripe's answer with status ${status} can't be read.`);
}
