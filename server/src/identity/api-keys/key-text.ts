import { crc32 } from 'node:zlib';
import { createSecret } from '../secrets/secrets.ts';

const PREFIX = 'pdk_';
const SECRET_BYTES = 32;
const CHECKSUM_BYTES = 4;
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${((SECRET_BYTES + CHECKSUM_BYTES) * 4) / 3}}$`);
/** How much of a key lists show: enough to recognize it, and too little to guess the rest. */
const SHOWN_LENGTH = PREFIX.length + 8;

/** A new API key: `pdk_`, and in base64url 32 random bytes with their CRC-32, by which a mistyped or made up key is recognized. */
export function makeKey(): { key: string; prefix: string; secret: Buffer } {
  const secret = createSecret(SECRET_BYTES);
  const key = `${PREFIX}${Buffer.concat([secret, checksumOf(secret)]).toString('base64url')}`;
  return { key, prefix: key.slice(0, SHOWN_LENGTH), secret };
}

/** Whether a credential has the prefix of an API key, which no other one has. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** The random bytes of a key; null when its form or its checksum is wrong. */
export function readKey(credential: string): Buffer | null {
  if (!FORM.test(credential)) return null;
  const bytes = Buffer.from(credential.slice(PREFIX.length), 'base64url');
  const secret = bytes.subarray(0, SECRET_BYTES);
  return checksumOf(secret).equals(bytes.subarray(SECRET_BYTES)) ? secret : null;
}

function checksumOf(secret: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(secret));
  return checksum;
}
