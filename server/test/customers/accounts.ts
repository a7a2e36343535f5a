import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { PASSWORD } from './actors.ts';

/** Returns an e-mail that no other test uses. */
export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/**
 * Returns a client address that no other test uses, in its own network (RFC 3849 reserves the range for documentation).
 */
export function newAddress(): string {
  const [first, second] = (randomBytes(4).toString('hex').match(/..../g) ?? []) as string[];
  return `2001:db8:${first}:${second}:1:1:1:1`;
}

/** A valid body for a sign-up. */
export function signUpBody(changes: object = {}) {
  return { first_name: 'Ada', last_name: 'Lovelace', email: newEmail(), password: PASSWORD, ...changes };
}

export type LoginAttempt = { email: string; password?: string; from?: string; cookie?: string };

/** Tries to log in. `from` is the client's address as a trusted proxy reports it. */
export function logIn(
  service: TestService,
  { email, password = PASSWORD, from, cookie }: LoginAttempt,
): Promise<Answer> {
  const headers = {
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    ...(cookie === undefined ? {} : { cookie }),
  };
  return service.call('POST', '/auth/local', { body: { email, password }, headers });
}

/** Repeats `ask` until the outcome is as expected. @throws Error with the last outcome after two minutes */
export async function pollUntil<T>(ask: () => Promise<T>, isExpected: (outcome: T) => boolean): Promise<T> {
  const givesUpAtMs = performance.now() + 120_000;
  for (;;) {
    const outcome = await ask();
    if (isExpected(outcome)) return outcome;
    if (performance.now() > givesUpAtMs) throw new Error(`after two minutes still ${inspect(outcome)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
