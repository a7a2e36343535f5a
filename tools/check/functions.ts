import type { ESTree } from 'rolldown/utils';
import { type CodeFile, moduleName, type SyntaxNode } from './project.ts';

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/** `statement` is where its doc comment belongs. */
export type NamedFunction = { name: string; node: FunctionNode; statement: SyntaxNode };

/** The functions that a file exports under a name, each once: of overloads the first signature. */
export function exportedFunctions(file: CodeFile): NamedFunction[] {
  const functions = new Map<string, NamedFunction & { isExported: boolean }>();
  const exportedLater = new Set<string>();
  for (const statement of file.program.body) {
    const isExport = statement.type === 'ExportNamedDeclaration';
    const declaration = isExport ? statement.declaration : statement;
    for (const named of functionsIn(declaration, statement)) {
      if (!functions.has(named.name)) functions.set(named.name, { ...named, isExported: isExport });
    }
    if (isExport && !statement.source) {
      for (const specifier of statement.specifiers) exportedLater.add(moduleName(specifier.local));
    }
  }
  return [...functions.values()].filter(({ name, isExported }) => isExported || exportedLater.has(name));
}

function functionsIn(declaration: SyntaxNode | null, statement: SyntaxNode): NamedFunction[] {
  if (declaration === null) return [];
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'TSDeclareFunction') {
    return declaration.id ? [{ name: declaration.id.name, node: declaration, statement }] : [];
  }
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
    return id.type === 'Identifier' && isFunction ? [{ name: id.name, node: init, statement }] : [];
  });
}

/** The names that a pattern binds: `{ a, b: [c] }` binds a and c. */
export function boundIdentifiers(pattern: SyntaxNode | null | undefined): { name: string; start: number }[] {
  switch (pattern?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundIdentifiers(property.type === 'Property' ? property.value : property.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => boundIdentifiers(element));
    case 'AssignmentPattern':
      return boundIdentifiers(pattern.left);
    case 'RestElement':
      return boundIdentifiers(pattern.argument);
    case 'TSParameterProperty':
      return boundIdentifiers(pattern.parameter);
    default:
      return [];
  }
}

/** The name at the left end of a call chain: `it` of `it.skip.each(...)`. */
export function rootName(expression: SyntaxNode): string | undefined {
  switch (expression.type) {
    case 'Identifier':
      return expression.name;
    case 'MemberExpression':
      return rootName(expression.object);
    case 'CallExpression':
      return rootName(expression.callee);
    case 'TaggedTemplateExpression':
      return rootName(expression.tag);
    default:
      return undefined;
  }
}

/** The name behind the dot, unless it is computed. */
export function memberName(expression: SyntaxNode): string | undefined {
  if (expression.type !== 'MemberExpression' || expression.computed) return undefined;
  return expression.property.type === 'Identifier' ? expression.property.name : undefined;
}
