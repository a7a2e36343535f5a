import { isTest } from './folders.ts';
import { exportedFunctions, type FunctionNode } from './functions.ts';
import { type CodeFile, type Finding, findingAt, type Project, visit } from './project.ts';

/** Holds SQL beside `*.queries.ts` and tests. */
const SQL_FOLDERS = /^(server\/(src\/platform\/database|test)|packages\/embedded-postgres|bench|tools)\//;
const DATABASE = /^(sql|db|tx)\b/;
const DATABASE_CALL = /^(sql|db|tx)\b.*\.(unsafe|file)$/s;
const CALL_WITH_TEXT = /\.(unsafe|prepare|exec|query)$/;
const VERBS =
  `SELECT INSERT UPDATE DELETE MERGE WITH VALUES COPY CREATE ALTER DROP TRUNCATE GRANT REVOKE BEGIN COMMIT ROLLBACK
  SAVEPOINT LOCK SET SHOW LISTEN NOTIFY EXPLAIN VACUUM ANALYZE CALL PRAGMA`.split(/\s+/);
const SQL_TEXT = new RegExp(`^['"\`](\\s|--.*\\n)*(${VERBS.join('|')})\\b`, 'i');

/** Statements are in `*.queries.ts`, so that a reviewer finds all of them. */
export function sqlPlacement({ code }: Project): Finding[] {
  return code
    .filter(({ path }) => !path.endsWith('.queries.ts') && !isTest(path) && !SQL_FOLDERS.test(path))
    .flatMap((file) =>
      statementsIn(file).map((offset) =>
        findingAt(file, offset, 'a statement outside of *.queries.ts: move it into the queries of the feature'),
      ),
    );
}

/** Where templates and calls that hold SQL begin. */
function statementsIn(file: CodeFile): number[] {
  const offsets: number[] = [];
  const textOf = (node?: { start: number; end: number }) => (node ? file.text.slice(node.start, node.end) : '');
  visit(file, {
    TaggedTemplateExpression({ start, tag, quasi }) {
      if (DATABASE.test(textOf(tag)) || SQL_TEXT.test(textOf(quasi))) offsets.push(start);
    },
    CallExpression({ start, callee, arguments: [first] }) {
      const name = textOf(callee);
      if (DATABASE_CALL.test(name) || (CALL_WITH_TEXT.test(name) && SQL_TEXT.test(textOf(first)))) offsets.push(start);
    },
  });
  return offsets;
}

/**
 * What the operator asks of all companies; what the service does for all of them or for itself; what is asked before the caller is known;
 * and parts of statements, about rows that the statement chooses.
 */
const WITHOUT_COMPANY = /\.(operator|worker|public|parts)\.queries\.ts$/;

/** The sandbox gateway's own SQLite database knows no companies. */
const SANDBOX = 'server/src/gateways/sandbox/';

/** Each query takes the database first and the company second, so that no caller can forget the tenant. */
export function tenantFirst({ code }: Project): Finding[] {
  return code
    .filter(({ path }) => path.startsWith('server/src/') && path.endsWith('.queries.ts'))
    .filter(({ path }) => !WITHOUT_COMPANY.test(path) && !path.startsWith(SANDBOX))
    .flatMap((file) =>
      exportedFunctions(file)
        .filter(({ node }) => !takesDatabaseAndCompany(file, node))
        .map(({ name, node }) =>
          findingAt(
            file,
            node.start,
            `${name} does not begin with (db: Queryable, companyId: string): add the company`,
          ),
        ),
    );
}

function takesDatabaseAndCompany({ text }: CodeFile, { params }: FunctionNode): boolean {
  const [first = '', second = ''] = params.map(({ start, end }) => text.slice(start, end));
  return /^(db|tx): (Db|Tx|Queryable)( \| (Db|Tx))*$/.test(first) && second === 'companyId: string';
}
