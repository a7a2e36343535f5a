import { type Case, lines } from './case.test-model.ts';

const ROUTES_PATH = 'server/src/cards/cards.routes.ts';

/** Examples for the rules about the server's own code. */
export const SERVER_CASES: Case[] = [
  {
    rule: 'routes',
    title: 'a route past the helper',
    files: {
      [ROUTES_PATH]: "app.get('/cards', handler);\napp.route({ method: 'GET' });\nanything.post('/cards', handler);\n",
      'server/src/app.ts': "server.get('/health', handler);\n",
    },
    findings: [`${ROUTES_PATH}:1`, `${ROUTES_PATH}:2`, `${ROUTES_PATH}:3`, 'server/src/app.ts:1'],
  },
  {
    rule: 'routes',
    title: 'routes by the helper, and calls that only look like some',
    files: {
      [ROUTES_PATH]: lines(
        "route(app, { method: 'GET', url: '/cards', handler });",
        "const card = cards.get('card');",
        "const header = request.headers.get('location');",
      ),
      'server/src/platform/http/route.ts': "app.route({ method: 'GET' });\n",
      'server/src/cards/cards.test.ts': "app.get('/cards');\n",
    },
    findings: [],
  },
  {
    rule: 'doc-comments',
    title: 'exported functions without a doc comment',
    files: {
      'server/src/money/round.ts': lines(
        'export function round(): void {}',
        '// not a doc comment',
        'export const floor = (): number => 1;',
        '/** Too far away. */',
        'const one = 1;',
        'function raise(): number { return one; }',
        'export { raise };',
        '/* no doc comment either */',
        'export const lower = function (): void {};',
      ),
    },
    findings: [1, 3, 6, 9].map((line) => `server/src/money/round.ts:${line}`),
  },
  {
    rule: 'doc-comments',
    title: 'documented functions, overloads, private functions, tests',
    files: {
      'server/src/money/round.ts': lines(
        '/** Rounds half to even. */',
        'export function round(value: number): number;',
        'export function round(value: string): string;',
        'export function round(value: unknown): unknown { return value; }',
        'function helper(): void {}',
        'export const LIMIT = 3;',
        'export type Shape = { run: () => void };',
      ),
      'server/src/money/round.contract.ts': 'export function contract(): void {}\n',
    },
    findings: [],
  },
  {
    rule: 'sql-placement',
    title: 'SQL in a service or in routes',
    files: {
      'server/src/cards/cards.service.ts': lines(
        'const rows = await db`DELETE FROM cards`;',
        'const others = await connection`',
        '  -- every card',
        '  select * from cards`;',
        'await tx.unsafe(text);',
        "await sql.file('cards.sql');",
        "ledger.prepare('SELECT 1');",
        'const part = db`one FOR UPDATE`;',
      ),
    },
    findings: [1, 2, 5, 6, 7, 8].map((line) => `server/src/cards/cards.service.ts:${line}`),
  },
  {
    rule: 'sql-placement',
    title: 'SQL where it belongs, and what is no SQL',
    files: {
      'server/src/cards/cards.queries.ts': 'await db`SELECT 1`;\n',
      'server/src/platform/database/migrate.ts': 'await owner`CREATE TABLE cards ()`;\nawait db.unsafe(text);\n',
      'server/test/harness.ts': 'await db`SELECT 1`;\n',
      'server/src/cards/cards.test.ts': 'await db`SELECT 1`;\n',
      'bench/fill.ts': 'await db`SELECT 1`;\n',
      'server/src/platform/http/route.ts':
        'definition.prepare(context);\nhelmet.unsafe(context);\nlimits.prepare(1);\nconst page = html`<p>Select one</p>`;\n',
    },
    findings: [],
  },
  {
    rule: 'tenant-first',
    title: 'queries that do not ask for the company',
    files: {
      'server/src/cards/cards.queries.ts': lines(
        'export async function findCard(db: Db, cardId: string) {}',
        'export const listCards = async (companyId: string, db: Db) => [];',
        'async function removeAll(tx: Tx) {}',
        'export { removeAll };',
        'export function count() {}',
        'export function find(db: Db, companyId: string | null) {}',
      ),
    },
    findings: [1, 2, 3, 5, 6].map((line) => `server/src/cards/cards.queries.ts:${line}`),
  },
  {
    rule: 'tenant-first',
    title: 'queries of one company, private ones, those for the operator and for workers, and other files',
    files: {
      'server/src/cards/cards.queries.ts': lines(
        'export async function findCard(db: Db, companyId: string, cardId: string) {}',
        'export async function lockCard(tx: Tx, companyId: string) {}',
        'export const countCards = async (db: Queryable, companyId: string) => 1;',
        'export const listCards = async (db: Db | Tx, companyId: string) => [];',
        'function toCard(row: Row) {}',
        'export type Row = { id: string };',
      ),
      'server/src/cards/cards.operator.queries.ts': 'export async function listAllCards(db: Db) {}\n',
      'server/src/cards/cards.worker.queries.ts': 'export async function removeOldCards(db: Db, limit: number) {}\n',
      'server/src/cards/cards.service.ts': 'export function addCard(card: Card) {}\n',
    },
    findings: [],
  },
  {
    rule: 'table-owners',
    title: 'tables of later domains, and one that nobody owns',
    files: {
      'server/src/customers/companies/companies.queries.ts': lines(
        'await db`SELECT 1 FROM companies',
        '  JOIN users ON users.company_id = companies.id`;',
        'await tx`UPDATE payments SET state = 1`;',
        'await db`SELECT 1 FROM companies, refunds`;',
        'const part = db`cards.id, name`;',
        "const TABLE = 'invoices';",
        'await db`SELECT 1 FROM json_populate_record(NULL::items, document)`;',
        "const JOINED = 'disputes JOIN companies ON true';",
      ),
      'server/src/labels/labels.ts': "const document = '(SELECT row_to_json(members) FROM users AS members)';\n",
      'server/schema.sql': 'CREATE TABLE companies (\n);\nCREATE TABLE parcels (\n);\n',
    },
    findings: [
      'server/schema.sql:3',
      ...[2, 3, 4, 5, 6, 7, 8].map((line) => `server/src/customers/companies/companies.queries.ts:${line}`),
      'server/src/labels/labels.ts:1',
    ],
  },
  {
    rule: 'table-owners',
    title: 'tables of a domain and of those before it, other names, tests, and files that put domains together',
    files: {
      'server/src/payments/charge/charge.queries.ts': lines(
        'await db`SELECT 1 FROM payments JOIN invoices ON true JOIN users ON true`;',
        'await db`SELECT id AS ledger_postings -- not FROM ledger_postings',
        '  FROM payments_of_today`;',
      ),
      'server/src/labels/labels.service.ts': "const kind = 'users';\nconst message = 'Take them from users.';\n",
      'server/src/labels/labels.test.ts': 'await db`SELECT 1 FROM payments`;\n',
      'server/src/gateways/sandbox/bank.queries.ts': 'await db`SELECT 1 FROM payments`;\n',
      'server/src/rotate-keys.main.ts': 'await db`SELECT 1 FROM payments`;\n',
      'server/schema.sql': 'CREATE TABLE companies (\n);\n',
    },
    findings: [],
  },
];
