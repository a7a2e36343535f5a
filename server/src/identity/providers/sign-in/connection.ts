import type { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { findUrlProblem } from '../../../platform/outbound/issuers.ts';
import {
  isLoopback,
  type Lookup,
  loopbackLookup,
  publicLookup,
  systemLookup,
} from '../../../platform/outbound/lookups.ts';
import { SignInFailure } from './failures.ts';

/** The largest answer that is read: configurations and sets of keys have a few KiB. */
const MAX_ANSWER_BYTES = 128 * 1024;
/** The headers of an answer that say what it is. */
const READ_HEADERS = ['content-type', 'www-authenticate'];

export type Reach = { issuer: string; allowedHosts: readonly string[]; resolver: Resolver; signal: AbortSignal };

/**
 * Makes the requests to one provider. Its configuration names further addresses, so each is checked: only public ones are connected to, and
 * those of the issuer's own host on this machine. Redirects are not followed, and each request has a connection of its own, so that
 * providers share nothing.
 */
export function connectTo({ issuer, allowedHosts, resolver, signal }: Reach): CustomFetch {
  return async (text, options) => {
    const url = new URL(text);
    const problem = findUrlProblem(url, { issuer: new URL(issuer), allowedHosts });
    if (problem !== null) throw new SignInFailure('provider_unavailable', `${url.host} ${problem}`);
    const lookup = chooseLookup(url, allowedHosts, resolver);
    try {
      const answer = await exchange(url, { lookup: lookup as LookupFunction, signal }, options);
      return toResponse(answer, await readAll(answer));
    } catch (error) {
      throw toFailure(error, url, signal);
    }
  };
}

function chooseLookup(url: URL, allowedHosts: readonly string[], resolver: Resolver): Lookup {
  if (isLoopback(url)) return loopbackLookup;
  return allowedHosts.includes(url.host) ? systemLookup : publicLookup(resolver);
}

function exchange(
  url: URL,
  connection: Pick<RequestOptions, 'lookup' | 'signal'>,
  { method, headers, body }: CustomFetchOptions,
): Promise<IncomingMessage> {
  const content = body == null ? undefined : Buffer.from(String(body));
  const length = content === undefined ? {} : { 'content-length': content.length };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { ...connection, method, headers: { ...headers, ...length }, agent: false });
    outgoing.once('response', resolve);
    // Also after the answer has come, when its rest is discarded.
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      throw new SignInFailure('provider_unavailable', `an answer has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse({ statusCode: status = 0, headers }: IncomingMessage, content: Buffer): Response {
  if (status >= 500 || status === 429)
    throw new SignInFailure('provider_unavailable', `the provider answered with status ${status}`);
  const kept = READ_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Response(content.length === 0 ? null : Uint8Array.from(content), { status, headers: kept });
}

function toFailure(error: unknown, { host }: URL, signal: AbortSignal): SignInFailure {
  if (error instanceof SignInFailure) return error;
  const { code = 'unknown' } = error as { code?: string };
  const reason = signal.aborted ? 'the provider did not answer in time' : `the connection failed (${code})`;
  return new SignInFailure('provider_unavailable', `${host}: ${reason}`, { cause: error });
}
