import { type FunctionNode, rootName } from './functions.ts';
import { type CodeFile, type Finding, findingAt, lineAt, nodesOf, type Project, type SyntaxNode } from './project.ts';

const MAX_FUNCTION_LINES = 70;
const MAX_LINE_CHARACTERS = 140;

const GENERATED_FILE = /\.generated\.ts$/;
const WRAPPED_FILE = /\.(ts|tsx|mts|js|jsx|mjs|css|html|sh|sql|yml|yaml)$/;

/** Functions; the `describe` blocks of tests count for nothing, since they only group. Biome's rule counts them. */
export function functionLengths({ code }: Project): Finding[] {
  return code.flatMap((file) => {
    const groups = nodesOf(file, 'CallExpression').filter(isTestGroup);
    return functionsOf(file).flatMap((node) => {
      if (node.parent && isTestGroup(node.parent)) return [];
      const outermost = groups.filter(
        (group) => isInside(group, node) && !groups.some((other) => isInside(group, other)),
      );
      const grouped = outermost.reduce((sum, group) => sum + linesOf(file, group), 0);
      const lines = linesOf(file, node) - grouped;
      if (lines <= MAX_FUNCTION_LINES) return [];
      return [findingAt(file, node.start, `a function of ${lines} lines, of at most ${MAX_FUNCTION_LINES}`)];
    });
  });
}

function functionsOf(file: CodeFile): FunctionNode[] {
  return [
    ...nodesOf(file, 'FunctionDeclaration'),
    ...nodesOf(file, 'FunctionExpression'),
    ...nodesOf(file, 'ArrowFunctionExpression'),
  ];
}

function isTestGroup(node: SyntaxNode): boolean {
  return node.type === 'CallExpression' && ['describe', 'suite'].includes(rootName(node.callee) ?? '');
}

function isInside(inner: SyntaxNode, outer: SyntaxNode): boolean {
  return inner !== outer && inner.start >= outer.start && inner.end <= outer.end;
}

function linesOf(file: CodeFile, { start, end }: SyntaxNode): number {
  return lineAt(file.text, end) - lineAt(file.text, start) + 1;
}

/** Lines, except in documents, whose tables need them, and in what programs write: dumps of a schema or of rows, generated code. */
export function lineLengths({ files }: Project): Finding[] {
  return files
    .filter(({ path }) => WRAPPED_FILE.test(path) && !GENERATED_FILE.test(path))
    .filter(({ path }) => !path.endsWith('.sql') || path.startsWith('server/migrations/'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((content, index) => {
        if (content.length <= MAX_LINE_CHARACTERS) return [];
        const message = `has ${content.length} characters of at most ${MAX_LINE_CHARACTERS}`;
        return [{ path, line: index + 1, message }];
      }),
    );
}
