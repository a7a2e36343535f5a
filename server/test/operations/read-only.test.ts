import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { APPLICATION_ROLE } from '../../src/platform/database/pool.ts';
import { type Actor, expectStatus, signUpAdmin } from '../customers/actors.ts';
import { eventually } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service.stop());

const write = () => {
  const body = { name: randomUUID(), description: 'd', color: '#fff', userName: 'Ada' };
  return service.call('POST', '/labels', { token: admin.token, body });
};
const readiness = async () => (await service.call('GET', '/readyz')).status;

/** Simulates a failover: new connections reach a server that is read-only, or one that is not. */
async function makeReadOnly(isReadOnly: boolean, endsConnections: boolean): Promise<void> {
  const { owner, name } = service.database;
  await owner.unsafe(
    `SET transaction_read_only = off; ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`,
  );
  if (!endsConnections) return;
  await owner`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = ${APPLICATION_ROLE}`;
}

// Security (A database that is away, or slow): A database that takes no writes causes 503 and not ready; then the service is healthy again
// by itself
it('a read-only database: not ready, writes are 503 with Retry-After, reads work; the service recovers by itself', async () => {
  expectStatus(await write(), 201);
  await makeReadOnly(true, true);
  await eventually(async () => (await readiness()) === 503);
  const refused = await write();
  expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expectStatus(await service.call('GET', '/labels', { token: admin.token }), 200);

  // Nobody closes the connections this time. Each was opened while the server was read-only, so the pool has to close it.
  await makeReadOnly(false, false);
  await eventually(async () => (await readiness()) === 200);
  await eventually(async () => (await write()).status === 201);
  const answers = await Promise.all(Array.from({ length: 20 }, write));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
});
