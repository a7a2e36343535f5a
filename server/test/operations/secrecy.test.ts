import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { type SandboxGateway, startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { type Actor, cardBody, expectStatus, issueInvoice, saveAddress, signUpAdmin } from '../customers/actors.ts';
import { withCheckDigit } from '../harness/card-numbers.ts';
import { type DumpedRow, dumpDatabase } from '../harness/database/database-dump.ts';
import { connectToEmbedded, endProcesses, eventually, type PaydeskProcess, startPaydesk } from '../harness/process.ts';
import type { Answer, Request } from '../harness/request.ts';

/**
 * A card that exists nowhere else. Its cvv begins with 0, so that it cannot be confused with other numbers, and goes on with 8 or 9,
 * because PostgreSQL's settings have modes of files, which are octal.
 */
const number = withCheckDigit(`4${String(randomInt(1e13, 1e14))}`);
const cvv = `0${randomInt(800, 1000)}`;
const cardName = 'Canary Holder';

/** The eight digits that nobody may see, in the ways in which they can be written. */
const hidden = number.slice(4, 12);
const hiddenForms = [hidden, ...[' ', '-'].map((mark) => hidden.slice(0, 4) + mark + hidden.slice(4))];
const cvvInText = new RegExp(`(?<![-\\w.])${cvv}(?![-\\w.])`);
/** In PostgreSQL's files, a byte with its length precedes a short text. */
const cvvInFiles = new RegExp(`[\\x0b"'=: ]${cvv}(?!\\d)`);

const folder = mkdtempSync(join(tmpdir(), 'paydesk-secrecy-'));
const [ledgerFolder, temporaryFolder, reportFolder] = ['ledger', 'temporary', 'reports'].map((name) =>
  join(folder, name),
);
const secret = randomBytes(24).toString('base64url');
const processes: PaydeskProcess[] = [];
const answers: Answer[] = [];
const gatewayLog: unknown[] = [];

let sandbox: SandboxGateway;
let control: SandboxControl;
let dataDirectory: string;
let admin: Actor;
let addressId: string;
let rows: DumpedRow[];
let files: { path: string; text: string }[];

beforeAll(async () => {
  for (const path of [ledgerFolder, temporaryFolder, reportFolder]) mkdirSync(path ?? '');
  const ledgerPath = join(ledgerFolder ?? '', 'ledger.db');
  const log = (entry: unknown) => void gatewayLog.push(entry);
  sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret, log });
  control = createSandboxControl({ baseUrl: sandbox.url, secret });

  await useAndCrash();
  const last = await start({});
  await readEverything(last);
  const owner = connectToEmbedded(dataDirectory);
  rows = await dumpDatabase(owner);
  await owner`CHECKPOINT`;
  await owner.end();
  files = [dataDirectory, folder].flatMap(readFiles);
});
afterAll(async () => {
  await endProcesses();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string>): Promise<PaydeskProcess> {
  const paydesk = await startPaydesk({
    ...(dataDirectory === undefined ? {} : { DATA_DIR: dataDirectory }),
    TMPDIR: temporaryFolder ?? '',
    // The files that Node could write by itself.
    NODE_OPTIONS: `--report-on-fatalerror --report-uncaught-exception --report-on-signal --report-directory=${reportFolder}`,
    SANDBOX_GATEWAY_URL: sandbox.url,
    SANDBOX_GATEWAY_SECRET: secret,
    ...environment,
  });
  dataDirectory = paydesk.dataDirectory;
  processes.push(paydesk);
  return paydesk;
}

async function call({ service }: PaydeskProcess, method: string, path: string, request: Request = {}): Promise<Answer> {
  const answer = await service.call(method, path, { token: admin.token, ...request });
  answers.push(answer);
  return answer;
}

function canaryBody(changes: object = {}): { body: object } {
  const { info, ...body } = cardBody(addressId);
  return { body: { ...body, info: { ...info, cardName, cardNumber: number, cvv, ...changes } } };
}

/**
 * Causes successes, refusals, and errors of the gateway and of the service. Then the process is killed while it charges and while it saves
 * a card.
 */
async function useAndCrash(): Promise<void> {
  const paydesk = await start({ FAILPOINTS: 'after_confirm', GATEWAY_TIMEOUT_MS: '5000' });
  admin = await signUpAdmin(paydesk.service);
  addressId = await saveAddress(paydesk.service, admin);
  const post = (request: Request) => call(paydesk, 'POST', '/payments/cards', request);
  const headers = { 'idempotency-key': 'canary' };
  expectStatus(await post({ ...canaryBody(), headers }), 201);
  expect((await post({ ...canaryBody(), headers })).headers.get('idempotent-replayed')).toBe('true');
  expectStatus(await post({ ...canaryBody({ expMonth: 11 }), headers }), 422);
  await sendRefusals(paydesk);
  await meetFaultsOfTheGateway(paydesk);
  await meetFaultOfOurs(paydesk);

  const { id } = await issueInvoice(paydesk.service, admin.companyId);
  const lost = await loseCard(paydesk);
  await expect(call(paydesk, 'PUT', `/payments/orders/${id}/pay`)).rejects.toThrow();
  expect(await paydesk.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await lost.answer).toBeInstanceOf(Error);
}

/** A card for which the gateway answers only after the process is killed. */
async function loseCard(paydesk: PaydeskProcess): Promise<{ answer: Promise<unknown> }> {
  const { calls } = await control.readFaults();
  await control.armFault({ operation: 'tokenize', kind: 'latency', delayMs: 600_000 });
  const answer = call(paydesk, 'POST', '/payments/cards', canaryBody()).catch((error) => error);
  await eventually(async () => (await control.readFaults()).calls.tokenize > calls.tokenize);
  return { answer };
}

/** Sends the number in every field where a mistaken or malicious client may put it. */
async function sendRefusals(paydesk: PaydeskProcess): Promise<void> {
  const post = (request: Request) => call(paydesk, 'POST', '/payments/cards', request);
  const refused: [number, Request][] = [
    [400, canaryBody({ expMonth: 13 })],
    [400, canaryBody({ cvv: `${cvv}${number}` })],
    [400, canaryBody({ cardNumber: `${number}0000` })],
    [400, canaryBody({ cardNumber: Number(number) })],
    [400, canaryBody({ expYear: number })],
    [400, canaryBody({ expYear: 2001 })],
    [
      400,
      {
        rawBody: `{"info": {"cardNumber": "${number}", "cvv": "${cvv}"`,
        headers: { 'content-type': 'application/json' },
      },
    ],
    [415, { rawBody: `cardNumber=${number}&cvv=${cvv}`, headers: { 'content-type': 'text/plain' } }],
    [400, { ...canaryBody(), headers: { 'idempotency-key': 'ä'.repeat(3) } }],
    [401, { ...canaryBody(), token: number }],
  ];
  for (const [status, request] of refused) expectStatus(await post(request), status);
  expectStatus(await call(paydesk, 'GET', `/payments/cards/${number}?cvv=${cvv}`), 405);
  expectStatus(await call(paydesk, 'DELETE', `/payments/cards/${number}`), 404);
  expectStatus(await call(paydesk, 'GET', `/labels?per_page=${number}`), 400);
  expectStatus(await call(paydesk, 'GET', `/nothing/${number}`), 404);
}

async function meetFaultsOfTheGateway(paydesk: PaydeskProcess): Promise<void> {
  const kinds: Fault['kind'][] = [
    ...(['server_error_before_effect', 'server_error_after_effect', 'answer_lost_after_effect'] as const),
    ...(['hang_after_effect', 'unparsable_answer', 'wrong_shape_answer', 'huge_answer', 'rate_limited'] as const),
  ];
  for (const kind of kinds) {
    await control.armFault({ operation: 'tokenize', kind });
    const headers = { 'idempotency-key': `canary-${kind}` };
    expectStatus(await call(paydesk, 'POST', '/payments/cards', { ...canaryBody(), headers }), 503);
  }
}

async function meetFaultOfOurs(paydesk: PaydeskProcess): Promise<void> {
  const owner: Db = connectToEmbedded(dataDirectory);
  await owner`ALTER TABLE cards RENAME COLUMN card_name TO gone`;
  expectStatus(await call(paydesk, 'POST', '/payments/cards', canaryBody()), 500);
  await owner`ALTER TABLE cards RENAME COLUMN gone TO card_name`;
  await owner`ALTER TABLE cards ADD CONSTRAINT nobody CHECK (card_name <> 'Canary Holder') NOT VALID`;
  expectStatus(await call(paydesk, 'POST', '/payments/cards', canaryBody()), 500);
  await owner`ALTER TABLE cards DROP CONSTRAINT nobody`;
  await owner.end();
}

/** Sends every GET of the reference that needs no id, as the company and as the operator. */
async function readEverything(paydesk: PaydeskProcess): Promise<void> {
  const { paths } = (await call(paydesk, 'GET', '/openapi.json')).body as { paths: Record<string, { get?: object }> };
  const readable = Object.keys(paths).filter((path) => paths[path]?.get !== undefined && !path.includes('{'));
  expect(readable).toEqual(expect.arrayContaining(['/payments/cards', '/payments/orders', '/operator/companies']));
  for (const path of readable) {
    await call(paydesk, 'GET', path);
    await call(paydesk, 'GET', path, { token: paydesk.service.operatorKey });
  }
}

function readFiles(directory: string): { path: string; text: string }[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return paths.flatMap((path) => readIfThere(path).map((text) => ({ path, text })));
}

/** PostgreSQL, which is running, deletes files. @returns the text, or nothing if the file is gone */
function readIfThere(path: string): string[] {
  try {
    return [readFileSync(path, 'latin1')];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function holdsNumber(text: string): boolean {
  return hiddenForms.some((form) => text.includes(form));
}

// Security (Card numbers and keys): A test card number and code appear in no log, table, data file, WAL, temporary file or dump
describe('a card number and its cvv, after success, refusals, gateway faults, internal errors and crashes', () => {
  it('are in no log, at any level', () => {
    for (const paydesk of processes) {
      const output = paydesk.output();
      expect(output).toContain('"msg":"ready"');
      expect(holdsNumber(output)).toBe(false);
      expect(cvvInText.exec(output)).toBeNull();
    }
    expect(processes[0]?.output()).toMatch(/"msg":"answered".*"msg":"request failed"/s);
    expect(gatewayLog.length).toBeGreaterThan(10);
    expect(holdsNumber(JSON.stringify(gatewayLog))).toBe(false);
    expect(cvvInText.exec(JSON.stringify(gatewayLog))).toBeNull();
  });

  it('are in no table, the idempotency keys included', () => {
    const tables = new Set(rows.map(({ table }) => table));
    expect([...tables]).toEqual(expect.arrayContaining(['cards', 'idempotency_keys', 'payments', 'invoices']));
    expect(rows.some(({ text }) => text.includes(cardName))).toBe(true);
    expect(rows.filter(({ text }) => holdsNumber(text))).toEqual([]);
    expect(rows.filter(({ values, text }) => values.includes(cvv) || cvvInText.test(text))).toEqual([]);
  });

  it("are in no file: PostgreSQL's data, WAL and log, the gateway's ledger, keys, temporary files", () => {
    const holders = files.filter(({ text }) => text.includes(cardName)).map(({ path }) => path);
    // Checks that the search finds a text that is there.
    expect(holders.some((path) => path.includes('/base/'))).toBe(true);
    expect(holders.some((path) => path.includes('/pg_wal/'))).toBe(true);
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining([join(dataDirectory, 'postgres.log')]));
    expect(files.some(({ path, text }) => path.includes('ledger.db') && text.includes(number.slice(0, 4)))).toBe(true);

    expect(files.filter(({ text }) => holdsNumber(text)).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ text }) => cvvInFiles.test(text)).map(({ path }) => path)).toEqual([]);
  });

  // Security (Card numbers and keys): No answer shows more of a card number than the first four and last four digits
  it('are in no answer, to any role: of a card only the first four and last four digits are shown', () => {
    expect(answers.filter(({ text }) => holdsNumber(text) || cvvInText.test(text))).toEqual([]);
    const shown = `${number.slice(0, 4)}${'*'.repeat(8)}${number.slice(-4)}`;
    expect(answers.filter(({ text }) => text.includes(shown)).length).toBeGreaterThan(2);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(
      expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 415, 422, 500, 503]),
    );
  });

  it('are kept out of memory dumps: no diagnostic report, and on Linux a core dump without content', async () => {
    const paydesk = processes.at(-1);
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${paydesk?.pid}/coredump_filter`, 'utf8').trim()).toBe('00000000');
    }
    expect(await paydesk?.end('SIGUSR2')).toEqual({ code: null, signal: 'SIGUSR2' });
    expect(readdirSync(reportFolder ?? '')).toEqual([]);
  });
});
