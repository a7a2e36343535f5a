import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { PASSWORD_COST } from '../passwords/password.ts';

let service: TestService;
/** A service with the real cost of a password hash. */
let slowService: TestService;
beforeAll(async () => {
  [service, slowService] = await Promise.all([startTestService(), startTestService({ passwordCost: PASSWORD_COST })]);
});
afterAll(async () => {
  await Promise.all([service?.stop(), slowService?.stop()]);
});

/** A variant of the e-mail that differs in the case of its local part. */
function inCase(email: string, variant: number): string {
  return Array.from(email, (letter, index) => ((variant >> (index % 7)) & 1 ? letter.toUpperCase() : letter)).join('');
}

// Security (Accounts and permissions): 100 simultaneous sign-ups of one e-mail make one account and one company
it('of 100 parallel sign-ups of one e-mail, in different cases, one makes an account and the others leave nothing behind', async () => {
  const email = newEmail();
  const { owner } = service.database;
  const signUps = Array.from({ length: 100 }, (_, index) => {
    const path = index % 4 === 3 ? '/auth/signup/customer' : '/auth/signup/admin';
    return service.call('POST', path, { body: signUpBody({ email: inCase(email, index) }) });
  });
  const answers = await Promise.all(signUps);
  const codes = answers.filter(({ status }) => status !== 201).map(({ status, body }) => [status, body.error.code]);
  expect(codes).toEqual(Array.from({ length: 99 }, () => [409, 'email_taken']));

  const users = await owner`SELECT id FROM users WHERE lower(email) = ${email}`;
  const winner = answers.find(({ status }) => status === 201);
  expect(users.map(({ id }) => id)).toEqual([winner?.body.data.user.id]);
  const [orphans] = await owner`
    WITH staffed AS (SELECT company_id FROM users WHERE company_id IS NOT NULL)
    SELECT (SELECT count(*) FROM companies WHERE id NOT IN (SELECT company_id FROM staffed))::int AS companies,
           (SELECT count(*) FROM billing_information WHERE company_id NOT IN (SELECT company_id FROM staffed))::int
             AS "billingInformation",
           (SELECT count(*) FROM companies WHERE id NOT IN (SELECT company_id FROM billing_information))::int AS incomplete`;
  expect(orphans).toEqual({ companies: 0, billingInformation: 0, incomplete: 0 });
  expectStatus(await logIn(service, { email }), 200);
});

// Security (Accounts and permissions): 200 simultaneous logins stop no other request and take little memory
it('answers 200 parallel logins, and other requests meanwhile, with less than 400 MB of additional memory', async () => {
  const admins = await Promise.all(Array.from({ length: 4 }, () => signUpAdmin(slowService)));
  const [{ token } = { token: '' }] = admins;
  let isOver = false;
  const residentBefore = process.memoryUsage.rss();
  let residentMost = residentBefore;
  const logins = Promise.all(
    Array.from({ length: 200 }, (_, index) => logIn(slowService, { email: admins[index % 4]?.email ?? '' })),
  ).finally(() => {
    isOver = true;
  });

  let answered = 0;
  const body = { name: randomUUID(), description: 'Any', color: '#fff', userName: 'Ada' };
  expectStatus(await slowService.call('POST', '/labels', { token, body }), 201);
  while (!isOver) {
    expectStatus(await slowService.call('GET', '/labels', { token }), 200);
    answered += 1;
    residentMost = Math.max(residentMost, process.memoryUsage.rss());
    await sleep(20);
  }
  // Logins that would wait longer than two seconds get 503.
  const refused = (await logins).filter(({ status }) => status !== 200);
  for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.length).toBeLessThan(200);
  // If other requests waited for the logins, only one or two would be answered.
  expect(answered).toBeGreaterThan(5);
  expect((residentMost - residentBefore) / 1e6).toBeLessThan(400);
});
