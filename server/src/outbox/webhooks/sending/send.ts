import type { Resolver } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { hideCardNumbers } from '../../../platform/logging/card-numbers.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { isAddressRefused, newResolver, publicLookup, systemLookup } from '../../../platform/outbound/lookups.ts';
import { allowedHostsOf, findUrlProblem, isAllowedHost, type Target } from './target.ts';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1_024;
/** Idle connections are closed after this time, so that names are looked up again soon. */
const IDLE_CONNECTION_MS = 4_000;

export type Outcome = {
  /** Null when no answer came. */
  status: number | null;
  /** Null for a success: any 2xx. */
  failure: null | 'address_refused' | 'timeout' | 'connection_failed' | 'status_not_2xx' | 'secret_unreadable';
  /** The beginning of the answer's body. */
  response: string;
  durationMs: number;
};

/** Sends one POST to an endpoint of a company or of the operator (`OPERATOR_SCOPE`). It never rejects. */
export type Send = (
  endpoint: { companyId: string; url: string },
  headers: Record<string, string>,
  body: string,
) => Promise<Outcome>;

/**
 * The operator's endpoints may be at `allowedHosts` wherever these are. `resolver` queries name servers; tests pass
 * their own.
 */
export type SendOptions = { allowedHosts: readonly string[]; resolver?: Resolver; timeoutMs?: number };

/**
 * Creates the sender. It resolves a name, checks all its addresses and connects to one of them: no second look-up could
 * return another address. Consecutive events share a connection. Redirects are not followed, and only the beginning of
 * an answer is read.
 */
export function createSend({ allowedHosts, resolver = newResolver(), timeoutMs = TIMEOUT_MS }: SendOptions): Send {
  // Two, so that no company's event uses a connection to a host that only the operator may reach.
  const agents = { operator: openAgents(), companies: openAgents() };
  return async ({ companyId, url }, headers, body) => {
    const startedAt = performance.now();
    const target = { url, allowedHosts: allowedHostsOf(companyId, allowedHosts) };
    const use = companyId === OPERATOR_SCOPE ? agents.operator : agents.companies;
    const result = await post(target, { headers, body, resolver, timeoutMs, agents: use });
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  };
}

type Agents = { http: HttpAgent; https: HttpsAgent };

/**
 * The agent reuses a connection only for the same host and port, whose address was checked when the connection was
 * made.
 */
function openAgents(): Agents {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

type Post = { headers: Record<string, string>; body: string; resolver: Resolver; timeoutMs: number; agents: Agents };

async function post(
  { url: text, allowedHosts }: Target,
  { headers, body, resolver, timeoutMs, agents }: Post,
): Promise<Omit<Outcome, 'durationMs'>> {
  if (findUrlProblem(text, allowedHosts) !== null) return failed('address_refused');
  const url = new URL(text);
  const agent = url.protocol === 'https:' ? agents.https : agents.http;
  const signal = AbortSignal.timeout(timeoutMs);
  const lookup = isAllowedHost(url, allowedHosts) ? systemLookup : publicLookup(resolver);
  try {
    const options = { method: 'POST', headers, agent, lookup: lookup as LookupFunction, signal };
    const answer = await exchange(url, options, body);
    const { statusCode: status = 0 } = answer;
    const response = await readBeginning(answer);
    return { status, failure: status >= 200 && status < 300 ? null : 'status_not_2xx', response };
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(isAddressRefused(error) ? 'address_refused' : 'connection_failed');
  }
}

function failed(failure: Outcome['failure']): Omit<Outcome, 'durationMs'> {
  return { status: null, failure, response: '' };
}

async function exchange(url: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = send(url, options);
  try {
    return await answerOf(outgoing, body);
  } catch (error) {
    // The receiver has closed an idle connection just now: retry on a new one.
    if (!outgoing.reusedSocket || options.signal?.aborted) throw error;
    return answerOf(send(url, { ...options, agent: false }), body);
  }
}

function answerOf(outgoing: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Also after the answer has come, when its rest is discarded.
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Reads the beginning of the body. The rest, or what does not come in time, is discarded. Removes U+0000, which
 * PostgreSQL can't store, and card numbers.
 */
async function readBeginning(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has arrived, which is all that is needed.
  }
  answer.destroy();
  const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
  return hideCardNumbers(text);
}
