import { validate as isUuid } from 'uuid';
import type { Db } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import type { JournalEntry, NewMark } from './journal.ts';
import { selectDocuments } from './journal.worker.queries.ts';

const DOCUMENT = ',"document":';

/** A clock that was wrong by more has put the entries where nobody looks for them. */
const MAX_SET_BACK_MS = 86_400_000;

/**
 * The times of the entries of a process, which say in which order it made them: each is later than the one before, although the clock of
 * the machine may have been set back.
 */
export function createEntryClock(): () => string {
  let lastMs = 0;
  return () => {
    const nowMs = Date.now();
    lastMs = nowMs > lastMs || lastMs - nowMs > MAX_SET_BACK_MS ? nowMs : lastMs + 1;
    return new Date(lastMs).toISOString();
  };
}

/** Writes the marks as lines. Documents that do not come with their marks are read, with one statement for each kind. */
export async function writeEntries(
  db: Db,
  kinds: Readonly<Record<string, MarkKind>>,
  marks: readonly NewMark[],
  { request, clock }: Pick<JournalEntry, 'request'> & { clock: () => string },
): Promise<string[]> {
  const documents = await readDocuments(db, kinds, marks);
  const at = clock();
  return marks.map((mark) => {
    const { companyId, kind, subject, document = documents.get(mark) ?? 'null' } = mark;
    const fields = JSON.stringify({ mark: mark.mark, companyId, kind, subject, at, request });
    // The document is JSON text already, and stays as it is, digit for digit.
    return `${fields.slice(0, -1)}${DOCUMENT}${document}}`;
  });
}

async function readDocuments(
  db: Db,
  kinds: Readonly<Record<string, MarkKind>>,
  marks: readonly NewMark[],
): Promise<Map<NewMark, string>> {
  const documents = new Map<NewMark, string>();
  const lacking = marks.filter(({ document }) => document === undefined);
  for (const [kind, ofKind = []] of Object.entries(Object.groupBy(lacking, (mark) => mark.kind))) {
    const where = kinds[kind];
    if (where === undefined) continue;
    const found = await selectDocuments(db, where, ofKind);
    for (const mark of ofKind) {
      const document = found.get(mark.subject);
      if (document !== undefined) documents.set(mark, document);
    }
  }
  return documents;
}

/**
 * Reads the entry of a line, without looking into its document; null for a line that only checked that the journal can be written.
 * @throws SyntaxError also for an entry that the database could not read
 */
function readEntry(line: string): JournalEntry | null {
  // Inside of a text the quotes would be escaped.
  const end = line.indexOf(DOCUMENT);
  if (end === -1) return null;
  const fields = JSON.parse(`${line.slice(0, end)}}`) as Omit<JournalEntry, 'document'>;
  const { companyId, mark, subject, kind, at } = fields;
  const isSound = [companyId, mark, subject].every(isUuid) && isInstant(at) && /^\w+$/.test(kind ?? '');
  if (!isSound) throw new SyntaxError('The line is not a journal entry.');
  return { ...fields, document: line.slice(end + DOCUMENT.length, -1) };
}

/** JavaScript reads more years than PostgreSQL. */
function isInstant(at: string | undefined): boolean {
  return /^[1-9]\d{3}-[\d-]+T[\d:.]+Z$/.test(at ?? '') && !Number.isNaN(Date.parse(at ?? ''));
}

/** An escape of U+0000 or of half a surrogate pair, as JavaScript writes them. PostgreSQL has neither in a text. */
const IN_NO_TEXT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The same, and looks whether all of the line is as it was written. @throws SyntaxError for a line that is damaged */
export function readWholeEntry(line: string): JournalEntry | null {
  const entry = readEntry(line);
  const parsed: unknown = JSON.parse(entry?.document ?? line);
  if (typeof parsed !== 'object') throw new SyntaxError('The content of the entry is not a JSON object.');
  if (line.includes('\\u') && IN_NO_TEXT.test(JSON.stringify(JSON.parse(line))))
    throw new SyntaxError('PostgreSQL cannot store the texts of the entry.');
  return entry;
}

/** Reads the entries of these lines, without those that are damaged. */
export function readSoundEntries(lines: readonly string[]): JournalEntry[] {
  return lines.flatMap((line) => {
    try {
      return readEntry(line) ?? [];
    } catch {
      return [];
    }
  });
}
