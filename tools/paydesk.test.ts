import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingRun } from '../packages/client/src/index.ts';
import { startBillingWorker } from '../server/src/billing/runs/runs.worker.ts';
import { setBilling, setPrice, use } from '../server/test/billing/billing.ts';
import { findRun, startTimedService, type TimedService } from '../server/test/billing/schedule.ts';
import { signUpAdmin } from '../server/test/customers/actors.ts';
import { runPaydesk } from '../server/test/harness/paydesk-command.ts';
import { createProgress } from './paydesk/progress.ts';

let service: TimedService;
let worker: { stop: () => Promise<void> };

beforeAll(async () => {
  service = await startTimedService('2026-11-01T03:00:00Z');
  worker = startBillingWorker(service.database.db, service.server.log);
  await setPrice(service, { path: '/paid', unitAmount: '1.00' });
});
afterAll(async () => {
  await worker?.stop();
  await service?.stop();
});

const run = (words: string[], environment: Record<string, string> = {}) => runPaydesk(service, words, environment);

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('npm run paydesk -- billing-run', () => {
  it('bills the month, with plain lines in a pipe, and reports the outcome', async () => {
    const [paid, unpriced] = [await signUpAdmin(service), await signUpAdmin(service)];
    const angeles = await signUpAdmin(service);
    for (const admin of [paid, unpriced, angeles]) await setBilling(service, admin, { invoiceGraceHours: 720 });
    await setBilling(service, angeles, { timezone: 'America/Los_Angeles' });
    await use(service, paid, '/paid', 5, '2026-10-10T00:00:00Z');
    await use(service, unpriced, '/un\u001b[31mpriced', 5, '2026-10-10T00:00:00Z');
    const { code, stdout, stderr } = await run(['billing-run', '2026-10']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('0 %, 0 of 3 companies, 0 invoices\n');
    expect(stdout).toContain(
      'Billing run of 2026-10: waiting\n  companies  3\n  invoices   2\n  skipped    0\n  failures   0\n',
    );
    expect(stdout).toContain('The month of 1 company is not over yet; the run continues at 2026-11-01T07:00:00.000Z.');
    expect(stdout).toContain(
      'These paths have no price. Their invoice lines have the amount zero:\n  /un�[31mpriced (1 company)\n',
    );
    expect(stdout).not.toContain('\u001b');
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'waiting', invoices: 2 });

    service.setTime('2026-11-02T00:00:00Z');
    expect((await run(['billing-run', '2026-10'])).stdout).toContain('Billing run of 2026-10: done\n');
  });

  it('exits with 1 if a company could not be billed, and names it', async () => {
    const bad = await signUpAdmin(service);
    await setPrice(service, { path: '/dear', companyId: bad.companyId, unitAmount: '99999999999' });
    service.setTime('2026-12-02T00:00:00Z');
    await use(service, bad, '/dear', 10_000, '2026-11-10T00:00:00Z');
    const { code, stdout } = await run(['billing-run', '2026-11']);
    expect(code).toBe(1);
    expect(stdout).toContain('Billing run of 2026-11: failed\n');
    expect(stdout).toContain(
      `could not be billed. The log of the service says why. When the cause is fixed, start the billing run again.\n  ${bad.companyId}\n`,
    );
  });

  it('reports why it cannot run: a month that is not over, no month, a wrong key', async () => {
    const early = await run(['billing-run', '2099-01']);
    expect([early.code, early.stdout]).toEqual([2, '']);
    expect(early.stderr).toBe(
      '2099-01 has not ended for any company; the first one ends it at 2099-02-01T00:00:00.000Z.\n',
    );
    expect(await run(['billing-run', '2026-13'])).toMatchObject({
      code: 2,
      stderr: 'period must be a month such as 2026-10.\n',
    });
    expect((await run(['billing-run'])).stderr).toContain('Name the month');
    expect((await run(['billing-run', '2026-10', '2026-11'])).stderr).toContain('Name the month');
    const stranger = await run(['billing-run', '2026-10'], { OPERATOR_KEY: 'opk_of-somebody-else' });
    expect([stranger.code, stranger.stderr]).toEqual([2, expect.stringContaining('does not know this operator key')]);
  });
});

describe('npm run paydesk -- audit', () => {
  it('verifies the audit log: 0 while it is genuine, 1 with each entry that was changed, 2 when it cannot be asked', async () => {
    const { companyId } = await signUpAdmin(service);
    const genuine = await run(['audit', 'verify']);
    expect([genuine.code, genuine.stderr]).toEqual([0, '']);
    expect(genuine.stdout).toMatch(/^The audit log is genuine: \d+ entries checked\.\n$/);
    await service.database.owner`
      UPDATE audit_contents SET content = replace(content::text, 'user.signed_up', 'user.deleted')::json
      WHERE company_id = ${companyId}`;
    const changed = await run(['audit', 'verify']);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain(`the entry was changed: company ${companyId}, entry 1\n1 problem: `);
    expect(await run(['audit', 'verify'], { OPERATOR_KEY: 'opk_of-somebody-else' })).toMatchObject({ code: 2 });
    expect(await run(['audit'])).toMatchObject({ code: 2, stderr: expect.stringContaining('audit verify') });
  });
});

describe('npm run paydesk -- staff', () => {
  it('invites somebody, and says where the link is: 0; 1 when the e-mail is refused, 2 when it cannot ask', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { code, stdout, stderr } = await run(['staff', 'add', email, 'finance']);
    expect([code, stderr]).toEqual([0, '']);
    const [, mailId] =
      /^Invited .+ with the role finance\. .* GET \/operator\/mails\/([\w-]{36})\.\n$/.exec(stdout) ?? [];
    const token = service.operatorKey;
    const { body: mail } = await service.call('GET', `/operator/mails/${mailId}`, { token });
    expect(mail).toMatchObject({
      to: [email],
      type: 'invitation',
      text: expect.stringContaining('/app/invitation#token='),
    });

    expect(await run(['staff', 'add', email])).toMatchObject({
      code: 1,
      stderr:
        'There is an open invitation to this e-mail address. Send it again with POST /operator/staff/{id}/resend.\n',
    });
    const { email: taken } = await signUpAdmin(service);
    expect(await run(['staff', 'add', taken])).toMatchObject({ code: 1, stderr: 'email has an account.\n' });
    expect(await run(['staff', 'add', 'nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('email must be'),
    });
    for (const words of [['staff'], ['staff', 'add'], ['staff', 'add', email, 'owner']])
      expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('staff add ada@example.com') });
    const stranger = await run(['staff', 'add', email], { OPERATOR_KEY: 'opk_of-somebody-else' });
    expect(stranger.code).toBe(2);
  });
});

describe('npm run paydesk', () => {
  it('without a command, or with a request for help, lists the commands', async () => {
    for (const words of [[], ['help'], ['--help']]) {
      const { code, stdout } = await run(words);
      expect([code, stdout]).toEqual([0, expect.stringContaining('billing-run <month>')]);
    }
  });

  it('reports an unknown command', async () => {
    for (const name of ['biling-run', 'constructor']) {
      const { code, stdout, stderr } = await run([name]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`There is no command "${name}".\n\nUsage: npm run paydesk -- <command>`);
    }
  });

  it('reports that nothing answers, or something else than Paydesk', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const nobody = await run(['billing-run', '2026-10'], { PAYDESK_URL: url });
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain(`Nothing answers at ${url} (ECONNREFUSED). Start the service with \`npm start\``);
    expect(nobody.stderr).not.toContain('    at ');
    const other = await run(['billing-run', '2026-10'], { PAYDESK_URL: `${service.url}/docs/no` });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('Check PAYDESK_URL.')]);
  });

  it('reads the key from the data directory if the environment has none', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'paydesk-command-'));
    const read = () => run(['billing-run', '2026-13'], { OPERATOR_KEY: '', DATA_DIR: dataDirectory });
    expect((await read()).stderr).toContain(`There is no operator key at ${join(dataDirectory, 'operator-key')}`);
    writeFileSync(join(dataDirectory, 'operator-key'), `${service.operatorKey}\n`);
    expect((await read()).stderr).toContain('must be a month');
    rmSync(dataDirectory, { recursive: true });
  });
});

describe('the progress of a run', () => {
  const runOf = (changes: Partial<BillingRun>): BillingRun => ({
    ...{
      id: '',
      period: '2026-10',
      status: 'running',
      companies: 12_000,
      done: 0,
      invoices: 0,
      skipped: 0,
      failures: 0,
    },
    ...{ passes: 1, createdAt: '2026-11-01T03:00:00.000Z', finishedAt: null },
    ...{ remainingSeconds: null, nextPassAt: null, failedCompanies: [], failed: [], unpricedPaths: [], ...changes },
  });
  const half = runOf({ done: 6_000, invoices: 5_500, failures: 2, remainingSeconds: 754 });

  function draw(isTTY: boolean, columns = 120) {
    const written: string[] = [];
    let nowMs = 0;
    const progress = createProgress({ isTTY, columns, write: (text) => written.push(text) }, () => nowMs);
    return { progress, written, wait: (ms: number) => (nowMs += ms) };
  }

  it('is a bar on a terminal, redrawn on one line that is never longer than the terminal', () => {
    const { progress, written } = draw(true);
    progress.show(half);
    const text = '50 %, 6,000 of 12,000 companies, 5,500 invoices, 2 failed, 12:34 left';
    expect(written.join('')).toBe(`\r\u001b[2K\u001b[36m${'█'.repeat(12)}${'░'.repeat(12)}\u001b[39m ${text}`);
    const narrow = draw(true, 40);
    narrow.progress.show(half);
    expect(narrow.written.join('')).toMatch(/ 50 %, 6,000 of$/);
    narrow.progress.end();
    expect(narrow.written.at(-1)).toBe('\r\u001b[2K');
  });

  it('is a line now and then elsewhere, when something changed', () => {
    const { progress, written, wait } = draw(false);
    for (const done of [0, 10, 20]) progress.show(runOf({ done }));
    wait(10_000);
    progress.show(half);
    wait(10_000);
    progress.show(half);
    progress.show(runOf({ done: 12_000, remainingSeconds: 3_723 }));
    expect(written).toEqual([
      '0 %, 0 of 12,000 companies, 0 invoices\n',
      '50 %, 6,000 of 12,000 companies, 5,500 invoices, 2 failed, 12:34 left\n',
      '100 %, 12,000 of 12,000 companies, 0 invoices, 1:02:03 left\n',
    ]);
  });
});
