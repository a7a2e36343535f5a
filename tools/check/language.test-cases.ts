import { type Case, lines } from './case.test-model.ts';

const LONG_BODY = Array.from({ length: 69 }, (_, index) => `  run(${index});`);

/** Examples for the rules about the language, names and lengths. */
export const LANGUAGE_CASES: Case[] = [
  {
    rule: 'syntax',
    title: 'a file that cannot be parsed',
    files: { 'tools/broken.ts': 'const one = 1;\nconst = 2;\n' },
    findings: ['tools/broken.ts:2'],
  },
  {
    rule: 'syntax',
    title: 'TypeScript and JavaScript',
    files: {
      'tools/whole.ts': 'const one = 1 satisfies number;\n',
      'tools/install.mjs': "import fs from 'node:fs';\n",
    },
    findings: [],
  },
  {
    rule: 'barrels',
    title: 'files that only pass on',
    files: {
      'server/src/cards/cards.service.ts': "export * from './cards.queries.ts';\n",
      'packages/client/index.ts':
        "import { one } from './one.ts';\nexport { one };\nexport type { Two } from './two.ts';\n",
    },
    findings: ['server/src/cards/cards.service.ts:1', 'packages/client/index.ts:1'],
  },
  {
    rule: 'barrels',
    title: 'a file with something of its own, and an empty one',
    files: { 'tools/one.ts': "export { two } from './two.ts';\nexport const one = 1;\n", 'tools/empty.ts': '' },
    findings: [],
  },
  {
    rule: 'default-exports',
    title: 'default exports by statement and by name',
    files: { 'tools/one.ts': 'export default 1;\n', 'tools/two.ts': 'const two = 2;\nexport { two as default };\n' },
    findings: ['tools/one.ts:1', 'tools/two.ts:2'],
  },
  {
    rule: 'default-exports',
    title: 'configurations, and the set-up that one of them names',
    files: {
      'vitest.config.ts': "export default { globalSetup: 'server/test/global-setup.ts' };\n",
      'server/test/global-setup.ts': 'export default function setup(): void {}\n',
      'tools/one.ts': 'export const one = "export default";\n',
    },
    findings: [],
  },
  {
    rule: 'enums',
    title: 'an enum',
    files: { 'tools/one.ts': 'enum Status { Paid }\n' },
    findings: ['tools/one.ts:1'],
  },
  { rule: 'enums', title: 'a union', files: { 'tools/one.ts': "type Status = 'paid';\n" }, findings: [] },
  {
    rule: 'classes',
    title: 'classes that are no errors',
    files: { 'tools/one.ts': 'class Card {}\nconst made = class extends Map {};\n' },
    findings: ['tools/one.ts:1', 'tools/one.ts:2'],
  },
  {
    rule: 'classes',
    title: 'errors',
    files: { 'tools/one.ts': 'class CardError extends Error {}\nclass Declined extends gateway.CardError {}\n' },
    findings: [],
  },
  {
    rule: 'any',
    title: 'any as annotation, assertion and argument',
    files: { 'tools/one.ts': 'let one: any;\nconst two = one as any;\nconst three = new Map<string, any>();\n' },
    findings: ['tools/one.ts:1', 'tools/one.ts:2', 'tools/one.ts:3'],
  },
  {
    rule: 'any',
    title: 'unknown, and the word elsewhere',
    files: { 'tools/one.ts': '// takes any: as any would\nconst any: unknown = ": any";\n' },
    findings: [],
  },
  {
    rule: 'type-silencers',
    title: 'ignoring what the type checker says',
    files: { 'tools/one.ts': '// @ts-ignore\nrun(1);\n/* @ts-nocheck */\n' },
    findings: ['tools/one.ts:1', 'tools/one.ts:3'],
  },
  {
    rule: 'type-silencers',
    title: 'an expected error, and the word in a string',
    files: {
      'tools/one.test.ts':
        "// @ts-expect-error: a lock needs a transaction\nlock(db);\nconst text = '// @ts-ignore';\n",
    },
    findings: [],
  },
  {
    rule: 'leftovers',
    title: 'notes in comments and documents',
    files: {
      'tools/one.ts': 'const one = 1;\n/**\n * Adds.\n * TODO subtract\n */\n',
      'docs/guide.md': '# Guide\n\nFIXME\n',
      'server/migrations/0001_one.sql': '-- TODO\n',
      'tools/two.ts': '// FIXME\n',
    },
    findings: ['tools/two.ts:1', 'tools/one.ts:4', 'docs/guide.md:3', 'server/migrations/0001_one.sql:1'],
  },
  {
    rule: 'leftovers',
    title: 'the words in strings of code, and parts of other words',
    files: {
      'tools/one.ts': "const words = ['TODO'];\n",
      'docs/guide.md': 'TODOS\n',
      'package-lock.json': '"sha512-/TODO/"',
    },
    findings: [],
  },
  {
    rule: 'skipped-tests',
    title: 'tests left out in every way',
    files: {
      'tools/one.test.ts': lines(
        "it.skip('one', run);",
        "describe.only('two', run);",
        "test.concurrent.todo('three');",
        "it.skipIf(slow)('four', run);",
        "it('five', { skip: true }, run);",
        "describe.skip.each([1])('six', run);",
        "suite.runIf(slow)('seven', run);",
      ),
      'server/test/battery.ts': "it.skip('one', run);\n",
    },
    findings: [...[1, 2, 3, 4, 5, 6, 7].map((line) => `tools/one.test.ts:${line}`), 'server/test/battery.ts:1'],
  },
  {
    rule: 'skipped-tests',
    title: 'tests that run, and other things with such names',
    files: {
      'tools/one.test.ts': "it.each([1])('one', run);\nlist.skip(1);\nit('two', { timeout: 1 }, run);\n",
      'server/src/page.ts': 'it.skip(1);\n',
    },
    findings: [],
  },
  {
    rule: 'function-length',
    title: 'functions of 71 lines',
    files: {
      'tools/one.ts': lines('function one() {', ...LONG_BODY, '', '}', 'const two = () => {', ...LONG_BODY, '', '};'),
      'tools/one.test.ts': lines("describe('one', () => {", "  it('runs', () => {", ...LONG_BODY, '', '  });', '});'),
    },
    findings: ['tools/one.ts:1', 'tools/one.ts:73', 'tools/one.test.ts:2'],
  },
  {
    rule: 'function-length',
    title: 'functions of 70 lines at most; groups of tests do not count',
    files: {
      'tools/one.ts': lines('function one() {', ...LONG_BODY.slice(1), '}'),
      'tools/one.test.ts': lines("describe('one', () => {", ...LONG_BODY, ...LONG_BODY, '});'),
      'server/src/one.contract.ts': lines('function contract() {', "describe('one', () => {", ...LONG_BODY, '});', '}'),
    },
    findings: [],
  },
  {
    rule: 'file-length',
    title: 'one line too many',
    files: {
      'tools/one.ts': '\n'.repeat(301),
      'tools/one.test.ts': '\n'.repeat(601),
      'dashboard/one.css': '\n'.repeat(301),
    },
    findings: ['tools/one.ts:1', 'tools/one.test.ts:1', 'dashboard/one.css:1'],
  },
  {
    rule: 'file-length',
    title: 'the longest that fit, and files without a bound',
    files: {
      'tools/one.ts': '\n'.repeat(300),
      'tools/one.test.ts': '\n'.repeat(600),
      'docs/guide.md': '\n'.repeat(900),
      'server/migrations/0001_one.sql': '\n'.repeat(900),
    },
    findings: [],
  },
  {
    rule: 'line-length',
    title: 'one character too many',
    files: { 'tools/one.ts': `\n// ${'a'.repeat(138)}\n`, 'server/migrations/0001_one.sql': `-- ${'a'.repeat(138)}\n` },
    findings: ['tools/one.ts:2', 'server/migrations/0001_one.sql:1'],
  },
  {
    rule: 'line-length',
    title: 'the longest line that fits, documents, and dumps',
    files: {
      'tools/one.ts': `// ${'a'.repeat(137)}\n`,
      'docs/guide.md': `${'a'.repeat(500)}\n`,
      'server/schema.sql': `${'a'.repeat(500)}\n`,
      'server/test/baseline.sql': `${'a'.repeat(500)}\n`,
    },
    findings: [],
  },
  {
    rule: 'abbreviations',
    title: 'abbreviations wherever a name is given',
    files: {
      'tools/one.ts': lines(
        'const totalAmt = 1;',
        'function run(req: Request, { a: cb }: Options) {}',
        'type Line = { qty: number };',
        'try { run(); } catch (err) { run(); }',
        'const MAX_IDX = 1;',
        "import { one as fn } from './two.ts';",
        'type Work = (ctx: Context) => void;',
        'const [tmp = 1, ...vals] = list;',
      ),
      'tools/two.ts': lines(
        'class ConnError extends Error { #val = 1; msgText = 2; getReq() {} }',
        'interface Opts { calc(arr: string[]): void; (evt: Event): void }',
        'const run = function (usr: User) {};',
        'const go = (pwd: string) => pwd;',
        'declare function stop(pkg: Package): void;',
        'type Obj<Elem> = new (attr: Elem) => Card;',
        "import util from 'node:util';",
        "import * as pkg from './one.ts';",
      ),
      'tools/cfg-reader.ts': '',
    },
    findings: [
      ...[1, 2, 2, 3, 4, 5, 6, 7, 8, 8].map((line) => `tools/one.ts:${line}`),
      ...[1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 7, 8].map((line) => `tools/two.ts:${line}`),
      'tools/cfg-reader.ts:1',
    ],
  },
  {
    rule: 'abbreviations',
    title: 'full words, allowed short ones, and names that are only used',
    files: {
      'tools/one.ts': lines(
        'const { id, url, sql, max, min, db, tx } = options;',
        "const text = 'req res err';",
        'server.on(1, library.cb, { req: 1, err: error });',
        "import { fn } from 'vitest';",
        'const { err: error } = library;',
        'const address = request.raw.req;',
        'function restore(response: Response, invoices: string[], estimate: number) {}',
      ),
    },
    findings: [],
  },
];
