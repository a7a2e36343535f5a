import { createHash } from 'node:crypto';

/**
 * A key that fits a header. If it is longer than the gateway allows, or has characters that a header can't have, its
 * SHA-256 in hexadecimal is used.
 */
export function toHeaderKey(key: string, maxLength: number): string {
  if (key.length <= maxLength && /^[\x21-\x7e]+$/.test(key)) return key;
  return createHash('sha256').update(key).digest('hex');
}

/** A key of this length fits all gateways: PayPal accepts request ids of 108 characters, Stripe keys of 255. */
export const MAX_KEY_LENGTH = 108;

const LONGEST_SHORT_KEY = 40;

/** A short form of a key: a longer one, or one with other characters, becomes a dot and part of its SHA-256. */
export function shortenKey(key: string): string {
  if (key.length <= LONGEST_SHORT_KEY && /^[A-Za-z0-9_-]+$/.test(key)) return key;
  return `.${createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, LONGEST_SHORT_KEY - 1)}`;
}

/** Whether the key that a gateway's object shows is this one, in full or shortened. */
export function isKeyOf(written: string | undefined, key: string): boolean {
  return written === key || written === shortenKey(key);
}
