import { posix } from 'node:path';
import { type ESTree, parseSync } from 'rolldown/utils';

export type SourceFile = { path: string; text: string };
export type SyntaxNode = ESTree.Node;
type OneOf<N, T> = N extends { type: string } ? (T extends N['type'] ? N : never) : never;
export type NodeOf<T extends SyntaxNode['type']> = OneOf<SyntaxNode, T>;

/** `target` is the file in the project that a relative specifier names; undefined for packages. */
export type Import = { target: string | undefined; offset: number };

export type CodeFile = SourceFile & {
  program: ESTree.Program;
  comments: { text: string; isDoc: boolean; start: number; end: number }[];
  nodes: Map<string, SyntaxNode[]>;
  imports: Import[];
};

/** All files of the tree, and those of them that hold code, parsed. Paths are relative to the root, with slashes. */
export type Project = {
  files: SourceFile[];
  paths: Set<string>;
  code: CodeFile[];
};

/** `subject` is the name in the code that the finding is about; an exception may be made for it alone. */
export type Finding = { path: string; line: number; message: string; subject?: string };
export type Rule = { name: string; reason: string; find: (project: Project) => Finding[] };

const IMPORTS = [
  'ImportDeclaration',
  'ImportExpression',
  'TSImportType',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
];
const CODE_FILE = /\.(ts|tsx|mts|js|jsx|mjs)$/;

/** Parses every code file once, so that the rules only read. */
export function parseProject(files: SourceFile[]): Project {
  const paths = new Set(files.map((file) => file.path));
  const code = files.filter((file) => CODE_FILE.test(file.path)).map((file) => parseFile(file, paths));
  return { files, paths, code };
}

function parseFile(file: SourceFile, paths: Set<string>): CodeFile {
  const parsed = parseSync(file.path, file.text);
  const { program } = parsed;
  const nodes = indexNodes(program);
  return {
    ...file,
    program,
    comments: parsed.comments.map(({ type, value, start, end }) => ({
      text: value,
      isDoc: type === 'Block' && value.startsWith('*'),
      start,
      end,
    })),
    nodes,
    imports: readImports(file.path, nodes, paths),
  };
}

/** Sets each node's `parent` on the way, which the parser leaves out. */
function indexNodes(program: ESTree.Program): Map<string, SyntaxNode[]> {
  const nodes = new Map<string, SyntaxNode[]>();
  const visit = (node: SyntaxNode): void => {
    const known = nodes.get(node.type);
    if (known) known.push(node);
    else nodes.set(node.type, [node]);
    for (const value of Object.values(node)) {
      if (typeof value !== 'object' || value === null || value === node.parent) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue;
        child.parent = node;
        visit(child);
      }
    }
  };
  visit(program);
  return nodes;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The nodes of one type, in the order of the text. */
export function nodesOf<T extends SyntaxNode['type']>(file: CodeFile, type: T): NodeOf<T>[] {
  return (file.nodes.get(type) ?? []) as NodeOf<T>[];
}

function readImports(path: string, nodes: Map<string, SyntaxNode[]>, paths: Set<string>): Import[] {
  return IMPORTS.flatMap((type) => nodes.get(type) ?? []).flatMap((node) => {
    const source = 'source' in node ? node.source : null;
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return [];
    return [{ target: resolvePath(path, source.value, paths), offset: source.start }];
  });
}

/** The text of a name in an import or export list, which may be quoted. */
export function moduleName(name: ESTree.ModuleExportName): string {
  return name.type === 'Identifier' ? name.name : name.value;
}

/** The project's file that `specifier` names when it stands in the file `from`; undefined when there is none. */
function resolvePath(from: string, specifier: string, paths: Set<string>): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(from), specifier);
  return paths.has(target) ? target : undefined;
}

/** The line that holds the character at `offset`, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf('\n'); index !== -1 && index < offset; index = text.indexOf('\n', index + 1)) line += 1;
  return line;
}

/** A finding at a character of a file. */
export function findingAt(file: SourceFile, offset: number, message: string, subject?: string): Finding {
  const finding = { path: file.path, line: lineAt(file.text, offset), message };
  return subject === undefined ? finding : { ...finding, subject };
}
