import type { ESTree } from 'rolldown/utils';
import { isServerSource, isTest, isToolConfiguration, isWithin } from './folders.ts';
import { exportedFunctions, literalKeys, memberName } from './functions.ts';
import { type CodeFile, type Finding, findingAt, type NodeOf, nodesOf, type Project } from './project.ts';

/** The environment is read once, where it is checked. */
export function environment({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => !mayReadEnvironment(path));
  return files.flatMap((file) => {
    const reads = nodesOf(file, 'Identifier').filter(readsEnvironment);
    const imports = file.imports.filter(
      ({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env'),
    );
    const offsets = [...reads.map(({ start }) => start), ...imports.map(({ offset }) => offset)];
    return offsets.map((offset) => findingAt(file, offset, 'reads the environment; take the value from config.ts'));
  });
}

function readsEnvironment(node: NodeOf<'Identifier'>): boolean {
  const { name, parent } = node;
  if (name !== 'process') return false;
  if (parent?.type === 'MemberExpression')
    return parent.object === node && (parent.computed || memberName(parent) === 'env');
  if (parent?.type !== 'VariableDeclarator' || parent.init !== node || parent.id.type !== 'ObjectPattern') return false;
  return literalKeys(parent.id).has('env');
}

function mayReadEnvironment(path: string): boolean {
  if (path === 'server/src/platform/config/config.ts' || isTest(path) || isToolConfiguration(path)) return true;
  return ['server/test', 'tools', 'bench'].some((folder) => isWithin(path, folder));
}

/** What the server says goes through its logger, which leaves secrets out. */
export function consoleCalls({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => isServerSource(path));
  return files.flatMap((file) =>
    nodesOf(file, 'MemberExpression')
      .filter(({ object }) => object.type === 'Identifier' && object.name === 'console')
      .map((node) => findingAt(file, node.start, `calls console.${memberName(node) ?? ''}; use the logger`)),
  );
}

const ROUTE_KEYS = ['access', 'response', 'summary'];
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all', 'route']);
const APPLICATIONS = new Set(['app', 'application', 'server', 'fastify', 'instance', 'router', 'scope']);

/** A route is registered by `route(app, { ... })`, which demands what every route must state. */
export function routes({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => isServerSource(path));
  return files.flatMap((file) =>
    nodesOf(file, 'CallExpression').flatMap((call) => {
      const message = directRoute(file, call) ?? incompleteRoute(file, call);
      return message === undefined ? [] : [findingAt(file, call.start, message)];
    }),
  );
}

function directRoute(file: CodeFile, { callee, arguments: passed }: ESTree.CallExpression): string | undefined {
  const isHelper = isWithin(file.path, 'server/src/platform/http') || isWithin(file.path, 'server/src/gateways');
  if (isHelper || callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined;
  const method = memberName(callee) ?? '';
  if (!METHODS.has(method)) return undefined;
  const [first] = passed;
  const namesPath = first?.type === 'Literal' && typeof first.value === 'string' && first.value.startsWith('/');
  if (!APPLICATIONS.has(callee.object.name) && !namesPath) return undefined;
  return `registers a route with ${callee.object.name}.${method}(); use route(app, { ... })`;
}

function incompleteRoute(file: CodeFile, { callee, arguments: passed }: ESTree.CallExpression): string | undefined {
  if (!file.path.endsWith('.routes.ts') || callee.type !== 'Identifier' || callee.name !== 'route') return undefined;
  const literal = passed.find((argument) => argument.type === 'ObjectExpression');
  if (!literal) return 'route() needs its definition as an object literal, so that it can be read here';
  const keys = literalKeys(literal);
  const missing = ROUTE_KEYS.filter((key) => !keys.has(key));
  return missing.length === 0 ? undefined : `route() does not state ${missing.join(', ')}`;
}

/** Exported functions carry a doc comment right above them. */
export function docComments({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => isServerSource(path));
  return files.flatMap((file) =>
    exportedFunctions(file).flatMap(({ name, statement }) => {
      const isDocumented = file.comments.some(
        ({ isDoc, end }) => isDoc && end <= statement.start && file.text.slice(end, statement.start).trim() === '',
      );
      return isDocumented ? [] : [findingAt(file, statement.start, `${name} is exported without a doc comment`, name)];
    }),
  );
}
