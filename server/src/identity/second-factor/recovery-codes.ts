import { toBase32 } from '../secrets/base32.ts';
import { createSecret, hashSecret } from '../secrets/secrets.ts';

/** How many codes a user gets. */
const CODES = 10;
/** 120 random bits, so that a plain hash is enough (NIST SP 800-63B-4, 3.1.2.2), in 24 characters. */
const CODE_BYTES = 15;

/** Ten new recovery codes: what the user keeps, and what the database does. */
export function createRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: CODES }, () =>
    (toBase32(createSecret(CODE_BYTES)).match(/.{6}/g) ?? []).join('-'),
  );
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** What the database keeps of a recovery code. Letter case, spaces and hyphens do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hashSecret('recovery_code', Buffer.from(code.toUpperCase().replace(/[\s-]/g, '')));
}
