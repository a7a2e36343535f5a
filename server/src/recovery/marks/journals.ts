import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { findJournal, type Journal, type JournalReader } from '../../continuity/journal/journal.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { isAnotherProcessAtWork } from '../../platform/processes/processes.service.ts';
import { MISSING_MARK } from './check.ts';
import { type MarkOf, selectMissingMarks, selectNewestMark, selectNewestMarks } from './compare.worker.queries.ts';
import { type OtherJournal, selectLastEntries, selectOtherJournals } from './journals.worker.queries.ts';

/** As many as one statement of a new connection compares. */
const MARKS_A_CONNECTION = 32;

/** What a start finds about lost journals. `mayCome`: they were kept on other machines, which may start only now. */
export type Loss = { reason: string; mayCome: boolean };

/**
 * Finds the other journals of the database: those that can be read on this machine, and the others. Processes with other settings may keep
 * some here, or have kept them, also under another name of the machine.
 */
export async function findOtherJournals(
  db: Db,
  own: Pick<Journal, 'id'>,
): Promise<{ readable: JournalReader[]; others: OtherJournal[] }> {
  const found: { readable: JournalReader[]; others: OtherJournal[] } = { readable: [], others: [] };
  for (const other of await selectOtherJournals(db, own.id())) {
    const reader = await findJournal(other.directory).catch(() => null);
    if (reader?.id === other.id) found.readable.push(reader);
    else found.others.push(other);
  }
  return found;
}

/** Compares the journals, and keeps this machine's able to show the next time that the database goes back. */
export function createJournalRounds({ db, journal, logger }: { db: Db; journal: Journal; logger: Logger }) {
  let own: MarkOf[] = [];
  let others: OtherJournal[] = [];
  let readable: JournalReader[] = [];
  /** What was compared last. The newest of it the database had before. */
  let marks: MarkOf[] = [];
  let isMissing = false;
  let loss: 'not judged' | 'judged' | 'over' = 'not judged';

  /** Compares the last entries of each process of this machine, whatever its settings. @returns why charges have to be held, or null */
  const compare = async (): Promise<string | null> => {
    // A journal that can't be read can't be written either, which holds by itself.
    await journal.open();
    own = marksOf(journal);
    ({ readable, others } = await findOtherJournals(db, journal));
    marks = [...newestOf(marks), ...journal.newestMarks(), ...own, ...readable.flatMap(marksOf)];
    isMissing = marks.length > 0 && (await selectMissingMarks(db, marks)).length > 0;
    return isMissing ? MISSING_MARK : null;
  };
  /**
   * Whether the journal is lost that has what was done last, after a comparison and before this process writes anything. The database names
   * the journal that got the newest entry, and which entry. A process that works remembers the newest marks itself: as long as one does,
   * nothing is lost for those that join.
   */
  const findLoss = async (): Promise<Loss | null> => {
    // What can't be opened can't be judged yet, and holds by itself.
    if (loss === 'over' || journal.id() === null) return null;
    const isFirst = loss === 'not judged';
    loss = 'judged';
    const lost = await findLost();
    if (lost.length === 0 || (await isAnotherProcessAtWork(db))) return null;
    if (isFirst) logger.warn({ journals: lost }, 'journals of the database are missing');
    // Everybody may read the reason: whose folders these are, the log and the operator's requests say.
    const reason = `The journal of this database is missing: ${lost.map(({ id }) => id).join(', ')}.`;
    return { reason, mayCome: lost.every(({ host }) => host !== hostname()) };
  };
  const findLost = async (): Promise<OtherJournal[]> => {
    const newest = await selectNewestMark(db);
    if (newest === null) return [];
    const [last] = await selectLastEntries(db);
    const isHere = marks.some(({ mark }) => mark === newest.mark || mark === last?.mark);
    if (isHere || last?.id === journal.id() || readable.some(({ id }) => id === last?.id)) return [];
    if (last !== undefined) return others.filter(({ id }) => id === last.id);
    return own.length === 0 && readable.length === 0 ? others : [];
  };
  /** A journal knows the newest mark of the database, whoever wrote it: a new one too, and that of an idle machine. */
  const keep = async (): Promise<void> => {
    if (isMissing || journal.id() === null) return;
    const newest = await selectNewestMarks(db);
    try {
      for (const mark of newest.filter((one) => !own.some((known) => known.mark === one.mark)))
        await journal.note(mark);
    } catch (error) {
      logger.debug({ err: error }, 'the journal could not get the newest mark; it will be retried');
    }
  };
  return {
    compare,
    findLoss,
    /** From now on nothing is lost for this process: the database holds charges, or nothing has to. @returns whether that was judged */
    endLoss: (): boolean => {
      if (loss === 'judged') loss = 'over';
      return loss === 'over';
    },
    keep,
    /** What a new connection has to have: also what other processes of this machine have written a moment ago. */
    expected: () => newestOf([...marks, ...journal.newestMarks(), ...marksOf(journal)]),
  };
}

function marksOf({ readLast }: Pick<JournalReader, 'readLast'>): MarkOf[] {
  return readLast().map(({ companyId, mark, at }) => ({ companyId, mark, at }));
}

function newestOf(marks: readonly MarkOf[]): MarkOf[] {
  const byMark = new Map(marks.map((mark) => [mark.mark, mark]));
  return [...byMark.values()].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MARKS_A_CONNECTION);
}
