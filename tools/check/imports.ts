import { posix } from 'node:path';
import { areaOf, DOMAIN_ORDER, isProductSource, isTest, isWithin } from './folders.ts';
import { type CodeFile, type Finding, findingAt, type Import, type Project } from './project.ts';

/** Of these, others may import every file: they know no rule of the product. */
const OPEN_DOMAINS = new Set(['platform', 'gateways']);

/** One domain reaches another through a `*.service.ts`, and its shapes through a `*.schema.ts`, alone. */
export function domainImports({ code }: Project): Finding[] {
  return forEachImportOfDomains(code, (_from, to, target) => {
    if (OPEN_DOMAINS.has(to) || /\.(service|schema)\.ts$/.test(target)) return undefined;
    return `imports ${target}; take it from a service of ${to}`;
  });
}

/** A domain imports only domains that stand before it in their order. */
export function domainOrder({ code }: Project): Finding[] {
  return forEachImportOfDomains(code, (from, to, target) => {
    for (const domain of [from, to])
      if (!DOMAIN_ORDER.includes(domain)) return `${domain} has no place in DOMAIN_ORDER in tools/check/folders.ts`;
    if (DOMAIN_ORDER.indexOf(to) < DOMAIN_ORDER.indexOf(from)) return undefined;
    return `imports ${target}, which stands after ${from} in DOMAIN_ORDER`;
  });
}

function forEachImportOfDomains(
  code: CodeFile[],
  judge: (from: string, to: string, target: string) => string | undefined,
): Finding[] {
  return forEachImport(code, (file, target) => {
    const from = areaOf(file.path);
    const to = areaOf(target);
    if (from.kind !== 'domain' || to.kind !== 'domain' || from.domain === to.domain) return undefined;
    return isTest(file.path) ? undefined : judge(from.domain, to.domain, target);
  });
}

/** What the service takes of a package, and the one file that takes it. */
const PACKAGE_DOORS = new Map([
  ['server/src/platform/data-directory.ts', 'packages/embedded-postgres/src/embedded-postgres.ts'],
]);

const OUTSIDE_FOLDERS = ['server/test', 'tools', 'bench', 'packages', 'dashboard'];

/**
 * The service imports nothing from outside of it but packages through their doors, and no test; only the files that compose it know all
 * of it. A package imports nothing that stands outside of it.
 */
export function layers({ code }: Project): Finding[] {
  return forEachImport(code, (file, target) => layerMessage(file.path, target));
}

function layerMessage(path: string, target: string): string | undefined {
  if (isTest(path)) return undefined;
  const from = areaOf(path);
  const to = areaOf(target);
  if (from.kind === 'outside') {
    const [folder, name] = path.split('/');
    if (folder === 'packages' && !isWithin(target, `packages/${name}`))
      return `imports ${target}; a package stands by itself`;
    return folder === 'dashboard' && isWithin(target, 'server')
      ? `imports ${target}; clients only know the interface over HTTP`
      : undefined;
  }
  if (PACKAGE_DOORS.get(path) === target) return undefined;
  if (isTest(target)) return `imports the test ${target}`;
  if (OUTSIDE_FOLDERS.some((folder) => isWithin(target, folder)))
    return `imports ${target}, which is no part of the service`;
  if (to.kind === 'composition' && from.kind !== 'composition')
    return `imports ${target}, which composes; turn it round`;
  return undefined;
}

function forEachImport(code: CodeFile[], judge: (file: CodeFile, target: string) => string | undefined): Finding[] {
  return code.flatMap((file) =>
    file.imports.flatMap(({ target, offset }) => {
      const message = target === undefined ? undefined : judge(file, target);
      return message === undefined ? [] : [findingAt(file, offset, message, target)];
    }),
  );
}

/**
 * Reports a file with its shortest cycle, unless it stands in one that is reported already. Biome's rule takes two seconds for what is
 * found here on the way to the circles of folders.
 */
export function importCycles({ code }: Project): Finding[] {
  const files = new Map(code.map((file) => [file.path, file]));
  const targets = new Map(code.map(({ path, imports }) => [path, targetsOf(imports)]));
  return shortestCycles(targets).flatMap((cycle) => {
    const [first = '', second = first] = cycle;
    const file = files.get(first);
    if (!file) return [];
    const next = file.imports.find(({ target }) => target === second);
    return [findingAt(file, next?.offset ?? 0, `imports itself: ${[...cycle, first].join(' → ')}`)];
  });
}

/** Folders of the server or a package that import each other, in however many steps: none can be understood before the others. */
export function folderCircles({ code }: Project): Finding[] {
  const crossings = code.filter(({ path }) => isProductSource(path)).flatMap(crossingsOf);
  const targets = new Map<string, string[]>();
  for (const { from, to } of crossings) targets.set(from, [...(targets.get(from) ?? []), to]);
  return shortestCycles(targets).flatMap((circle) => {
    const [first = '', second] = circle;
    const crossing = crossings.find(({ from, to }) => from === first && to === second);
    if (!crossing) return [];
    const message = `folders in a circle: ${[...circle, first].join(' → ')}`;
    return [findingAt(crossing.file, crossing.offset, message)];
  });
}

type Crossing = { file: CodeFile; from: string; to: string; offset: number };

/** The imports that leave a file's folder. */
function crossingsOf(file: CodeFile): Crossing[] {
  const from = posix.dirname(file.path);
  return file.imports.flatMap(({ target, offset }) => {
    if (target === undefined || !isProductSource(target)) return [];
    const to = posix.dirname(target);
    return to === from ? [] : [{ file, from, to, offset }];
  });
}

/** The shortest cycle of each node that stands in none which was found before, the node first. */
function shortestCycles(targets: Map<string, string[]>): string[][] {
  const reported = new Set<string>();
  return [...targets.keys()].sort().flatMap((start) => {
    const cycle = reported.has(start) ? null : shortestWayBack(start, targets);
    for (const node of cycle ?? []) reported.add(node);
    return cycle ? [cycle] : [];
  });
}

/** What stands on the shortest way from a node back to itself, the node first; null when there is no way. */
function shortestWayBack(start: string, targets: Map<string, string[]>): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of targets.get(node) ?? []) {
      if (target === start) return wayTo(node, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return null;
}

function targetsOf(imports: Import[]): string[] {
  return imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

function wayTo(node: string, cameFrom: Map<string, string>): string[] {
  const way = [node];
  for (let previous = cameFrom.get(node); previous !== undefined; previous = cameFrom.get(previous))
    way.unshift(previous);
  return way;
}
