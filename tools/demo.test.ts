import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBillingWorker } from '../server/src/billing/runs/runs.worker.ts';
import { pageText, readPdf } from '../server/test/billing/pdf.ts';
import { COMPILE_CACHE } from '../server/test/harness/compile-cache.ts';
import { startTestService, type TestService } from '../server/test/harness/service.ts';

let service: TestService;
let worker: ReturnType<typeof startBillingWorker>;
let folder: string;
/** The results of two consecutive runs in a pipe. */
let runs: [Run, Run];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-demo-'));
  service = await startTestService();
  worker = startBillingWorker(service.database.db, service.server.log);
  runs = [await runAgainstService(), await runAgainstService()];
});
afterAll(async () => {
  await worker?.stop();
  await service?.stop();
  rmSync(folder, { recursive: true });
});

type Run = { code: number; stdout: string; stderr: string };

/** Asynchronous, because the service that the demo calls runs in this process. */
function runDemo(environment: Record<string, string>, ...parameters: string[]): Promise<Run> {
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, ...environment };
  const options = { env, cwd: folder };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'demo.ts'), ...parameters],
      options,
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

const runAgainstService = (environment: Record<string, string> = {}, ...parameters: string[]) =>
  runDemo({ PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey, ...environment }, ...parameters);

/** Returns the requests that a run printed, without ids. */
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
  expect.stringMatching(/^GET \/operator\/mails\?recipient=ada\.[\da-f]+%40example\.com&perPage=100 → 200$/),
  'GET /operator/mails/{id} → 200',
  'POST /auth/email/verify → 204',
  'GET /auth/me → 200',
  'POST /auth/refresh → 200',
  'GET /auth/me → 200',
  'GET /auth/me → 200',
  'GET /auth/me → 200',
  'POST /payments/addresses → 201',
  'POST /payments/cards → 201',
  'GET /payments/cards → 200',
  'PUT /payments/billing-information → 200',
  expect.stringMatching(/^GET \/operator\/companies\?email=ada\.[\da-f]+%40example\.com → 200$/),
  'GET /operator/seller → 200',
  'PUT /operator/companies/{id}/billing-settings → 200',
  'POST /operator/prices → 201',
  'POST /operator/prices → 201',
  'POST /operator/usage → 200',
  expect.stringMatching(/^GET \/payments\/usage\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-01&granularity=day → 200$/),
  'GET /payments/upcoming-invoice → 200',
  'POST /operator/billing-runs → 202',
  expect.stringMatching(/^GET \/payments\/orders\?startAt=.*&endAt=.* → 200$/),
  'PUT /payments/orders/{id}/pay → 200',
  'PUT /payments/orders/{id}/pay → 200',
  'GET /payments/orders/{id}/pdf → 200',
  'GET /payments/orders?status=succeeded&perPage=5 → 200',
  'POST /payments/cards → 201',
  'POST /operator/invoices → 201',
  'PUT /payments/orders/{id}/pay → 402',
  'GET /payments/orders?receipt={id} → 200',
  'PUT /payments/cards/{id} → 200',
  'PUT /payments/orders/{id}/pay → 200',
  'POST /payments/card-setups → 201',
  'POST /gateways/sandbox/setups/confirm → 200',
  'POST /gateways/sandbox/challenges → 200',
  'POST /payments/cards → 201',
  'POST /operator/invoices → 201',
  'PUT /payments/orders/{id}/pay → 402',
  'POST /gateways/sandbox/challenges → 200',
  'PUT /payments/orders/{id}/pay → 200',
  'PUT /payments/cards/{id} → 200',
  'POST /labels → 201',
  'POST /labels → 201',
  'GET /labels?name=prior → 200',
  'PUT /labels/{id} → 200',
  'DELETE /labels → 204',
  'GET /labels → 200',
  'GET /company/roles → 200',
  'POST /company/invitations → 201',
  expect.stringMatching(/^GET \/operator\/mails\?recipient=grace\.[\da-f]+%40example\.com&perPage=100 → 200$/),
  'GET /operator/mails/{id} → 200',
  'POST /auth/invitations/accept → 201',
  'GET /payments/orders → 200',
  'GET /labels → 403',
  'GET /company/roles → 200',
  'POST /company/api-keys → 201',
  'GET /payments/orders → 200',
  'POST /payments/addresses → 403',
  'DELETE /company/api-keys/{id} → 204',
  'GET /payments/orders → 401',
  'GET /company/audit-log?per_page=8 → 200',
  'POST /auth/logout → 204',
  'GET /payments/cards → 401',
];
const SETS_SELLER = 'PUT /operator/seller → 200';

/** The PDF's text, one entry per line. */
const readSavedPdf = (file: string) => readPdf(readFileSync(file)).pages.map(pageText).join('\n');

describe('npm run demo', () => {
  it('runs from the sign-up to the logout repeatedly: each run is a new company with its own invoice', async () => {
    for (const { code, stdout, stderr } of runs) {
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(requestsOf(stdout).filter((line) => line !== SETS_SELLER)).toEqual(TOUR);
    }
    const seller = await service.call('GET', '/operator/seller', { token: service.operatorKey });
    expect(seller.body.name).toBe('Northwind Interfaces Ltd');
  });

  it('prints what the answers contain, from usage to the paid invoice', () => {
    const [, { stdout }] = runs;
    expect(stdout).toContain('visa 4242********4242, default: true');
    expect(stdout).toContain('7 accepted, 1 duplicate, 0 rejected\n      usage-1: duplicate, counted once\n');
    expect(stdout).toMatch(/\n +12 \w+ \d{4} +\/v1\/transcriptions +4,300\n/);
    expect(stdout).toMatch(/: (done|waiting)\n +\d+ of \d+ companies, (1 invoice|\d+ invoices) so far\n/);
    expect(stdout).toMatch(/INV-\d{6}, Processing\n/);
    expect(stdout).toMatch(/\n +Speech to text \/v1\/transcriptions +13,000 +\$50\.00\n/);
    expect(stdout).toMatch(/\n +Storage \/v1\/files\* +310 +\$6\.00\n/);
    expect(stdout).toMatch(/Subtotal +\$56\.00\n +Tax \(20%\) +\$11\.20\n +Total +\$67\.20\n/);
    const payments = [...stdout.matchAll(/Succeeded, payment (\S+)/g)].map(([, id]) => id);
    expect(payments).toEqual([expect.any(String), payments[0]]);
    expect(stdout).toMatch(/INV-\d{6} Succeeded: \$67\.20 from visa 4242\*{8}4242/);
    expect(stdout).toMatch(/card_declined: insufficient_funds\n.*\n +INV-\d{6} is Failed/);
    expect(stdout).toMatch(/INV-\d{6} is Succeeded/);
    expect(stdout).toMatch(/authentication_required: at http:\S+\/pay\/\S{8}….*\n(.*\n)+? +INV-\d{6} is Succeeded/);
    expect(stdout).toContain('"prior" finds 1: Priority #ff8800');
    expect(stdout).toContain('0 labels are left');
    expect(stdout).toContain('Billing manager: she reads 3 invoices, and labels are forbidden');
    expect(stdout).toMatch(/pdk_\S+…: it reads 3 invoices, and to save an address is forbidden\n/);
    expect(stdout).toContain('once deleted, it is unauthenticated');
    expect(stdout).toMatch(
      /\n +Ada Lovelace +api_key\.deleted +Bookkeeping\n(.*\n)* +Grace Hopper +invitation\.accepted/,
    );
    expect(stdout).toContain(`${service.url}/docs`);
  });

  it('saves the paid invoice as a PDF in the current folder, or at the given path; in a pipe it prints plain text', async () => {
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    const named = join(elsewhere, 'october.pdf');
    const savedRuns = [
      await runAgainstService({ INIT_CWD: elsewhere, FORCE_COLOR: '1' }),
      await runAgainstService({ INIT_CWD: elsewhere }, 'october.pdf'),
    ];
    const places = [join(folder, 'paydesk-demo-invoice.pdf'), join(elsewhere, 'paydesk-demo-invoice.pdf'), named];
    for (const [index, { code, stdout }] of [runs[1], ...savedRuns].entries()) {
      const file = places[index] ?? '';
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`bytes in .*${file.slice(folder.length)}`));
      expect(readSavedPdf(file)).toMatch(/^Invoice\nPAID\n.*INV-\d{6}\n.*\$67\.20 paid on .*Amount due\n\$0\.00\n/s);
    }
    // Colours are printed only where they are shown.
    expect([runs[1], ...savedRuns].map(({ stdout }) => stdout.includes('\u001b['))).toEqual([false, true, false]);
  });

  it('reads the key from the data directory if the environment has none', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'paydesk-demo-'));
    writeFileSync(join(dataDirectory, 'operator-key'), `${service.operatorKey}\n`);
    const { code } = await runDemo({ PAYDESK_URL: `${service.url}/`, DATA_DIR: dataDirectory });
    rmSync(dataDirectory, { recursive: true });
    expect(code).toBe(0);
  });
});

describe('npm run demo, when it cannot run', () => {
  it('reports that nothing answers, and what to do', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const { code, stderr } = await runDemo({ PAYDESK_URL: url, OPERATOR_KEY: 'opk_none' });
    expect(code).toBe(1);
    expect(stderr).toContain(`Nothing answers at ${url} (ECONNREFUSED)`);
    expect(stderr).toContain('npm start');
    expect(stderr).not.toContain('    at ');
  });

  it('reports that the PDF cannot be written there', async () => {
    const { code, stderr } = await runAgainstService({}, 'no-such-folder/invoice.pdf');
    expect(code).toBe(1);
    expect(stderr).toMatch(/The PDF can't be written to .*no-such-folder\/invoice\.pdf: ENOENT/);
  });

  it('reports where it looked for the key', async () => {
    const { code, stderr } = await runDemo({ PAYDESK_URL: service.url, DATA_DIR: join(tmpdir(), 'paydesk-no-data') });
    expect(code).toBe(1);
    expect(stderr).toContain(join(tmpdir(), 'paydesk-no-data', 'operator-key'));
  });

  it('stops at a key that the service does not know, and names the variable to set', async () => {
    const { code, stdout, stderr } = await runAgainstService({ OPERATOR_KEY: 'opk_of-somebody-else' });
    expect(code).toBe(1);
    expect(requestsOf(stdout).at(-1)).toMatch(/^GET \/operator\/mails.* → 401$/);
    expect(stderr).toContain('does not know this operator key. Set OPERATOR_KEY');
  });

  it('reports that the address is invalid', async () => {
    const { code, stdout, stderr } = await runAgainstService({ PAYDESK_URL: '127.0.0.1:3000' });
    expect([code, stdout.trim()]).toEqual([1, '']);
    expect(stderr).toContain('PAYDESK_URL 127.0.0.1:3000 is not an address such as http://127.0.0.1:3000.');
  });

  it('stops at an unexpected answer, and says what to look at', async () => {
    const { code, stderr } = await runAgainstService({ PAYDESK_URL: `${service.url}/elsewhere` });
    expect(code).toBe(1);
    expect(stderr).toContain('The service answered with 404, which Paydesk does not do. Check PAYDESK_URL.');
  });
});
