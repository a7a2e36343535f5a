import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { repeatEvery } from '../../platform/background/background.ts';
import { afterCommit, type Db, type Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import { answeredRequestOf } from '../../platform/http/route/idempotency.ts';
import { createEntryClock, readSoundEntries, writeEntries } from './journal.entries.ts';
import { type JournalFiles, openJournalFiles } from './journal.files.ts';
import { JournalGoneError, openLater, reporting, type WithFiles } from './journal.open.ts';
import { type JournalReader, readerOf } from './journal.reader.ts';
import type { JournalEntry, Mark, NewMark } from './journal.ts';
import {
  insertMarks,
  markJournaled,
  noteJournal,
  selectInstallation,
  selectUnjournaled,
} from './journal.worker.queries.ts';

export { readWholeEntry as readJournalLine } from './journal.entries.ts';
export { type DamagedLine, findJournal, type JournalReader } from './journal.reader.ts';
export type { JournalEntry, Mark } from './journal.ts';
export { removeOldJournals, removeOldMarks, selectInstallation } from './journal.worker.queries.ts';

/*
 * The journal keeps, outside of the database, what the database must not forget: a restored backup or a promoted standby lacks it, and is
 * noticed by that. A transaction writes a mark beside its change; after its commit, and before its caller hears of it, this process
 * appends the mark to its journal (decision 0028).
 */

/** What this process has of its machine's journal. */
export type Journal = {
  directory: string;
  /** Names the journal; null while it can't be opened. */
  id: () => string | null;
  /** The newest marks that this process has appended, at most sixteen, the oldest first. Their commits are answered. */
  newestMarks: () => readonly AppendedMark[];
  /** The newest entries of all processes of the machine at this moment, without waiting; none where the journal can't be read. */
  readNewest: () => JournalEntry[];
  /**
   * From now on it gets what other processes have committed and no journal is known to have. Before, a new journal has to be seen to be
   * new.
   */
  begin: () => void;
  /** Appends a mark that the database has already, so that this journal can show when it has it no longer. */
  note: (mark: Mark) => Promise<void>;
  /** As of any journal. @throws what the file system says */
  readLast: JournalReader['readLast'];
  read: JournalReader['read'];
  has: JournalReader['has'];
  /** Gives what is in the folder another id, because it is only an older copy of the journal. */
  replace: () => Promise<void>;
  stop: () => Promise<void>;
};

type AppendedMark = Pick<JournalEntry, 'companyId' | 'mark' | 'at'>;

export type JournalOptions = {
  db: Db;
  directory: string;
  /** The heartbeat with this id shows others that somebody keeps the journal, once it is begun. */
  processId?: string;
  /** By kind of mark. */
  kinds: Readonly<Record<string, MarkKind>>;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called when the journal can't be written, with the reason, and with null once it can be again. */
  onProblem: (reason: string | null) => void;
};

const ROUND_MS = 1_000;
/** Whoever writes a mark has this long to append it. */
const OWN_SECONDS = 5;
const NEWEST_MARKS = 16;
const MARKS_A_ROUND = 1_000;
const NOTE_EVERY_MS = 60_000;
const REMOVE_EVERY_MS = 3_600_000;
/** As long as marks are kept in the database. */
const KEPT_MS = 40 * 86_400_000;

type Appender = ReturnType<typeof createAppender>;
const appenders = new WeakMap<Db, Appender>();

/**
 * Writes a mark in a transaction. After the commit, the transaction waits until the journal has it.
 * @param mark - its id is random unless it is given; null for an answer that only repeats what an earlier transaction has done, whose
 * process may have died before its journal had it: then the transaction waits for that
 */
export async function recordMark(
  tx: Tx,
  companyId: string,
  mark: Omit<MarkToRecord, 'companyId'> | null,
): Promise<void> {
  if (mark === null) afterCommit(tx, catchUpJournal);
  else await recordMarks(tx, [{ ...mark, companyId }]);
}

/** The same for several, of any companies. */
export async function recordMarks(tx: Tx, marks: readonly MarkToRecord[]): Promise<void> {
  const named = marks.map((mark) => ({ mark: uuidv7(), ...mark }));
  afterCommit(tx, async (db) => appenders.get(db)?.append(named, answeredRequestOf(tx)));
  await insertMarks(tx, named);
}

type MarkToRecord = Omit<NewMark, 'mark'> & { mark?: string };

/**
 * Appends what other processes have committed and no journal is known to have, before this process sends it anywhere.
 * @throws ApiError charges_held when the journal can't be written
 */
export async function catchUpJournal(db: Db): Promise<void> {
  await appenders.get(db)?.appendOfOthers(0);
}

/** Starts to keep the journal for the transactions of this pool. One that can't be opened is tried again each second. */
export function startJournal(options: JournalOptions): Journal {
  const { db, directory, logger } = options;
  const opened = openLater(async () => openJournalFiles(directory, await selectInstallation(db)));
  const withFiles = reporting(options, opened);
  const appender = createAppender(options, withFiles);
  appenders.set(db, appender);
  const keepUp = maintain(options, { open: opened.get, isBegun: appender.isBegun });
  const rounds = repeatEvery({
    work: async () => {
      await appender.check();
      await keepUp();
      await appender.catchUp();
    },
    logFailure: (error) => {
      if (!(error instanceof ApiError))
        logger.warn({ err: error }, 'the journal could not be written or read; it will be retried');
    },
    everyMs: ROUND_MS,
  });
  return {
    directory,
    id: () => opened.current()?.id ?? null,
    newestMarks: appender.newestMarks,
    readNewest: () => readSoundEntries(opened.current()?.readNewest() ?? []),
    begin: appender.begin,
    note: (mark) => appender.append([mark]),
    readLast: async () => readerOf(await opened.get()).readLast(),
    read: async function* (since, onDamage) {
      yield* readerOf(await opened.get()).read(since, onDamage);
    },
    has: async (mark) => (await opened.get()).has(mark),
    replace: async () => {
      (await opened.get()).replace();
      await opened.close();
      await opened.get();
    },
    stop: async () => {
      appenders.delete(db);
      await rounds.stop();
      await appender.recordAppended().catch(() => undefined);
      await opened.close();
    },
  };
}

function createAppender({ db, kinds }: JournalOptions, withFiles: WithFiles) {
  const clock = createEntryClock();
  let newest: AppendedMark[] = [];
  /** In the journal, which the database does not say yet. */
  let appended: (Mark & { journalId: string })[] = [];
  let isChecked = false;
  let isBegun = false;

  const append = async (marks: readonly NewMark[], request?: JournalEntry['request']) => {
    const lines = await writeEntries(db, kinds, marks, { request, clock });
    const write = async (files: JournalFiles) => {
      await files.append(lines);
      return files.id;
    };
    const journalId = await withFiles(write).catch((error) => {
      isChecked = false;
      throw error;
    });
    appended.push(
      ...marks.map(({ companyId, mark, kind, subject }) => ({ companyId, mark, kind, subject, journalId })),
    );
    const at = new Date().toISOString();
    newest = [...newest, ...marks.map(({ companyId, mark }) => ({ companyId, mark, at }))].slice(-NEWEST_MARKS);
  };
  // Until something could be written, and after each failure, the disk is tried.
  const tryFiles = async (files: JournalFiles) => {
    const wasChecked = isChecked;
    isChecked = false;
    if (!(await files.isInPlace())) throw new JournalGoneError('it was deleted');
    if (!wasChecked) await files.append([JSON.stringify({ check: new Date().toISOString() })]);
    isChecked = true;
  };
  const appendOfOthers = async (minAgeSeconds: number) => {
    for (;;) {
      const own = new Set(appended.map(({ mark }) => mark));
      const found = await selectUnjournaled(db, { minAgeSeconds, limit: MARKS_A_ROUND });
      const marks = found.filter(({ mark }) => !own.has(mark));
      if (marks.length > 0) await append(marks);
      if (found.length < MARKS_A_ROUND) return;
      await recordAppended();
    }
  };
  const recordAppended = async () => {
    while (appended.length > 0) {
      const marks = appended.slice(0, MARKS_A_ROUND);
      await markJournaled(db, marks);
      appended = appended.slice(marks.length);
    }
  };
  return {
    append,
    appendOfOthers,
    recordAppended,
    newestMarks: () => newest,
    check: () => withFiles(tryFiles),
    catchUp: async () => {
      await recordAppended();
      if (isBegun) await appendOfOthers(OWN_SECONDS);
    },
    isBegun: () => isBegun,
    begin: () => {
      isBegun = true;
    },
  };
}

/** Says each minute that the journal is there, and at once when it begins, and deletes old files. */
function maintain(
  { db, processId }: JournalOptions,
  { open, isBegun }: { open: () => Promise<JournalFiles>; isBegun: () => boolean },
): () => Promise<void> {
  let notedAtMs = Number.NEGATIVE_INFINITY;
  let noted = '';
  let removedAtMs = performance.now();
  return async () => {
    const { id, directory, removeOld } = await open();
    const keeper = isBegun() ? (processId ?? null) : null;
    if (noted !== `${id} ${keeper}` || performance.now() > notedAtMs + NOTE_EVERY_MS) {
      await noteJournal(db, { id, host: hostname(), directory, processId: keeper });
      [noted, notedAtMs] = [`${id} ${keeper}`, performance.now()];
    }
    if (performance.now() > removedAtMs + REMOVE_EVERY_MS) {
      await removeOld(new Date(Date.now() - KEPT_MS));
      removedAtMs = performance.now();
    }
  };
}
