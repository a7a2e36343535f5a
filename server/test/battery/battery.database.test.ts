import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseErrorCode } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

/** Tables that belong to no company, and why. The primary key of every other table begins with `company_id`. */
const WITHOUT_COMPANY: Record<string, string> = {
  companies: 'the companies themselves',
  users: 'a customer belongs to no company, and an e-mail is unique among all',
  sessions: 'belongs to a user',
  email_tokens: 'belongs to a user',
  forgotten_passwords: 'the e-mail need not be one of an account',
  email_reverts: 'belongs to a user',
  totp_secrets: 'belongs to a user',
  recovery_codes: 'belongs to a user',
  passkeys: 'belongs to a user',
  passkey_challenges: 'belongs to a user, or is given before anybody is known',
  second_factor_tokens: 'belongs to a user',
  login_failures: 'counted before anybody is known',
  login_locks: 'counted before anybody is known',
  known_networks: 'belongs to a user',
  network_counts: 'counted before anybody is known',
  mail_counts: 'an address gets mails about accounts of any company, or none',
  mail_server: 'of the whole installation',
  prices: 'a general price is of no company; an override names its own',
  row_counts: 'how many rows a table has, of all companies',
  unattributed_ids: 'an external id that no company has',
  unattributed_events: 'usage of an external id that no company has',
  usage_retention: 'how long usage is kept, of all companies',
  usage_cutoffs: 'lines under the usage of all companies',
  billing_runs: 'a run bills all companies',
  billing_previews: 'a preview is of a run for all companies',
  seller: 'who bills all companies',
  numbering: 'how the seller numbers the documents of all companies',
  number_series: 'a series of the seller’s numbers, of all companies by default',
  gateway_notices: 'a gateway tells about its own objects; the payment that is found by one names the company',
  gateway_payouts: 'a payout is of all companies',
  gateway_looks: 'a gateway’s balance is of all companies',
  installation: 'which database this is',
  ledger_balances: 'balances of the accounts over all companies',
  ledger_months: 'sums of the accounts by month over all companies',
  invoice_sums: 'sums of the invoices by due day over all companies',
  invoice_sum_changes: 'what is to be added to them',
  processes: 'a process works for all companies',
  schedules: 'scheduled work is for all companies',
  journals: 'a machine’s journal is of all companies',
  charges_holds: 'a hold is of all companies',
  gateway_comparisons: 'a gateway’s objects are of all companies',
  unallocated_captures: 'the company of such a capture is not in the database, or gets nothing of it',
  unallocated_refunds: 'a refund of such a capture',
  operator_keys: 'the operator stands outside of every company',
  operator_sessions: 'belongs to an operator key, or to one of the staff',
  integration: 'what the operator’s product may do from its pages, for all companies',
  staff_invitations: 'the operator’s people belong to no company',
  sign_in_links: 'belongs to a user',
  used_sign_in_states: 'used before anybody is known',
  sign_in_providers: 'a provider without a company opens accounts of all; another one names its own',
  schema_migrations: 'about the schema',
};

/** Indexes that are unique among all companies, and why. Every other unique index begins with `company_id`. */
const ACROSS_COMPANIES: Record<string, string> = {
  payments_gateway_object_taken: 'an object of a gateway is one payment’s, of whatever company that is',
  recovery_cases_object_taken: 'an object of a gateway is found once in a hold, of whatever company that is',
  refunds_gateway_object_taken: 'an object of a gateway is one refund’s, of whatever company that is',
  disputes_gateway_object_taken: 'an object of a gateway is one dispute’s of a payment, of whatever company that is',
  gateway_fees_taken: 'a movement of a gateway’s balance is one fee, of whatever company that is',
  invitations_token_taken: 'whoever has a token names no company',
  customer_sessions_by_id: 'an access token names the session alone',
  customer_sessions_by_code: 'whoever has a link names no company',
  invoices_number_of_seller_taken: 'the seller gives a number once, to whatever company',
  credit_notes_number_of_seller_taken: 'the seller gives a number once, to whatever company',
};

type ForeignKey = { name: string; table: string; columns: string[]; target: string; targetColumns: string[] };

async function readForeignKeys(): Promise<ForeignKey[]> {
  return database.owner<ForeignKey[]>`
    SELECT conname AS name, conrelid::regclass::text AS table, confrelid::regclass::text AS target,
           to_json(ARRAY(SELECT attname FROM unnest(conkey) WITH ORDINALITY AS key (number, place)
             JOIN pg_attribute ON attrelid = conrelid AND attnum = key.number ORDER BY place)) AS columns,
           to_json(ARRAY(SELECT attname FROM unnest(confkey) WITH ORDINALITY AS key (number, place)
             JOIN pg_attribute ON attrelid = confrelid AND attnum = key.number ORDER BY place)) AS "targetColumns"
    FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;
}

async function readCompanyTables(): Promise<string[]> {
  const rows = await database.owner<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    ORDER BY relname`;
  return rows.map(({ name }) => name).filter((name) => !(name in WITHOUT_COMPANY));
}

// Security (Tenants): The company is the first column of every key
describe('every key begins with the company', () => {
  test('only the listed tables have no company', async () => {
    const rows = await database.owner<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT EXISTS (
        SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'company_id' AND attnotnull
      )
      ORDER BY relname`;
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_COMPANY).sort((a, b) => (a < b ? -1 : 1)));
    expect((await readCompanyTables()).length).toBeGreaterThan(5);
  });

  test('every primary key and every unique index of a company’s table begins with company_id', async () => {
    const rows = await database.owner<{ table: string; index: string; first: string; primary: boolean }[]>`
      SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS index, indisprimary AS primary,
             pg_get_indexdef(indexrelid, 1, false) AS first
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = current_schema()::regnamespace AND indisunique`;
    const tables = await readCompanyTables();
    const ofCompanies = rows.filter(({ table }) => tables.includes(table));
    const leadsOtherwise = ofCompanies.filter(({ first }) => first !== 'company_id');
    expect(leadsOtherwise.filter(({ index }) => !(index in ACROSS_COMPANIES))).toEqual([]);
    expect(
      ofCompanies
        .filter(({ primary }) => primary)
        .map(({ table }) => table)
        .sort(),
      // The keys of the events are in usage_event_keys.
    ).toEqual(tables.filter((table) => table !== 'usage_events').sort());
  });

  test('every foreign key between tables of companies leads with company_id on both sides', async () => {
    const tables = await readCompanyTables();
    const between = (await readForeignKeys()).filter(
      ({ table, target }) => tables.includes(table) && tables.includes(target),
    );
    const leads = ({ columns, targetColumns }: ForeignKey) =>
      columns[0] === 'company_id' && targetColumns[0] === 'company_id' && columns.length > 1;
    expect(between.length).toBeGreaterThan(3);
    expect(between.filter((key) => !leads(key))).toEqual([]);
  });

  test('every company_id references a company, except in usage and in request keys (nil UUID for the operator)', async () => {
    const keys = await readForeignKeys();
    const anchored = (table: string) =>
      keys.some(
        ({ table: from, columns, target }) =>
          from === table && target === 'companies' && columns.join() === 'company_id',
      );
    // An entry of the audit log is written with its change, or concerns no company. What has a label references the label.
    // Usage takes its company from `companies` when it is written, and the same statement writes usage_deltas; the statement that writes
    // usage_days writes usage_hours. An event and a mark are written with their change, and a posting by a trigger on the table that it is
    // about. The webhook endpoints of the operator, and alerts, marks and failed jobs that concern no company, fees of captures
    // without one, and mails to customers have the nil UUID. The company of a lost number, a missing mark or a case may be lost too.
    const unanchored = [
      'alerts',
      'audit_contents',
      'audit_entries',
      'audit_heads',
      'audit_pending',
      'events',
      'gateway_fees',
      'idempotency_keys',
      'job_failures',
      'label_assignment_counts',
      'label_assignments',
      'ledger_postings',
      'lost_numbers',
      'mails',
      'marks',
      'missing_marks',
      'recovery_cases',
      'usage_days',
      'usage_event_keys',
      'usage_events',
      'webhook_attempts',
      'webhook_deliveries',
      'webhook_endpoints',
    ];
    expect((await readCompanyTables()).filter((table) => !anchored(table))).toEqual(unanchored);
  });

  test('a column that ends in _id and names another table of companies has a foreign key', async () => {
    const tables = await readCompanyTables();
    const keys = await readForeignKeys();
    const columns = await database.owner<{ table: string; column: string }[]>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name LIKE '%\\_id' AND data_type = 'uuid' AND column_name <> 'company_id'`;
    // A trigger on the referenced table writes the posting. A missing mark names a credit note that the database has lost. The rows of
    // processes that ended are deleted. Operator keys are deleted, and what they have made names them still. A label may have the id of
    // a customer session instead of a user's. A mail is written by a statement that reads its invoice.
    const loose = columns.filter(
      ({ table, column }) =>
        table !== 'ledger_postings' &&
        table !== 'missing_marks' &&
        !(table === 'labels' && column === 'user_id') &&
        !(table === 'mails' && column === 'invoice_id') &&
        !['process_id', 'operator_key_id', 'staff_id'].includes(column) &&
        tables.includes(table) &&
        !keys.some((key) => key.table === table && key.columns.includes(column)),
    );
    expect(loose).toEqual([]);
  });
});

// Security (Amounts, documents and card data): No column is a float
test('money is numeric or a whole number of minor units: no column of any table is a float', async () => {
  const columns = await database.owner<{ column: string; type: string }[]>`
    SELECT table_name || '.' || column_name AS column, data_type AS type FROM information_schema.columns
    WHERE table_schema = current_schema()`;
  const typeOf = new Map(columns.map(({ column, type }) => [column, type]));
  expect(columns.filter(({ type }) => ['real', 'double precision', 'money'].includes(type))).toEqual([]);
  for (const column of ['sub_total', 'tax', 'total']) expect(typeOf.get(`invoices.${column}`)).toBe('numeric');
  expect(typeOf.get('payments.amount_minor')).toBe('bigint');
});

// Security (Tenants): The service works as a role that owns nothing and can't change the schema
describe('the application’s role', () => {
  test('is the role of the pool, and can only read and write rows', async () => {
    const [role] = await database.db`
      SELECT current_user AS name, session_user AS login, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
      FROM pg_roles WHERE rolname = current_user`;
    expect(role).toEqual({
      name: 'paydesk_application',
      login: 'paydesk_application',
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    });
  });

  test('owns nothing and is not a member of another role', async () => {
    const owned = await database.owner`
      SELECT classid::regclass::text AS kind, objid FROM pg_shdepend
      WHERE deptype = 'o' AND refclassid = 'pg_authid'::regclass AND refobjid = 'paydesk_application'::regrole`;
    const memberships = await database.owner`
      SELECT roleid::regrole::text AS role FROM pg_auth_members WHERE member = 'paydesk_application'::regrole`;
    expect([[...owned], [...memberships]]).toEqual([[], []]);
  });

  // Security (Accounts and permissions): The service can't change or remove entries of the audit log
  test.each([
    'ALTER TABLE labels ADD COLUMN extra text',
    'ALTER TABLE labels DISABLE TRIGGER ALL',
    'ALTER TABLE labels RENAME TO others',
    'DROP TABLE labels',
    'DROP TRIGGER labels_inserted ON labels',
    'DROP FUNCTION iso_instant',
    'TRUNCATE labels',
    'CREATE TABLE extra (id integer)',
    'CREATE FUNCTION extra() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE INDEX ON labels (color)',
    'CREATE ROLE extra',
    'CREATE DATABASE extra',
    'ALTER SYSTEM SET fsync = off',
    "COPY labels TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
    'DELETE FROM schema_migrations',
    'DELETE FROM companies',
    'DELETE FROM invoices',
    'DELETE FROM payments',
    'DELETE FROM cards',
    'DELETE FROM audit_entries',
    'UPDATE audit_entries SET hash = hash',
    'DELETE FROM audit_pending',
    'UPDATE audit_pending SET id = id',
    'DELETE FROM audit_contents',
    'UPDATE audit_contents SET content = content',
    'UPDATE audit_heads SET entries = 0',
    'DELETE FROM alerts',
    'UPDATE alerts SET kind = message',
    'UPDATE usage_thresholds SET quantity = 1',
    'DELETE FROM usage_threshold_crossings',
    'UPDATE usage_threshold_crossings SET quantity = 1',
    'UPDATE usage_events SET quantity = 0',
    'DELETE FROM usage_events',
    'DELETE FROM usage_event_keys',
    'DELETE FROM usage_hours',
    'DELETE FROM usage_days',
    'UPDATE billed_periods SET invoice_id = NULL',
    'DELETE FROM billed_periods',
    'DELETE FROM billing_runs',
    'DELETE FROM number_series',
  ])('may not %s', async (statement) => {
    const refusal = await database.db.unsafe(statement).then(
      () => 'allowed',
      (error) => databaseErrorCode(error),
    );
    expect(refusal).toBe('42501');
  });

  test('may not become the owner', async () => {
    const [{ owner = '' } = {}] = await database.owner<{ owner: string }[]>`SELECT current_user AS owner`;
    const refusal = await database.db.unsafe(`SET ROLE "${owner}"`).catch((error) => databaseErrorCode(error));
    expect(refusal).toBe('42501');
  });

  test('has no TRUNCATE, TRIGGER or REFERENCES on any table', async () => {
    const rows = await database.owner`
      SELECT table_name, privilege_type FROM information_schema.role_table_grants
      WHERE grantee = 'paydesk_application' AND privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`;
    expect([...rows]).toEqual([]);
  });
});
