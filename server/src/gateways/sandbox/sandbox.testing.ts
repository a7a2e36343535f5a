/** Helpers for the tests of the sandbox gateway. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CardDetails, Gateway } from '../gateway/gateway.ts';
import { createSandboxControl, type SandboxControl } from './sandbox.control.ts';
import { createSandboxGateway } from './sandbox.gateway.ts';
import { type SandboxGateway, type SandboxLogEntry, startSandboxGateway } from './server/server.ts';

export const testSecret = 'a-secret-that-only-the-tests-know';

/** Creates a card with that number. The sandbox gateway never checks the expiry. */
export function testCard(number: string): CardDetails {
  const holder = { companyId: randomUUID(), customer: null };
  return { number, securityCode: '737', expMonth: 12, expYear: 2035, name: 'Ada Lovelace', country: 'GB', holder };
}

export type TestFolder = { path: string; ledgerPath: string; secretPath: string; remove(): void };

/** Creates a temporary folder with the secret in a file. The test removes the folder. */
export function createTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-sandbox-'));
  const secretPath = join(path, 'secret');
  writeFileSync(secretPath, `${testSecret}\n`, { mode: 0o600 });
  return { path, secretPath, ledgerPath: join(path, 'ledger.db'), remove: () => rmSync(path, { recursive: true }) };
}

export type TestGateway = {
  server: SandboxGateway;
  gateway: Gateway;
  control: SandboxControl;
  logged: SandboxLogEntry[];
  folder: TestFolder;
  /** A separate adapter with separate connections. */
  connect(options?: { timeoutMs?: number; secret?: string }): Gateway;
  close(): Promise<void>;
};

/** Starts a sandbox gateway in this process, with an empty ledger. */
export async function startTestGateway(): Promise<TestGateway> {
  const folder = createTestFolder();
  const logged: SandboxLogEntry[] = [];
  const server = await startSandboxGateway({
    ledgerPath: folder.ledgerPath,
    host: '127.0.0.1',
    port: 0,
    secret: testSecret,
    log: (entry) => logged.push(entry),
  });
  const connect = (options = {}) => createSandboxGateway({ baseUrl: server.url, secret: testSecret, ...options });
  return {
    server,
    gateway: connect(),
    control: createSandboxControl({ baseUrl: server.url, secret: testSecret }),
    logged,
    folder,
    connect,
    async close() {
      await server.close();
      folder.remove();
    },
  };
}

export type GatewayProcess = {
  url: string;
  port: number;
  gateway: Gateway;
  control: SandboxControl;
  child: ChildProcess;
  /** Returns everything that it wrote to standard output and standard error. */
  output(): string;
  /** Sends the signal and returns the exit code (null if the signal ended the process). */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts the sandbox gateway as a separate process. */
export async function spawnGateway(folder: TestFolder, port = 0): Promise<GatewayProcess> {
  const main = join(import.meta.dirname, 'server/main.ts');
  const options = ['--port', String(port), '--ledger', folder.ledgerPath, '--secret-file', folder.secretPath];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));

  const exited = once(child, 'exit') as Promise<[number | null]>;
  const firstLine = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const ready = await Promise.race([firstLine, exited]);
  if (typeof ready[0] !== 'string') throw new Error(`The sandbox gateway did not start: ${output}`);
  const address = JSON.parse(ready[0]) as { url: string; port: number };
  const access = { baseUrl: address.url, secret: testSecret };
  return {
    ...address,
    gateway: createSandboxGateway(access),
    control: createSandboxControl(access),
    child,
    output: () => output,
    async stop(signal) {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
