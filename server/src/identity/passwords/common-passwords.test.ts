import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { hashPassword, PASSWORD_COST } from './password.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const signUp = (changes: object) => service.call('POST', '/auth/signup/admin', { body: signUpBody(changes) });

describe('a sign-up', () => {
  // Security (Accounts and permissions): Breached and common passwords, and those made of the e-mail or the name, are 400 at the sign-up
  // ([abuse](abuse.md#common-passwords))
  // ASVS 6.2.4, 6.2.11
  it.each([
    'Password1!',
    'PASSWORd1!',
    'Passw0rd!',
    'Password123!',
    'Password!1',
    '1Password!',
    'P@ssw0rd1',
    'P@$$w0rd123',
    'Welcome1!',
    'Qwerty123!',
    'Iloveyou1!',
    'Summer2024!',
    'December@2025',
    'Admin1234!',
    'Paydesk1!',
    'Invoice123!',
    '!QAZxsw2#EDCvfr4',
  ])('with %s is 400 on password, and says why', async (password) => {
    const answer = expectStatus(await signUp({ password }), 400);
    expect(answer.body).toMatchObject({
      data: null,
      error: { code: 'invalid_request', details: [{ field: 'password', message: expect.stringContaining('common') }] },
    });
    expect(answer.text).not.toContain(password);
  });

  it.each([
    'Ada.Byron7@Analytical-Engines.Example',
    'Ada.byron7!',
    'Ada.Byron2024!',
    'Analytical-engines1!',
    'Augusta123!',
    'Lovelace1!',
    'AugustaLovelace1!',
  ])('with %s, which is made of the e-mail or the name, is 400 on password', async (password) => {
    const person = { first_name: 'Augusta', last_name: 'Lovelace', email: 'ada.byron7@analytical-engines.example' };
    const answer = expectStatus(await signUp({ ...person, password }), 400);
    expect(answer.body.error.details).toEqual([
      { field: 'password', message: 'must not be made of your e-mail or your name' },
    ]);
  });

  it.each([
    'Str0ng!Passw0rd',
    'Passw0rd!23',
    'Correct-horse-7',
    'Tr0ub4dor&3',
    'My-Password-is-9',
    'Lovelace-engine-1843!',
    'Wrong-password-1',
    'Aa1!aaaaa',
  ])('with %s is accepted: containing a common word does not make a password easy to guess', async (password) => {
    expectStatus(await signUp({ password }), 201);
  });

  it('with a random password that keeps the rules is accepted', async () => {
    const passwords = Array.from({ length: 20 }, () => `${randomBytes(6).toString('base64')}-aA1`);
    for (const password of passwords) expectStatus(await signUp({ password }), 201);
  });
});

// Security (Accounts and permissions): A login does not use the list of common passwords
// ASVS 6.2.10
it('a login does not use the list: accounts with such a password can still log in', async () => {
  const email = newEmail();
  expectStatus(await signUp({ email }), 201);
  const passwordHash = await hashPassword('Password1!', PASSWORD_COST);
  await service.database.owner`UPDATE users SET password_hash = ${passwordHash} WHERE email_key = ${email}`;
  expectStatus(await logIn(service, { email, password: 'Password1!' }), 200);
});
