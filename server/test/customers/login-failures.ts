/** Helpers of the tests of failed logins. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { type LoginAttempt, logIn } from './accounts.ts';
import { expectStatus } from './actors.ts';

export const WRONG = 'Wrong-horse-8';

/** Fails to log in this many times, one after the other. */
export async function failTimes(service: TestService, times: number, attempt: LoginAttempt): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    expectStatus(await logIn(service, { password: WRONG, ...attempt }), 401);
  }
}

/** Records recent failures as the service does, as hashes. This is faster than failing to log in. */
export async function seedFailures(service: TestService, failures: { email: string; from: string }[]): Promise<void> {
  const networkOf = (address: string) => address.split(':').slice(0, 4).join(':');
  const rows = failures.map(({ email, from }) => ({ email_hash: hashOf(email), address: networkOf(from) }));
  await service.database.owner`INSERT INTO login_failures ${service.database.owner(rows)}`;
}

/** Moves the failures of an e-mail into the past. */
export async function age(service: TestService, email: string, minutes: number): Promise<void> {
  await service.database.owner`
    UPDATE login_failures SET failed_at = failed_at - make_interval(mins => ${minutes}) WHERE email_hash = ${hashOf(email)}`;
}

/** Expects a 429 that ends within this many minutes. @returns the seconds of its Retry-After */
export function expectLocked(answer: Answer, minutes = 15): number {
  expectStatus(answer, 429);
  expect(answer.body).toMatchObject({ data: null, error: { code: 'rate_limited' } });
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(minutes * 60);
  for (const name of ['ratelimit', 'ratelimit-policy']) expect(answer.headers.get(name)).not.toBeNull();
  return seconds;
}

function hashOf(email: string): Buffer {
  return createHash('sha256').update(email).digest();
}
