import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaydesk } from '../packages/client/src/index.ts';
import { COMPILE_CACHE } from '../server/test/harness/compile-cache.ts';

type Running = { child: ChildProcess; output: () => string; code: Promise<number | null> };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paydesk-demo-data-')));
const trial = join(folder, 'data-demo');
const children: ChildProcess[] = [];
let port: string;

beforeAll(async () => {
  // When root runs the tests, PostgreSQL's account passes through.
  chmodSync(folder, 0o755);
  port = await findFreePort();
});
afterAll(async () => {
  for (const child of children.filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  rmSync(folder, { recursive: true });
});

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return String(found);
}

function run(parameters: string[], environment: Record<string, string> = {}): Running {
  const { PATH, HOME } = process.env;
  const env = { ...COMPILE_CACHE, PATH, HOME, DATA_DIR: join(folder, 'data'), ...environment };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'demo.ts'), ...parameters], { env });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const code = once(child, 'close').then(([status]) => status as number | null);
  return { child, output: () => said, code };
}

const runData = () => run(['--data', '--port', port, '--companies', '4']);
const isReady = (running: Running) => expect.poll(() => running.output()).toContain('Ctrl-C stops it');

function stop({ child, code }: Running): Promise<number | null> {
  child.kill('SIGINT');
  return code;
}

describe('npm run demo -- --data', () => {
  it('fills a service of its own: what is paid, due, overdue, failed and refunded, labels and a team', async () => {
    const demo = runData();
    await isReady(demo);
    const url = `http://localhost:${port}`;
    expect(demo.output()).toContain(`${url}/console`);
    const operatorKey = readFileSync(join(trial, 'data/operator-key'), 'utf8').trim();
    const { operator } = createPaydesk({ url, operatorKey });
    type Sums = { currency: string; invoices: number }[];
    const open = (list: Sums) => list.map(({ currency, invoices }) => [currency, invoices]);
    // The collection may be trying the card again at this moment.
    await expect.poll(async () => open((await operator.overview.get()).failed)).toEqual([['GBP', 1]]);
    const overview = await operator.overview.get();
    expect(open(overview.due)).toEqual([
      ['EUR', 1],
      ['GBP', 2],
    ]);
    expect(overview.overdue.map(({ currency }) => currency)).toEqual(['EUR', 'GBP']);
    expect(overview.setup).toEqual({ seller: true, price: true, company: true, invoice: true });
    const count = async (state: 'paid' | 'void') => (await operator.invoices.list({ state })).total;
    // Of four companies in six months, three invoices are left open.
    expect([await count('paid'), await count('void')]).toEqual([21, 1]);
    expect((await operator.refunds.list()).data.map(({ amount }) => amount)).toEqual(['10.00']);

    const [, email = '', password = ''] = /log in as (\S+) with the password (\S+)/.exec(demo.output()) ?? [];
    const { data: session } = await createPaydesk({ url }).auth.logIn({ email, password });
    const token = 'access_token' in session ? session.access_token : '';
    const member = createPaydesk({ url, accessToken: token });
    expect((await member.labels.list()).total).toBe(6);
    expect((await member.company.members.list()).data).toHaveLength(3);
    expect((await member.invoices.list()).total).toBe(6);

    const removal = run(['--remove']);
    expect(await removal.code).toBe(1);
    expect(removal.output()).toContain('The demo still runs. Stop it with Ctrl-C first.');
    expect(await stop(demo)).toBe(0);
  });

  it('starts again with the data that it has', async () => {
    const demo = runData();
    await isReady(demo);
    expect(demo.output()).not.toContain('sign up');
    expect(await stop(demo)).toBe(0);
  });

  it('is removed in one step', async () => {
    const removal = run(['--remove']);
    expect([await removal.code, removal.output()]).toEqual([0, `Removed ${trial}\n`]);
    expect(existsSync(trial)).toBe(false);
    const again = run(['--remove']);
    expect([await again.code, again.output()]).toEqual([0, `There is no demo at ${trial}\n`]);
  });

  it('refuses where another gateway than the sandbox is configured', async () => {
    const demo = run(['--data', '--port', port], { GATEWAY: 'stripe' });
    expect(await demo.code).toBe(1);
    expect(demo.output()).toContain('The demo uses the sandbox only, and GATEWAY is stripe.');
    expect(existsSync(trial)).toBe(false);
  });
});
