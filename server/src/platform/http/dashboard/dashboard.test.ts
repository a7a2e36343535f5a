import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { sendRaw } from '../../../../test/harness/network/raw-http.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createServer } from '../server/server.ts';
import type { CardEntry } from './content-security-policy.ts';
import { registerDashboard } from './dashboard.ts';

const SCRIPT = 'console.log("an app");\n'.repeat(100);
const ASSETS = Array.from({ length: 30 }, (_, index) => `part-${index}.js`);
const LIMITS = { maxConnections: 100, maxConnectionsPerAddress: 6, corsOrigins: [], trustedProxies: [] };

let folder = '';
let server: FastifyInstance;
let unbuilt: FastifyInstance;
let url = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-dashboard-'));
  const built = join(folder, 'dist');
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.js'), 'a secret');
  writeFileSync(join(built, 'secret.js'), 'a secret');
  writeFileSync(join(built, 'app.html'), '<h1>The app</h1>');
  writeFileSync(join(built, 'console.html'), '<h1>The console</h1>');
  for (const name of ['app-1a2b.js', ...ASSETS]) {
    writeFileSync(join(built, 'assets', name), SCRIPT);
    writeFileSync(join(built, 'assets', `${name}.br`), brotliCompressSync(SCRIPT));
    writeFileSync(join(built, 'assets', `${name}.gz`), gzipSync(SCRIPT));
  }
  writeFileSync(join(built, 'assets/letters.woff2'), 'letters');
  [server, unbuilt] = await Promise.all([serve(built), serve(join(folder, 'nothing'))]);
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await Promise.all([server?.close(), unbuilt?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function serve(built: string, cards: CardEntry = 'sandbox'): Promise<FastifyInstance> {
  const app = await createServer({ ...LIMITS, logger: pino({ level: 'silent' }) });
  app.get('/labels', async () => ({ data: [] }));
  registerDashboard(app, { facts: { gateways: ['sandbox'], isReal: false, cards }, folder: built });
  return app;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url: path, headers });

describe('a page', () => {
  it.each([
    ['/app', 'The app'],
    ['/app/', 'The app'],
    ['/app/invoices/0198f2d4-0000-7000-8000-000000000000', 'The app'],
    ['/app/nothing/at/all', 'The app'],
    ['/console', 'The console'],
    ['/console/companies', 'The console'],
  ])('is at %s, whatever its query is', async (path, heading) => {
    for (const query of [
      '',
      '?status=Failed&perPage=0&unknown=1',
      '?search=%zz',
      '?search=%00',
      '?search=4242424242424242',
    ]) {
      const { statusCode, headers, body } = await get(path + query);
      expect([statusCode, headers['content-type'], body]).toEqual([
        200,
        'text/html; charset=utf-8',
        `<h1>${heading}</h1>`,
      ]);
    }
  });

  // Security (HTTP, and what all share): The pages of the dashboard run scripts of the service alone, in no frame, and no text as markup
  it('has a strict policy, and is stored nowhere', async () => {
    const { headers } = await get('/app/invoices');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['x-request-id']).toBeDefined();
  });

  // Security (HTTP, and what all share): Only where cards are saved in Stripe's fields may the pages load its script, and no other host's
  it('allows the script of Stripe where cards are saved in its fields, to a company’s pages alone', async () => {
    const withStripe = await serve(join(folder, 'dist'), 'stripe');
    const policyOf = async (path: string) =>
      String((await withStripe.inject(path)).headers['content-security-policy']).split('; ');
    expect(await policyOf('/app/payment-methods')).toEqual(
      expect.arrayContaining([
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
        "frame-src 'self' blob: https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
        "connect-src 'self' https://api.stripe.com",
        "style-src 'self'",
        "require-trusted-types-for 'script'",
        'trusted-types default',
      ]),
    );
    const own = await policyOf('/console');
    expect(own).toEqual(String((await get('/app')).headers['content-security-policy']).split('; '));
    expect(own.join()).not.toContain('stripe');
    expect(own).toContain("trusted-types 'none'");
    await withStripe.close();
  });

  it('shows mails in a frame of another origin, where no script of theirs runs and nothing is loaded', async () => {
    expect((await get('/console')).headers['content-security-policy']).toContain("frame-src 'self' blob:");
    const { headers, body } = await get('/console/mail-frame');
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(body) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash}'`,
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  });

  it('is answered to HEAD without its text, and refuses other methods by name', async () => {
    const head = await server.inject({ method: 'HEAD', url: '/app/invoices' });
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, 'text/html; charset=utf-8', '']);
    for (const path of ['/app', '/app/invoices', '/app/assets/app-1a2b.js']) {
      const answer = await server.inject({ method: 'POST', url: path, payload: {} });
      expect([path, answer.statusCode, answer.headers.allow]).toEqual([path, 405, 'GET, HEAD']);
      expect(answer.json().error.code).toBe('method_not_allowed');
    }
  });

  it('says how to build it where it is not built', async () => {
    const { statusCode, headers, body } = await unbuilt.inject('/app');
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body).error.message).toContain('`npm start` builds it');
  });
});

describe('an asset', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('is sent compressed as the browser takes it: %s', async (accepted, encoding, unpack) => {
    const { statusCode, headers, rawPayload } = await get('/app/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect([statusCode, headers['content-encoding']]).toEqual([200, encoding]);
    expect(unpack(rawPayload).toString()).toBe(SCRIPT);
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers.vary).toMatch(/accept-encoding/i);
  });

  it('is kept for a year, since another content has another name', async () => {
    for (const name of ['app-1a2b.js', 'letters.woff2']) {
      const { statusCode, headers } = await get(`/app/assets/${name}`);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it.each(['/app/assets/app-0000.js', '/app/assets/', '/app/assets/deep/er.js', '/app/assets/.sources-hash'])(
    'that is missing is 404 and never the page: %s',
    async (path) => {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
      expect(JSON.parse(body).error.code).toBe('not_found');
    },
  );

  // Security (HTTP, and what all share): No address below the dashboard's assets reaches another file
  it.each([
    '/app/assets/../secret.js',
    '/app/assets/%2e%2e/secret.js',
    '/app/assets/..%2fsecret.js',
    '/app/assets/..%5csecret.js',
    '/app/assets/%2e%2e%2f%2e%2e%2fsecret.js',
    '/app/assets//etc/passwd',
    '/app/assets/%00',
    '/app/../secret.js',
  ])('is no way to other files: %s', async (path) => {
    const answer = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer.body).not.toContain('a secret');
    expect(answer.body).not.toContain('root:');
    expect([200, 400, 403, 404]).toContain(answer.status);
  });

  it('is sent with the thirty others that a page may load, over the connections of one browser', async () => {
    const answers = await Promise.all(ASSETS.map((name) => get(`/app/assets/${name}`)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(ASSETS.map(() => 200));
  });
});

describe('the rest of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ rateLimitPerMinute: 1 });
  });
  afterAll(() => service?.stop());

  test.each(['/nothing', '/application', '/apps/assets/app.js', '/consoles', '/app.html'])(
    'answers an unknown path in JSON, also to a browser: %s',
    async (path) => {
      const { status, body } = await service.call('GET', path, { headers: { accept: 'text/html' } });
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );

  test('has the pages in no reference, and counts none of them against the limit of requests', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    const paths = [...Object.keys(body.paths), ...service.operations.map((operation) => operation.url)];
    expect(paths.filter((path) => /^\/(app|console)\b/.test(path))).toEqual([]);
    for (let count = 0; count < 40; count += 1) {
      const { status, headers } = await service.call('GET', '/app/assets/none.js');
      expect([status, headers.get('ratelimit')]).toEqual([404, null]);
    }
  });
});
