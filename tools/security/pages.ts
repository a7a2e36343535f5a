import type { SourceFile } from '../check/files.ts';
import { CHAPTERS, type Requirement } from './asvs.ts';
import { SECTIONS, WITHOUT_TEST } from './promises.ts';
import { type NamedTest, readTags, type Tags } from './tags.ts';

const GENERATED = '<!-- Made by `npm run security-tests` from the comments above the tests; do not edit. -->';

const SECURITY_TESTS = `${GENERATED}
# Security tests

This page is for auditors. It lists what Paydesk promises about security, each promise with the test that shows it. \`npm test\` runs
these tests.

\`%s\` stands for the values that a test is repeated with. Tests measure no times: where the file is \`bench\`, a benchmark shows the
promise ([performance](performance.md)). [ASVS](asvs.md) has the requirements of OWASP.
`;

const ASVS = `${GENERATED}
# OWASP ASVS

This page is for auditors. It compares Paydesk with the
[Application Security Verification Standard](https://github.com/OWASP/ASVS) 5.0.0 of OWASP: each requirement of the levels 1 and 2 in the
chapters on authentication, sessions, authorization, tokens and OpenID Connect, in our own words, with the tests that show it.
[Security tests](security-tests.md) has everything else that Paydesk promises.

A requirement that a document meets links to it. \`partly\`, \`not met\` and \`does not apply\` say why.
`;

/**
 * Makes the pages about security from the comments of the tests.
 * @returns the text of each page by its path. Throws an error if a comment names an unknown section or requirement, or if a requirement has
 * neither a test nor a reason.
 */
export function makeSecurityPages(files: readonly SourceFile[]): Record<string, string> {
  const tags = readTags(files);
  return { 'docs/security-tests.md': makeSecurityTests(tags), 'docs/asvs.md': makeAsvs(tags) };
}

function makeSecurityTests({ promises }: Tags): string {
  const unknown = promises.find(({ section }) => !SECTIONS.includes(section));
  if (unknown !== undefined)
    throw new Error(`${unknown.file}: tools/security/promises.ts has no section "${unknown.section}".`);
  const tables = SECTIONS.map((title) => {
    const shown = promises.filter(({ section }) => section === title);
    const rows = [
      ...shown.map(({ what, file, name }) => [what, code(file), code(name)]),
      ...WITHOUT_TEST.filter(({ section }) => section === title).map(({ what, where, why }) => [what, where, why]),
    ];
    return `## ${title}\n\n${table(['What holds', 'File', 'Test'], rows)}`;
  });
  return [SECURITY_TESTS, ...tables].join('\n');
}

function makeAsvs({ requirements }: Tags): string {
  const known = new Set(CHAPTERS.flatMap((chapter) => chapter.requirements.map(({ number }) => number)));
  const unknown = requirements.find(({ number }) => !known.has(number));
  if (unknown !== undefined)
    throw new Error(`${unknown.test.file}: tools/security/asvs.ts has no requirement ${unknown.number}.`);
  const chapters = CHAPTERS.map(({ title, note, requirements: asked }) => {
    const rows = asked.flatMap((requirement) => {
      const tests = requirements.filter(({ number }) => number === requirement.number).map(({ test }) => test);
      return toRows(requirement, tests);
    });
    const head = note === undefined ? `## ${title}\n` : `## ${title}\n\n${note}\n`;
    return `${head}\n${table(['Number', 'Level', 'What it asks', 'Where', 'Test, or why'], rows)}`;
  });
  return [ASVS, ...chapters].join('\n');
}

function toRows({ number, level, asks, where, why }: Requirement, tests: readonly NamedTest[]): string[][] {
  const start = [number, String(level), asks];
  if (where !== undefined && why !== undefined) return [[...start, where, why]];
  if (tests.length === 0)
    throw new Error(`ASVS ${number} has no test: write "// ASVS ${number}" above the one that shows it.`);
  return tests.map(({ file, name }) => [...start, code(file), code(name)]);
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(titles: readonly string[], rows: readonly string[][]): string {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('').replace(/^\| --- .*$/m, `|${'---|'.repeat(titles.length)}`);
}
