import { posix } from 'node:path';
import { type ParseResult, parseSync, Visitor, type VisitorObject } from 'rolldown/utils';
import type { SourceFile } from './files.ts';

/** `target` is the file of the project that a relative specifier names; `offset` is the position of the specifier. */
export type Import = { target: string; offset: number };

export type CodeFile = SourceFile & {
  /** What the file imports or exports again: values and types, at its start and later. */
  imports: Import[];
  /** The parser builds `program` when a rule first asks for it. */
  parsed: ParseResult;
};

/** All files of the tree, and those of them that hold code. */
export type Project = { files: SourceFile[]; paths: Set<string>; code: CodeFile[] };

export type Finding = { path: string; line: number; message: string };
export type Rule = (project: Project) => Finding[];

/** Parses every code file once. */
export function parseProject(files: SourceFile[]): Project {
  const paths = new Set(files.map(({ path }) => path));
  const code = files
    .filter(({ path }) => /\.(ts|mts|js|mjs)$/.test(path))
    .map((file) => {
      const parsed = parseSync(file.path, file.text);
      return { ...file, parsed, imports: importsOf(file, parsed, paths) };
    });
  return { files, paths, code };
}

function importsOf({ path, text }: SourceFile, { module }: ParseResult, paths: Set<string>): Import[] {
  const requests = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries.slice(0, 1))];
  const specifiers = [
    ...requests.flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(({ 1: value = '', index }) => ({ value, start: index })),
  ];
  return specifiers.flatMap(({ value, start }) => {
    const target = value.startsWith('.') ? posix.join(posix.dirname(path), value) : '';
    return paths.has(target) ? [{ target, offset: start }] : [];
  });
}

/** Calls the visitor's functions with the nodes of a file, in the order of the text. */
export function visit({ parsed }: CodeFile, visitor: VisitorObject): void {
  new Visitor(visitor).visit(parsed.program);
}

/** A finding at a character of a file. */
export function findingAt({ path, text }: SourceFile, offset: number, message: string): Finding {
  return { path, line: text.slice(0, offset).split('\n').length, message };
}
