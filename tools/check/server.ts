import type { ESTree } from 'rolldown/utils';
import { isProductSource, isServerSource, isWithin } from './folders.ts';
import { exportedFunctions, memberName } from './functions.ts';
import { type CodeFile, type Finding, findingAt, nodesOf, type Project } from './project.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all', 'route']);
const APPLICATIONS = new Set(['app', 'application', 'server', 'fastify', 'instance', 'router', 'scope']);

/** A route is registered by `route(app, { ... })`, whose types demand what every route must state. */
export function routes({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => isServerSource(path));
  return files.flatMap((file) =>
    nodesOf(file, 'CallExpression').flatMap((call) => {
      const message = directRoute(file, call);
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

/** Exported functions carry a doc comment right above them. */
export function docComments({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => isProductSource(path));
  return files.flatMap((file) =>
    exportedFunctions(file).flatMap(({ name, statement }) => {
      const isDocumented = file.comments.some(
        ({ isDoc, end }) => isDoc && end <= statement.start && file.text.slice(end, statement.start).trim() === '',
      );
      return isDocumented ? [] : [findingAt(file, statement.start, `${name} is exported without a doc comment`, name)];
    }),
  );
}
