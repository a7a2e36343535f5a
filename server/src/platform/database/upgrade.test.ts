import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, invoiceBody, PASSWORD } from '../../../test/customers/actors.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../../../test/harness/database/empty-database.ts';
import { type StartedService, startInProcess } from '../../../test/harness/in-process.ts';
import { hashPassword } from '../../identity/passwords/password.ts';
import type { Db } from './database.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
/** The newest migration of version 0.1.0. */
const BASELINE = '0019';
const DATA = readFileSync(new URL('../../../test/harness/database/baseline.sql', import.meta.url), 'utf8');
const OPERATOR_KEY = `opk_${'a'.repeat(43)}`;

/** Rows that a migration may remove: they are kept for minutes, and only slow down who guesses passwords. */
const SHORT_LIVED = new Set(['login_failures', 'schema_migrations']);

/** Counters that go on in another table, and the only operator key, of which there may be several now. */
const REPLACED = new Set(['invoice_numbers', 'credit_note_numbers', 'operator_keys']);

let database: EmptyDatabase;
let started: StartedService | undefined;
beforeAll(async () => {
  database = await createEmptyDatabase();
  await makeBaseline(database.owner);
});
afterAll(async () => {
  await started?.stop();
  await database.drop();
});

/** Makes the database of a service of version 0.1.0, with its data. */
async function makeBaseline(owner: Db): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-baseline-'));
  for (const name of readdirSync(MIGRATIONS).filter((found) => found.slice(0, 4) <= BASELINE)) {
    cpSync(new URL(name, MIGRATIONS), join(folder, name));
  }
  await migrate(owner, pathToFileURL(`${folder}/`));
  rmSync(folder, { recursive: true, force: true });
  await owner.unsafe(`SET session_replication_role = replica; ${DATA}; SET session_replication_role = origin`).simple();
  await owner`UPDATE users SET password_hash = ${await hashPassword(PASSWORD)}`;
}

type Table = { name: string; columns: string };

/** The tables, each with the columns that nothing computes. */
async function readTables(owner: Db): Promise<Table[]> {
  const tables = await owner<Table[]>`
    SELECT relname AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition GROUP BY relname`;
  return tables.filter(({ name }) => !SHORT_LIVED.has(name));
}

/** Each row of these tables as text, in no order of its own. */
async function readRows(owner: Db, tables: Table[]): Promise<Record<string, string[]>> {
  const entries: [string, string[]][] = [];
  for (const { name, columns } of tables) {
    const rows = await owner.unsafe<{ row: string }[]>(
      `SELECT to_jsonb(found)::text AS row FROM (SELECT ${columns} FROM ${name}) AS found ORDER BY 1`,
    );
    entries.push([name, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(entries);
}

describe('an upgrade from version 0.1.0', () => {
  // Security (Disks, upgrades and restores): A version upgrades the data of version 0.1.0 and keeps every row
  it('keeps every row of every table', async () => {
    const { owner } = database;
    const tables = (await readTables(owner)).filter(({ name }) => !REPLACED.has(name));
    const before = await readRows(owner, tables);
    expect(Object.keys(before).filter((name) => before[name]?.length === 0)).toEqual(['sessions']);

    const { applied } = await migrate(owner);
    expect(applied.every((name) => name.slice(0, 4) > BASELINE)).toBe(true);
    expect(await readRows(owner, tables)).toEqual(before);
    // A paid one and a void one, three open ones.
    const sums =
      await owner`SELECT currency, due_on::text, failed, invoices::int, amount::float FROM invoice_sums ORDER BY 1, 2, 3`;
    expect(sums.map((row) => Object.values(row).join(' '))).toEqual([
      'EUR -infinity false 1 0',
      'EUR 2026-09-02 true 1 3',
      'EUR 2026-10-02 false 1 6',
      'USD -infinity false 1 0',
      'USD 2026-10-02 false 1 48',
    ]);
  });

  it('serves what was there, and goes on from it', async () => {
    // Without workers, since the endpoints of the data are on machines that no test asks for.
    const sandbox = { SANDBOX_GATEWAY_URL: 'http://127.0.0.1:9', SANDBOX_GATEWAY_SECRET: 'a'.repeat(32) };
    started = await startInProcess({ DATABASE_URL: database.url, OPERATOR_KEY, ROLE: 'api', ...sandbox });
    const { service } = started;
    const login = { email: 'ada@acme.example.com', password: PASSWORD };
    const { data: session } = expectStatus(await service.call('POST', '/auth/local', { body: login }), 200).body;
    const token = session.access_token;
    const read = async (path: string) => expectStatus(await service.call('GET', path, { token }), 200).body;
    const { data: invoices } = await read('/payments/orders?perPage=100');
    expect(invoices.map(({ number, total, status }: Record<string, string>) => `${number} ${total} ${status}`)).toEqual(
      ['INV-000003 48.00 Processing', 'INV-000002 6.00 Processing', 'INV-000001 940.10 Succeeded'],
    );
    expect(invoices[2].payment.amount).toBe('890.10');
    expect((await read('/payments/cards'))[0].info.cardNumber).toBe('4242********4242');
    expect((await read('/labels')).data.map(({ name }: { name: string }) => name)).toContain('Straße');

    const operator = { token: OPERATOR_KEY };
    const { companyId } = invoices[0];
    const request = { ...operator, body: invoiceBody(companyId) };
    const next = expectStatus(await service.call('POST', '/operator/invoices', request), 201).body;
    expect(next.number).toBe('INV-000004');
    const repeated = expectStatus(
      await service.call('GET', '/operator/invoices?number=INV-000001', operator),
      200,
    ).body;
    expect(new Set(repeated.data.map((invoice: { companyId: string }) => invoice.companyId)).size).toBe(2);
    const { body: note } = await service.call('POST', `/operator/invoices/${next.id}/credit-notes`, {
      ...operator,
      body: { amount: '1.00', reason: 'Outage' },
    });
    expect(note.number).toBe('CN-000002');
    const balances = expectStatus(await service.call('GET', '/operator/ledger/balances', operator), 200).body;
    const sum = balances.data.reduce(
      (minor: number, { balance }: { balance: string }) => minor + Number(balance) * 100,
      0,
    );
    expect(Math.round(sum)).toBe(0);
  });

  it('counts what was there in the lists of all companies', async () => {
    for (const name of ['payments', 'refunds', 'credit-notes']) {
      const path = `/operator/${name}?perPage=1000`;
      const answer = await started?.service.call('GET', path, { token: OPERATOR_KEY });
      const { total, data } = answer === undefined ? { total: 0, data: [] } : expectStatus(answer, 200).body;
      expect([name, total > 0, data.length]).toEqual([name, true, total]);
    }
  });
});
