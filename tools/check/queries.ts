import type { ESTree } from 'rolldown/utils';
import { isServerSource, isTest, isWithin } from './folders.ts';
import { exportedFunctions, type FunctionNode, memberName, rootName } from './functions.ts';
import { type CodeFile, type Finding, findingAt, nodesOf, type Project, type SyntaxNode } from './project.ts';

const SQL_VERBS = `SELECT INSERT UPDATE DELETE WITH VALUES CREATE ALTER DROP TRUNCATE BEGIN COMMIT ROLLBACK SAVEPOINT LOCK GRANT
  REVOKE SET SHOW LISTEN NOTIFY EXPLAIN VACUUM ANALYZE COPY CALL MERGE PRAGMA`;
const SQL_START = new RegExp(`^(\\s|--.*\\n)*(${SQL_VERBS.split(/\s+/).join('|')})\\b`, 'i');
const SQL_METHODS = new Set(['unsafe', 'prepare', 'exec', 'query']);
const DATABASE_NAMES = new Set(['sql', 'db', 'tx']);

/**
 * SQL stands in `*.queries.ts`, in the database folder and the embedded server's package, and around the service: tests, harness,
 * benchmarks, tools.
 */
export function sqlPlacement({ code }: Project): Finding[] {
  const files = code.filter(({ path }) => !mayHoldSql(path));
  return files.flatMap((file) =>
    [
      ...nodesOf(file, 'TaggedTemplateExpression').filter(isSqlTemplate),
      ...nodesOf(file, 'CallExpression').filter(isSqlCall),
    ].map((node) => findingAt(file, node.start, 'holds SQL; move the statement into the *.queries.ts of its feature')),
  );
}

function mayHoldSql(path: string): boolean {
  if (path.endsWith('.queries.ts') || isTest(path)) return true;
  const folders = ['server/src/platform/database', 'packages/embedded-postgres', 'server/test', 'bench', 'tools'];
  return folders.some((folder) => isWithin(path, folder));
}

function isSqlTemplate({ tag, quasi }: ESTree.TaggedTemplateExpression): boolean {
  const name = rootName(tag);
  if (name === undefined) return false;
  return DATABASE_NAMES.has(name) || SQL_START.test(textOf(quasi));
}

function isSqlCall({ callee, arguments: passed }: ESTree.CallExpression): boolean {
  const method = memberName(callee) ?? '';
  if (['unsafe', 'file'].includes(method) && DATABASE_NAMES.has(rootName(callee) ?? '')) return true;
  const [first] = passed;
  return SQL_METHODS.has(method) && SQL_START.test(first ? textOf(first) : '');
}

function textOf(node: SyntaxNode): string {
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.raw ?? '';
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}

/**
 * What the operator asks of all companies and of the installation; what the service does over all of them by itself (workers, housekeeping,
 * gateways' events); and parts of statements, about rows that the statement chooses.
 */
const OF_ALL_COMPANIES = /\.(operator|worker|parts)\.queries\.ts$/;

/**
 * Every query takes the database first and the company second, so that no caller can forget the tenant. The name of a file says when its
 * queries are about all companies, or when it runs none.
 */
export function tenantFirst({ code }: Project): Finding[] {
  const files = code.filter(
    ({ path }) => isServerSource(path) && path.endsWith('.queries.ts') && !OF_ALL_COMPANIES.test(path),
  );
  return files.flatMap((file) =>
    exportedFunctions(file).flatMap(({ name, node }) => {
      if (takesDatabaseAndCompany(file, node)) return [];
      const message = `${name} must begin with (db: Db | tx: Tx | db: Queryable, companyId: string)`;
      return [findingAt(file, node.start, message, name)];
    }),
  );
}

function takesDatabaseAndCompany(file: CodeFile, { params }: FunctionNode): boolean {
  const [first = '', second = ''] = params.map(({ start, end }) => file.text.slice(start, end));
  return /^(db|tx)\s*:\s*(Db|Tx|Queryable)(\s*\|\s*(Db|Tx))*$/.test(first) && /^companyId\s*:\s*string$/.test(second);
}
