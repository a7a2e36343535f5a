import { type Case, lines } from './case.test-model.ts';

const HOME = ['', 'home', 'someone', 'project'].join('/');
const ROOT = ['', 'root'].join('/');

/** Examples for the rules about documents and the lock file. */
export const DOCUMENT_CASES: Case[] = [
  {
    rule: 'links',
    title: 'links to missing files and headings',
    files: {
      'README.md': lines(
        '# Start',
        'See [the guide](docs/guide.md), [a part](docs/gone.md) and [below](#nowhere).',
        '![picture](docs/picture.png)',
        'And [a heading](docs/guide.md#second-part "titled").',
      ),
      'docs/guide.md': '# Guide\n\n```\n# Second part\n```\n[up](../LICENSE)\n',
    },
    findings: ['README.md:2', 'README.md:2', 'README.md:3', 'README.md:4', 'docs/guide.md:6'],
  },
  {
    rule: 'links',
    title: 'links that lead somewhere, and what is no relative link',
    files: {
      'README.md': lines(
        '# Start & go: `npm start`',
        '[guide](docs/guide.md#what-it-isnt) [folder](docs/) [here](#start--go-npm-start)',
        '[web](https://example.com/x) [mail](mailto:a@example.com)',
        'Written `[text](missing.md)` and',
        '```md',
        '[text](missing.md)',
        '```',
      ),
      'docs/guide.md': "# Guide\n## What it isn't\n[up](../README.md)\n",
    },
    findings: [],
  },
  {
    rule: 'broken-tables',
    title: 'rows that stand apart from their table',
    files: { 'README.md': lines('| A | B |', '|---|---|', '| 1 | 2 |', '', '| 3 | 4 |', '', '| 5 | 6 |', '| 7 | 8 |') },
    findings: ['README.md:5', 'README.md:7'],
  },
  {
    rule: 'broken-tables',
    title: 'tables, and bars in code',
    files: {
      'README.md': lines('| A | B |', '| :-- | --: |', '| 1 | 2 |', '', '|C|', '|-|', '```', 'a | b', '```'),
      'tools/one.sql': '| 3 | 4 |\n',
    },
    findings: [],
  },
  {
    rule: 'dependency-reasons',
    title: 'a package without a reason, and a reason without a package',
    files: {
      'package.json': lines(
        '{',
        '"dependencies": { "one": "1.0.0" },',
        '"devDependencies": { "@some/two": "1.0.0" }',
        '}',
      ),
      'ARCHITECTURE.md': lines(
        '## Dependencies',
        '',
        '| Package | Why |',
        '|---|---|',
        '| `one`, `gone` | it is needed |',
      ),
    },
    findings: ['package.json:3', 'ARCHITECTURE.md:5'],
  },
  {
    rule: 'dependency-reasons',
    title: 'packages with their reasons, several in a row',
    files: {
      'package.json': '{ "dependencies": { "one": "1.0.0" }, "optionalDependencies": { "@some/two": "1.0.0" } }',
      'ARCHITECTURE.md': lines('## Dependencies', '| `one`, `@some/*` | both are needed |'),
    },
    findings: [],
  },
  {
    rule: 'machine-paths',
    title: 'paths of one machine',
    files: { 'README.md': `Run it in ${HOME}.\nOr in \`${ROOT}\`.\n`, 'tools/one.ts': `const path = '${HOME}';\n` },
    findings: ['README.md:1', 'README.md:2', 'tools/one.ts:1'],
  },
  {
    rule: 'machine-paths',
    title: 'relative paths, addresses and longer words',
    files: {
      'README.md': `[x](docs${HOME}) https://example.com${HOME} ${ROOT}-less\n`,
      'tools/one.ts': `const path = '${ROOT}';\n`,
    },
    findings: [],
  },
  {
    rule: 'lock-addresses',
    title: 'addresses in the lock file',
    files: { 'package-lock.json': '{\n"resolved": "https://registry.example.com/a.tgz"\n}' },
    findings: ['package-lock.json:2'],
  },
  {
    rule: 'lock-addresses',
    title: 'links to packages of the tree',
    files: { 'package-lock.json': '{ "resolved": "packages/client", "link": true }' },
    findings: [],
  },
];
