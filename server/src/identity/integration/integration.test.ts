import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const get = async () => expectStatus(await call('GET'), 200).body.allowedOrigins;
const put = (allowedOrigins: unknown) => call('PUT', { allowedOrigins });
const call = (method: string, body?: object, token = service.operatorKey) =>
  service.call(method, '/operator/integration', { token, ...(body === undefined ? {} : { body }) });

describe('the allowed origins', () => {
  it('are replaced whole, each once and as browsers write it', async () => {
    expect(await get()).toEqual([]);
    const first = expectStatus(await put(['https://a.example', 'http://localhost']), 200);
    expect(first.body).toEqual({ allowedOrigins: ['https://a.example', 'http://localhost'] });
    await put([' https://B.example:8443 ', 'https://c.example:443', 'https://c.example', 'http://localhost:3000']);
    expect(await get()).toEqual(['https://b.example:8443', 'https://c.example', 'http://localhost:3000']);
    expectStatus(await put([]), 200);
    expect(await get()).toEqual([]);
  });

  it.each([
    'https://a.example/',
    'https://a.example/path',
    'https://a.example?x',
    'https://a.example#x',
    'https://user@a.example',
    'https://user:password@a.example',
    'https://*',
    'https://*.a.example',
    '*',
    'null',
    'a.example',
    '//a.example',
    'http://a.example',
    'http://127.0.0.1',
    'http://localhost.a.example',
    'http://localhost/',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://',
    'https://a.example:',
    'https://a.example:0',
    'https://a.example:65536',
    'https://a.example\\',
    'https://a.example https://b.example',
    'https://a .example',
    '',
    7,
    null,
  ])('cannot have %j, and nothing is changed', async (wrong) => {
    expectStatus(await put(['https://kept.example']), 200);
    const { error } = expectStatus(await put(['https://b.example', wrong]), 400).body;
    expect(error.details.map(({ field }: { field: string }) => field)).toContain('allowedOrigins[1]');
    expect(await get()).toEqual(['https://kept.example']);
  });

  it.each([
    [{}],
    [{ allowedOrigins: null }],
    [{ allowedOrigins: 'https://a.example' }],
    [{ allowedOrigins: [], other: 1 }],
  ])('are a list in a body with nothing else: %j', async (body) => {
    expectStatus(await call('PUT', body), 400);
  });

  it('are at most 100', async () => {
    const origins = Array.from({ length: 101 }, (_, index) => `https://a${index}.example`);
    expectStatus(await put(origins), 400);
    expectStatus(await put(origins.slice(1)), 200);
  });

  it('are read by everybody of the operator, and set by admins alone', async () => {
    for (const role of ['viewer', 'finance']) {
      const { key } = await createKey(service, { role });
      expectStatus(await call('GET', undefined, key), 200);
      expectStatus(await call('PUT', { allowedOrigins: [] }, key), 403);
    }
  });
});

it('a change is in the audit log of no company, and one that changes nothing is not', async () => {
  await put(['https://before.example']);
  for (let repeat = 0; repeat < 2; repeat += 1) await put(['https://after.example']);
  const path = '/operator/audit-log?action=integration.updated&perPage=2';
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  const [change, earlier] = data;
  expect(change).toMatchObject({
    companyId: null,
    actor: { kind: 'operator_key', name: 'first' },
    target: { kind: 'integration' },
    changes: {
      before: { allowedOrigins: ['https://before.example'] },
      after: { allowedOrigins: ['https://after.example'] },
    },
  });
  expect(earlier.changes.after.allowedOrigins).toEqual(['https://before.example']);
});
