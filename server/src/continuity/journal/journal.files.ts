import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { ensureIdentity, readIdentity, replaceIdentity } from './journal.identity.ts';
import { hasMark, type JournalLine, listFiles, readLastLines, readLines, readNewestLines } from './journal.lines.ts';

/*
 * The files of a journal: a folder with `journal.json`, which names the journal, and files of lines. Each process appends to a file of
 * its own, so that several can share the folder.
 */

/** Reads the lines of all processes. */
export type JournalFilesToRead = {
  /** Names the journal for good. */
  id: string;
  directory: string;
  /** Reads all lines that were written completely, oldest file first, of files that were written since an instant. */
  read: (since: Date) => AsyncGenerator<JournalLine>;
  /** Reads the last lines, the oldest first, of each of the newest files that have entries. */
  readLast: () => Promise<string[]>;
  /** Whether some line is about this mark. */
  has: (mark: string) => Promise<boolean>;
};

/** Appends lines too. */
export type JournalFiles = JournalFilesToRead & {
  /** Whether the folder is still there, and still this journal's, with the file that is written. */
  isInPlace: () => Promise<boolean>;
  /** Appends lines, without their line ends. They are on the disk when it resolves; all that wait share one synchronization. */
  append: (lines: readonly string[]) => Promise<void>;
  /**
   * The last lines as they are at this moment, without waiting: of few files, and without lines that are very long. Nothing where the
   * folder can't be read.
   */
  readNewest: () => string[];
  /** Gives the folder another identity, because what it has is an older copy of this journal. It has to be opened again. */
  replace: () => void;
  /** Deletes files that were last written before this time, and the oldest of those that exceed the size. @returns how many */
  removeOld: (before: Date) => Promise<number>;
  close: () => Promise<void>;
};

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Some ten million charges. */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/**
 * Opens the journal in a folder, which is made (mode 0700) where it is missing.
 * @param installation - the id of the database whose journal it is
 * @throws what the file system says; ForeignJournalError when it is the journal of another database; DamagedIdentityError
 */
export async function openJournalFiles(directory: string, installation: string): Promise<JournalFiles> {
  const writerId = uuidv7();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { id } = await ensureIdentity(directory, installation);
  const writer = createWriter(directory, writerId);
  return {
    ...toRead(directory, id),
    isInPlace: async () => (await readIdentity(directory).catch(() => null))?.id === id && writer.isInPlace(),
    append: writer.append,
    readNewest: () => readNewestLines(directory),
    replace: () => replaceIdentity(directory, installation),
    removeOld: (before) => removeOld(directory, before, writerId),
    close: writer.close,
  };
}

/** Reads the journal that is in a folder, and makes none. @throws what the file system says */
export async function findJournalFiles(directory: string): Promise<JournalFilesToRead> {
  const { id } = await readIdentity(directory);
  return toRead(directory, id);
}

function toRead(directory: string, id: string): JournalFilesToRead {
  return {
    id,
    directory,
    read: (since) => readLines(directory, since),
    readLast: () => readLastLines(directory),
    has: (mark) => hasMark(directory, mark),
  };
}

type Waiting = { lines: readonly string[]; resolve: () => void; reject: (error: unknown) => void };

/** One write and one synchronization at a time, each for all that wait. After a failure a new file is begun. */
function createWriter(directory: string, writerId: string): Pick<JournalFiles, 'append' | 'close' | 'isInPlace'> {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let file: { path: string; handle: FileHandle; bytes: number } | null = null;
  let count = 0;

  const write = async (text: string) => {
    if (file !== null && file.bytes > MAX_FILE_BYTES) {
      await file.handle.close();
      file = null;
    }
    file ??= { ...(await openNext()), bytes: 0 };
    await file.handle.appendFile(text);
    await file.handle.datasync();
    file.bytes += text.length;
  };
  const openNext = async () => {
    const path = join(directory, `${writerId}-${String(count).padStart(6, '0')}.ndjson`);
    const handle = await open(path, 'ax', 0o600);
    count += 1;
    await syncFolder(directory);
    return { path, handle };
  };
  const run = async () => {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      try {
        await write(taken.map(({ lines }) => lines.map((line) => `${line}\n`).join('')).join(''));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        // What a failed synchronization has written is not known, so this file is not written any more.
        await file?.handle.close().catch(() => undefined);
        file = null;
        for (const { reject } of taken) reject(error);
      }
    }
    running = null;
  };
  return {
    append: (lines) =>
      new Promise((resolve, reject) => {
        waiting.push({ lines, resolve, reject });
        running ??= run();
      }),
    isInPlace: async () => file === null || (await stat(file.path).catch(() => null)) !== null,
    close: async () => {
      await running;
      await file?.handle.close();
      file = null;
    },
  };
}

/** A new file's name is on the disk only after its folder is synchronized too. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeOld(directory: string, before: Date, writerId: string): Promise<number> {
  const files = (await listFiles(directory)).filter(({ name }) => !name.startsWith(writerId));
  let excess = files.reduce((sum, { bytes }) => sum + bytes, 0) - MAX_TOTAL_BYTES;
  let removed = 0;
  for (const { path, bytes, changedAtMs } of files) {
    if (changedAtMs >= before.getTime() && excess <= 0) break;
    await rm(path, { force: true });
    excess -= bytes;
    removed += 1;
  }
  return removed;
}
