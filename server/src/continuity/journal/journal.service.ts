import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { repeatEvery } from '../../platform/background/background.ts';
import { afterCommit, type Db, type Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import { answeredRequestOf } from '../../platform/http/route/idempotency.ts';
import {
  createEntryClock,
  type JournalEntry,
  type JournalReader,
  type NewMark,
  type ReadExternalIds,
  readerOf,
  writeEntries,
} from './journal.entries.ts';
import { JournalError, type JournalFiles, openJournalFiles } from './journal.files.ts';
import {
  insertMarks,
  type Mark,
  markJournaled,
  noteJournal,
  selectInstallation,
  selectUnjournaled,
} from './journal.worker.queries.ts';

export {
  type DamagedLine,
  findJournal,
  type JournalEntry,
  type JournalReader,
  readJournalLine,
} from './journal.entries.ts';
export { chooseJournalDirectory } from './journal.files.ts';
export {
  type Mark,
  removeOldJournals,
  removeOldMarks,
  selectDocuments,
  selectInstallation,
} from './journal.worker.queries.ts';

/*
 * The journal keeps, outside of the database, what the database must not forget: a restored backup or a promoted standby lacks it, and is
 * noticed by that. A transaction writes a mark beside its change; after its commit, and before its caller hears of it, this process
 * appends the mark to its journal (decision 28).
 */

/** What this process has of its machine's journal. */
export type Journal = Omit<JournalReader, 'id'> & {
  directory: string;
  /** Opens it, if that has not happened yet and is possible. The database knows it from then on. */
  open: () => Promise<void>;
  /** Names the journal; null while it can't be opened. */
  id: () => string | null;
  /** The newest marks that this process has appended, at most sixteen, the oldest first. Their commits are answered. */
  newestMarks: () => readonly Pick<JournalEntry, 'companyId' | 'mark' | 'at'>[];
  /**
   * From now on it gets what other processes have committed and no journal is known to have. Before, a new journal has to be seen to be
   * new.
   */
  begin: () => void;
  /** Appends a mark that the database has already, so that this journal can show when it has it no longer. */
  note: (mark: Mark) => Promise<void>;
  stop: () => Promise<void>;
};

export type JournalOptions = {
  db: Db;
  directory: string;
  /** The heartbeat with this id shows others that somebody keeps the journal, once it is begun. */
  processId?: string;
  /** By kind of mark. */
  kinds: Readonly<Record<string, MarkKind>>;
  readExternalIds: ReadExternalIds;
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
const RETRY_AFTER_SECONDS = 60;

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
  afterCommit(tx, async (db) => {
    const complete = named.map(async ({ document, companyExternalId, ...mark }) => ({
      ...mark,
      ...(document === undefined ? {} : { document: await document }),
      ...(companyExternalId === undefined ? {} : { companyExternalId: await companyExternalId }),
    }));
    await appenders.get(db)?.append(await Promise.all(complete), answeredRequestOf(tx));
  });
  await insertMarks(tx, named);
}

/** The transaction waits for what is still being read in it. */
type MarkToRecord = Omit<NewMark, 'mark' | 'document' | 'companyExternalId'> & {
  mark?: string;
  document?: string | Promise<string>;
  companyExternalId?: string | null | Promise<string | null>;
};

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
  const opened = keepOpen(options);
  const appender = createAppender(options, opened.use);
  appenders.set(db, appender);
  const maintain = createMaintenance(options, appender.isBegun);
  const rounds = repeatEvery({
    work: async () => {
      await maintain(await opened.use(inPlace));
      await appender.catchUp();
    },
    logFailure: (error) => {
      if (!(error instanceof ApiError))
        logger.warn({ err: error }, 'the journal could not be written or read; it will be retried');
    },
    everyMs: ROUND_MS,
  });
  return {
    ...readerOf(directory),
    ...{ directory, id: opened.id },
    open: () => opened.use(async () => undefined).catch(() => undefined),
    newestMarks: appender.newestMarks,
    begin: appender.begin,
    note: (mark) => appender.append([mark]),
    stop: async () => {
      appenders.delete(db);
      await rounds.stop();
      await appender.recordAppended().catch(() => undefined);
      await opened.close();
    },
  };
}

/**
 * Opens the files when they are first used, and again after a failure, and tries whether they can be written. It tells when they begin to
 * fail, and when they work again.
 */
function keepOpen({ db, directory, logger, onProblem }: JournalOptions) {
  let opening: Promise<JournalFiles> | null = null;
  let files: JournalFiles | null = null;
  let hasProblem = false;
  const open = async () => {
    const opened = await openJournalFiles(directory, await selectInstallation(db));
    await opened.append([JSON.stringify({ check: new Date().toISOString() })]);
    // A pass that has read it during a hold can record that from now on.
    try {
      await noteJournal(db, { id: opened.id, host: hostname(), directory, processId: null });
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  };
  const close = async () => {
    const closing = files;
    [files, opening] = [null, null];
    await closing?.close();
  };
  /** @throws ApiError charges_held */
  const use = async <T>(work: (files: JournalFiles) => Promise<T>): Promise<T> => {
    opening ??= open();
    const mine = opening;
    try {
      const opened = await mine;
      files = opened;
      const result = await work(opened);
      if (hasProblem) {
        logger.info({ directory }, 'the journal can be written again');
        hasProblem = false;
        onProblem(null);
      }
      return result;
    } catch (error) {
      if (opening === mine) await close().catch(() => undefined);
      const named = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      const reason = `The journal cannot be written: ${error instanceof JournalError ? error.message : named}.`;
      if (!hasProblem) logger.error({ err: error, directory }, 'the journal cannot be written');
      hasProblem = true;
      onProblem(reason);
      throw new ApiError('charges_held', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
    }
  };
  return { id: () => files?.id ?? null, use, close };
}

function createAppender(options: JournalOptions, use: ReturnType<typeof keepOpen>['use']) {
  const { db } = options;
  const clock = createEntryClock();
  let newest: Pick<JournalEntry, 'companyId' | 'mark' | 'at'>[] = [];
  /** In the journal, which the database does not say yet. */
  let appended: { companyId: string; mark: string; journalId: string }[] = [];
  let isBegun = false;

  const append = async (marks: readonly NewMark[], request?: JournalEntry['request']) => {
    const lines = await writeEntries(options, marks, { request, clock });
    const journalId = await use(async (files) => {
      await files.append(lines);
      return files.id;
    });
    const at = new Date().toISOString();
    appended.push(...marks.map(({ companyId, mark }) => ({ companyId, mark, journalId })));
    newest = [...newest, ...marks.map(({ companyId, mark }) => ({ companyId, mark, at }))].slice(-NEWEST_MARKS);
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

async function inPlace(files: JournalFiles): Promise<JournalFiles> {
  if (await files.isInPlace()) return files;
  throw new JournalError('it was deleted');
}

/** Says each minute that the journal is there, and at once when it begins, and deletes old files. */
function createMaintenance({ db, directory, processId }: JournalOptions, isBegun: () => boolean) {
  let notedAtMs = Number.NEGATIVE_INFINITY;
  let noted = '';
  let removedAtMs = performance.now();
  return async ({ id, removeOld }: JournalFiles): Promise<void> => {
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
