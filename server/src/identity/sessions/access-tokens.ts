import { randomUUID, sign } from 'node:crypto';
import { jwtVerify } from 'jose/jwt/verify';
import { exportJWK } from 'jose/key/export';
import type { Static } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { JwkSet } from './sessions.schema.ts';

const TOKEN_TYPE = 'at+jwt';
/** RFC 9068 demands the client that got the token. All clients of this service's own API are one. */
const CLIENT_ID = 'paydesk';
/**
 * The claim `session` of the tokens of sessions that no user has: of a customer of the operator's product, of an operator key in the
 * console, and of a view of a company.
 */
const SESSION_KINDS = ['customer', 'operator', 'view'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

export type TokenSettings = Pick<Config, 'tokenIssuer' | 'tokenAudience'>;
export type TokenSubject = {
  /** The id of the user, of whom a customer session is for, or of the operator key or staff whose session it is. */
  userId: string;
  sessionId: string;
  companyId: string | null;
  companyExternalId: string | null;
  /** The name of the role, for other services. Paydesk itself reads the role anew. */
  role: string;
  /** Absent for the session of a user. */
  kind?: SessionKind;
} & ({ lifetimeSeconds: number } | { expiresAt: Date });
/** `kind` is null for the session of a user. */
export type VerifiedToken = { sessionId: string; kind: SessionKind | null; expiresAtMs: number };

/**
 * Signs an access token: a JWT (RFC 9068) with EdDSA (RFC 8037) in compact form (RFC 7515, section 7.1), which other
 * services can verify from our JWKS alone. It signs synchronously, because the library would sign in the thread pool,
 * behind password hashes.
 */
export function signAccessToken(keyring: Keyring, settings: TokenSettings, subject: TokenSubject): string {
  const key = keyring.signingKey();
  const issuedAt = Math.floor(Date.now() / 1000);
  const header = { alg: 'EdDSA', kid: key.keyId, typ: TOKEN_TYPE };
  const claims = {
    ...{ sid: subject.sessionId, company_id: subject.companyId },
    ...(subject.companyExternalId === null ? {} : { company_external_id: subject.companyExternalId }),
    role: subject.role,
    ...(subject.kind === undefined ? {} : { session: subject.kind }),
    ...{ iss: settings.tokenIssuer, aud: settings.tokenAudience, sub: subject.userId },
    ...{ jti: randomUUID(), client_id: CLIENT_ID },
    ...{ iat: issuedAt, exp: expiryOf(subject, issuedAt) },
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

/**
 * Whether a text is the token of a customer session, as far as the text itself says so: neither its signature nor its expiry is checked, so
 * that it is known of a token that has ended, too.
 */
export function saysCustomerSession(credential: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims === 'object' && claims !== null && 'session' in claims && claims.session === 'customer';
  } catch {
    return false;
  }
}

function expiryOf(subject: TokenSubject, issuedAt: number): number {
  if ('expiresAt' in subject) return Math.floor(subject.expiresAt.getTime() / 1000);
  return issuedAt + subject.lifetimeSeconds;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * The session of a token that we signed and that has not expired; null for anything else. Keys that the token itself
 * names are ignored.
 */
export async function verifyAccessToken(
  keyring: Keyring,
  settings: TokenSettings,
  token: string,
): Promise<VerifiedToken | null> {
  if (!hasCanonicalSignature(token)) return null;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = typeof kid === 'string' ? keyring.findSigningKey(kid) : undefined;
        if (key === undefined) throw new Error('unknown key');
        return key.publicKey;
      },
      { algorithms: ['EdDSA'], typ: TOKEN_TYPE, issuer: settings.tokenIssuer, audience: settings.tokenAudience },
    );
    if (typeof payload.sid !== 'string' || payload.exp === undefined) return null;
    const kind = payload.session === undefined ? null : SESSION_KINDS.find((one) => one === payload.session);
    return kind === undefined ? null : { sessionId: payload.sid, kind, expiresAtMs: payload.exp * 1000 };
  } catch {
    return null;
  }
}

/**
 * Whether the signature is encoded canonically. Base64url leaves spare bits in the last character, which decoders
 * ignore: without this check, sixteen spellings of a token would be accepted.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The public keys as a JWK Set (RFC 7517). */
export async function publicKeySet(keyring: Keyring): Promise<Static<typeof JwkSet>> {
  const keys = keyring.signing().map(async ({ keyId, publicKey }) => {
    const { kty = '', crv = '', x = '' } = await exportJWK(publicKey);
    return { kty, crv, x, kid: keyId, alg: 'EdDSA', use: 'sig' };
  });
  return { keys: await Promise.all(keys) };
}
