import { areaOf, baseName, FEATURE_ORDER, isTest, isWithin } from './folders.ts';
import { type CodeFile, type Finding, findingAt, type Import, type Project } from './project.ts';

/** One feature reaches another through `<feature>.service.ts`, and its shapes through `<feature>.schema.ts`, alone. */
export function featureImports({ code }: Project): Finding[] {
  return forEachImport(code, (file, target) => {
    const from = areaOf(file.path);
    const to = areaOf(target);
    if (from.kind !== 'feature' || to.kind !== 'feature' || from.feature === to.feature) return undefined;
    if (isTest(file.path)) return undefined;
    const isPublic = baseName(target) === `${to.feature}.service.ts` || target.endsWith('.schema.ts');
    return isPublic ? undefined : `imports ${target}; take it from ${to.feature}.service.ts`;
  });
}

/** A feature imports only features that stand before it in their order, so there are no circles of folders. */
export function featureOrder({ code }: Project): Finding[] {
  return forEachImport(code, (file, target) => {
    const from = areaOf(file.path);
    const to = areaOf(target);
    if (from.kind !== 'feature' || to.kind !== 'feature' || from.feature === to.feature) return undefined;
    if (isTest(file.path)) return undefined;
    for (const { feature } of [from, to])
      if (!FEATURE_ORDER.includes(feature)) return `${feature} has no place in FEATURE_ORDER in tools/check/folders.ts`;
    if (FEATURE_ORDER.indexOf(to.feature) < FEATURE_ORDER.indexOf(from.feature)) return undefined;
    return `imports ${target}, which stands after ${from.feature} in FEATURE_ORDER`;
  });
}

const OUTSIDE_FOLDERS = ['server/test', 'tools', 'bench', 'packages', 'dashboard'];

/** Infrastructure knows no feature, and only the composition files know them all. */
export function layers({ code }: Project): Finding[] {
  return forEachImport(code, (file, target) => layerMessage(file.path, target));
}

function layerMessage(path: string, target: string): string | undefined {
  if (isTest(path)) return undefined;
  const from = areaOf(path);
  const to = areaOf(target);
  if (from.kind === 'outside') {
    const isClient = isWithin(path, 'packages') || isWithin(path, 'dashboard');
    return isClient && isWithin(target, 'server')
      ? `imports ${target}; clients only know the interface over HTTP`
      : undefined;
  }
  if (isTest(target)) return `imports the test ${target}`;
  if (OUTSIDE_FOLDERS.some((folder) => isWithin(target, folder)))
    return `imports ${target}, which is no part of the service`;
  if (to.kind === 'composition' && from.kind !== 'composition')
    return `imports ${target}, which composes; turn it round`;
  if (from.kind === 'infrastructure' && to.kind === 'feature') {
    return `infrastructure imports the feature ${to.feature}; hand it in from app.ts instead`;
  }
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

/** Reports a file with its shortest cycle, unless it stands in one that is reported already. */
export function importCycles({ code }: Project): Finding[] {
  const files = new Map(code.map((file) => [file.path, file]));
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const file of [...code].sort((left, right) => (left.path < right.path ? -1 : 1))) {
    if (reported.has(file.path)) continue;
    const cycle = shortestWayBack(file, files);
    if (!cycle) continue;
    for (const path of cycle) reported.add(path);
    const next = file.imports.find(({ target }) => target === (cycle[1] ?? file.path));
    findings.push(findingAt(file, next?.offset ?? 0, `imports itself: ${[...cycle, file.path].join(' → ')}`));
  }
  return findings;
}

/** The files on the shortest way from a file back to itself, the file first; null when there is no way. */
function shortestWayBack(start: CodeFile, files: Map<string, CodeFile>): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start.path];
  for (const path of queue) {
    for (const target of targetsOf(files.get(path)?.imports ?? [])) {
      if (target === start.path) return wayTo(path, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return null;
}

function targetsOf(imports: Import[]): string[] {
  return imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

function wayTo(path: string, cameFrom: Map<string, string>): string[] {
  const way = [path];
  for (let previous = cameFrom.get(path); previous !== undefined; previous = cameFrom.get(previous))
    way.unshift(previous);
  return way;
}
