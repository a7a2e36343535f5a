import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, signUpBody } from '../../../test/customers/accounts.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { hashPassword, PASSWORD_COST, verifyPassword } from './password.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ passwordCost: PASSWORD_COST });
});
afterAll(async () => service.stop());

async function signUp(password: string): Promise<string> {
  const body = signUpBody({ password });
  expectStatus(await service.call('POST', '/auth/signup/customer', { body }), 201);
  return body.email;
}

async function storedHash(email: string): Promise<string> {
  const [row] = await service.database.owner<{ hash: string }[]>`
    SELECT password_hash AS hash FROM users WHERE email_key = ${email}`;
  return row?.hash ?? '';
}

describe('a password', () => {
  // Security (Accounts and permissions): Passwords are stored as argon2id, 19 MiB, two passes
  it('is stored as argon2id with 19 MiB, two passes, one lane and its own salt', async () => {
    const password = 'Correct-horse-7';
    const hashes = await Promise.all([1, 2, 3].map(async () => storedHash(await signUp(password))));
    for (const hash of hashes) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    }
    expect(new Set(hashes.map((hash) => hash.split('$')[4])).size).toBe(3);
  });

  // Security (Accounts and permissions): Every byte of a password counts, also beyond the first 72
  it('is compared by every byte, far beyond the first 72', async () => {
    const start = `Aa-7${'x'.repeat(96)}`;
    const email = await signUp(`${start}1`);
    expectStatus(await logIn(service, { email, password: `${start}2` }), 401);
    expectStatus(await logIn(service, { email, password: start }), 401);
    expectStatus(await logIn(service, { email, password: `${start}1` }), 200);
  });

  it('is compared by every byte up to the last one of 256', async () => {
    const start = `Aa-7${'x'.repeat(251)}`;
    const email = await signUp(`${start}1`);
    expectStatus(await logIn(service, { email, password: `${start}2` }), 401);
    expectStatus(await logIn(service, { email, password: `${start}1` }), 200);
  });

  it('is compared as typed: characters that look alike but differ in bytes are different', async () => {
    const email = await signUp('Composed-\u00e9-7');
    expectStatus(await logIn(service, { email, password: 'Composed-e\u0301-7' }), 401);
    expectStatus(await logIn(service, { email, password: 'Composed-\u00e9-7' }), 200);
  });
});

describe('verifyPassword', () => {
  // Security (Accounts and permissions): An unknown e-mail also costs a password hash
  it('returns false for an unknown e-mail, even for the password behind the hash that it computes meanwhile', async () => {
    expect(await verifyPassword('Nobody has this password 1', null)).toBe(false);
  });

  it('returns true for the right password only', async () => {
    const hash = await hashPassword('Correct-horse-7');
    expect(await verifyPassword('Correct-horse-7', hash)).toBe(true);
    expect(await verifyPassword('Correct-horse-8', hash)).toBe(false);
  });
});
