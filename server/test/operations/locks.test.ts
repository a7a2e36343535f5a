import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../customers/actors.ts';
import { eventually } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ databaseTimeoutFactor: 1 });
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

/** A process that connects as the service does, locks a label in a transaction, and then stays idle. */
const HOLDER = `
  const { connect } = await import(process.argv[1]);
  const { id, ...options } = JSON.parse(process.argv[2]);
  const db = connect({ poolSize: 1, ...options });
  await db.begin(async (tx) => {
    await tx\`UPDATE labels SET description = 'held' WHERE id = \${id}\`;
    process.stdout.write('held');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
`;

/** Locks a label from another process and suspends that process, as on a machine that hangs. */
async function lockAndFreeze(id: string): Promise<void> {
  const { host, port, user, pass } = service.database.db.options as unknown as Record<string, string | string[]>;
  const [version] = await service.database.owner<{ number: string }[]>`
    SELECT current_setting('server_version_num') AS number`;
  const target = {
    host: [host].flat()[0],
    port: Number([port].flat()[0]),
    username: user,
    password: pass,
    database: service.database.name,
  };
  const options = JSON.stringify({ id, target, serverVersion: Number(version?.number) });
  const module = new URL('../../src/platform/database/pool.ts', import.meta.url).href;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, module, options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  holder.kill('SIGSTOP');
}

// Security (A database that is away, or slow): The database releases the lock of a frozen process
it('requests that need a lock of a suspended process (SIGSTOP) are refused briefly, then the database releases the lock', async () => {
  const { token } = admin;
  const label = { name: 'Locked', description: 'first', color: '#fff', userName: 'Ada' };
  const { id } = expectStatus(await service.call('POST', '/labels', { token, body: label }), 201).body;
  await lockAndFreeze(id);
  const change = () => service.call('PUT', `/labels/${id}`, { token, body: { color: '#000' } });

  expectStatus(await change(), 503);
  const changed = await eventually(async () => {
    const answer = await change();
    return answer.status === 200 && answer;
  });
  // The transaction of the suspended process was rolled back.
  expect(changed.body).toMatchObject({ description: 'first', color: '#000' });
});
