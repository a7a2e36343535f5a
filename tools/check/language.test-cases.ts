import { type Case, lines } from './case.test-model.ts';
import { AVOIDED } from './texts.ts';

/** Examples for the rules about the language, names and lengths. */
export const LANGUAGE_CASES: Case[] = [
  {
    rule: 'classes',
    title: 'classes that are no errors',
    files: { 'tools/one.ts': 'class Card {}\nexport class Deck extends Map {}\n' },
    findings: ['tools/one.ts:1', 'tools/one.ts:2'],
  },
  {
    rule: 'classes',
    title: 'errors',
    files: {
      'tools/one.ts':
        'export class CardError extends Error {}\nclass Declined extends gateway.CardError {}\n// class Card {}\n',
    },
    findings: [],
  },
  {
    rule: 'leftovers',
    title: 'notes in comments and documents, and an unchecked file',
    files: {
      'tools/one.ts': 'const one = 1;\n/**\n * Adds.\n * TODO subtract\n */\n',
      'docs/guide.md': '# Guide\n\nFIXME\n',
      'server/migrations/0001_one.sql': '-- TODO\n',
      'tools/two.ts': '// FIXME\n',
      'tools/three.ts': '/* @ts-nocheck */\n',
    },
    findings: [
      'tools/three.ts:1',
      'tools/two.ts:1',
      'tools/one.ts:4',
      'docs/guide.md:3',
      'server/migrations/0001_one.sql:1',
    ],
  },
  {
    rule: 'leftovers',
    title: 'the hashes of the lock file, parts of other words, and what the rules say themselves',
    files: {
      'tools/check/texts.ts': '/TODO/',
      'docs/guide.md': 'TODOS\n',
      'package-lock.json': '"sha512-/TODO/"',
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
    title: 'the longest line that fits, documents, dumps, generated code, catalogues, and one old migration',
    files: {
      'tools/one.ts': `// ${'a'.repeat(137)}\n`,
      'docs/guide.md': `${'a'.repeat(500)}\n`,
      'server/schema.sql': `${'a'.repeat(500)}\n`,
      'server/test/baseline.sql': `${'a'.repeat(500)}\n`,
      'server/migrations/0011_jobs.sql': `${'a'.repeat(500)}\n`,
      'packages/client/src/calls/api.generated.ts': `// ${'a'.repeat(500)}\n`,
      'dashboard/src/shell/messages/de.ts': `// ${'a'.repeat(500)}\n`,
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
      ...[1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 7].map((line) => `tools/two.ts:${line}`),
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
  {
    rule: 'words',
    title: 'words to avoid in code and documents, whatever their case',
    files: {
      'docs/guide.md': 'Happenings\n',
      'tools/one.ts': '// tidies\n',
      'server/src/labels/labels.ts': "log('A payment is under way');\n// what became of it\n",
    },
    findings: ['docs/guide.md:1', 'tools/one.ts:1', 'server/src/labels/labels.ts:1', 'server/src/labels/labels.ts:2'],
  },
  {
    rule: 'words',
    title: 'words with another meaning too, where they have the one to avoid',
    files: {
      'docs/guide.md': lines(
        'A notice from the gateway.',
        "The entry's place in the list.",
        'Paydesk looks at the gateway.',
        'It tells all webhook endpoints.',
        'A worker brings on the runs.',
        'The gateway gives the money back.',
        'What becomes of the usage.',
      ),
    },
    findings: [1, 2, 3, 4, 5, 6, 7].map((line) => `docs/guide.md:${line}`),
  },
  {
    rule: 'words',
    title: 'words with another meaning too, where they have that one',
    files: {
      'docs/guide.md': lines(
        'A notice in the log takes the place of a mail, in one place.',
        "Look at the gateway's dashboard.",
        'It tells the reader where the endpoint is.',
        'It gives the lock back.',
      ),
    },
    findings: [],
  },
  {
    rule: 'words',
    title: 'a row of the glossary without a pattern, and a pattern without a row',
    files: { 'docs/glossary.md': glossaryOf([...Object.keys(AVOIDED).filter((word) => word !== 'tidy'), 'whilom']) },
    findings: ['docs/glossary.md:3', `docs/glossary.md:${Object.keys(AVOIDED).length + 6}`],
  },
  {
    rule: 'words',
    title: 'a glossary whose rows all have a pattern',
    files: { 'docs/glossary.md': glossaryOf(Object.keys(AVOIDED)) },
    findings: [],
  },
  {
    rule: 'words',
    title: 'the glossary, longer words, and what is neither code nor a document',
    files: { 'docs/glossary.md': 'tidy\n', 'docs/guide.md': 'untidy\n', 'server/migrations/0001_one.sql': '-- tidy\n' },
    findings: [],
  },
];

function glossaryOf(words: string[]): string {
  const rows = words.map((word) => `| ${word} | something else |`);
  return lines('# Glossary', '', '## Words to avoid', '', '| Instead of | Write |', '|---|---|', ...rows);
}
