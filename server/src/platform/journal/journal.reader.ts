import { readEntry } from './journal.entries.ts';
import { findJournalFiles, type JournalFiles } from './journal.files.ts';
import type { JournalEntry } from './journal.ts';

/** Reads the entries of a journal. */
export type JournalReader = {
  id: string;
  /** Reads the last entries of each process of the machine. */
  readLast: () => Promise<JournalEntry[]>;
  /** Reads the entries of all processes of the machine since an instant, the oldest file first. */
  read: (since: Date) => AsyncGenerator<JournalEntry>;
};

/** Reads the journal in a folder, of which it makes none. @throws what the file system says, or a SyntaxError */
export async function findJournal(directory: string): Promise<JournalReader> {
  return readerOf(await findJournalFiles(directory));
}

/** Reads the lines of a journal as entries. */
export function readerOf(files: Pick<JournalFiles, 'id' | 'read' | 'readLast'>): JournalReader {
  return {
    id: files.id,
    readLast: async () => (await files.readLast()).flatMap((line) => readEntry(line) ?? []),
    read: async function* (since) {
      for await (const line of files.read(since)) {
        const entry = readEntry(line);
        if (entry !== null && Date.parse(entry.at) >= since.getTime()) yield entry;
      }
    },
  };
}
