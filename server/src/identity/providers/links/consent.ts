import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../../../platform/http/route/credentials.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';

/** A user wants an account to be opened by a provider from now on. It is good for as long as the session in which the user said so. */
export type Consent = { userId: string; sessionId: string };

type KeptConsent = Consent & { provider: string; expiresAtMs: number };

const CONSENT_SECONDS = 10 * 60;
const COOKIE = '__Host-paydesk-link';
const SEALING_CONTEXT = 'consent to a link';

/**
 * Keeps the consent in the browser in which the user gave it, encrypted: so that nobody has another browser, where somebody else is signed
 * in at the provider, complete the link.
 */
export function keepConsent(reply: FastifyReply, keyring: Keyring, consent: Consent, provider: string): void {
  const kept: KeptConsent = { ...consent, provider, expiresAtMs: Date.now() + CONSENT_SECONDS * 1_000 };
  setCookie(reply, keyring.seal(JSON.stringify(kept), SEALING_CONTEXT).toString('base64url'), CONSENT_SECONDS);
}

/** Takes the consent to a provider out of the browser; null when the user has given none within ten minutes. */
export function takeConsent(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  keyring: Keyring,
  provider: string,
): Consent | null {
  const cookie = readCookie(request, COOKIE);
  const kept = cookie === null ? null : open(keyring, cookie);
  setCookie(reply, '', 0);
  if (kept === null || kept.provider !== provider || kept.expiresAtMs < Date.now()) return null;
  return { userId: kept.userId, sessionId: kept.sessionId };
}

function setCookie(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
  reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`);
}

function open(keyring: Keyring, cookie: string): KeptConsent | null {
  try {
    return JSON.parse(keyring.unseal(Buffer.from(cookie, 'base64url'), SEALING_CONTEXT)) as KeptConsent;
  } catch {
    return null;
  }
}
