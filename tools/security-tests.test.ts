import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from './check/files.ts';
import { makeSecurityPages } from './security/pages.ts';
import { readTags } from './security/tags.ts';

const lines = (...parts: string[]) => parts.map((line) => `${line}\n`).join('');

describe('the pages about security', () => {
  const tree = readTree(join(import.meta.dirname, '..'));

  it.each(['docs/security-tests.md', 'docs/asvs.md'])(
    '%s is made from the tests: `npm run security-tests` writes it',
    (path) => {
      const committed = tree.find((file) => file.path === path)?.text;
      expect(makeSecurityPages(tree)[path] === committed, `${path} is stale: run \`npm run security-tests\``).toBe(
        true,
      );
    },
  );

  it('refuse an unknown section or requirement, and a requirement that no test shows', () => {
    const withComment = (comment: string) => [
      ...tree,
      { path: 'z.test.ts', text: lines(comment, "it('works', () => {});") },
    ];
    expect(() => makeSecurityPages(withComment('// Security (Weather): It rains'))).toThrow('no section "Weather"');
    expect(() => makeSecurityPages(withComment('// ASVS 6.2.99'))).toThrow('no requirement 6.2.99');
    expect(() => makeSecurityPages([])).toThrow('ASVS 6.2.1 has no test');
  });
});

describe('the comments', () => {
  it('name the test below them, also over several lines and after another comment', () => {
    const text = lines(
      '// The clock stands still here.',
      '// Security (Mails): A link expires,',
      '// and is of no use then',
      '// ASVS 6.4.1, 6.4.3',
      "it.each([['a']])('a link of %s', () => {",
      '  // Security (Tenants): Nobody else has it',
      '  it(`is not that of $' + '{other}`, () => {});',
      '});',
    );
    const link = { file: 'one.test.ts', name: 'a link of %s' };
    expect(readTags([{ path: 'one.test.ts', text }])).toEqual({
      promises: [
        { section: 'Mails', what: 'A link expires, and is of no use then', ...link },
        { section: 'Tenants', what: 'Nobody else has it', file: 'one.test.ts', name: 'is not that of %s' },
      ],
      requirements: ['6.4.1', '6.4.3'].map((number) => ({ number, test: link })),
    });
  });

  it('are refused where no named test is below them', () => {
    const text = lines('// ASVS 6.4.1', 'const one = 1;', "it('works', () => {});");
    expect(() => readTags([{ path: 'one.test.ts', text }])).toThrow('one.test.ts: no named test is below "ASVS 6.4.1"');
  });
});
