import { validate as isUuid } from 'uuid';
import type { Db } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import type { AnsweredRequest } from '../../platform/http/route/idempotency.ts';
import { type JournalLine, readIdentity, readLastLines, readLines } from './journal.files.ts';
import { type Mark, selectDocuments } from './journal.worker.queries.ts';

/**
 * A mark as it is recorded. Without `document`, JSON text, or `companyExternalId`, null for none, the journal reads them from the database
 * after the commit.
 */
export type NewMark = Mark & { document?: string; companyExternalId?: string | null };

/** A line of the journal. */
export type JournalEntry = Mark & {
  /** The id that the operator's product had for the company then. */
  companyExternalId?: string;
  /** When the journal got it. */
  at: string;
  /** The request that caused it, which a client may repeat. */
  request?: AnsweredRequest | undefined;
  /** JSON text of the row, as its kind says; `null` of one that was gone by then. */
  document: string;
};

/** Where a line is that can't be read: `number` counts from one. */
export type DamagedLine = Omit<JournalLine, 'text'>;

/** Reads the entries of a journal, of all processes of its machine. */
export type JournalReader = {
  id: string;
  /** The last entries of each of the processes that wrote last, without those that are damaged; none where the folder can't be read. */
  readLast: () => JournalEntry[];
  /** The oldest file first. @param onDamage - is told of each line that is damaged and left out */
  read: (onDamage?: (line: DamagedLine) => void) => AsyncGenerator<JournalEntry>;
};

/** Finds the journal in a folder, and makes none. @throws what the file system says, or a JournalError */
export async function findJournal(directory: string): Promise<JournalReader> {
  return { id: (await readIdentity(directory)).id, ...readerOf(directory) };
}

/** Reads the lines of a folder as entries. */
export function readerOf(directory: string): Omit<JournalReader, 'id'> {
  return {
    readLast: () => {
      try {
        return readLastLines(directory).flatMap((line) => unlessDamaged(line) ?? []);
      } catch {
        return [];
      }
    },
    read: async function* (onDamage = () => undefined) {
      for await (const { path, number, text } of readLines(directory)) {
        const entry = unlessDamaged(text, () => onDamage({ path, number }));
        if (entry !== null) yield entry;
      }
    },
  };
}

function unlessDamaged(line: string, onDamage = () => {}): JournalEntry | null {
  try {
    return readJournalLine(line);
  } catch {
    onDamage();
    return null;
  }
}

const DOCUMENT = ',"document":';

/** Reads the entry of a line; null for a line that only checked that the journal can be written. @throws SyntaxError */
export function readJournalLine(line: string): JournalEntry | null {
  // Inside of a text the quotes would be escaped.
  const end = line.indexOf(DOCUMENT);
  const fields = JSON.parse(end === -1 ? line : `${line.slice(0, end)}}`) as Omit<JournalEntry, 'document'>;
  if (end === -1 && typeof fields === 'object') return null;
  const document = line.slice(end + DOCUMENT.length, -1);
  const { companyId, mark, subject, kind, at } = fields;
  // JavaScript reads more years than PostgreSQL.
  const isInstant = /^[1-9]\d{3}-[\d-]+T[\d:.]+Z$/.test(at ?? '') && !Number.isNaN(Date.parse(at ?? ''));
  const isSound = [companyId, mark, subject].every(isUuid) && isInstant && /^\w+$/.test(kind ?? '');
  if (!isSound || typeof JSON.parse(document) !== 'object') throw new SyntaxError('The line is not a journal entry.');
  return { ...fields, document };
}

/**
 * The times of the entries of a process, which say in which order it made them: each is later than the one before, although the clock of
 * the machine may have been set back.
 */
export function createEntryClock(): () => string {
  let lastMs = 0;
  return () => {
    lastMs = Math.max(Date.now(), lastMs + 1);
    return new Date(lastMs).toISOString();
  };
}

/** Reads the external ids of companies, by UUID; without companies that have none. */
export type ReadExternalIds = (companyIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The documents that do not come with their marks, by kind and subject. */
async function readDocuments(
  db: Db,
  kinds: Readonly<Record<string, MarkKind>>,
  marks: readonly NewMark[],
): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  const lacking = marks.filter(({ document }) => document === undefined);
  for (const [kind, ofKind = []] of Object.entries(Object.groupBy(lacking, (mark) => mark.kind))) {
    const where = kinds[kind];
    if (where === undefined) continue;
    for (const [subject, document] of await selectDocuments(db, where, ofKind))
      read.set(`${kind} ${subject}`, document);
  }
  return read;
}

/** The external ids that do not come with their marks, by company. */
async function findExternalIds(
  readExternalIds: ReadExternalIds,
  marks: readonly NewMark[],
): Promise<ReadonlyMap<string, string>> {
  const lacking = marks.filter(({ companyExternalId }) => companyExternalId === undefined);
  return lacking.length === 0 ? new Map() : readExternalIds([...new Set(lacking.map(({ companyId }) => companyId))]);
}

/** Writes the marks as lines. Documents that do not come with their marks are read, with one statement for each kind. */
export async function writeEntries(
  {
    db,
    kinds,
    readExternalIds,
  }: { db: Db; kinds: Readonly<Record<string, MarkKind>>; readExternalIds: ReadExternalIds },
  marks: readonly NewMark[],
  { request, clock }: Pick<JournalEntry, 'request'> & { clock: () => string },
): Promise<string[]> {
  const [read, externalIds] = await Promise.all([
    readDocuments(db, kinds, marks),
    findExternalIds(readExternalIds, marks),
  ]);
  const at = clock();
  return marks.map(({ mark, companyId, kind, subject, document, companyExternalId: given }) => {
    const companyExternalId = given === undefined ? externalIds.get(companyId) : (given ?? undefined);
    const fields = JSON.stringify({ mark, companyId, companyExternalId, kind, subject, at, request });
    // The document is JSON text already, and stays as it is, digit for digit.
    return `${fields.slice(0, -1)}${DOCUMENT}${document ?? read.get(`${kind} ${subject}`) ?? 'null'}}`;
  });
}
