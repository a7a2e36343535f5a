import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { type StartedService, startInProcess } from '../../../test/harness/in-process.ts';
import { endProcesses, makeDataDirectory } from '../../../test/harness/process.ts';
import type { TestService } from '../../../test/harness/service.ts';

const OPERATOR_KEY = `opk_${crypto.randomUUID().replaceAll('-', '')}`;
let database: TestDatabase;
/** Two services of one installation. */
let services: StartedService[];
beforeAll(async () => {
  database = await cloneDatabase();
  // Nothing is charged.
  const gateway = { SANDBOX_GATEWAY_URL: 'http://127.0.0.1:9', SANDBOX_GATEWAY_SECRET: 'any' };
  const environment = {
    DATABASE_URL: database.url,
    OPERATOR_KEY,
    ROLE: 'api',
    DATA_DIR: makeDataDirectory(),
    ...gateway,
  };
  services = [await startInProcess(environment), await startInProcess(environment)];
});
afterAll(async () => {
  await Promise.all((services ?? []).map(({ stop }) => stop()));
  await endProcesses();
  await database?.drop();
});

function both() {
  const [one, other] = services;
  if (one === undefined || other === undefined) throw new Error('There are no two services.');
  return [one.service, other.service] as const;
}

// Security (Accounts and permissions): Simultaneous refreshes in two processes have one successor
it('refreshes at once in two processes get the same successor', async () => {
  const [one, other] = both();
  const { refreshToken } = await signUpAdmin(one);
  const body = { refresh_token: refreshToken };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).call('POST', '/auth/refresh', { body })),
  );
  const successors = answers.map((answer) => expectStatus(answer, 200).body.data.refresh_token);
  expect(new Set(successors).size).toBe(1);
  expectStatus(await other.call('POST', '/auth/refresh', { body: { refresh_token: successors[0] } }), 200);
});

it.each([
  [
    'a change of the password',
    (service: TestService, { token }: Actor) => {
      const body = { current_password: PASSWORD, new_password: 'Another-horse-8' };
      return service.call('PUT', '/auth/password', { token, body });
    },
  ],
  [
    'the deletion of the account',
    (service: TestService, { token }: Actor) =>
      service.call('DELETE', '/auth/me', { token, body: { password: PASSWORD } }),
  ],
])('%s in one process ends the other sessions in the other within about a second', async (_what, end) => {
  const [one, other] = both();
  const user = await signUpCustomer(one);
  const { access_token: token } = expectStatus(await logIn(one, { email: user.email }), 200).body.data;
  const ask = () => other.call('GET', '/auth/me', { token });
  expectStatus(await ask(), 200);
  expectStatus(await end(one, user), 204);
  expectStatus(await pollUntil(ask, ({ status }) => status !== 200), 401);
});

// Security (Accounts and permissions): A session that ends in one process ends in the others within a second
it('a session that ends in one process ends in the other within about a second', async () => {
  const [one, other] = both();
  const user = await signUpAdmin(one);
  const { access_token: token } = expectStatus(await logIn(one, { email: user.email }), 200).body.data;
  const ask = () => other.call('GET', '/labels', { token });
  expectStatus(await ask(), 200);
  expectStatus(await one.call('DELETE', '/auth/sessions', { token: user.token }), 204);
  expectStatus(await one.call('GET', '/labels', { token }), 401);
  expectStatus(await pollUntil(ask, ({ status }) => status !== 200), 401);
});

it('a company that is disabled in one process is disabled in the other within about a second', async () => {
  const [one, other] = both();
  const { token, companyId } = await signUpAdmin(one);
  const write = () => other.call('DELETE', '/labels', { token, body: { label_ids: [crypto.randomUUID()] } });
  expectStatus(await write(), 204);
  await setDisabled({ call: one.call, operatorKey: OPERATOR_KEY }, companyId, true);
  const refused = expectStatus(await pollUntil(write, ({ status }) => status !== 204), 403);
  expect(refused.body.error.code).toBe('company_disabled');
});
