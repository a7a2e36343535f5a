import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Journal } from '../../continuity/journal/journal.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { isAnotherProcessAtWork } from '../../platform/processes/processes.service.ts';
import { findOtherJournals, type JournalsChecked } from './check.ts';
import { type MarkOf, selectNewestMark } from './compare.worker.queries.ts';
import { type OtherJournal, selectLastEntries } from './journals.worker.queries.ts';

/** A journal that may have had what the database lacks. `isOlderCopy`: its folder is here, without its last entry. */
type LostJournal = OtherJournal & { isOlderCopy: boolean };

/** What a start finds about lost journals. `mayCome`: they were kept on other machines, which may start only now. */
export type Loss = { reason: string; mayCome: boolean };

/**
 * Judges once, before this process writes anything, whether the journal is lost that has what was done last; and then whether it still is.
 * The database names the journal that got the newest entry, and which entry. A process that works has judged that before, and remembers the
 * newest marks itself: as long as one does, nothing is lost for those that join.
 */
export function createLossFinder({ db, journal, logger }: { db: Db; journal: Journal; logger: Pick<Logger, 'warn'> }) {
  let lost: LostJournal[] | null = null;

  /** @param checked - as the journals were found a moment ago @returns null when nothing is lost */
  const find = async (checked: JournalsChecked): Promise<Loss | null> => {
    // What can't be opened can't be judged yet, and holds by itself.
    if (journal.id() === null) return null;
    if (lost === null) {
      lost = await findLost(db, journal, checked);
      if (lost.length > 0) logger.warn({ journals: lost }, 'journals of the database are missing');
      const isOwn = ({ id, isOlderCopy }: LostJournal) => isOlderCopy && id === journal.id();
      if (lost.some(isOwn)) await journal.replace();
    } else if (lost.length > 0) lost = await keepLost(db, journal, lost);
    return describe(lost);
  };
  return {
    find,
    isJudged: () => lost !== null,
    /** From now on nothing is lost for this process: the database holds charges, or nothing has to. */
    forget: () => {
      if (lost !== null) lost = [];
    },
  };
}

/**
 * Whether the folder has only a copy of a journal that is kept elsewhere too, as on a machine that was cloned: it lacks the newest entry
 * that the database knows of its journal. False where the folder can't be read.
 * @param own - what the journal had a moment ago
 */
export async function isCopy(db: Db, journal: Journal, own: readonly MarkOf[]): Promise<boolean> {
  const last = (await selectLastEntries(db)).find(({ id }) => id === journal.id());
  if (last === undefined) return false;
  // Other processes may have appended the entry since, to the same folder.
  if ([...own, ...journal.readNewest()].some(({ mark }) => mark === last.mark)) return false;
  return !(await journal.has(last.mark).catch(() => true));
}

async function findLost(
  db: Db,
  journal: Journal,
  { own, readable, others, marks }: JournalsChecked,
): Promise<LostJournal[]> {
  const newest = await selectNewestMark(db);
  if (newest === null) return [];
  const [last] = await selectLastEntries(db);
  if (marks.some(({ mark }) => mark === newest.mark || mark === last?.mark)) return [];
  const isNew = own.length === 0 && readable.length === 0;
  let lost: LostJournal[] = isNew ? others.map((other) => ({ ...other, isOlderCopy: false })) : [];
  if (last !== undefined) {
    const found = last.id === journal.id() ? journal : readable.find(({ id }) => id === last.id);
    if (await found?.has(last.mark)) return [];
    lost = [{ ...last, isOlderCopy: found !== undefined }];
  }
  return lost.length > 0 && (await isAnotherProcessAtWork(db)) ? [] : lost;
}

/** Those that are neither back nor given up, unless somebody has begun to work. */
async function keepLost(db: Db, journal: Journal, lost: readonly LostJournal[]): Promise<LostJournal[]> {
  const { others } = await findOtherJournals(db, journal);
  const left = lost.filter(({ id, isOlderCopy }) => isOlderCopy || others.some((other) => other.id === id));
  return left.length > 0 && (await isAnotherProcessAtWork(db)) ? [] : left;
}

/** Everybody may read the reason: whose folders these are, the log and the operator's requests say. */
function describe(lost: readonly LostJournal[]): Loss | null {
  if (lost.length === 0) return null;
  const names = lost.map(({ id, isOlderCopy }) => (isOlderCopy ? `${id}, of which there is an older copy` : id));
  const mayCome = lost.every(({ host, isOlderCopy }) => host !== hostname() && !isOlderCopy);
  return { reason: `The journal of this database is missing: ${names.join(', ')}.`, mayCome };
}
