import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxGateway } from '../../../server/src/gateways/sandbox/server/server.ts';
import { endProcesses, startPaydesk } from '../../../server/test/harness/process.ts';

/** How the workers of the tests reach the service of the run. */
export type ServiceAccess = {
  /** At `localhost`, where browsers accept the cookies of a session. */
  url: string;
  operatorKey: string;
  dataDirectory: string;
  /** Of 127.0.0.1, where one story at a time may receive the operator's events. */
  receiverPort: number;
  sandbox: { baseUrl: string; secret: string };
};

/**
 * Starts Paydesk as `npm start` does, with its own PostgreSQL and all its background work, and a sandbox gateway in this process, in which
 * tests arm faults.
 */
export async function startService(): Promise<{ access: ServiceAccess; stop: () => Promise<void> }> {
  const secret = randomBytes(24).toString('base64url');
  const ledgerPath = join(await mkdtemp(join(tmpdir(), 'paydesk-sandbox-')), 'sandbox-gateway.db');
  const sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
  const [port, receiverPort] = [await findFreePort(), await findFreePort()];
  const { service, dataDirectory } = await startPaydesk({
    PORT: String(port),
    SANDBOX_GATEWAY_URL: sandbox.url,
    SANDBOX_GATEWAY_SECRET: secret,
    DATABASE_POOL_SIZE: '10',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${receiverPort}`,
  });
  return {
    access: {
      url: `http://localhost:${port}`,
      operatorKey: service.operatorKey,
      dataDirectory,
      receiverPort,
      sandbox: { baseUrl: sandbox.url, secret },
    },
    stop: async () => {
      await endProcesses();
      await sandbox.close();
    },
  };
}

/** The service has to know its port before it listens: it is in the origin that may use the cookies. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
