import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { type StartedService, startInProcess } from '../../../test/harness/in-process.ts';
import { endProcesses, makeDataDirectory } from '../../../test/harness/process.ts';
import { openSession } from '../../../test/identity/customer-sessions.ts';

const OPERATOR_KEY = `opk_${crypto.randomUUID().replaceAll('-', '')}`;
const SHOP = 'https://shop.example.com';
let database: TestDatabase;
/** Two services of one installation. */
let services: StartedService[];
beforeAll(async () => {
  database = await cloneDatabase();
  // Nothing is charged.
  const gateway = { SANDBOX_GATEWAY_URL: 'http://127.0.0.1:9', SANDBOX_GATEWAY_SECRET: 'any' };
  const own = { DATABASE_URL: database.url, OPERATOR_KEY, ROLE: 'api', DATA_DIR: makeDataDirectory() };
  services = [await startInProcess({ ...own, ...gateway }), await startInProcess({ ...own, ...gateway })];
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

// Security (Accounts and permissions): A customer session that ends in one process ends in the others within a second
it.each(['its deletion', 'the deletion of its key', 'its company being disabled'])(
  'a session that ends with %s in one process ends in the other within about a second',
  async (how) => {
    const [one, other] = both();
    const { companyId } = await signUpAdmin(one);
    const asOperator = (method: string, path: string, body?: object) =>
      one.call(method, `/operator${path}`, { token: OPERATOR_KEY, ...(body === undefined ? {} : { body }) });
    const made = await asOperator('POST', '/keys', { name: 'Product', role: 'integration' });
    const { id: keyId, key } = expectStatus(made, 201).body;
    const { id, token } = await openSession({ call: one.call, operatorKey: key }, companyId);
    const ask = () => other.call('GET', '/payments/orders', { token });
    expectStatus(await ask(), 200);
    if (how === 'its deletion') await asOperator('DELETE', `/companies/${companyId}/sessions/${id}`);
    else if (how === 'the deletion of its key') await asOperator('DELETE', `/keys/${keyId}`);
    else await asOperator('PUT', `/companies/${companyId}`, { disabled: true });
    expectStatus(await one.call('GET', '/payments/orders', { token }), 401);
    expectStatus(await pollUntil(ask, ({ status }) => status !== 200), 401);
  },
);

it('the origins that one process allows are allowed by the other within about a second', async () => {
  const [one, other] = both();
  const { companyId } = await signUpAdmin(one);
  const { token } = await openSession({ call: one.call, operatorKey: OPERATOR_KEY }, companyId);
  const ask = () => other.call('GET', '/company', { token, headers: { origin: SHOP } });
  expect((await ask()).headers.get('access-control-allow-origin')).toBeNull();
  const body = { allowedOrigins: [SHOP] };
  expectStatus(await one.call('PUT', '/operator/integration', { token: OPERATOR_KEY, body }), 200);
  const allowed = await pollUntil(ask, ({ headers }) => headers.has('access-control-allow-origin'));
  expect(allowed.headers.get('access-control-allow-origin')).toBe(SHOP);
});
