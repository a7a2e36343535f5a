import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../server/test/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Run = { code: number; stdout: string; stderr: string };

/** Not at once: the service that the demo drives lives in this process. */
function runDemo(environment: Record<string, string>): Promise<Run> {
  const env = { PATH: process.env.PATH, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'demo.ts')], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const runAgainstService = (environment: Record<string, string> = {}) =>
  runDemo({ PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey, ...environment });

/** The requests that it printed, ids left out. */
function requestsOf(stdout: string): string[] {
  const lines = stdout.match(/^ {3}[A-Z]+ \/.*$/gm) ?? [];
  return lines.map((line) => line.trim().replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '{id}'));
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const TOUR = [
  'POST /auth/signup/admin → 201',
  'POST /payments/addresses → 201',
  'POST /payments/cards → 201',
  'GET /payments/cards → 200',
  'PUT /payments/billing-information → 200',
  expect.stringMatching(/^GET \/operator\/companies\?email=ada\.[\da-f]+%40example\.com → 200$/),
  'POST /operator/invoices → 201',
  'PUT /payments/orders/{id}/pay → 200',
  'PUT /payments/orders/{id}/pay → 200',
  'GET /payments/orders?status=succeeded&perPage=5 → 200',
  'POST /payments/cards → 201',
  'POST /operator/invoices → 201',
  'PUT /payments/orders/{id}/pay → 402',
  'GET /payments/orders?receipt={id} → 200',
  'PUT /payments/cards/{id} → 200',
  'PUT /payments/orders/{id}/pay → 200',
  'POST /labels → 201',
  'POST /labels → 201',
  'GET /labels?name=prior → 200',
  'PUT /labels/{id} → 200',
  'DELETE /labels → 204',
  'GET /labels → 200',
  'POST /auth/logout → 204',
  'GET /payments/cards → 401',
];

describe('npm run demo', () => {
  it('goes from the sign-up to the logout, and again: each run is a company of its own', async () => {
    for (const _run of ['first', 'second']) {
      const { code, stdout, stderr } = await runAgainstService();
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(requestsOf(stdout)).toEqual(TOUR);
    }
  });

  it('tells what the answers say: the masked card, the total, the one charge, the decline and the way out of it', async () => {
    const { stdout } = await runAgainstService();
    expect(stdout).toContain('visa 4242********4242, default: true');
    expect(stdout).toContain('INV-000001 over 58.51 USD, Processing');
    const payments = [...stdout.matchAll(/Succeeded, payment (\S+)/g)].map(([, id]) => id);
    expect(payments).toEqual([expect.any(String), payments[0]]);
    expect(stdout).toContain('INV-000001 Succeeded: 58.51 USD from visa 4242********4242');
    expect(stdout).toMatch(/card_declined: insufficient_funds\n.*\n +INV-000002 is Failed/);
    expect(stdout).toContain('INV-000002 is Succeeded');
    expect(stdout).toContain('"prior" finds 1: Priority #ff8800');
    expect(stdout).toContain('0 labels are left');
    expect(stdout).toContain(`${service.url}/docs`);
  });

  it('is plain text in a pipe, and in colour only where colour is shown', async () => {
    expect((await runAgainstService()).stdout).not.toContain('\u001b[');
    expect((await runAgainstService({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[');
  });

  it('reads the key from the data directory when the environment holds none', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'paydesk-demo-'));
    writeFileSync(join(dataDirectory, 'operator-key'), `${service.operatorKey}\n`);
    const { code } = await runDemo({ PAYDESK_URL: `${service.url}/`, DATA_DIR: dataDirectory });
    rmSync(dataDirectory, { recursive: true });
    expect(code).toBe(0);
  });
});

describe('npm run demo, when it can not run', () => {
  it('says that nothing answers, and what to do', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const { code, stderr } = await runDemo({ PAYDESK_URL: url, OPERATOR_KEY: 'opk_none' });
    expect(code).toBe(1);
    expect(stderr).toContain(`Nothing answers at ${url} (ECONNREFUSED)`);
    expect(stderr).toContain('npm start');
    expect(stderr).not.toContain('    at ');
  });

  it('says where it looked for the key', async () => {
    const { code, stderr } = await runDemo({ PAYDESK_URL: service.url, DATA_DIR: join(tmpdir(), 'paydesk-no-data') });
    expect(code).toBe(1);
    expect(stderr).toContain(join(tmpdir(), 'paydesk-no-data', 'operator-key'));
  });

  it('stops at an answer that it did not expect, and shows it', async () => {
    const { code, stdout, stderr } = await runAgainstService({ OPERATOR_KEY: 'opk_of-somebody-else' });
    expect(code).toBe(1);
    expect(requestsOf(stdout).at(-1)).toMatch(/^GET \/operator\/companies.* → 401$/);
    expect(stderr).toContain('"code":"unauthenticated"');
  });
});
