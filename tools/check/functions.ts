import type { ESTree } from 'rolldown/utils';
import { isProductSource } from './folders.ts';
import { type CodeFile, type Finding, findingAt, type Project } from './project.ts';

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/** `statement` is what a doc comment stands above. */
type NamedFunction = { name: string; node: FunctionNode; statement: ESTree.Node };

/** The functions that a file exports under a name, each once: of overloads the first signature. */
export function exportedFunctions({ parsed }: CodeFile): NamedFunction[] {
  const exported = parsed.module.staticExports.flatMap(({ entries }) => entries.map(({ localName }) => localName.name));
  const functions = parsed.program.body.flatMap(functionsIn).filter(({ name }) => exported.includes(name));
  return [...Map.groupBy(functions, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
}

function functionsIn(statement: ESTree.Node): NamedFunction[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction') {
    return declaration.id ? [{ name: declaration.id.name, node: declaration, statement }] : [];
  }
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
    return id.type === 'Identifier' && isFunction ? [{ name: id.name, node: init, statement }] : [];
  });
}

/** Exported functions have a doc comment right above them. */
export function docComments({ code }: Project): Finding[] {
  return code
    .filter(({ path }) => isProductSource(path))
    .flatMap((file) => {
      const ends = file.parsed.comments
        .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
        .map(({ end }) => end);
      return exportedFunctions(file)
        .filter(({ statement: { start } }) => !ends.some((end) => end <= start && !file.text.slice(end, start).trim()))
        .map(({ name, statement: { start } }) =>
          findingAt(
            file,
            start,
            `${name} is exported without a doc comment: write what it does, with units and errors`,
          ),
        );
    });
}
