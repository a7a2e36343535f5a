import type { ESTree } from 'rolldown/utils';
import { isTest, isToolConfiguration } from './folders.ts';
import { literalKeys, memberName, rootName } from './functions.ts';
import {
  type CodeFile,
  type Finding,
  findingAt,
  moduleName,
  nodesOf,
  type Project,
  type SyntaxNode,
} from './project.ts';

/** A file that the parser can't read escapes every other rule. */
export function syntax({ code }: Project): Finding[] {
  return code.flatMap((file) => {
    const failure = file.syntaxError;
    return failure ? [findingAt(file, failure.offset, `can't be parsed: ${failure.message}`)] : [];
  });
}

/** A file whose statements only pass on what others export. */
export function barrels({ code }: Project): Finding[] {
  return code.flatMap((file) => {
    const statements = file.program.body.filter(({ type }) => type !== 'ImportDeclaration');
    const isBarrel = statements.length > 0 && statements.every((statement) => passesOn(statement));
    return isBarrel ? [findingAt(file, 0, 'only re-exports; import from the files themselves')] : [];
  });
}

function passesOn(statement: SyntaxNode): boolean {
  if (statement.type === 'ExportAllDeclaration') return true;
  return statement.type === 'ExportNamedDeclaration' && statement.declaration === null;
}

/** Default exports, except where a tool asks for one in its configuration or the set-up that this names. */
export function defaultExports({ files, code }: Project): Finding[] {
  const configurations = files.filter(({ path }) => isToolConfiguration(path));
  const isAsked = ({ path }: CodeFile): boolean =>
    isToolConfiguration(path) || configurations.some(({ text }) => text.includes(path));
  return code
    .filter((file) => !isAsked(file))
    .flatMap((file) => {
      const renamed = nodesOf(file, 'ExportSpecifier').filter(({ exported }) => moduleName(exported) === 'default');
      const nodes = [...nodesOf(file, 'ExportDefaultDeclaration'), ...renamed];
      return nodes.map((node) => findingAt(file, node.start, 'exports a default; export it by its name'));
    });
}

/** Enums need code generation, which Node's type stripping does not do. */
export function enums({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    nodesOf(file, 'TSEnumDeclaration').map((node) =>
      findingAt(file, node.start, `enum ${node.id.name}; use a union of string literals`, node.id.name),
    ),
  );
}

/** Classes other than errors. */
export function classes({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    [...nodesOf(file, 'ClassDeclaration'), ...nodesOf(file, 'ClassExpression')]
      .filter(
        ({ superClass }) => !/Error$/.test(superClass ? (memberName(superClass) ?? rootName(superClass) ?? '') : ''),
      )
      .map((node) => {
        const name = node.id?.name ?? 'without a name';
        return findingAt(file, node.start, `class ${name}; use functions`, name);
      }),
  );
}

/** `any` in every place where a type may stand. */
export function anyTypes({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    nodesOf(file, 'TSAnyKeyword').map((node) => findingAt(file, node.start, 'uses any; use unknown and narrow it')),
  );
}

/** Comments that silence the type checker without saying which error they expect. */
export function typeSilencers({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    file.comments
      .filter(({ text }) => /^\s*@ts-(ignore|nocheck)/.test(text))
      .map(({ text, start }) => findingAt(file, start, `${text.trim().split(/\s/)[0]} silences the type checker`)),
  );
}

/** Notes about work left over: in comments of code, anywhere in other files. */
export function leftovers({ files, code }: Project): Finding[] {
  const words = /\b(TODO|FIXME)\b/g;
  const codePaths = new Set(code.map(({ path }) => path));
  const inComments = code.flatMap((file) =>
    file.comments.flatMap(({ text, start }) =>
      [...text.matchAll(words)].map((match) => findingAt(file, start + match.index, `leaves a ${match[0]}`)),
    ),
  );
  const inTexts = files
    .filter(({ path }) => !codePaths.has(path) && !path.endsWith('package-lock.json'))
    .flatMap((file) =>
      [...file.text.matchAll(words)].map((match) => findingAt(file, match.index, `leaves a ${match[0]}`)),
    );
  return [...inComments, ...inTexts];
}

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'suite', 'bench']);
const SKIPS = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf']);

/** Tests that do not run, or keep others from running. */
export function skippedTests({ code }: Project): Finding[] {
  return code
    .filter(({ path }) => isTest(path) || path.startsWith('server/test/'))
    .flatMap((file) => {
      const members = nodesOf(file, 'MemberExpression').filter(
        (node) => TEST_FUNCTIONS.has(rootName(node) ?? '') && SKIPS.has(memberName(node) ?? ''),
      );
      const calls = nodesOf(file, 'CallExpression').filter(passesSkip);
      return [...members, ...calls].map((node) =>
        findingAt(file, node.start, 'leaves tests out; repair or remove them'),
      );
    });
}

function passesSkip({ callee, arguments: passed }: ESTree.CallExpression): boolean {
  if (!TEST_FUNCTIONS.has(rootName(callee) ?? '')) return false;
  return passed.some((argument) => {
    return argument.type === 'ObjectExpression' && [...literalKeys(argument)].some((key) => SKIPS.has(key));
  });
}
