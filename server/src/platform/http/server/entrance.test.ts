import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

let service: TestService;
let named: TestService;
beforeAll(async () => {
  [service, named] = await Promise.all([
    startTestService(),
    startTestService({ publicUrl: 'https://billing.example.com', isPublicUrlSet: true }),
  ]);
});
afterAll(() => Promise.all([service?.stop(), named?.stop()]));

type Opened = { status: number | undefined; location: string | undefined; vary: string | undefined; text: string };

/** Opens an address as it is named in `Host`, which `fetch` does not let one choose. */
function open(path: string, { accept = BROWSER, host = 'localhost:3000', method = 'GET', at = service } = {}) {
  return new Promise<Opened>((resolve, reject) => {
    const { port } = new URL(at.url);
    const sent = request({ port, path, method, headers: { accept, host } }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      const { location, vary } = response.headers;
      resolve({ status: response.statusCode, location, vary, text });
    });
    sent.on('error', reject).end();
  });
}

describe('/', () => {
  it('leads browsers to the dashboard', async () => {
    for (const opened of [await open('/'), await open('/?from=mail'), await open('/', { method: 'HEAD' })])
      expect(opened).toMatchObject({ status: 302, location: '/app', vary: 'Accept' });
    expect(await open('/', { at: named, host: '127.0.0.1' })).toMatchObject({ status: 302, location: '/app' });
  });

  it('is JSON with links to the reference for everything else', async () => {
    for (const accept of ['*/*', 'application/json', '']) {
      const { text, ...answer } = await open('/', { accept });
      expect(answer).toMatchObject({ status: 200, vary: 'Accept' });
      expect(JSON.parse(text)).toEqual({ docs: '/docs', openapi: '/openapi.json', app: '/app', console: '/console' });
    }
    expect(await open('/', { method: 'POST' })).toMatchObject({ status: 405, location: undefined });
  });

  it('leaves unknown paths elsewhere 404 in JSON, for browsers too', async () => {
    for (const path of ['/application', '/consoles', '/index.html', '//app', '/APP', '/login']) {
      const { status, text } = await open(path, { host: '127.0.0.1:3000' });
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('a page at an address of loopback', () => {
  it.each(['/', '/app', '/app/', '/app/invoices?state=open&q=%2F', '/console', '/console/companies/1'])(
    '%s goes on at localhost with the same path',
    async (path) => {
      for (const host of ['127.0.0.1:3000', '[::1]:3000', '127.0.0.1'])
        for (const method of ['GET', 'HEAD']) {
          const opened = await open(path, { host, method });
          expect(opened).toMatchObject({ status: 302, location: `http://localhost:3000${path}`, vary: 'Accept' });
        }
    },
  );

  it('goes on at localhost and nowhere else, whatever the path and the headers say', async () => {
    const path = '/app//evil.example/@evil.example';
    expect((await open(path, { host: '127.0.0.1:9' })).location).toBe(`http://localhost:3000${path}`);
    for (const host of ['127.0.0.1.evil.example', 'evil.example', 'localhost:3000', '127.0.0.1@evil.example'])
      expect((await open('/', { host })).location).toBe('/app');
  });

  it('stays where it is for programs, for what is no page, and where PUBLIC_URL is set', async () => {
    const host = '127.0.0.1:3000';
    expect((await open('/', { host, accept: '*/*' })).status).toBe(200);
    expect((await open('/docs', { host })).status).toBe(200);
    expect((await open('/labels', { host })).status).toBe(401);
    expect((await open('/app', { host, at: named })).location).toBeUndefined();
    expect((await open('/', { host, at: named })).location).toBe('/app');
  });
});
