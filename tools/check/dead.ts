import { baseName, isToolConfiguration, isWithin } from './folders.ts';
import { boundIdentifiers } from './functions.ts';
import { type CodeFile, type Finding, findingAt, moduleName, nodesOf, type Project, resolvePath } from './project.ts';

const FOLDERS = ['server', 'tools', 'bench'];

/** Code that no entry reaches by imports, or by naming the file's path in a string. */
export function deadFiles(project: Project): Finding[] {
  const reached = reachedPaths(project);
  return project.code
    .filter((file) => isJudged(file) && !reached.has(file.path))
    .map((file) => findingAt(file, 0, 'is reached from no entry, test or script'));
}

function reachedPaths(project: Project): Set<string> {
  const files = new Map(project.code.map((file) => [file.path, file]));
  const reached = new Set(project.code.filter((file) => isEntry(file, project)).map(({ path }) => path));
  for (const path of reached) {
    const file = files.get(path);
    if (file) for (const target of referencesOf(file, project.paths)) reached.add(target);
  }
  return reached;
}

function isJudged({ path }: CodeFile): boolean {
  return FOLDERS.some((folder) => isWithin(path, folder));
}

function isEntry({ path }: CodeFile, { files }: Project): boolean {
  if (!FOLDERS.some((folder) => isWithin(path, folder))) return true;
  if (/\.test\.[a-z]+$/.test(path) || /(^|\.)(main|worker)\.ts$/.test(baseName(path))) return true;
  return files.some((file) => isStarter(file.path) && file.text.includes(path));
}

/** Files that start others by their path: scripts of packages, tool configurations, continuous integration, images. */
function isStarter(path: string): boolean {
  if (isToolConfiguration(path) || ['package.json', 'Dockerfile', 'Procfile'].includes(baseName(path))) return true;
  return /\.(ya?ml|sh|service)$/.test(path);
}

function referencesOf(file: CodeFile, paths: Set<string>): string[] {
  const imported = file.imports.map(({ target }) => target);
  const named = nodesOf(file, 'Literal').map(({ value }) => {
    if (typeof value !== 'string' || !/\.(ts|tsx|js|mjs)$/.test(value)) return undefined;
    return paths.has(value) ? value : resolvePath(file.path, value, paths);
  });
  return [...imported, ...named].filter((path) => path !== undefined);
}

type ExportedName = { name: string; isType: boolean; offset: number };

/**
 * Exported names that no other file takes. A type may be exported for its own file's sake: it completes other types.
 * Dead files are left to the rule for files.
 */
export function deadExports(project: Project): Finding[] {
  const { code, files } = project;
  const used = new Set(
    code.flatMap(({ imports }) => imports.flatMap(({ target, names }) => names.map((name) => `${target}#${name}`))),
  );
  const reached = reachedPaths(project);
  const configurations = files.filter(({ path }) => isToolConfiguration(path));
  const isTakenWhole = ({ path }: CodeFile): boolean =>
    used.has(`${path}#*`) || isToolConfiguration(path) || configurations.some(({ text }) => text.includes(path));
  return code
    .filter((file) => isJudged(file) && reached.has(file.path) && !isTakenWhole(file))
    .flatMap((file) =>
      exportedNames(file)
        .filter(({ name, isType }) => !used.has(`${file.path}#${name}`) && !(isType && isUsedInside(file, name)))
        .map(({ name, offset }) => findingAt(file, offset, `exports ${name}, which no other file uses`, name)),
    );
}

function exportedNames(file: CodeFile): ExportedName[] {
  return nodesOf(file, 'ExportNamedDeclaration').flatMap(({ declaration, specifiers, start }) => [
    ...declaredNames(declaration).map((name) => {
      const isType = declaration?.type === 'TSTypeAliasDeclaration' || declaration?.type === 'TSInterfaceDeclaration';
      return { name, isType, offset: start };
    }),
    ...specifiers.map(({ exported }) => ({ name: moduleName(exported), isType: false, offset: start })),
  ]);
}

function declaredNames(declaration: CodeFile['program']['body'][number] | null): string[] {
  switch (declaration?.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => boundIdentifiers(id).map(({ name }) => name));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return declaration.id ? [declaration.id.name] : [];
    default:
      return [];
  }
}

function isUsedInside(file: CodeFile, name: string): boolean {
  return nodesOf(file, 'Identifier').filter((identifier) => identifier.name === name).length > 1;
}
