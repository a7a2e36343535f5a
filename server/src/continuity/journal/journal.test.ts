import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { createEntryClock, type DamagedLine, findJournal } from './journal.entries.ts';
import { chooseJournalDirectory, openJournalFiles, readLastLines, readLines } from './journal.files.ts';
import {
  catchUpJournal,
  type Journal,
  type JournalEntry,
  recordMark,
  selectInstallation,
  startJournal,
} from './journal.service.ts';

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'paydesk-journal-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const INSTALLATION = randomUUID();
const texts = async (directory: string) => (await collect(readLines(directory))).map(({ text }) => text);

/** A line as long as an entry. */
const line = (number: number) => JSON.stringify({ line: number, text: 'x'.repeat(100) });

describe('the files of a journal', () => {
  it('keep all lines of all processes and the identity of the folder, for their owner alone', async () => {
    const directory = join(await makeDirectory(), 'journal');
    const [one, other] = [
      await openJournalFiles(directory, INSTALLATION),
      await openJournalFiles(directory, INSTALLATION),
    ];
    await Promise.all([one.append([line(1), line(2)]), one.append([line(3)])]);
    await other.append([line(4)]);
    expect(other.id).toBe(one.id);
    expect((await texts(directory)).toSorted()).toEqual([line(1), line(2), line(3), line(4)]);
    expect(readLastLines(directory).toSorted()).toEqual([line(1), line(2), line(3), line(4)]);
    for (let number = 5; number <= 20; number += 1) await other.append([line(number)]);
    expect(readLastLines(directory).at(-16)).toBe(line(5));
    expect(readLastLines(directory)).not.toContain(line(4));
    for (const name of await readdir(directory)) expect((await stat(join(directory, name))).mode & 0o077).toBe(0);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await Promise.all([one.close(), other.close()]);
  });

  it('leave out a line that a crash cut off', async () => {
    const directory = await makeDirectory();
    const files = await openJournalFiles(directory, INSTALLATION);
    await files.append([line(1)]);
    await files.close();
    const [name = ''] = (await readdir(directory)).filter((file) => file.endsWith('.ndjson'));
    await writeFile(join(directory, name), `${line(1)}\n{"li`);
    expect(await texts(directory)).toEqual([line(1)]);
    expect(readLastLines(directory)).toEqual([line(1)]);
  });

  it('leave out damaged lines, and name the file and the line', async () => {
    const directory = await makeDirectory();
    const files = await openJournalFiles(directory, INSTALLATION);
    const entry = (mark: string, document = '{"amount":1.00}') => {
      const fields = { mark, companyId: OPERATOR_SCOPE, kind: 'void', subject: mark, at: '2026-10-01T00:00:00.000Z' };
      return `${JSON.stringify(fields).slice(0, -1)},"document":${document}}`;
    };
    const [first, last] = [randomUUID(), randomUUID()];
    const check = '{"check":"2026-10-01T00:00:00.000Z"}';
    await files.append([
      check,
      entry(first),
      'x',
      entry(first, '{"amount":'),
      entry(first).replace('mark', 'm'),
      entry(first).replace('"kind":"void",', ''),
      entry(first).replaceAll(first, first.replace(/.$/, 'x')),
      entry(first).replace('2026', '+020026'),
      entry(last),
    ]);
    await files.close();
    const reader = await findJournal(directory);
    const places: DamagedLine[] = [];
    const marks = (await collect(reader.read((place) => void places.push(place)))).map(({ mark }) => mark);
    expect(marks).toEqual([first, last]);
    const [name = ''] = (await readdir(directory)).filter((file) => file.endsWith('.ndjson'));
    expect(places).toEqual([3, 4, 5, 6, 7, 8].map((number) => ({ path: join(directory, name), number })));
    expect(reader.readLast().map(({ mark }) => mark)).toEqual([first, last]);
  });

  it('continue in a new file after 16 MiB, and a long last line is read whole', async () => {
    const directory = await makeDirectory();
    const files = await openJournalFiles(directory, INSTALLATION);
    const long = JSON.stringify('x'.repeat(17 * 1024 * 1024));
    await files.append([long]);
    expect(readLastLines(directory)).toEqual([long]);
    await files.append([line(2)]);
    expect((await readdir(directory)).filter((name) => name.endsWith('.ndjson'))).toHaveLength(2);
    await files.close();
  });

  it('show the last lines of the newest processes, even if a copy has changed the times of the files', async () => {
    const directory = await makeDirectory();
    for (let number = 1; number <= 40; number += 1) {
      const files = await openJournalFiles(directory, INSTALLATION);
      await files.append([line(number)]);
      await files.close();
    }
    const names = (await readdir(directory)).filter((file) => file.endsWith('.ndjson')).sort();
    for (const [index, name] of names.entries()) {
      await utimes(join(directory, name), new Date(), new Date(Date.now() - index * 60_000));
    }
    expect(readLastLines(directory)).toEqual(expect.arrayContaining([line(1), line(40)]));
  });

  it('are deleted once they are old, but a process keeps its own file', async () => {
    const directory = await makeDirectory();
    const [old, own] = [
      await openJournalFiles(directory, INSTALLATION),
      await openJournalFiles(directory, INSTALLATION),
    ];
    await Promise.all([old.append([line(1)]), own.append([line(2)])]);
    await Promise.all([old.close(), own.close()]);
    const longAgo = new Date('2020-01-01T00:00:00Z');
    for (const name of (await readdir(directory)).filter((file) => file.endsWith('.ndjson'))) {
      await utimes(join(directory, name), longAgo, longAgo);
    }
    expect(await own.removeOld(new Date('2021-01-01T00:00:00Z'))).toBe(1);
    expect(await texts(directory)).toEqual([line(2)]);
  });
});

describe('a transaction that records a mark', () => {
  let database: TestDatabase;
  let directory: string;
  let journal: Journal;
  const problems: (string | null)[] = [];
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    directory = await makeDirectory();
    journal = start();
    onTestFinished(() => journal.stop());
    problems.length = 0;
    await database.owner`DELETE FROM marks`;
  });

  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const kinds = { process: { table: 'label_counts', document: "'null'::json" } };
  function start(): Journal {
    const readExternalIds = async (companyIds: readonly string[]) => new Map(companyIds.map((id) => [id, 'acme']));
    const onProblem = (reason: string | null) => problems.push(reason);
    return startJournal({ db: database.db, directory, kinds, readExternalIds, logger, onProblem });
  }
  const record = (document = '{"amount":1.00}') => {
    const mark = randomUUID();
    const work = transaction(database.db, (tx) =>
      recordMark(tx, OPERATOR_SCOPE, { mark, kind: 'test', subject: mark, document }),
    );
    return { mark, work };
  };
  const read = (): Promise<JournalEntry[]> => collect(journal.read());
  const readUnjournaled = async () => {
    const rows = await database.owner<{ mark: string }[]>`SELECT mark FROM marks WHERE NOT is_journaled`;
    return rows.map(({ mark }) => mark);
  };

  it('ends when the journal has it, with its document digit for digit', async () => {
    const { mark, work } = record('{"amount":1.00}');
    await work;
    expect(await read()).toMatchObject([{ mark, companyId: OPERATOR_SCOPE, kind: 'test', subject: mark }]);
    const [name = ''] = (await readdir(directory)).filter((file) => file.endsWith('.ndjson'));
    expect(await readFile(join(directory, name), 'utf8')).toContain('"document":{"amount":1.00}');
    expect(journal.newestMarks()).toMatchObject([{ mark, companyId: OPERATOR_SCOPE }]);
    await expect.poll(readUnjournaled).toEqual([]);
  });

  it('finds a journal that the database knows as soon as it is open', async () => {
    await journal.open();
    expect(await database.owner`SELECT id FROM journals WHERE directory = ${directory}`).toEqual([
      { id: journal.id() },
    ]);
  });

  it('leaves nothing in the journal when it is rolled back', async () => {
    const failing = transaction(database.db, async (tx) => {
      await recordMark(tx, OPERATOR_SCOPE, { kind: 'test', subject: randomUUID() });
      throw new Error('it fails');
    });
    await expect(failing).rejects.toThrow('it fails');
    expect(await read()).toEqual([]);
  });

  it('is committed even if the journal cannot be written; the journal gets the mark later', async () => {
    await record().work;
    await journal.stop();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'a file in its place');
    journal = start();
    const { mark, work } = record();
    await expect(work).rejects.toMatchObject({ code: 'charges_held' });
    expect(problems.at(-1)).toContain('cannot be written');
    expect(await readUnjournaled()).toContain(mark);
    await rm(directory);
    await expect.poll(() => problems.at(-1)).toBeNull();
    await catchUpJournal(database.db);
    expect((await read()).map((entry) => entry.mark)).toContain(mark);
  });

  it('committed by another process is written to the journal before anything is sent', async () => {
    const mark = randomUUID();
    await database.owner`INSERT INTO marks (company_id, mark, kind, subject) VALUES (${OPERATOR_SCOPE}, ${mark}, 'test', ${mark})`;
    await catchUpJournal(database.db);
    expect(await read()).toMatchObject([{ mark, document: 'null' }]);
  });
});

it('the entries of a process stay in their order when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const clock = createEntryClock();
  const times = [clock()];
  vi.setSystemTime(new Date('2026-11-01T11:00:00Z'));
  times.push(clock(), clock());
  vi.setSystemTime(new Date('2026-11-01T12:30:00Z'));
  times.push(clock());
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(4);
  expect(times.at(-1)).toBe('2026-11-01T12:30:00.000Z');
});

it('a folder that cannot be opened is named', async () => {
  const directory = await makeDirectory();
  await chmod(directory, 0o700);
  await writeFile(join(directory, 'file'), '');
  await expect(openJournalFiles(join(directory, 'file', 'journal'), INSTALLATION)).rejects.toMatchObject({
    code: 'ENOTDIR',
  });
});

it('the folder of another database is no journal of this one', async () => {
  const directory = await makeDirectory();
  await (await openJournalFiles(directory, INSTALLATION)).close();
  await expect(openJournalFiles(directory, randomUUID())).rejects.toThrow('it belongs to another database');
});

it.each(['', '{"id":', 'null', '{}', '{"id":"x"}'])('a folder whose identity is %s is no journal', async (text) => {
  const directory = await makeDirectory();
  await writeFile(join(directory, 'journal.json'), text);
  await expect(openJournalFiles(directory, INSTALLATION)).rejects.toThrow('its journal.json is damaged');
  await expect(findJournal(directory)).rejects.toThrow('its journal.json is damaged');
});

it('another database with the same settings has a journal of its own, beside its data', async () => {
  const dataDirectory = join(await makeDirectory(), 'data');
  const [one, other] = [await cloneDatabase(), await cloneDatabase()];
  onTestFinished(async () => void (await Promise.all([one.drop(), other.drop()])));
  await other.owner`UPDATE installation SET id = gen_random_uuid()`;
  const directories = { dataDirectory, journalDirectory: undefined };
  const choose = async ({ db }: TestDatabase) => chooseJournalDirectory(await selectInstallation(db), directories);
  const first = await choose(one);
  expect(first).toMatch(new RegExp(`^${dataDirectory}-journal/`));
  expect(await choose(other)).not.toBe(first);
  expect(await choose(one)).toBe(first);
  const named = await chooseJournalDirectory(randomUUID(), { ...directories, journalDirectory: '/var/lib/journal' });
  expect(named).toMatch(/^\/var\/lib\/journal\/[0-9a-f-]{36}$/);
});
