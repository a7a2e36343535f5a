import { validate as isUuid } from 'uuid';
import type { ChargesHold } from '../../../platform/charges-hold/charges-hold.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type JournalEntry, readJournalLine } from '../../../platform/journal/journal.service.ts';
import { beginHold, readHold } from '../../hold/hold.service.ts';
import { noteJournalRead } from '../../marks/cases.worker.queries.ts';
import { selectMissingMarks } from '../../marks/compare.worker.queries.ts';
import { keepMissingEntries } from '../../marks/pass.ts';
import type { JournalRow } from '../overview/overview.operator.queries.ts';
import { markJournalLost } from './journals.operator.queries.ts';

const REASON =
  'The database lacks what a journal of another machine has: it was restored, or a failover has lost its last transactions.';

/**
 * Keeps what the database lacks of another machine's journal as cases, and begins a hold if there is none.
 * @param given.isLast - whether the journal has no more lines; from then on it was read
 * @returns how many marks the database lacks
 * @throws ApiError 400 for a line that is none of a journal
 */
export async function addJournalLines(
  { db, chargesHold }: { db: Db; chargesHold: ChargesHold },
  journalId: string,
  { lines, isLast }: { lines: readonly string[]; isLast: boolean },
): Promise<{ missing: number }> {
  const entries = lines.flatMap(readLine);
  const missing = entries.length === 0 ? 0 : (await selectMissingMarks(db, entries)).length;
  if (missing > 0) {
    await beginHold({ db, chargesHold }, REASON);
    const hold = await readHold(db);
    if (hold !== null) await keepMissingEntries(db, hold.id, entries, { isLate: false });
  }
  const hold = isLast ? await readHold(db) : null;
  if (hold !== null) await noteJournalRead(db, hold.id, journalId);
  return { missing };
}

function readLine(line: string, index: number): JournalEntry[] {
  try {
    const entry = readJournalLine(line);
    const parsed: unknown = JSON.parse(entry?.document ?? line);
    if (typeof parsed !== 'object') throw new SyntaxError('It is no object.');
    if (entry === null) return [];
    const isSound = [entry.companyId, entry.mark, entry.subject].every(isUuid) && !Number.isNaN(Date.parse(entry.at));
    if (isSound && /^\w+$/.test(entry.kind)) return [entry];
  } catch {
    // It is no JSON object.
  }
  throw invalidField(`lines[${index}]`, 'must be a line of a journal');
}

/** Declares that a journal will not come back: a hold ends without it. @throws ApiError not_found */
export async function declareJournalLost(tx: Tx, journalId: string): Promise<JournalRow> {
  const journal = await markJournalLost(tx, journalId);
  if (journal === null) throw notFound('journal');
  return journal;
}
