import { isPaydeskError, PaydeskConnectionError, type PaydeskError, readError } from './errors.ts';
import { authorize, optionFor, type Prepared, prepare, type Query, readBaseUrl } from './request.ts';
import { planRetry, readRetryAfter, sleep } from './retries.ts';
import { createSession } from './session.ts';
import type { Operation, PaydeskOptions, RequestOptions } from './types.ts';

export type Call = {
  ids: readonly string[];
  body?: unknown;
  query?: Query | undefined;
  options?: RequestOptions | undefined;
};

/** Sends a call, and repeats it where that is safe. @throws PaydeskError, PaydeskConnectionError, or the reason of the call's signal */
export type Send = (operation: Operation, call: Call) => Promise<unknown>;

const DEFAULTS = { timeoutMs: 60_000, totalTimeoutMs: 120_000, maxRetries: 3 };

/** What tests replace. */
export type SendEnvironment = { sleep: typeof sleep; random: () => number };

/**
 * Creates the function that sends calls. A call whose access token is refused is sent once more with the next one.
 * @throws TypeError if the URL is invalid, or the options contradict each other
 */
export function createSend(
  options: PaydeskOptions,
  surroundings: SendEnvironment = { sleep, random: Math.random },
): Send {
  const settings = { ...options, url: readBaseUrl(options.url) };
  const sendWith = createRepeatingSend(settings, surroundings);
  const session = createSession(options, (operation, call) => sendWith(settings, operation, { ids: [], ...call }));
  if (session === null) return (operation, call) => sendWith(settings, operation, call);
  return async (operation, { options: ofCall, ...content }) => {
    // The same key before and after a refresh: an attempt whose answer was lost may have done the work.
    const key = operation.takesKey === true ? { idempotencyKey: crypto.randomUUID() } : {};
    const call = { ...content, options: { ...key, ...ofCall } };
    const sendNow = () => sendWith({ ...settings, accessToken: session.accessToken() }, operation, call);
    if (operation.takesSession === true) return session.adopt(await sendNow());
    const { credential } = operation;
    if (credential === undefined || optionFor(credential, options) !== 'accessToken') return sendNow();
    // Who has no access token yet gets one first.
    if (session.accessToken() === undefined) await session.refresh(undefined);
    const used = session.accessToken();
    try {
      return await sendNow();
    } catch (error) {
      if (!isPaydeskError(error, 'unauthenticated') || !(await session.refresh(used))) throw error;
      return sendNow();
    }
  };
}

type SendWith = (settings: PaydeskOptions, operation: Operation, call: Call) => Promise<unknown>;

function createRepeatingSend(options: PaydeskOptions, surroundings: SendEnvironment): SendWith {
  return async (settings, operation, { options: ofCall = {}, ...content }) => {
    const { signal, idempotencyKey } = ofCall;
    const limits = { ...DEFAULTS, ...limitsIn(options), ...limitsIn(ofCall) };
    const prepared = prepare(operation, content, { idempotencyKey, session: settings.session });
    const endsAtMs = performance.now() + limits.totalTimeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const timeoutMs = Math.max(1, Math.ceil(Math.min(limits.timeoutMs, endsAtMs - performance.now())));
      const outcome = await tryOnce(operation, prepared, { settings, signal, attempt, timeoutMs });
      if ('value' in outcome) return outcome.value;
      const delayMs = planRetry(operation, outcome.error, attempt, surroundings.random);
      const isLast = attempt > limits.maxRetries || performance.now() + (delayMs ?? 0) >= endsAtMs;
      if (delayMs === null || isLast) throw outcome.error;
      await surroundings.sleep(delayMs, signal);
    }
  };
}

function limitsIn({ timeoutMs, totalTimeoutMs, maxRetries }: Partial<typeof DEFAULTS>): Partial<typeof DEFAULTS> {
  const given = Object.entries({ timeoutMs, totalTimeoutMs, maxRetries }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

type Try = { settings: PaydeskOptions; signal: AbortSignal | undefined; attempt: number; timeoutMs: number };
type Outcome = { value: unknown } | { error: PaydeskError | PaydeskConnectionError };

async function tryOnce(operation: Operation, prepared: Prepared, one: Try): Promise<Outcome> {
  const { settings, attempt } = one;
  const authorization = await authorize(operation, settings);
  const answered = await exchange(operation, prepared, authorization, one);
  if ('error' in answered) return answered;
  const { status, headers } = answered;
  const requestId = headers.get('x-request-id');
  settings.onAnswer?.({ method: operation.method, path: prepared.path, status, requestId, attempt });
  return readAnswer(operation, answered, prepared.idempotencyKey);
}

async function exchange(
  { method }: Operation,
  { path, headers: unsigned, body, idempotencyKey }: Prepared,
  authorization: string | null,
  { settings, signal, timeoutMs }: Try,
): Promise<Answered | { error: PaydeskConnectionError }> {
  const headers = new Headers(unsigned);
  if (authorization !== null) headers.set('authorization', authorization);
  const send = settings.fetch ?? fetch;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(`${settings.url}${path}`, {
      method,
      headers,
      ...(body === null ? {} : { body }),
      // The target of a redirect must not get the credential.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? 'timeout' : 'network';
    const message = timeout.aborted ? `No answer came within ${Math.round(timeoutMs)} ms.` : 'No answer came.';
    return { error: new PaydeskConnectionError(reason, message, { idempotencyKey, cause }) };
  }
}

type Answered = { status: number; headers: Headers; bytes: Uint8Array };

function readAnswer(
  { answer }: Operation,
  { status, headers, bytes }: Answered,
  idempotencyKey: string | null,
): Outcome {
  const refuse = (): Outcome => {
    const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), Date.now());
    const text = new TextDecoder().decode(bytes);
    return { error: readError({ status, headers, text }, { retryAfterSeconds, idempotencyKey }) };
  };
  if (status < 200 || status > 299) return refuse();
  if (answer === 'bytes') return { value: bytes };
  const text = new TextDecoder().decode(bytes);
  if (answer === 'text') return { value: text };
  if (text === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return refuse();
  }
}
