import type { Logger } from 'pino';
import type { Journal } from '../../continuity/journal/journal.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { checkJournals, type JournalsChecked, MISSING_MARK } from './check.ts';
import { type MarkOf, selectNewestMarks } from './compare.worker.queries.ts';
import { deleteJournalUnlessKept } from './journals.worker.queries.ts';
import { isCopy } from './lost-journals.ts';

/** As many as one statement of a new connection compares. */
const MARKS_A_CONNECTION = 32;

/** Compares the journals, and keeps this machine's able to show the next time that the database goes back. */
export function createJournalRounds({ db, journal, logger }: { db: Db; journal: Journal; logger: Logger }) {
  let checked: JournalsChecked = { readable: [], others: [], own: [], marks: [], reason: null };
  let remembered: MarkOf[] = [];
  let keptId: string | null = null;

  const compare = async (): Promise<string | null> => {
    checked = await checkJournals(db, journal, remembered);
    remembered = newestOf(checked.marks);
    return checked.reason;
  };
  /**
   * A journal knows the newest mark of the database, whoever wrote it: a new one from its beginning on, and that of an idle machine too.
   * Once the database was seen to have all of a journal whose folder was deleted, the one that replaces it makes that forgotten.
   */
  const keep = async () => {
    const id = journal.id();
    if (checked.reason === MISSING_MARK || id === null) return;
    const newest = await selectNewestMarks(db);
    const has = ({ mark }: { mark: string }) => checked.own.some((own) => own.mark === mark);
    try {
      for (const mark of newest.filter((one) => !has(one))) await journal.note(mark);
    } catch (error) {
      logger.debug({ err: error }, 'the journal could not get the newest mark; it will be retried');
      return;
    }
    if (checked.reason === null && keptId !== null && id !== keptId) await deleteJournalUnlessKept(db, keptId);
    keptId = id;
  };
  /** Two journals with one name would count as read when one of them was. */
  const separate = async () => {
    if (!(await isCopy(db, journal, checked.own))) return;
    const { directory } = journal;
    logger.warn({ directory }, 'the journal is a copy of one that is kept elsewhere; it gets an id of its own');
    await journal.replace();
  };
  /** Also what other processes of this machine have written a moment ago. */
  const expected = () => newestOf([...remembered, ...journal.newestMarks(), ...journal.readNewest()]);
  return { compare, checked: () => checked, separate, keep, expected };
}

function newestOf(marks: readonly MarkOf[]): MarkOf[] {
  const byMark = new Map(marks.map((mark) => [mark.mark, mark]));
  return [...byMark.values()].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MARKS_A_CONNECTION);
}
