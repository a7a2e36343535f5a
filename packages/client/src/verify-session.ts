import { createApi } from './api.ts';
import { readBaseUrl } from './calls/request.ts';
import { createSend } from './calls/send.ts';

/** What a valid access token says. */
export type VerifiedSession = {
  /** Null for a person without a company, or of the operator's staff. */
  companyId: string | null;
  /** The company's id in your product; null if it has none. */
  companyExternalId: string | null;
  sessionId: string;
  /** Whether your product opened the session for a customer, who is not a user of Paydesk. */
  isCustomerSession: boolean;
  /** The id of the user; for a customer session the id that your product gave it, or the session's id. */
  subject: string;
  /** The name of the role. */
  role: string;
  expiresAt: Date;
};

export type VerifySessionOptions = {
  /** The address of the service, whose public keys are read. */
  url: string;
  /** The service's `TOKEN_ISSUER`; `paydesk` by default. */
  issuer?: string;
  /** The service's `TOKEN_AUDIENCE`; `paydesk` by default. */
  audience?: string;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
};

/** The token is not a valid access token of the service. Answer 401. */
export class SessionVerificationError extends Error {
  override readonly name = 'SessionVerificationError';
}

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
type KeySet = { keys: Map<string, CryptoKey>; readAtMs: number };
type Claims = Record<string, unknown>;

/** How long the service allows a key set to be kept, and how soon a token with an unknown key may cause the next request. */
const MAX_AGE_MS = 300_000;
const MIN_AGE_MS = 5_000;

const keySets = new Map<string, Promise<KeySet>>();

/**
 * Verifies an access token (RFC 9068, signed with EdDSA by RFC 8037) with the public keys of the service, which are read once and kept as
 * long as the service allows. It does not ask the service about the session, so a session that was ended is valid here until its token
 * expires. @throws SessionVerificationError if the token is not valid;
 * PaydeskError or PaydeskConnectionError if the keys cannot be read; TypeError if the URL is invalid
 */
export async function verifySession(token: string, options: VerifySessionOptions): Promise<VerifiedSession> {
  const { issuer = 'paydesk', audience = 'paydesk' } = options;
  const parts = typeof token === 'string' ? token.split('.') : [];
  const [header, payload, signature] = parts.map(decodeBase64Url);
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new SessionVerificationError('The text is not a token.');
  const { alg, kid, typ } = readJson(header);
  if (alg !== 'EdDSA' || typ !== 'at+jwt' || typeof kid !== 'string') {
    throw new SessionVerificationError('The token is not an access token.');
  }
  const key = await findKey(kid, options);
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));
  if (key === undefined || !(await crypto.subtle.verify('Ed25519', key, signature, signed))) {
    throw new SessionVerificationError('The token is not signed by the service.');
  }
  return readSession(readJson(payload), { issuer, audience });
}

function readSession(claims: Claims, { issuer, audience }: { issuer: string; audience: string }): VerifiedSession {
  const {
    iss,
    aud,
    exp,
    sid,
    sub,
    role,
    company_id: companyId,
    company_external_id: companyExternalId,
    session,
  } = claims;
  if (iss !== issuer || aud !== audience) throw new SessionVerificationError('The token is for somebody else.');
  if (typeof exp !== 'number' || exp * 1_000 <= Date.now())
    throw new SessionVerificationError('The token has expired.');
  if (typeof sid !== 'string' || typeof sub !== 'string')
    throw new SessionVerificationError('The token has no session.');
  // Of an operator key, or of the operator who looks at a company: neither acts for the company.
  if (session !== undefined && session !== 'customer')
    throw new SessionVerificationError('The token is of the operator.');
  return {
    companyId: typeof companyId === 'string' ? companyId : null,
    companyExternalId: typeof companyExternalId === 'string' ? companyExternalId : null,
    sessionId: sid,
    isCustomerSession: session === 'customer',
    subject: sub,
    role: typeof role === 'string' ? role : '',
    expiresAt: new Date(exp * 1_000),
  };
}

async function findKey(keyId: string, options: VerifySessionOptions): Promise<CryptoKey | undefined> {
  const url = readBaseUrl(options.url);
  const known = keySets.get(url);
  const kept = await known;
  const ageMs = Date.now() - (kept?.readAtMs ?? 0);
  if (kept !== undefined && (kept.keys.has(keyId) ? ageMs < MAX_AGE_MS : ageMs < MIN_AGE_MS))
    return kept.keys.get(keyId);
  // Verifications at the same moment share one request.
  if (keySets.get(url) === known) {
    const next = readKeySet(url, options.fetch);
    keySets.set(url, next);
    next.catch(() => keySets.delete(url));
  }
  return (await keySets.get(url))?.keys.get(keyId);
}

async function readKeySet(url: string, fetchWith: typeof fetch | undefined): Promise<KeySet> {
  const api = createApi(createSend({ url, ...(fetchWith === undefined ? {} : { fetch: fetchWith }) }));
  const { keys } = await api.auth.publicKeys();
  const imported = keys
    .filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
    .map(
      async ({ kid, kty, crv, x }): Promise<[string, CryptoKey]> => [
        kid,
        await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']),
      ],
    );
  return { keys: new Map(await Promise.all(imported)), readAtMs: Date.now() };
}

function readJson(bytes: Uint8Array): Claims {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Claims;
  } catch {}
  throw new SessionVerificationError('The text is not a token.');
}

/** Decodes base64url without padding (RFC 7515, section 2); null if the text is anything else, also a second spelling of the same bytes. */
function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const isCanonical = btoa(decoded).replace(/=+$/, '') === text.replaceAll('-', '+').replaceAll('_', '/');
    return isCanonical ? Uint8Array.from(decoded, (character) => character.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
