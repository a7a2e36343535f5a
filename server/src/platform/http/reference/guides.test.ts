import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
let reference: string;
const guides = new Map<string, string>();
beforeAll(async () => {
  service = await startTestService();
  reference = (await service.call('GET', '/docs')).text;
  const paths = new Set([...reference.matchAll(/href="(\/docs\/guides\/[\w-]+)["#]/g)].map(([, path = '']) => path));
  for (const path of paths) guides.set(path, expectStatus(await service.call('GET', path), 200).text);
});
afterAll(() => service?.stop());

describe('the guides', () => {
  it('are the pages of docs/, each at an address of its own with its title', () => {
    const names = readdirSync(new URL('../../../../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'));
    const expected = names.filter((name) => name !== 'README.md').map((name) => `/docs/guides/${name.slice(0, -3)}`);
    expect([...guides.keys()].sort()).toEqual(expected.sort());
    expect(guides.get('/docs/guides/billing')).toContain('<title>Billing · Paydesk</title>');
    expect(guides.get('/docs/guides/billing')).toContain('<h1 id="billing">');
  });

  it('link to places that are there, and to no file that is not shown', () => {
    const missing = [...guides].flatMap(([path, text]) => {
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
      return links.filter((link) => {
        if (/^https?:|^\/docs$/.test(link)) return false;
        const [target, anchor] = link.split('#');
        const page = guides.get(target === '' ? path : (target ?? ''));
        return page === undefined || (anchor !== undefined && !page.includes(`id="${anchor}"`));
      });
    });
    expect(missing).toEqual([]);
  });

  it('bring no script and nothing from elsewhere, and are asked about each time', async () => {
    const answer = await service.call('GET', '/docs/guides/billing');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
    expect([...guides.values()].join('')).not.toMatch(/<(script|img|link|iframe)\b/);
  });

  it('are found by the search of the reference, section by section, with their text', () => {
    const [, list = ''] = /<ul id="guides"[^>]*>([\s\S]*?)<\/ul>/.exec(reference) ?? [];
    const sections = list.split('</li>');
    const found = sections.filter((section) => section.includes('charges_held'));
    expect(found.some((section) => section.includes('href="/docs/guides/restore#while-charges-are-held"'))).toBe(true);
  });

  it('are 404 where there is none', async () => {
    for (const path of ['/docs/guides/unknown', '/docs/guides/..%2Fpackage']) {
      expect(expectStatus(await service.call('GET', path), 404).body.error.code).toBe('not_found');
    }
  });
});
