import {
  type JournalEntry,
  readJournalLine,
  recordMark,
  selectInstallation,
} from '../../continuity/journal/journal.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { beginHold, type HoldDependencies, type MailsOfHold, readHold } from '../hold/hold.service.ts';
import { selectMissingMarks } from '../marks/compare.worker.queries.ts';
import { JOURNAL_LOSS, noteJournalRead } from '../marks/journals.worker.queries.ts';
import { keepMissingEntries } from '../marks/pass.ts';
import { insertSentJournal, type JournalRow, markJournalLost } from './overview.operator.queries.ts';

const REASON =
  'The database lacks what a journal of another machine has: it was restored, or a failover has lost its last transactions.';

/**
 * Keeps what the database lacks of another machine's journal as cases, and begins a hold if there is none.
 * @param given.isLast - whether the journal has no more lines; from then on it was read
 * @param given.installation - the id of the database whose journal it is; an older journal may not say it
 * @returns how many marks the database lacks
 * @throws ApiError 400 for a line that is none of a journal, and for the journal of another database
 */
export async function addJournalLines(
  { db, chargesHold, mails }: HoldDependencies & MailsOfHold,
  journalId: string,
  { lines, isLast, installation }: { lines: readonly string[]; isLast: boolean; installation?: string },
): Promise<{ missing: number }> {
  const own = await selectInstallation(db);
  if ((installation ?? own).toLowerCase() !== own)
    throw invalidField('installation', `must be ${own}: this is the journal of another database`);
  const entries = readLines(lines);
  const missing = entries.length === 0 ? 0 : (await selectMissingMarks(db, entries)).length;
  // A hold that is there may end before.
  for (let isKept = missing === 0; !isKept; ) {
    await beginHold({ db, chargesHold, mails }, REASON);
    const hold = await readHold(db);
    isKept = hold !== null && (await keepMissingEntries(db, hold.id, entries));
  }
  const hold = await readHold(db);
  if (hold !== null && isLast) await noteJournalRead(db, hold.id, journalId);
  else if (hold !== null) await insertSentJournal(db, journalId);
  return { missing };
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
 * journals remember it: after another restore it is still lost. While the database is sound, nothing is lost with it.
 * @throws ApiError not_found
 */
export async function declareJournalLost(tx: Tx, journalId: string): Promise<JournalRow> {
  const journal = await markJournalLost(tx, journalId);
  if (journal === null) throw notFound('journal');
  if ((await readHold(tx)) !== null)
    await recordMark(tx, OPERATOR_SCOPE, { kind: JOURNAL_LOSS, subject: journalId, document: '{}' });
  return journal;
}
