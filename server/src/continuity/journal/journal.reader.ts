import { readSoundEntries, readWholeEntry } from './journal.entries.ts';
import { findJournalFiles, type JournalFilesToRead } from './journal.files.ts';
import type { JournalEntry } from './journal.ts';

/** Where a line is that can't be read: `number` counts from one. */
export type DamagedLine = { path: string; number: number };

/** Reads the entries of a journal. */
export type JournalReader = {
  id: string;
  directory: string;
  /** Reads the last entries of each process of the machine, without those that are damaged. */
  readLast: () => Promise<JournalEntry[]>;
  /**
   * Reads the entries of all processes of the machine since an instant, the oldest file first.
   * @param onDamage - is told of each line that is damaged and left out
   */
  read: (since: Date, onDamage?: (line: DamagedLine) => void) => AsyncGenerator<JournalEntry>;
  /** Whether it has an entry with this mark. */
  has: (mark: string) => Promise<boolean>;
};

/** Reads the journal in a folder, of which it makes none. @throws what the file system says, or a SyntaxError */
export async function findJournal(directory: string): Promise<JournalReader> {
  return readerOf(await findJournalFiles(directory));
}

/** Reads the lines of a journal as entries. */
export function readerOf({ id, directory, has, ...files }: JournalFilesToRead): JournalReader {
  return {
    id,
    directory,
    has,
    readLast: async () => readSoundEntries(await files.readLast()),
    read: async function* (since, onDamage = () => undefined) {
      for await (const { path, number, text } of files.read(since)) {
        const entry = readUnlessDamaged(text, () => onDamage({ path, number }));
        if (entry !== null && Date.parse(entry.at) >= since.getTime()) yield entry;
      }
    },
  };
}

function readUnlessDamaged(line: string, onDamage: () => void): JournalEntry | null {
  try {
    return readWholeEntry(line);
  } catch {
    onDamage();
    return null;
  }
}
