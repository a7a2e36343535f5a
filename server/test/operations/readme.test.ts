import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBillingWorker } from '../../src/billing/runs/runs.worker.ts';
import { GATEWAYS } from '../../src/gateways/gateways.ts';
import { declineCodeOfSetupToken } from '../../src/gateways/sandbox/bank/accounts.ts';
import { declineCodeOfCardNumber, isCardNumber } from '../../src/gateways/sandbox/bank/cards.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { readPdf } from '../billing/pdf.ts';
import { signUpAdmin } from '../customers/actors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { patternOf, readDocument, rowsOf, runSteps, type Step, sectionOf, stepsOf } from './readme.ts';

const GATEWAYS_PAGE = readDocument('docs/gateways.md');

describe.each(['docs/gateways.md', 'docs/billing.md'])('%s', (path) => {
  it('shows, block by block, what its commands print, for a company and its admin', async () => {
    const service = await startTestService();
    const { token, companyId } = await signUpAdmin(service);
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-documents-'));
    const environment = {
      PAYDESK_URL: service.url,
      OPERATOR_KEY: service.operatorKey,
      TOKEN: token,
      COMPANY_ID: companyId,
    };
    const steps = stepsOf(readDocument(path));
    const { outputs, errors } = await runSteps(steps, environment, folder);
    rmSync(folder, { recursive: true });
    await service.stop();
    expect(errors).toBe('');
    expect(steps).not.toHaveLength(0);
    for (const [index, { printed }] of steps.entries())
      expect(outputs[index]?.trim()).toMatch(patternOf(printed.trim()));
  });
});

it('every block of commands that needs nothing from outside is run here', () => {
  const folder = new URL('../../../docs/', import.meta.url);
  const documents = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const withCommands = documents.filter((name) => stepsOf(readDocument(`docs/${name}`)).length > 0);
  expect(withCommands.sort()).toEqual(['billing.md', 'gateways.md', 'integrating.md', 'tour.md']);
});

describe('the tour', () => {
  let service: TestService;
  let steps: Step[];
  let outputs: string[];
  let errors: string;
  let folder: string;

  beforeAll(async () => {
    service = await startTestService();
    steps = stepsOf(readDocument('docs/tour.md'));
    const environment = { PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey };
    folder = mkdtempSync(join(tmpdir(), 'paydesk-readme-'));
    const worker = startBillingWorker(service.database.db, service.server.log);
    ({ outputs, errors } = await runSteps(steps, environment, folder).finally(worker.stop));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  it('runs from its first block to its last without an error message', () => {
    expect(steps.length).toBeGreaterThanOrEqual(10);
    expect(outputs).toHaveLength(steps.length);
    expect(errors).toBe('');
  });

  it('prints, block by block, the output below the block', () => {
    for (const [index, { printed }] of steps.entries()) expect(outputs[index]).toMatch(patternOf(printed));
    expect(steps.slice(1).map(({ printed }) => printed)).not.toContain('');
  });

  it('shows the outcome of every step, from the sign-up to the token that is no longer accepted', () => {
    const telling = [
      'Admin\nCARD_NOT_FOUND\n',
      '"cardNumber":"4242********4242"',
      '"postalCode":10115',
      'Northwind Interfaces Ltd\n',
      'INV-000001\n57.60\nProcessing\n',
      'Succeeded\nthe same payment\n1\nINV-000001 Succeeded 57.60 USD 4242********4242\n',
      '"declineCode":"insufficient_funds"',
      'true\nSucceeded\n',
      '204\nunauthenticated\n',
    ];
    for (const [index, text] of telling.entries()) {
      expect(steps[index + 1]?.printed).toContain(text);
      expect(outputs[index + 1]).toContain(text);
    }
  });

  it('saves the PDFs of the usage invoice and of the credit note', () => {
    for (const [name, title] of [
      ['invoice.pdf', 'Invoice'],
      ['credit-note.pdf', 'Credit note'],
    ] as const) {
      expect(readPdf(readFileSync(join(folder, name))).pages[0]?.[0]?.text).toBe(title);
    }
  });

  it('leaves the books as it says: two invoices, both paid, and one charge each', async () => {
    const payments = await service.database.owner<{ state: string; amount: string; count: number }[]>`
      SELECT state, count(*)::int AS count FROM payments GROUP BY state ORDER BY state`;
    expect(payments).toEqual([
      { state: 'captured', count: 2 },
      { state: 'failed', count: 1 },
    ]);
    const { payments: charged } = await service.sandbox.readLedger();
    expect(charged.filter(({ status }) => status === 'captured')).toHaveLength(2);
  });

  it('begins with the service and the key of the environment, or else with those of `npm start`', () => {
    const { host, port } = readConfig(GATEWAYS, {});
    const [, address] = /^PAYDESK_URL=\$\{PAYDESK_URL:-(.*)\}$/m.exec(steps[0]?.commands ?? '') ?? [];
    expect(address).toBe(`http://${host}:${port}`);
    expect(steps[0]?.commands).toMatch(/^OPERATOR_KEY=\$\{OPERATOR_KEY:-\$\(cat data\/operator-key\)\}$/m);
  });
});

describe('the test cards', () => {
  it('are declined by the sandbox gateway as the table says', () => {
    const rows = rowsOf(sectionOf(GATEWAYS_PAGE, '## Test cards'));
    expect(rows).toHaveLength(6);
    for (const [number = '', outcome = ''] of rows) {
      const digits = number.replaceAll(' ', '');
      expect(isCardNumber(digits)).toBe(true);
      expect(declineCodeOfCardNumber(digits)).toBe(outcome.startsWith('none') ? null : outcome.replaceAll('`', ''));
    }
  });
});

describe('the test setup tokens', () => {
  it('belong to accounts that the sandbox gateway declines as the table says', () => {
    const rows = rowsOf(sectionOf(GATEWAYS_PAGE, '## Test PayPal accounts'));
    expect(rows).toHaveLength(3);
    for (const [token = '', outcome = ''] of rows) {
      const declineCode = outcome.startsWith('none') ? null : outcome.replaceAll('`', '');
      const setupToken = token.replaceAll('`', '');
      for (const one of [setupToken, `${setupToken}-2`]) expect(declineCodeOfSetupToken(one)).toBe(declineCode);
    }
  });
});

describe('the configuration table', () => {
  const rows = rowsOf(readDocument('docs/configuration.md')).filter(([name]) => /^`[A-Z_]+`$/.test(name ?? ''));
  const defaults = new Map(rows.map(([name = '', value = '']) => [name.slice(1, -1), value.replaceAll('`', '')]));

  it('has every variable that the configuration and the gateways read, and no other', () => {
    const read = new Set<string>();
    readConfig(GATEWAYS, new Proxy({}, { get: (_environment, name) => void read.add(String(name)) }));
    expect([...defaults.keys()].sort()).toEqual([...read].sort());
  });

  it('has the defaults: setting a variable to its default changes nothing, and "none" has none', () => {
    const files = ['platform/config/config.ts', 'platform/config/gateway-settings.ts'];
    for (const { name } of GATEWAYS) files.push(`gateways/${name}/${name}.ts`);
    const source = files.map((file) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')).join('\n');
    for (const [name, value] of defaults) {
      const hasFallback = new RegExp(`text\\('${name}'\\) \\?\\?|(integer|read)\\('${name}'`).test(source);
      expect(hasFallback, name).toBe(value !== 'none');
      if (hasFallback) expect(readConfig(GATEWAYS, { [name]: value }), name).toEqual(readConfig(GATEWAYS, {}));
    }
  });
});
