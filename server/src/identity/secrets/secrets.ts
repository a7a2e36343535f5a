import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';

/** What a secret is good for. It is part of the hash, so that a secret of one purpose serves no other. */
export type SecretPurpose =
  | 'api_key'
  | 'refresh_token'
  | 'refresh_token_family'
  | 'verify_email'
  | 'change_email'
  | 'revert_email'
  | 'reset_password'
  | 'invitation'
  | 'recovery_code'
  | 'second_factor_token'
  | 'passkey_registration'
  | 'passkey_login'
  | 'passkey_second_factor'
  | 'sign_in_state'
  | 'session_code';

/**
 * The longest token that a body may have. None that works is as long, but an access token has a few hundred characters: sent in place of
 * another token, it gets the answer of any token that does not work.
 */
export const MAX_TOKEN_LENGTH = 2_000;

/** 256 random bits by default. */
export function createSecret(bytes = 32): Buffer {
  return randomBytes(bytes);
}

/** What the database keeps of a secret: its SHA-256. A plain hash is enough for a secret that is random. */
export function hashSecret(purpose: SecretPurpose, secret: Uint8Array): Buffer {
  return createHash('sha256').update(`${purpose}\0`).update(secret).digest();
}

/** Another secret, which nobody can compute without both the secret and the random salt (HMAC-SHA256). */
export function deriveSecret(secret: Uint8Array, salt: Uint8Array): Buffer {
  // For a key in bytes Node throws and catches an error in each call, which takes longer than the rest.
  return createHmac('sha256', createSecretKey(secret)).update(salt).digest();
}
