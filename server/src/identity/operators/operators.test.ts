import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Actor, expectStatus, invoiceBody, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { checkOperatorKey, ensureOperatorKey } from './operators.service.ts';

let service: TestService;
let database: TestDatabase;
let admin: Actor;
let customer: Actor;
beforeAll(async () => {
  [service, database] = await Promise.all([startTestService(), cloneDatabase({ poolSize: 4 })]);
  [admin, customer] = await Promise.all([signUpAdmin(service), signUpCustomer(service)]);
});
afterAll(async () => Promise.all([service.stop(), database.drop()]));

const OPERATOR = { kind: 'operator', keyId: expect.any(String), keyName: 'first', role: 'admin', sessionId: null };
const newKey = () => `opk_${crypto.randomUUID().replaceAll('-', '')}`;

describe('the first operator key', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'paydesk-operator-'));
    path = join(directory, 'operator-key');
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  });

  const start = (fromEnvironment?: string) => ensureOperatorKey(database.db, directory, fromEnvironment);
  const recognize = async (key: string) => (await checkOperatorKey(database.db, key))?.principal ?? null;

  // ASVS 6.3.2
  it('is created by the first start without OPERATOR_KEY, in the data directory, readable by the owner only', async () => {
    expect(await start()).toBe(path);
    const key = readFileSync(path, 'utf8');
    expect(key).toMatch(/^opk_[\w-]{43}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['operator-key']);
    expect(await recognize(key.trim())).toEqual(OPERATOR);
  });

  it('is created once: later starts keep it', async () => {
    await start();
    const key = readFileSync(path, 'utf8');
    expect(await start()).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe(key);
    expect(await recognize(key.trim())).toEqual(OPERATOR);
  });

  it('is the same for processes that start at once on one data directory', async () => {
    expect(await Promise.all([start(), start(), start(), start()])).toEqual([path, path, path, path]);
    expect(await recognize(readFileSync(path, 'utf8').trim())).toEqual(OPERATOR);
  });

  it('is the one of OPERATOR_KEY when that is set, and no file is written', async () => {
    const key = newKey();
    expect(await start(key)).toBeNull();
    expect(readdirSync(directory)).toEqual([]);
    expect(await recognize(key)).toEqual(OPERATOR);
  });

  it('from the environment replaces that of the file, which is valid again once the environment has none', async () => {
    await start();
    const fromFile = readFileSync(path, 'utf8').trim();
    const fromEnvironment = newKey();
    await start(fromEnvironment);
    expect([await recognize(fromFile), await recognize(fromEnvironment)]).toEqual([null, OPERATOR]);
    await start();
    expect([await recognize(fromFile), await recognize(fromEnvironment)]).toEqual([OPERATOR, null]);
  });

  it('is not read from a file that holds something else', async () => {
    for (const text of ['', '\n', 'secret\n']) {
      writeFileSync(path, text);
      await expect(start()).rejects.toThrow(/operator-key contains no operator key/);
    }
  });

  it('is stored in the database only as its SHA-256', async () => {
    const key = newKey();
    await start(key);
    const rows = await database.owner`SELECT encode(key_hash, 'hex') AS hash FROM operator_keys`;
    expect([...rows]).toEqual([{ hash: createHash('sha256').update(key).digest('hex') }]);
    const [row] = await database.owner`SELECT operator_keys::text AS text FROM operator_keys`;
    expect(row?.text).not.toContain(key);
    expect(row?.text).not.toContain(Buffer.from(key).toString('hex'));
  });
});

const OPERATOR_ROUTES: [method: string, path: string, body?: object][] = [
  ['GET', '/operator/companies'],
  ['POST', '/operator/invoices', {}],
];

describe.each(OPERATOR_ROUTES)('%s %s', (method, path, body) => {
  const call = (token?: string): Promise<Answer> =>
    service.call(method, path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) });

  it('lets the operator in', async () => {
    expect([200, 400]).toContain((await call(service.operatorKey)).status);
  });

  it('is accepted without Bearer too', async () => {
    const headers = { authorization: service.operatorKey };
    const answer = await service.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect([200, 400]).toContain(answer.status);
  });

  it('is 401 with WWW-Authenticate when it is wrong or missing', async () => {
    const { operatorKey } = service;
    const wrong = [newKey(), 'opk_', `${operatorKey}x`, operatorKey.slice(0, -1), operatorKey.replace('opk_', 'OPK_')];
    for (const token of [...wrong, operatorKey.slice(4), undefined]) {
      const answer = await call(token);
      expectStatus(answer, 401);
      expect(answer.body.error.code).toBe('unauthenticated');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it("is required: a company's token and a customer's get 403", async () => {
    for (const { token } of [admin, customer]) {
      expect(expectStatus(await call(token), 403).body.error.code).toBe('forbidden');
    }
  });
});

it('gets 403 on every path of a company', async () => {
  const routes = service.operations.filter(({ access }) => access !== 'operator' && access !== 'public');
  expect(routes.length).toBeGreaterThanOrEqual(17);
  for (const { method, url } of routes) {
    const path = url.replace(/:\w+/, crypto.randomUUID());
    expectStatus(await service.call(method, path, { token: service.operatorKey }), 403);
  }
});

it('is never in the log', async () => {
  const body = invoiceBody(admin.companyId);
  expectStatus(await service.call('POST', '/operator/invoices', { token: service.operatorKey, body }), 201);
  const wrong = newKey();
  expectStatus(await service.call('GET', '/operator/companies', { token: wrong }), 401);
  expect(service.logs()).toContain('/operator/invoices');
  expect(service.logs()).not.toContain(service.operatorKey);
  expect(service.logs()).not.toContain(wrong);
});
