import { posix } from 'node:path';
import { baseName } from './folders.ts';
import { type Finding, findingAt, type Project, type SourceFile } from './project.ts';

/** Relative links in documents: the file exists, and so does the heading that they name. */
export function links({ files, paths }: Project): Finding[] {
  const documents = new Map(files.filter(({ path }) => path.endsWith('.md')).map((file) => [file.path, file]));
  const folders = new Set([...paths].flatMap(foldersOf));
  return [...documents.values()].flatMap((document) =>
    linksIn(document).flatMap(({ target, offset }) => {
      const [path = '', anchor] = target.split('#');
      const resolved = path === '' ? document.path : resolveLink(document.path, path);
      if (!paths.has(resolved) && !folders.has(resolved)) {
        return [findingAt(document, offset, `links to ${target}, which does not exist`, target)];
      }
      const aim = documents.get(resolved);
      if (!anchor || !aim || anchorsOf(aim).has(anchor)) return [];
      return [findingAt(document, offset, `links to ${target}, but ${resolved} has no such heading`, target)];
    }),
  );
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

function resolveLink(from: string, path: string): string {
  const decoded = decodeURI(path);
  const joined = decoded.startsWith('/') ? decoded.slice(1) : posix.join(posix.dirname(from), decoded);
  return joined.replace(/\/$/, '') || '.';
}

function linksIn(document: SourceFile): { target: string; offset: number }[] {
  const text = withoutCode(document.text);
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const definitions = [...text.matchAll(/^\s*\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm)];
  return [...inline, ...definitions]
    .map((match) => ({ target: match[1] ?? '', offset: match.index }))
    .filter(({ target }) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target));
}

/** Blanks code blocks and code spans, keeping every character's place. */
function withoutCode(text: string): string {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ');
  return text.replace(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, blank).replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, blank);
}

/** The anchors that a document's headings get on GitHub, and those it sets itself. */
function anchorsOf(document: SourceFile): Set<string> {
  const anchors = new Set<string>();
  const text = document.text.replace(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, '');
  for (const [, heading = ''] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let repetition = 1; anchors.has(anchor); repetition += 1) anchor = `${slug}-${repetition}`;
    anchors.add(anchor);
  }
  for (const [, name = ''] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(name);
  return anchors;
}

/** Paths that exist on one person's machine only. */
export function machinePaths({ files }: Project): Finding[] {
  return files
    .filter(({ path }) => baseName(path) !== 'package-lock.json')
    .flatMap((file) => {
      const boundary = file.path.endsWith('.md') ? '(?![\\w-])' : '/';
      const pattern = new RegExp(`(?<![\\w./:-])/(?:work|root|home|Users)${boundary}`, 'g');
      return [...file.text.matchAll(pattern)].map((match) =>
        findingAt(file, match.index, 'names a path of one machine; write it relative to the root'),
      );
    });
}

/** The lock file holds names, versions and hashes; where they come from is set by whoever installs. */
export function lockAddresses({ files }: Project): Finding[] {
  return files
    .filter(({ path }) => baseName(path) === 'package-lock.json')
    .flatMap((file) => {
      const matches = [...file.text.matchAll(/"resolved":\s*"(?:git\+)?https?:[^"]*"/g)];
      const [first] = matches;
      return first ? [findingAt(file, first.index, `holds ${matches.length} "resolved" addresses`)] : [];
    });
}

const RECORD = /^docs\/decisions\/\d{4}-[^/]+\.md$/;
const MAX_RECORD_LINES = 70;

/** Decision records: short enough to be read. */
export function recordLengths({ files }: Project): Finding[] {
  return files
    .filter(({ path }) => RECORD.test(path))
    .flatMap((file) => {
      const lines = file.text.trimEnd().split('\n').length;
      if (lines <= MAX_RECORD_LINES) return [];
      return [findingAt(file, 0, `has ${lines} lines; the limit is ${MAX_RECORD_LINES}`)];
    });
}

/** Rows that stand apart from a table, after an empty line say: they are shown as text full of bars. */
export function brokenTables({ files }: Project): Finding[] {
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => {
      const lines = withoutCode(file.text).split('\n');
      return lines.flatMap((line, index) => {
        const isFirst = line.startsWith('|') && !lines[index - 1]?.startsWith('|');
        if (!isFirst || /^\|(\s*:?-+:?\s*\|)+\s*$/.test(lines[index + 1] ?? '')) return [];
        return [{ path: file.path, line: index + 1, message: 'begins no table: a line of dashes has to follow' }];
      });
    });
}

const DEPENDENCY_FIELDS = ['dependencies', 'optionalDependencies', 'devDependencies'];

/** Packages of package.json without a row in ARCHITECTURE.md, "Dependencies", and rows of packages that are not there any more. */
export function dependencyReasons({ files }: Project): Finding[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  const document = files.find(({ path }) => path === 'ARCHITECTURE.md');
  if (manifest === undefined || document === undefined) return [];
  const packages = DEPENDENCY_FIELDS.flatMap((field) => Object.keys(JSON.parse(manifest.text)[field] ?? {}));
  const start = document.text.search(/^## Dependencies$/m);
  const cells = start === -1 ? [] : [...document.text.slice(start).matchAll(/^\| (`[^|]+`) \| [^|]{10}/gm)];
  const rows = cells.flatMap(({ 1: cell = '', index }) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, offset: start + index })),
  );
  const isNamed = (name: string, row: string): boolean =>
    row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : name === row;
  const missing = packages.filter((name) => !rows.some((row) => isNamed(name, row.name)));
  const stale = rows.filter((row) => !packages.some((name) => isNamed(name, row.name)));
  return [
    ...missing.map((name) =>
      findingAt(
        manifest,
        manifest.text.indexOf(`"${name}"`),
        `needs ${name}, which ARCHITECTURE.md gives no reason for`,
      ),
    ),
    ...stale.map(({ name, offset }) => findingAt(document, offset, `gives a reason for ${name}, which nothing needs`)),
  ];
}
