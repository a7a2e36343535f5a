import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import {
  type JournalEntry,
  readJournalLine,
  recordMark,
  selectInstallation,
} from '../../../continuity/journal/journal.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { beginHold, type HoldDependencies, type MailsOfHold, readHold } from '../../hold/hold.service.ts';
import { selectMissingMarks } from '../../marks/compare.worker.queries.ts';
import { deleteJournal, JOURNAL_LOSS, noteJournalRead } from '../../marks/journals.worker.queries.ts';
import { keepMissingEntries } from '../../marks/pass.ts';
import type { JournalRow } from '../overview/overview.operator.queries.ts';
import {
  insertSentJournal,
  markJournalLost,
  noteSent,
  selectIsOlderCopy,
  selectJournal,
} from './journals.operator.queries.ts';

const REASON =
  'The database lacks what a journal of another machine has: it was restored, or a failover has lost its last transactions.';

type SentLines = { lines: readonly string[]; isLast: boolean; installation?: string; damage?: string };

/**
 * Keeps what the database lacks of another machine's journal as cases, and begins a hold if there is none.
 * @param given.isLast - whether the journal has no more lines; from then on it was read, unless the copy is an older one
 * @param given.installation - the id of the database whose journal it is; an older journal may not say it
 * @param given.damage - with the last lines: names those that can't be read, which a person has to give up
 * @returns how many marks the database lacks; with the last lines, whether the newest entry that the database knows was not among all lines
 * @throws ApiError 400 for a line that is none of a journal, and for the journal of another database
 */
export async function addJournalLines(
  { db, chargesHold, mails }: HoldDependencies & MailsOfHold,
  journalId: string,
  { lines, isLast, installation, damage }: SentLines,
): Promise<{ missing: number; isOlderCopy: boolean }> {
  const own = await selectInstallation(db);
  if ((installation ?? own).toLowerCase() !== own)
    throw invalidField('installation', `must be ${own}: this is the journal of another database`);
  const entries = readLines(lines);
  const missing = entries.length === 0 ? 0 : (await selectMissingMarks(db, entries)).length;
  if (missing > 0) {
    // A hold that is there may end before.
    for (let isKept = false; !isKept; ) {
      await beginHold({ db, chargesHold, mails }, REASON);
      const hold = await readHold(db);
      isKept = hold !== null && (await keepMissingEntries(db, hold.id, entries, { isLate: false }));
    }
  }
  await noteSent(
    db,
    journalId,
    entries.map(({ mark }) => mark),
  );
  const hold = isLast ? await readHold(db) : null;
  if (hold === null) return { missing, isOlderCopy: false };
  // What is damaged has to be given up, so it does not matter what else is not there.
  const isOlderCopy = damage === undefined && (await selectIsOlderCopy(db, journalId));
  if (damage !== undefined) await insertSentJournal(db, journalId);
  if (!isOlderCopy) await noteJournalRead(db, hold.id, { journalId, damage: damage ?? null });
  return { missing, isOlderCopy };
}

/** @throws ApiError 400, which names each line that is none of a journal */
function readLines(lines: readonly string[]): JournalEntry[] {
  const details: { field: string; message: string }[] = [];
  const entries = lines.flatMap((line, index) => {
    try {
      return readJournalLine(line) ?? [];
    } catch {
      details.push({ field: `lines[${index}]`, message: 'must be a line of a journal' });
      return [];
    }
  });
  const [first] = details;
  if (first === undefined) return entries;
  throw new ApiError('invalid_request', `${first.field} ${first.message}.`, { details });
}

/**
 * Declares that a journal will not come back, nor its damaged lines, nor what it had if it went back too: a hold ends without that. The
 * journals remember it: after another restore it is still lost. @throws ApiError not_found
 */
export async function declareJournalLost(tx: Tx, journalId: string): Promise<JournalRow> {
  const journal = await markJournalLost(tx, journalId);
  if (journal === null) throw notFound('journal');
  await recordMark(tx, OPERATOR_SCOPE, { kind: JOURNAL_LOSS, subject: journalId, document: '{}' });
  return journal;
}

/**
 * Forgets a journal that nobody keeps any more, while the database has all of it: no hold asks for it again.
 * @throws ApiError not_found, charges_held, journal_in_use
 */
export async function retireJournal(tx: Tx, journalId: string): Promise<JournalRow> {
  await assertNotHeld(tx);
  const journal = await selectJournal(tx, journalId);
  if (journal === null) throw notFound('journal');
  if (journal.isKept) {
    throw new ApiError(
      'journal_in_use',
      `A process on ${journal.host} keeps this journal: stop it, or give it another one.`,
    );
  }
  await deleteJournal(tx, journalId);
  return journal;
}
