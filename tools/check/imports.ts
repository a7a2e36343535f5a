import { posix } from 'node:path';
import { DOMAIN_ORDER, domainOf, isProductSource, isTest } from './folders.ts';
import { type CodeFile, type Finding, findingAt, type Project } from './project.ts';

/** Other domains may import every file of these: they know no rule of the product. */
const OPEN_DOMAINS = ['platform', 'gateways'];

/** What the service imports from a package, by the one file that imports it. */
const PACKAGE_IMPORTS = new Map([
  ['server/src/platform/data-directory.ts', 'packages/embedded-postgres/src/embedded-postgres.ts'],
]);

/**
 * A package imports only its own files. The service imports only its own files and no test. A domain imports only domains before it, and
 * of them only services, schemas and parts of statements. Tests may import anything.
 */
export function direction({ code }: Project): Finding[] {
  return code
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      file.imports.flatMap(({ target, offset }) => {
        const message = objectionTo(file.path, target);
        return message === undefined ? [] : [findingAt(file, offset, `imports ${target}: ${message}`)];
      }),
    );
}

function objectionTo(path: string, target: string): string | undefined {
  const [folder, name] = path.split('/');
  if (folder === 'packages') {
    return target.startsWith(`packages/${name}/`) ? undefined : 'move it into the package, or pass it as a parameter';
  }
  if (!path.startsWith('server/src/') || PACKAGE_IMPORTS.get(path) === target) return undefined;
  if (isTest(target)) return 'move what the service needs out of the test';
  if (/^(server\/test|tools|bench|packages)\//.test(target)) return 'move what the service needs into server/src';
  if (!target.startsWith('server/src/')) return undefined;
  return objectionBetweenDomains(domainOf(path), domainOf(target), target);
}

function objectionBetweenDomains(from: string | undefined, to: string | undefined, target: string): string | undefined {
  if (from === undefined || from === to) return undefined;
  if (to === undefined) return 'it puts the domains together; pass what is needed as a parameter';
  for (const domain of [from, to]) {
    if (!DOMAIN_ORDER.includes(domain)) return `add ${domain} to DOMAIN_ORDER in tools/check/folders.ts`;
  }
  if (DOMAIN_ORDER.indexOf(to) > DOMAIN_ORDER.indexOf(from)) {
    return `${to} comes after ${from} in DOMAIN_ORDER; turn the dependency round`;
  }
  if (OPEN_DOMAINS.includes(to) || /\.(service|schema|parts\.queries)\.ts$/.test(target)) return undefined;
  return `import a service, a schema or parts of ${to} instead`;
}

type Edge = { file: CodeFile; offset: number; from: string; to: string };

/**
 * Files that import each other, and folders and rooms of the server or a package that do, directly or through others: none of them can be
 * understood by itself. Biome's rule about files takes two seconds, and it has none about folders.
 */
export function circles({ code }: Project): Finding[] {
  const files = code.flatMap((file) =>
    file.imports.map(({ target, offset }): Edge => ({ file, offset, from: file.path, to: target })),
  );
  const sources = files.filter(({ from, to }) => isProductSource(from) && isProductSource(to));
  const found = [files, between(sources, posix.dirname), between(sources, roomOf)]
    .flatMap(circlesOf)
    .flatMap((circle) => {
      const [first] = circle;
      if (first === undefined) return [];
      const names = [...circle.map(({ from }) => from), first.from].join(' → ');
      return [findingAt(first.file, first.offset, `imports in a circle: ${names}; move what they share out of it`)];
    });
  return [...new Map(found.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
}

/** A folder of a domain, with all folders within it; undefined for the files beside them, which put the rooms of a domain together. */
function roomOf(path: string): string | undefined {
  return /^(server\/src\/[^/]+|packages\/[^/]+\/src)\/[^/]+(?=\/)/.exec(path)?.[0];
}

/** The imports between different places, of which some files may have none. */
function between(edges: Edge[], placeOf: (path: string) => string | undefined): Edge[] {
  return edges.flatMap((edge) => {
    const [from, to] = [placeOf(edge.from), placeOf(edge.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ ...edge, from, to }];
  });
}

/** Follows the edges from every node in depth, and returns each way that comes back to a node on it. */
function circlesOf(edges: Edge[]): Edge[][] {
  const edgesFrom = Map.groupBy(edges, ({ from }) => from);
  const circles: Edge[][] = [];
  const done = new Set<string>();
  const follow = (node: string, way: Edge[]): void => {
    const start = way.findIndex(({ from }) => from === node);
    if (start !== -1) circles.push(way.slice(start));
    if (start !== -1 || done.has(node)) return;
    for (const edge of edgesFrom.get(node) ?? []) follow(edge.to, [...way, edge]);
    done.add(node);
  };
  for (const node of [...edgesFrom.keys()].sort()) follow(node, []);
  return circles;
}
