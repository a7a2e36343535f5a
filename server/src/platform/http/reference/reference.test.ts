import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATTERY, makePathIds, prepareWorld, type World } from '../../../../test/battery/battery.ts';
import { expectStatus } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { dereference } from '../openapi/dereference.ts';
import type { ApiDocument } from './document.ts';
import { renderReferencePage } from './page.ts';

let service: TestService;
let document: ApiDocument;
let page: string;

beforeAll(async () => {
  service = await startTestService();
  document = dereference((await service.call('GET', '/openapi.json')).body);
  page = (await service.call('GET', '/docs')).text;
});
afterAll(() => service.stop());

const placed = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The route of an operation, as its case names it. */
const routeOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;

/** The variables for the ids of an operation's path: what its case creates. Other ids name nothing. */
async function pathVariables(world: World, route: string): Promise<string> {
  const entry = BATTERY[route];
  const ids = entry === undefined ? [] : await makePathIds(world, entry);
  const names = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name.toUpperCase());
  return names.map((name, index) => `${name}=${ids[index] ?? randomUUID()}`).join(' ');
}

/** The text of a piece of markup, as a reader sees or copies it. */
function textOf(markup: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return markup.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '');
}

function articleOf(id: string): string {
  return new RegExp(`<article id="${id}"[\\s\\S]*?</article>`).exec(page)?.[0] ?? '';
}

describe('/openapi.json', () => {
  it('is the committed docs/openapi.json; when it is not, run `npm run openapi`', async () => {
    const committed = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
    const { text } = await service.call('GET', '/openapi.json');
    expect(text === committed, 'docs/openapi.json is stale: run `npm run openapi` and commit it').toBe(true);
  });

  it('describes itself and the page, which need no credential', () => {
    for (const path of ['/openapi.json', '/docs']) expect(document.paths[path]?.get?.security).toEqual([]);
  });
});

describe.each(['/openapi.json', '/docs'])('%s, as it is sent to a client', (path) => {
  it('is revalidated each time, and sent again only when it has changed', async () => {
    const first = await fetch(`${service.url}${path}`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
    const second = await service.call('GET', path, { headers: { 'if-none-match': `"another", ${tag}` } });
    expect(second.status).toBe(304);
    expect(second.text).toBe('');
    const third = await service.call('GET', path, { headers: { 'if-none-match': '"another"' } });
    expect(third.status).toBe(200);
  });

  it('is compressed for clients that accept it', async () => {
    const zipped = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'br, gzip' } });
    const plain = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(zipped.headers.get('vary')).toContain('accept-encoding');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 5);
    expect(await zipped.text()).toBe(await plain.text());
  });
});

describe('/docs', () => {
  it('is named in the answer to an unknown path', async () => {
    for (const path of ['/labels/x/y', '/api/labels']) {
      const answer = expectStatus(await service.call('GET', path), 404);
      expect(answer.body.error.message).toContain('/docs');
    }
  });

  it('is where a trailing slash leads too', async () => {
    const open = (accept: string, method = 'GET') =>
      fetch(`${service.url}/docs/`, { method, redirect: 'manual', headers: { accept } });
    for (const answer of [await open('text/html,*/*;q=0.8'), await open('*/*'), await open('*/*', 'HEAD')])
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    expect((await open('text/html', 'POST')).status).toBe(404);
  });

  it('allows only its own style and script by its Content-Security-Policy', async () => {
    const { headers } = await service.call('GET', '/docs');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const hashOf = (element: string) => {
      const [, content = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.match(/<(style|script)\b/g)).toEqual(['<style', '<script']);
    expect(page).not.toMatch(/<[^>]+\s(style|on\w+)=/);
  });

  it('loads nothing from elsewhere: it works without internet access', () => {
    const withoutGuides = page.replace(/<ul id="guides"[\s\S]*?<\/ul>/, '');
    expect(withoutGuides).not.toMatch(
      /<(link|img|iframe|object|embed|source|base|form)\b|\ssrc=|url\(|@import|\bimport\(|fetch\(/,
    );
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(#|\/docs\/guides\/)/.test(link))).toEqual(['/openapi.json']);
  });

  it('has every operation at an address of its own, with its method, path, fields, errors and their examples', () => {
    for (const { method, path, operation } of placed()) {
      const text = textOf(articleOf(operation.operationId));
      expect(text).toContain(operation.summary);
      expect(text).toContain(`${method} ${path}`);
      for (const { name, description = '' } of operation.parameters) {
        expect(text).toContain(name);
        expect(text).toContain(description.replaceAll('`', ''));
      }
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const [code, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
          expect(text).toContain(`${status} ${code}`);
          expect(text).toContain(JSON.stringify(value, null, 2));
        }
      }
    }
  });

  it('shows each field’s type, whether it is required, its meaning and its bounds', () => {
    const text = textOf(articleOf('createCard')).replace(/\s+/g, ' ');
    expect(text).toContain('expMonth integer required1 to 12');
    expect(text).toContain('cvv string required3 or 4 digits. Paydesk does not store the code and never returns it.');
    expect(text).toContain('isDefault booleanTrue makes this card the default, which is charged.');
    expect(textOf(articleOf('listLabels'))).toContain('The direction: ASC or DESC');
    expect(textOf(articleOf('listLabels'))).toContain('default "DESC"');
  });

  it('has a target for each of its links, and no anchor twice', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[\w-]+$/.test(id ?? ''))).toEqual([]);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('closes every element that it opens', () => {
    const open: string[] = [];
    const wrong: string[] = [];
    const withoutScript = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
    for (const [, slash, name = ''] of withoutScript.matchAll(/<(\/?)([a-z]\w*)\b[^>]*>/g)) {
      if (['meta', 'input', 'wbr'].includes(name)) continue;
      if (slash === '') open.push(name);
      else if (open.pop() !== name) wrong.push(name);
    }
    expect({ open, wrong }).toEqual({ open: [], wrong: [] });
  });

  it('escapes all text of a document', () => {
    const hostile = '<img src=x onerror=alert(1)> & "quoted" \'text\' `<b>` </script>';
    const [operation] = placed();
    if (operation === undefined) throw new Error('there is no operation');
    const described = { ...operation.operation, operationId: hostile, summary: hostile, description: hostile };
    const paths = { '/<i>': { get: described } };
    const { text } = renderReferencePage({ ...document, paths, info: { ...document.info, title: hostile } }, []);
    expect(text).not.toMatch(/<img|<b>|<i>/);
    expect(text).not.toMatch(/="[^"]*"quoted/);
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect(textOf(text)).toContain(hostile.replaceAll('`', ''));
  });

  it('shows requests that a shell can run as they are', async () => {
    const world = await prepareWorld(service);
    const env = {
      PATH: process.env.PATH,
      PAYDESK_URL: service.url,
      TOKEN: world.admin.token,
      OPERATOR_KEY: service.operatorKey,
    };
    // Logging out ends the token.
    const inOrder = placed().toSorted(
      (left, right) =>
        Number(left.operation.operationId === 'logOut') - Number(right.operation.operationId === 'logOut'),
    );
    const scripts: string[] = [];
    for (const { method, path, operation } of inOrder) {
      const id = operation.operationId;
      const [, sample = ''] = /<figure><figcaption>Request<[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(articleOf(id)) ?? [];
      const variables = await pathVariables(world, routeOf({ method, path }));
      // In a folder of its own: curl overwrites no file.
      scripts.push(`(\nmkdir ${id}\ncd ${id}\n${variables}\n${textOf(sample)}\n)\nprintf '\\0'`);
    }
    const curl = `curl() { command curl -s -w '\\n%{http_code}' "$@"; }`;
    const { stdout } = await promisify(execFile)('bash', ['-ceu', [curl, ...scripts].join('\n')], {
      env,
      maxBuffer: 2 ** 24,
      // Where a downloaded file goes.
      cwd: service.config.dataDirectory,
    });
    const answers = stdout.split('\0').slice(0, -1);
    expect(answers).toHaveLength(inOrder.length);
    const problems = answers.flatMap((answer, index) => {
      const [status = '', ...lines] = answer.split('\n').reverse();
      const route = routeOf(inOrder[index] ?? { method: '', path: '' });
      const refusal = status < '400' ? '' : `${status} ${JSON.parse(lines.reverse().join('\n')).error.message}`;
      const expected = BATTERY[route]?.sampleRefusal;
      if (/^\d{3}$/.test(status) && (expected === undefined ? refusal === '' : expected.test(refusal))) return [];
      const advice = refusal === '' ? 'remove its sampleRefusal' : `if it can't succeed, sampleRefusal: /^${status} /`;
      return [
        `The request of ${route} was answered with ${refusal || status}: mend its examples, or its case: ${advice}`,
      ];
    });
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
});
