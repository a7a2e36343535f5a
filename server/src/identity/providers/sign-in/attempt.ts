import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../../../platform/http/route/credentials.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { createSecret } from '../../secrets/secrets.ts';
import type { Consent } from '../links/consent.ts';
import type { Provider } from '../setup/providers.service.ts';

/** A sign-in that a browser has begun. */
export type Attempt = {
  provider: string;
  /** Of the provider then: the answer to it goes to no other. */
  issuer: string;
  state: string;
  nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  verifier: string;
  /** The path of the dashboard to return to. */
  returnTo: string;
  /** Of the user who wants to be linked; null for a plain sign-in. */
  consent: Consent | null;
  expiresAtMs: number;
};

/** How long a browser has for a sign-in. */
export const ATTEMPT_SECONDS = 10 * 60;

/** `__Host-` keeps other hosts of the same domain from setting it (RFC 6265bis, 4.1.3.2). */
const COOKIE = '__Host-paydesk-sign-in';
const SEALING_CONTEXT = 'sign-in attempt';

type AttemptedProvider = Pick<Provider, 'name' | 'issuer'>;

/** Begins a sign-in, with secrets of its own. */
export function beginAttempt(
  { name: provider, issuer }: AttemptedProvider,
  { returnTo, consent }: Pick<Attempt, 'returnTo' | 'consent'>,
): Attempt {
  const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
  return {
    provider,
    issuer,
    state,
    nonce,
    verifier,
    returnTo,
    consent,
    expiresAtMs: Date.now() + ATTEMPT_SECONDS * 1_000,
  };
}

function newSecret(): string {
  return createSecret().toString('base64url');
}

/** Gives the attempt to the browser, encrypted: whoever reads the cookie learns none of its secrets. */
export function keepAttempt(reply: FastifyReply, keyring: Keyring, attempt: Attempt): void {
  const value = keyring.seal(JSON.stringify(attempt), SEALING_CONTEXT).toString('base64url');
  setCookie(reply, value, ATTEMPT_SECONDS);
}

/** Removes it from the browser. */
export function dropAttempt(reply: FastifyReply): void {
  setCookie(reply, '', 0);
}

function setCookie(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
  reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`);
}

/** The attempt of this browser that has this state; null when it has begun none with this provider within ten minutes. */
export function findAttempt(
  request: FastifyRequest,
  keyring: Keyring,
  { provider, state }: { provider: AttemptedProvider; state: string },
): Attempt | null {
  const cookie = readCookie(request, COOKIE);
  const attempt = cookie === null ? null : open(keyring, cookie);
  if (attempt === null || attempt.expiresAtMs < Date.now()) return null;
  if (attempt.provider !== provider.name || attempt.issuer !== provider.issuer) return null;
  return isEqual(attempt.state, state) ? attempt : null;
}

function open(keyring: Keyring, cookie: string): Attempt | null {
  try {
    return JSON.parse(keyring.unseal(Buffer.from(cookie, 'base64url'), SEALING_CONTEXT)) as Attempt;
  } catch {
    return null;
  }
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
