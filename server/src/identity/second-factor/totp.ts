import { createHmac, timingSafeEqual } from 'node:crypto';

/** What all authenticator apps understand (RFC 6238): HMAC-SHA-1, steps of 30 seconds, six digits. */
const STEP_MS = 30_000;
const DIGITS = 6;

/** How many steps a clock may be ahead or behind (RFC 6238, 5.2). */
const DRIFT_STEPS = 1;

/** The bytes of a new secret, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;

/** The time step that an instant is in. */
export function timeStepOf(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** The code of a time step (RFC 4226, 5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The time step whose code this is: the one of now, the one before or the one after. A code counts once, so a step must come after
 * `usedStep`. Null for a wrong, used or stale code.
 */
export function findTimeStep(secret: Uint8Array, code: string, now: Date, usedStep: number): number | null {
  const current = timeStepOf(now);
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_none, index) => current - DRIFT_STEPS + index);
  const given = Buffer.from(code);
  const isCodeOf = (step: number) => {
    const expected = Buffer.from(totpCode(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  return steps.find((step) => step > usedStep && isCodeOf(step)) ?? null;
}

/** What an authenticator app reads from the QR code (Google Authenticator's key URI format). */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = [issuer, account].map(encodeURIComponent).join(':');
  const parameters = [
    `secret=${secret}`,
    `issuer=${encodeURIComponent(issuer)}`,
    `algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`,
  ];
  return `otpauth://totp/${label}?${parameters.join('&')}`;
}
