import { createHash } from 'node:crypto';

/**
 * A key as a header can carry it. One that is longer than the gateway takes, or holds other letters than a header may, is replaced by
 * its SHA-256 in hexadecimal.
 */
export function toHeaderKey(key: string, maxLength: number): string {
  if (key.length <= maxLength && /^[\x21-\x7e]+$/.test(key)) return key;
  return createHash('sha256').update(key).digest('hex');
}

const LONGEST_SHORT_KEY = 40;

/** A key for where there is little room: a longer one, or one of other characters, is a part of its SHA-256 behind a dot. */
export function shortenKey(key: string): string {
  if (key.length <= LONGEST_SHORT_KEY && /^[A-Za-z0-9_-]+$/.test(key)) return key;
  return `.${createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, LONGEST_SHORT_KEY - 1)}`;
}

/** Whether what a gateway's object has of a key is this one, as it is or shortened. */
export function isKeyOf(written: string | undefined, key: string): boolean {
  return written === key || written === shortenKey(key);
}
