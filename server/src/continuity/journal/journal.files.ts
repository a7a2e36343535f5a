import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { createPrivateFile } from '../../platform/data-directory.ts';

/*
 * A journal on the disk: a folder with `journal.json`, which names the journal, and files of lines. Each process appends to a file of its
 * own, so that several can share the folder. A line that a crash cut off, at the end of a file, is left out.
 */

/** A line of a journal, and where it is: `number` counts from one. */
export type JournalLine = { path: string; number: number; text: string };

/** The journal of a folder, to which this process appends. */
export type JournalFiles = {
  /** Names the journal for good. */
  id: string;
  /** Whether the folder is still there, and still this journal's, with the file that is written. */
  isInPlace: () => Promise<boolean>;
  /**
   * Appends lines, without their line ends. They are on the disk when it resolves; all that wait share one synchronization. After a failure
   * the journal has to be opened again: what a failed synchronization has written is not known.
   */
  append: (lines: readonly string[]) => Promise<void>;
  /** Deletes files that were last written before this time, and the oldest of those that exceed 4 GiB. @returns how many */
  removeOld: (before: Date) => Promise<number>;
  close: () => Promise<void>;
};

/** Why a folder has no journal of this database, for people. */
export class JournalError extends Error {
  override name = 'JournalError';
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Some ten million charges. */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/** Of so many files the last lines are read: those of processes that ran at the same time, and some before. */
const LAST_FILES = 16;
/** Of each of them so many lines: what several transactions commit at once may be appended in another order. */
const LAST_LINES = 16;
const TAIL_BYTES = 64 * 1024;
/** A file of a process that had nothing to append has one line, which checked that the disk can be written. */
const CHECK_BYTES = 64;
/** Longer than any entry: a fault of the disk may leave a file without line ends. Such a line is read as an empty one. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;
const FILE_NAME = /^[0-9a-f-]{36}-\d{6}\.ndjson$/;

/**
 * Chooses where the journal of a database is: in a folder of `JOURNAL_DIR` that has the name of the database's id, so that another database
 * with the same settings has a journal of its own. Beside the data directory, a journal is left alone when a copy of that is put back.
 */
export async function chooseJournalDirectory(
  installation: string,
  { dataDirectory, journalDirectory }: { dataDirectory: string; journalDirectory: string | undefined },
): Promise<string> {
  if (journalDirectory !== undefined) return join(resolve(journalDirectory), installation);
  const inside = join(dataDirectory, 'journal');
  if (existsSync(inside)) return join(inside, installation);
  const beside = `${dataDirectory}-journal`;
  const isThere = mkdir(beside, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
  return join((await isThere) ? beside : inside, installation);
}

/**
 * Opens the journal in a folder, which is made (mode 0700) where it is missing.
 * @param installation - the id of the database whose journal it is
 * @throws what the file system says; JournalError
 */
export async function openJournalFiles(directory: string, installation: string): Promise<JournalFiles> {
  const writerId = uuidv7();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const identity = { id: randomUUID(), installation, createdAt: new Date().toISOString() };
  createPrivateFile(identityOf(directory), `${JSON.stringify(identity)}\n`);
  const found = await readIdentity(directory);
  if ((found.installation ?? installation) !== installation) throw new JournalError('it belongs to another database');
  const { id } = found;
  const writer = createWriter(directory, writerId);
  return {
    ...{ id, append: writer.append, close: writer.close },
    isInPlace: async () => (await readIdentity(directory).catch(() => null))?.id === id && writer.isInPlace(),
    removeOld: (before) => removeOld(directory, before, writerId),
  };
}

function identityOf(directory: string): string {
  return join(directory, 'journal.json');
}

/** Reads which journal is in a folder. @throws JournalError, or what the file system says */
export async function readIdentity(directory: string): Promise<{ id: string; installation?: string }> {
  const text = await readFile(identityOf(directory), 'utf8');
  try {
    const identity = JSON.parse(text) as { id: string; installation?: string } | null;
    if (identity !== null && isUuid(identity.id)) return identity;
  } catch {
    // As below.
  }
  throw new JournalError('its journal.json is damaged');
}

type Waiting = { lines: readonly string[]; resolve: () => void; reject: (error: unknown) => void };

/** One write and one synchronization at a time, each for all that wait. */
function createWriter(directory: string, writerId: string): Pick<JournalFiles, 'append' | 'close' | 'isInPlace'> {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let file: { path: string; handle: FileHandle; bytes: number } | null = null;
  let count = 0;
  const close = async () => {
    const closing = file;
    file = null;
    await closing?.handle.close();
  };
  const write = async (text: string) => {
    if (file !== null && file.bytes > MAX_FILE_BYTES) await close();
    file ??= await openNext();
    await file.handle.appendFile(text);
    await file.handle.datasync();
    file.bytes += text.length;
  };
  const openNext = async () => {
    const path = join(directory, `${writerId}-${String(count).padStart(6, '0')}.ndjson`);
    count += 1;
    const handle = await open(path, 'ax', 0o600);
    await syncFolder(directory);
    return { path, handle, bytes: 0 };
  };
  const run = async () => {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      try {
        await write(taken.map(({ lines }) => lines.map((line) => `${line}\n`).join('')).join(''));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        await close().catch(() => undefined);
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
      await close();
    },
  };
}

/** A new file's name is on the disk only after its folder is synchronized too. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}

type FileFacts = { name: string; path: string; bytes: number; changedAtMs: number };

/** The files of a journal, the one that was written last at the end. */
function listFiles(directory: string): FileFacts[] {
  const names = readdirSync(directory).filter((name) => FILE_NAME.test(name));
  const files = names.map((name) => {
    const path = join(directory, name);
    const { size, mtimeMs } = statSync(path);
    return { name, path, bytes: size, changedAtMs: mtimeMs };
  });
  return files.sort((one, other) => one.changedAtMs - other.changedAtMs || (one.name < other.name ? -1 : 1));
}

async function removeOld(directory: string, before: Date, writerId: string): Promise<number> {
  const files = listFiles(directory).filter(({ name }) => !name.startsWith(writerId));
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

/** Reads all lines of a journal, the oldest file first. */
export async function* readLines(directory: string): AsyncGenerator<JournalLine> {
  for (const { path } of listFiles(directory)) yield* readFileLines(path, MAX_LINE_CHARACTERS);
}

/**
 * Reads the lines of a file. Only a line feed ends one: other separators may stand in the texts of documents.
 * @param maxCharacters - a longer line is read as an empty one
 */
export async function* readFileLines(path: string, maxCharacters: number): AsyncGenerator<JournalLine> {
  let rest = '';
  let isTooLong = false;
  let number = 0;
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      number += 1;
      yield { path, number, text: isTooLong ? '' : text };
      isTooLong = false;
    }
    if (rest.length > maxCharacters) [rest, isTooLong] = ['', true];
  }
}

/**
 * Reads the last lines, the oldest first, of each of the newest files that have entries: of those that were written last, and of those
 * whose process began last, as their names say, since a copy may give all files the time of the copy. It does not wait, because a new
 * connection to the database is compared with them. @throws what the file system says
 */
export function readLastLines(directory: string): string[] {
  const written = listFiles(directory).filter(({ bytes }) => bytes > CHECK_BYTES);
  const begun = written.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const newest = new Set([...begun.slice(-LAST_FILES), ...written.slice(-LAST_FILES)]);
  return [...newest].flatMap(({ path, bytes }) => readTail(path, bytes));
}

/** Reads from the end until there is a whole line. */
function readTail(path: string, bytes: number): string[] {
  const file = openSync(path, 'r');
  try {
    for (let length = Math.min(bytes, TAIL_BYTES); ; length = Math.min(bytes, length * 4)) {
      const buffer = Buffer.alloc(length);
      readSync(file, buffer, 0, length, bytes - length);
      // The first is cut off unless the file begins with it, and the last is empty, or cut off by a crash.
      const lines = buffer
        .toString('utf8')
        .split('\n')
        .slice(length === bytes ? 0 : 1, -1);
      if (length === bytes || lines.length > 0) return lines.slice(-LAST_LINES);
    }
  } finally {
    closeSync(file);
  }
}
