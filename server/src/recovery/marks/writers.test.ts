/** Another database, a copy of this one, writes to the same journal: what it writes is told apart from what this one has lost. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { openChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { type Journal, recordMark, startJournal } from '../../continuity/journal/journal.service.ts';
import { JOURNALED } from '../../features.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { openKeyring } from '../../platform/keys/keys.ts';
import { createLogger } from '../../platform/logging/logger.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { beginHold, readHold } from '../hold/hold.service.ts';
import { makePass } from './pass.ts';

let databases: [TestDatabase, TestDatabase];
let folder: string;
const journals: Journal[] = [];
beforeAll(async () => {
  databases = [await cloneDatabase(), await cloneDatabase()];
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-writers-'));
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.stop();
  await rm(folder, { recursive: true, force: true });
  for (const { owner } of databases)
    await owner`TRUNCATE charges_holds, recovery_cases, missing_marks, marks, journals, journal_writers`;
});
afterAll(async () => {
  for (const { drop } of databases) await drop();
});

/** Starts a process on the database, which shares the journal with the others. */
async function start(db: Db): Promise<Journal> {
  const logger = createLogger('silent', { write: () => undefined });
  const journal = startJournal({ db, directory: folder, kinds: JOURNALED, logger, onProblem: () => undefined });
  journals.push(journal);
  await journal.beat();
  // It is open then: until that, passes pass it over.
  await journal.readLast();
  return journal;
}

/** Writes what a case needs: credit, which no gateway knows. @returns its mark */
async function write(db: Db): Promise<string> {
  const mark = randomUUID();
  await transaction(db, (tx) =>
    recordMark(tx, OPERATOR_SCOPE, { mark, kind: 'credit_entry', subject: mark, document: '{}' }),
  );
  return mark;
}

const hold = (db: Db) =>
  beginHold(
    {
      ...{ db, chargesHold: openChargesHold({ charges: 'on' }, db, new Date()) },
      mails: { keyring: openKeyring(folder), config: { smtpUrl: undefined, publicUrl: '' } },
    },
    'Something is missing.',
  );
const pass = (db: Db, journal: Journal) =>
  makePass({ db, gateways: { configured: [] }, journal, gatewayLagSeconds: 0 });

async function readCases({ owner }: TestDatabase) {
  const rows = await owner<{ mark: string; isForeign: boolean }[]>`
    SELECT mark, is_foreign AS "isForeign" FROM recovery_cases ORDER BY happened_at, id`;
  return rows.map(({ mark, isForeign }) => [mark, isForeign]);
}
const readReason = async (db: Db) => (await readHold(db))?.reason;

it('what a process wrote that this database never knew, while one of its own was at work, is another database’s', async () => {
  const [here, copy] = databases;
  const journal = await start(here.db);
  await write(here.db);
  await start(copy.db);
  const mark = await write(copy.db);
  await hold(here.db);
  await pass(here.db, journal);
  expect(await readCases(here)).toEqual([[mark, true]]);
  expect(await readReason(here.db)).toMatch(/^Something is missing\. Another database writes to the same journal/);
});

it('so is what it wrote before, when nobody was at work here', async () => {
  const [here, copy] = databases;
  await start(copy.db);
  const before = await write(copy.db);
  const journal = await start(here.db);
  const after = await write(copy.db);
  await hold(here.db);
  await pass(here.db, journal);
  expect(await readCases(here)).toEqual([before, after].map((mark) => [mark, true]));
});

it('so is what it writes while the journal is read', async () => {
  const [here, copy] = databases;
  const journal = await start(here.db);
  await write(here.db);
  await start(copy.db);
  await hold(here.db);
  const marks: string[] = [];
  const read: Journal['read'] = async function* (...given) {
    marks.push(await write(copy.db));
    yield* journal.read(...given);
  };
  await pass(here.db, { ...journal, read });
  expect(await readCases(here)).toEqual(marks.map((mark) => [mark, true]));
});

it('what a process wrote that this database knows is lost', async () => {
  const [here] = databases;
  const journal = await start(here.db);
  await start(here.db);
  const mark = await write(here.db);
  await here.owner`DELETE FROM marks`;
  await hold(here.db);
  await pass(here.db, journal);
  expect(await readCases(here)).toEqual([[mark, false]]);
  expect(await readReason(here.db)).toBe('Something is missing.');
});

it('what was written after the backup, by a process that started after it, is lost, although another one goes on', async () => {
  const [here] = databases;
  const { owner, db } = here;
  const journal = await start(db);
  await owner`CREATE TABLE backup AS TABLE journal_writers`;
  await journal.beat();
  await start(db);
  const mark = await write(db);
  await owner`DELETE FROM marks`;
  await owner`DELETE FROM journal_writers`;
  await owner`INSERT INTO journal_writers SELECT * FROM backup`;
  await owner`DROP TABLE backup`;
  await hold(db);
  await pass(db, journal);
  expect(await readCases(here)).toEqual([[mark, false]]);
});

it('what the journal has since a backup that was made during the hold is lost, and the hold begins anew', async () => {
  const [here] = databases;
  const { owner, db } = here;
  const former = await start(db);
  const before = await write(db);
  await owner`DELETE FROM marks`;
  await hold(db);
  await pass(db, former);
  await owner`CREATE TABLE backup AS TABLE journal_writers`;
  const after = [await write(db), await write(db)];
  await former.stop();
  await owner`DELETE FROM marks`;
  await owner`DELETE FROM journal_writers`;
  await owner`INSERT INTO journal_writers SELECT * FROM backup`;
  await owner`DROP TABLE backup`;
  const formerly = (await readHold(db))?.begunAt.getTime() ?? 0;
  const journal = await start(db);
  await pass(db, journal);
  const begunAt = (await readHold(db))?.begunAt;
  expect(begunAt?.getTime()).toBeGreaterThan(formerly);
  await pass(db, journal);
  expect((await readHold(db))?.begunAt).toEqual(begunAt);
  expect(await readCases(here)).toEqual([before, ...after].map((mark) => [mark, false]));
  expect(await readReason(db)).toBe('Something is missing.');
});

it('what the journal gets during the hold, which the database lacks, is another database’s, even of a known process', async () => {
  const [here, copy] = databases;
  const journal = await start(here.db);
  const other = await start(copy.db);
  const before = await write(copy.db);
  const writers = await copy.owner`SELECT id, begun_at, seen_at, beats FROM journal_writers`;
  await here.owner`INSERT INTO journal_writers ${here.owner(writers)}`;
  await hold(here.db);
  await pass(here.db, journal);
  expect(await readReason(here.db)).toBe('Something is missing.');
  const after = [await write(copy.db), await write(copy.db)];
  await pass(here.db, journal);
  expect(await readCases(here)).toEqual([[before, false], ...after.map((mark) => [mark, true])]);
  expect(await readReason(here.db)).toContain('Another database writes to the same journal');
  await other.stop();
});

it('a process that meets an earlier database says so, and is another writer from then on', async () => {
  const [{ db, owner }] = databases;
  const wentBack = vi.fn();
  const logger = createLogger('silent', { write: () => undefined });
  const options = { db, directory: folder, kinds: JOURNALED, logger, onProblem: () => undefined };
  const journal = startJournal({ ...options, onWentBack: wentBack });
  journals.push(journal);
  for (let beat = 0; beat < 4; beat += 1) await journal.beat();
  expect(wentBack).toHaveBeenCalledTimes(0);
  await owner`UPDATE journal_writers SET beats = 1`;
  await journal.beat();
  expect(wentBack).toHaveBeenCalledTimes(1);
  expect(await owner`SELECT 1 FROM journal_writers`).toHaveLength(2);
  await journal.beat();
  expect(wentBack).toHaveBeenCalledTimes(1);
});

it('large entries are kept few at a time', async () => {
  const [here] = databases;
  const journal = await start(here.db);
  await hold(here.db);
  const document = JSON.stringify({ title: 'x'.repeat(1_500_000) });
  const read: Journal['read'] = async function* () {
    for (let count = 0; count < 4; count += 1) {
      const mark = randomUUID();
      yield { companyId: OPERATOR_SCOPE, mark, kind: 'invoice', subject: mark, at: new Date().toISOString(), document };
    }
  };
  const beat = vi.fn(async () => undefined);
  await pass(here.db, { ...journal, read, beat });
  expect(await readCases(here)).toHaveLength(4);
  expect(beat).toHaveBeenCalledTimes(2);
});
