import { createSecret, deriveSecret, hashSecret } from '../secrets/secrets.ts';

/**
 * A refresh token names its session. All refresh tokens of a session have the same random `family`, by which a used one is recognized,
 * and each has a secret of its own.
 */
export type RefreshToken = { sessionId: string; family: Buffer; secret: Buffer };

const [FAMILY_BYTES, SECRET_BYTES] = [16, 32];
/** 48 bytes in base64url are 64 characters, without spare bits: a token has one spelling. */
const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{64})$/;

/** The first refresh token of a session. */
export function createRefreshToken(sessionId: string): RefreshToken {
  return { sessionId, family: createSecret(FAMILY_BYTES), secret: createSecret(SECRET_BYTES) };
}

/**
 * The token after this one. The database keeps the salt: so a repeat of this token, whose answer was lost, gets the same successor, and
 * the database alone can't tell which it is.
 */
export function succeed(token: RefreshToken, salt: Uint8Array): RefreshToken {
  return { ...token, secret: deriveSecret(token.secret, salt) };
}

/** The text that the client keeps. */
export function writeRefreshToken({ sessionId, family, secret }: RefreshToken): string {
  return `${sessionId}.${Buffer.concat([family, secret]).toString('base64url')}`;
}

/** Null for a text that is no refresh token. */
export function readRefreshToken(text: string): RefreshToken | null {
  const [, sessionId, encoded] = TOKEN.exec(text) ?? [];
  if (sessionId === undefined || encoded === undefined) return null;
  const bytes = Buffer.from(encoded, 'base64url');
  return { sessionId, family: bytes.subarray(0, FAMILY_BYTES), secret: bytes.subarray(FAMILY_BYTES) };
}

/** How the database finds a token. */
export type RefreshTokenHashes = { sessionId: string; familyHash: Buffer; tokenHash: Buffer };

/** What the database keeps of a token. */
export function hashRefreshToken({ sessionId, family, secret }: RefreshToken): RefreshTokenHashes {
  return {
    sessionId,
    familyHash: hashSecret('refresh_token_family', family),
    tokenHash: hashSecret('refresh_token', secret),
  };
}
