import { posix } from 'node:path';
import type { SourceFile } from './files.ts';
import { type Finding, findingAt, type Project } from './project.ts';

const FENCED = /^ *(```+)[^\n]*\n[\s\S]*?^ *\1 *$/gm;

/** Relative links in documents name a file that exists, and a heading that it has. */
export function links({ files, paths }: Project): Finding[] {
  const documents = new Map(files.filter(({ path }) => path.endsWith('.md')).map((file) => [file.path, file]));
  return [...documents.values()].flatMap((document) =>
    linksIn(document).flatMap(({ target, offset }) => {
      const [path = '', anchor] = target.split('#');
      const resolved = path === '' ? document.path : posix.join(posix.dirname(document.path), path).replace(/\/$/, '');
      const exists = paths.has(resolved) || [...paths].some((other) => other.startsWith(`${resolved}/`));
      if (!exists) return [findingAt(document, offset, `links to ${target}, which does not exist: correct the path`)];
      const aim = documents.get(resolved);
      if (!anchor || !aim || anchorsOf(aim).has(anchor)) return [];
      return [findingAt(document, offset, `links to ${target}, a heading that ${resolved} does not have: correct it`)];
    }),
  );
}

function linksIn({ text }: SourceFile): { target: string; offset: number }[] {
  const blank = (match: string) => match.replace(/[^\n]/g, ' ');
  const prose = text.replace(FENCED, blank).replace(/(`+)[^`\n]+\1/g, blank);
  return [...prose.matchAll(/\]\(([^)\s]+)/g)]
    .map(({ 1: target = '', index }) => ({ target, offset: index }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives to a document's headings. */
function anchorsOf({ text }: SourceFile): Set<string> {
  const headings = text.replace(FENCED, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Each package of package.json has a row under "Dependencies" in ARCHITECTURE.md, and each name in such a row is a package. */
export function dependencyReasons({ files }: Project): Finding[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  const document = files.find(({ path }) => path === 'ARCHITECTURE.md');
  if (manifest === undefined || document === undefined) return [];
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(manifest.text);
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const start = document.text.indexOf('## Dependencies');
  const cells = [...document.text.slice(start).matchAll(/^\| (`[^|]+`) \| [^|]{10}/gm)].map(([, cell = '']) => cell);
  const rows = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const missing = packages.filter((name) => !rows.some((row) => posix.matchesGlob(name, row)));
  const stale = rows.filter((row) => !packages.some((name) => posix.matchesGlob(name, row)));
  return [
    ...missing.map((name) =>
      findingAt(
        manifest,
        manifest.text.indexOf(`"${name}"`),
        `needs ${name}: say why in ARCHITECTURE.md, "Dependencies"`,
      ),
    ),
    ...stale.map((name) =>
      findingAt(
        document,
        document.text.indexOf(`\`${name}\``, start),
        `explains ${name}, which nothing needs: remove it`,
      ),
    ),
  ];
}
