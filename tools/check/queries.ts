import { domainOf, isTest } from './folders.ts';
import { exportedFunctions, type FunctionNode } from './functions.ts';
import { type CodeFile, type Finding, findingAt, type Project, visit } from './project.ts';
import { mayUse, ownerOf, TABLE_IN_SQL } from './tables.ts';

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

/** SQL outside of `*.queries.ts`: of the database folder, and of what the journal keeps. */
const WHOLE_SQL = /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/;

/**
 * A table is read and written in its owner's domain and in those after it, as imports are. What migrations define (functions, triggers) is
 * the database's own.
 */
export function tableOwners({ files, code }: Project): Finding[] {
  const schema = files.filter(({ path }) => path === 'server/schema.sql');
  const unowned = schema.flatMap((file) =>
    [...file.text.matchAll(/^CREATE TABLE (\w+)/gm)]
      .filter(({ 1: table = '' }) => ownerOf(table) === undefined)
      .map(({ 1: table, index }) =>
        findingAt(file, index, `the table ${table} has no owner: add it to its domain in tools/check/tables.ts`),
      ),
  );
  return [...unowned, ...code.filter(({ path }) => !isTest(path) && !path.startsWith(SANDBOX)).flatMap(tablesOfLater)];
}

/** The first use of each table that a later domain owns. */
function tablesOfLater(file: CodeFile): Finding[] {
  const domain = domainOf(file.path);
  if (domain === undefined) return [];
  const isQueries = file.path.endsWith('.queries.ts');
  const offsets = new Map<string, number>();
  for (const { text, start } of textsIn(file)) {
    if (!isQueries && !WHOLE_SQL.test(text)) continue;
    for (const { 0: table, index } of text.matchAll(TABLE_IN_SQL)) {
      if (!mayUse(domain, table)) offsets.set(table, Math.min(start + index, offsets.get(table) ?? file.text.length));
    }
  }
  return [...offsets].map(([table, offset]) => {
    const owner = ownerOf(table);
    const remedy = `move the statement into ${owner} or a domain after it, or let app.ts hand in what ${domain} needs of it`;
    return findingAt(file, offset, `uses the table ${table} of ${owner}, which comes after ${domain}: ${remedy}`);
  });
}

/** The strings and templates of a file, with blanks in place of the expressions and comments in them. */
function textsIn(file: CodeFile): { text: string; start: number }[] {
  const texts: { text: string; start: number }[] = [];
  visit(file, {
    TemplateLiteral({ start, end, expressions }) {
      const parts = expressions.map((expression) => ({
        from: expression.start - start - 1,
        to: expression.end - start - 1,
      }));
      const text = parts.reduce(
        (before, { from, to }) => before.slice(0, from) + blank(before.slice(from, to)) + before.slice(to),
        file.text.slice(start + 1, end - 1),
      );
      texts.push({ text: text.replace(/--.*/g, blank), start: start + 1 });
    },
    Literal({ value, start }) {
      if (typeof value === 'string') texts.push({ text: value, start: start + 1 });
    },
  });
  return texts;
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}
