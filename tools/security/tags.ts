/**
 * What the comments above tests say about security. `// Security (Tenants): The database refuses another company's address.` is a promise
 * that the test below shows; `// ASVS 6.2.4, 6.2.11` are requirements of OWASP's Application Security Verification Standard.
 */
import { type ESTree, type ParseResult, parseSync, Visitor } from 'rolldown/utils';
import type { SourceFile } from '../check/files.ts';

/** A test, or a group of tests, by its file and its name as the file has it. */
export type NamedTest = { file: string; name: string };

export type Promised = NamedTest & { section: string; what: string };

/** The promises and the requirements that tests show, in the order of the files and of their lines. */
export type Tags = { promises: Promised[]; requirements: { number: string; test: NamedTest }[] };

/** Collects the comments of all files. Throws an error if one is not above a named test. */
export function readTags(files: readonly SourceFile[]): Tags {
  const tags: Tags = { promises: [], requirements: [] };
  const sorted = files
    .filter(({ path }) => path.endsWith('.ts'))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const file of sorted) if (TAG.test(file.text)) addTags(file, tags);
  return tags;
}

const TAG = /^ *\/\/ (Security \(|ASVS \d)/m;

function addTags(file: SourceFile, tags: Tags): void {
  const { program, comments } = parseSync(file.path, file.text);
  const calls: ESTree.CallExpression[] = [];
  new Visitor({ CallExpression: (call) => void calls.push(call) }).visit(program);
  for (const { lines, end } of runsOf(file.text, comments)) {
    const found = linesToTags(lines);
    if (found.length === 0) continue;
    const name = nameOf(calls.find(({ start }) => start >= end && file.text.slice(end, start).trim() === ''));
    if (name === null) throw new Error(`${file.path}: no named test is below "${found[0]}".`);
    const test = { file: file.path, name };
    for (const tag of found) {
      const [, section, what] = /^Security \(([^)]+)\): (.+)$/.exec(tag) ?? [];
      if (section !== undefined && what !== undefined) tags.promises.push({ section, what, ...test });
      else
        tags.requirements.push(
          ...tag
            .slice('ASVS '.length)
            .split(', ')
            .map((number) => ({ number, test })),
        );
    }
  }
}

/** Line comments that follow each other, with nothing in between but white space. */
function runsOf(text: string, comments: ParseResult['comments']): { lines: string[]; end: number }[] {
  const runs: { lines: string[]; end: number }[] = [];
  for (const { type, value, start, end } of comments) {
    if (type !== 'Line') continue;
    const last = runs.at(-1);
    if (last !== undefined && text.slice(last.end, start).trim() === '') {
      last.lines.push(value.trim());
      last.end = end;
    } else runs.push({ lines: [value.trim()], end });
  }
  return runs;
}

/** A tag may continue on the following lines; what stands before the first one is another comment. */
function linesToTags(lines: readonly string[]): string[] {
  const tags: string[] = [];
  for (const line of lines) {
    if (/^(Security \(|ASVS \d)/.test(line)) tags.push(line);
    else if (tags.length > 0) tags[tags.length - 1] += ` ${line}`;
  }
  return tags;
}

/** The text that a call like `it('…', …)` or `it.each(rows)('…', …)` begins with. */
function nameOf(call: ESTree.CallExpression | undefined): string | null {
  const [first] = call?.arguments ?? [];
  if (first?.type === 'Literal' && typeof first.value === 'string') return first.value;
  if (first?.type === 'TemplateLiteral') {
    return first.quasis.map(({ value }, index) => (index === 0 ? '' : '%s') + value.raw).join('');
  }
  return null;
}
