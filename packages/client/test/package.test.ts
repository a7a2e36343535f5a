import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, issueInvoice, saveCard, signUpAdmin } from '../../../server/test/customers/actors.ts';
import { startTestService, type TestService } from '../../../server/test/harness/service.ts';
import { addEndpoint, type Consumer, deliver, startConsumer } from '../../../server/test/outbox/webhooks.ts';

const PACKAGE = join(import.meta.dirname, '..');
const TOOLS = join(PACKAGE, '../../node_modules/.bin');
const PATH = `${TOOLS}${delimiter}${process.env.PATH}`;

let folder: string;
/** Another project, into which the packed package is installed. */
let project: string;
let service: TestService;
let consumer: Consumer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-package-'));
  project = join(folder, 'project');
  const copy = join(folder, 'packages/client');
  cpSync(PACKAGE, copy, { recursive: true, filter: (path) => !/client\/(dist|test)\b/.test(path) });
  cpSync(join(PACKAGE, '../../LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', type: 'module' }));
  run(copy, 'npm', 'pack', '--silent', '--pack-destination', folder);
  run(
    project,
    'npm',
    'install',
    '--silent',
    '--offline',
    '--no-audit',
    '--no-fund',
    join(folder, 'paydesk-client-0.1.0.tgz'),
  );
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
  rmSync(folder, { recursive: true });
});

function run(cwd: string, command: string, ...parameters: string[]): string {
  const { HOME } = process.env;
  return execFileSync(command, parameters, { cwd, encoding: 'utf8', env: { PATH, HOME, TMPDIR: folder } });
}

/** Returns the TypeScript of the README as one module, as a reader has it who copies block after block. */
function readReadme(): { code: string; printed: string[] } {
  const text = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const code = blocks.join('\n');
  const printed = [...code.matchAll(/console\.log\(.*\).*; \/\/ (.+)$/gm)].map(([, line = '']) => line);
  return { code: code.replaceAll('https://billing.example.com', service.url), printed };
}

describe('the package', () => {
  it('contains plain JavaScript, its types and the license, and imports only itself', () => {
    const installed = join(project, 'node_modules/@paydesk/client');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.'),
    );
    expect(new Set(files.map((name) => name.replace(/^[\w./-]*?(\.d)?(\.\w+)$/, '$1$2')))).toEqual(
      new Set(['.js', '.d.ts']),
    );
    const imported = files.flatMap((name) => {
      const text = readFileSync(join(installed, 'dist', name), 'utf8');
      return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => target);
    });
    expect(imported).toContain('./calls/send.js');
    expect(imported.filter((target) => !/^\.\.?\//.test(target))).toEqual([]);
  });

  it('does what its README shows when it is installed in another project, with strictly checked types', async () => {
    const { code, printed } = readReadme();
    writeFileSync(join(project, 'readme.ts'), code);
    writeFileSync(
      join(project, 'process.d.ts'),
      'declare const process: { env: Record<string, string | undefined> };\n',
    );
    writeFileSync(join(project, 'main.js'), MAIN);
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ];
    run(project, 'tsc', ...options, '--lib', 'es2022,dom,dom.iterable', '--types', '', 'readme.ts', 'process.d.ts');

    const payer = await signUpAdmin(service);
    await saveCard(service, payer);
    await issueInvoice(service, payer.companyId);
    const ada = await signUpAdmin(service, 'ada@example.com');
    await saveCard(service, ada, { cardNumber: CARDS.insufficientFunds });
    const endpoint = await addEndpoint(service, ada, { url: consumer.url('/hook'), types: ['label.created'] });
    const child = spawn(process.execPath, ['main.js'], {
      cwd: project,
      env: {
        PATH,
        PAYDESK_TOKEN: payer.token,
        PAYDESK_PASSWORD: 'Correct-horse-7',
        OPERATOR_KEY: service.operatorKey,
        PAYDESK_WEBHOOK_SECRET: endpoint.secret,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const ended = new Promise((resolve) => child.once('close', resolve));
    await Promise.race([ended, expect.poll(() => output).toContain('the README is done')]);
    await deliver(service);
    child.stdin.on('error', () => undefined).end(JSON.stringify(consumer.received('/hook')[0] ?? {}));
    await ended;
    const expected = printed.filter((line) => !line.startsWith('webhook'));
    expect(output.split('\n')).toEqual([...expected, 'the README is done', 'webhook: Priority', '204', '400', '']);
  });
});

/** Runs the README, then passes a received webhook to its handler, unchanged and changed. */
const MAIN = `
import { text } from 'node:stream/consumers';
import { POST } from './readme.ts';

console.log('the README is done');
const { body, headers } = JSON.parse(await text(process.stdin));
for (const sent of [body, body.replace('Priority', 'Priorities')]) {
  const response = await POST(new Request('http://127.0.0.1/', { method: 'POST', headers, body: sent }));
  console.log(response.status);
}
`;
