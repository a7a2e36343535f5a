import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, type EmptyDatabase } from '../../test/harness/database/empty-database.ts';
import { type Db, transaction } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { chainCompany } from './audit.chain.ts';
import { type WrittenEntry, writeEntry } from './audit.entry.ts';
import { listCompanyLog } from './audit.list.ts';
import { forgetPerson } from './audit.service.ts';
import { verifyChains } from './audit.verify.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** The newest migration with which chaining copied what an entry says. */
const BEFORE = '0124';
const COMPANY_ID = '01890000-0000-7000-8000-000000000001';
const PERSON = { userId: '01890000-0000-7000-8000-000000000002', email: 'ada@example.com' };

let database: EmptyDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

async function migrateAsBefore(owner: Db): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-audit-'));
  for (const name of readdirSync(MIGRATIONS).filter((found) => found.slice(0, 4) <= BEFORE)) {
    cpSync(new URL(name, MIGRATIONS), join(folder, name));
  }
  await migrate(owner, pathToFileURL(`${folder}/`));
  rmSync(folder, { recursive: true, force: true });
}

function makeEntry(requestId: string): WrittenEntry {
  const actor = { kind: 'user' as const, id: PERSON.userId, name: 'Ada', ip: null, userAgent: null, requestId };
  const target = { kind: 'user', id: PERSON.userId, name: PERSON.email };
  return writeEntry(COMPANY_ID, { actor, action: 'user.updated', target, changes: null });
}

async function readLog(owner: Db, query: { request_id?: string } = {}): Promise<Record<string, unknown>[]> {
  let text = '';
  for await (const part of await listCompanyLog(owner, COMPANY_ID, { page: 1, per_page: 100, ...query })) text += part;
  return JSON.parse(text).data;
}

// Security (Accounts and permissions): An upgrade keeps the audit log: it verifies, and its chain goes on
it('keeps the entries from before it, chained or not, and its chain goes on', async () => {
  const { owner } = database;
  await migrateAsBefore(owner);
  const insert = ({ id, content, persons }: WrittenEntry) => owner`
    INSERT INTO audit_pending (company_id, id, content, persons)
    VALUES (${COMPANY_ID}, ${id}, ${content}::text::json, ${JSON.stringify(persons)}::text::jsonb)`;
  await insert(makeEntry('first'));
  await insert(makeEntry('second'));
  await owner`SELECT chain_audit_entries(${COMPANY_ID}, 10)`;
  const before = await owner`SELECT sequence, encode(hash, 'hex') AS hash FROM audit_entries ORDER BY sequence`;
  await insert(makeEntry('third'));

  await migrate(owner);
  await chainCompany(owner, COMPANY_ID);
  expect(await verifyChains(owner, undefined)).toEqual({ checked: 3, problems: [], nextCursor: null });
  const entries = (await readLog(owner)).toReversed();
  expect(entries).toMatchObject([
    { sequence: 1, request_id: 'first', hash: before[0]?.hash, actor: { name: 'Ada' }, target: { name: PERSON.email } },
    { sequence: 2, request_id: 'second', hash: before[1]?.hash },
    { sequence: 3, request_id: 'third', previous_hash: before[1]?.hash, actor: { name: 'Ada' } },
  ]);
  for (const [index, request_id] of ['first', 'second', 'third'].entries())
    expect(await readLog(owner, { request_id })).toEqual([entries[index]]);

  await transaction(owner, (tx) => forgetPerson(tx, COMPANY_ID, PERSON));
  const forgotten = { actor: { id: PERSON.userId, name: '' }, target: { id: PERSON.userId, name: '' } };
  expect(await readLog(owner)).toMatchObject([forgotten, forgotten, forgotten]);
  expect((await verifyChains(owner, undefined)).problems).toEqual([]);
});
