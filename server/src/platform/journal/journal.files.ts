import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { createPrivateFile } from '../data-directory.ts';

/*
 * The files of a journal: a folder with `journal.json`, which names the journal, and files of lines. Each process appends to a file of
 * its own, so that several can share the folder.
 */

/** Appends lines, and reads those of all processes. */
export type JournalFiles = {
  /** Names the journal for good. */
  id: string;
  directory: string;
  /** Whether the folder is still there, and still this journal's, with the file that is written. */
  isInPlace: () => Promise<boolean>;
  /** Appends lines, without their line ends. They are on the disk when it resolves; all that wait share one synchronization. */
  append: (lines: readonly string[]) => Promise<void>;
  /**
   * Reads all lines that were written completely, oldest file first, of files that were written since an instant. A line that a crash cut
   * off is left out.
   */
  read: (since: Date) => AsyncGenerator<string>;
  /** Reads the last lines, the oldest first, of each of the newest files that have entries. */
  readLast: () => Promise<string[]>;
  /**
   * The same as it is at this moment, without waiting: of few files, and without lines that are very long. Nothing where the folder
   * can't be read.
   */
  readNewest: () => string[];
  /** Deletes files that were last written before this time, and the oldest of those that exceed the size. @returns how many */
  removeOld: (before: Date) => Promise<number>;
  close: () => Promise<void>;
};

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Some ten million charges. */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/** Of so many files the last lines are read: those of processes that ran at the same time, and some before. */
const LAST_FILES = 32;
/** Of each of them so many lines: what several transactions commit at once may be appended in another order. */
const LAST_LINES = 16;
const TAIL_BYTES = 64 * 1024;
/** A file of a process that had nothing to append has one line, which checked that the disk can be written. */
const CHECK_BYTES = 64;
const FILE_NAME = /^[0-9a-f-]{36}-\d{6}\.ndjson$/;

/** Opens the journal in a folder, which is made (mode 0700) where it is missing. @throws what the file system says */
export async function openJournalFiles(directory: string): Promise<JournalFiles> {
  const writerId = uuidv7();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  createPrivateFile(
    identityOf(directory),
    `${JSON.stringify({ id: randomUUID(), createdAt: new Date().toISOString() })}\n`,
  );
  const writer = createWriter(directory, writerId);
  const found = await findJournalFiles(directory);
  return {
    ...found,
    directory,
    isInPlace: async () => (await readIdentity(directory).catch(() => null)) === found.id && writer.isInPlace(),
    append: writer.append,
    readNewest: () => readNewestLines(directory),
    removeOld: (before) => removeOld(directory, before, writerId),
    close: writer.close,
  };
}

/** Reads the journal that is in a folder, and makes none. @throws what the file system says */
export async function findJournalFiles(directory: string): Promise<Pick<JournalFiles, 'id' | 'read' | 'readLast'>> {
  const id = await readIdentity(directory);
  return { id, read: (since) => readLines(directory, since), readLast: () => readLastLines(directory) };
}

async function readIdentity(directory: string): Promise<string> {
  const { id } = JSON.parse(await readFile(identityOf(directory), 'utf8')) as { id: string };
  return id;
}

function identityOf(directory: string): string {
  return join(directory, 'journal.json');
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

type FileFacts = { name: string; path: string; bytes: number; changedAtMs: number };

async function listFiles(directory: string): Promise<FileFacts[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const { size, mtimeMs } = await stat(path);
      return { name, path, bytes: size, changedAtMs: mtimeMs };
    }),
  );
  return files.sort((one, other) => one.changedAtMs - other.changedAtMs || (one.name < other.name ? -1 : 1));
}

async function* readLines(directory: string, since: Date): AsyncGenerator<string> {
  for (const { path, changedAtMs } of await listFiles(directory)) {
    if (changedAtMs < since.getTime()) continue;
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines.pop();
    yield* lines;
  }
}

async function readLastLines(directory: string): Promise<string[]> {
  const files = (await listFiles(directory)).filter(({ bytes }) => bytes > CHECK_BYTES).slice(-LAST_FILES);
  return (await Promise.all(files.map(({ path, bytes }) => readTail(path, bytes)))).flat();
}

/** Reads from the end until there is a whole line. */
async function readTail(path: string, bytes: number): Promise<string[]> {
  const handle = await open(path, 'r');
  try {
    for (let length = Math.min(bytes, TAIL_BYTES); ; length = Math.min(bytes, length * 4)) {
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, bytes - length);
      const lines = wholeLines(buffer, length === bytes);
      if (length === bytes || lines.length > 0) return lines;
    }
  } finally {
    await handle.close();
  }
}

/** The first is cut off unless the file begins with it, and the last is empty, or cut off by a crash. */
function wholeLines(tail: Buffer, isWholeFile: boolean): string[] {
  return tail
    .toString('utf8')
    .split('\n')
    .slice(isWholeFile ? 0 : 1, -1)
    .slice(-LAST_LINES);
}

/** As many processes as a machine has at once. */
const NEWEST_FILES = 8;

function readNewestLines(directory: string): string[] {
  try {
    const files = readdirSync(directory)
      .filter((name) => FILE_NAME.test(name))
      .map((name) => ({ path: join(directory, name), ...sizeOf(statSync(join(directory, name))) }))
      .filter(({ bytes }) => bytes > CHECK_BYTES);
    const newest = files.sort((one, other) => other.changedAtMs - one.changedAtMs).slice(0, NEWEST_FILES);
    return newest.flatMap(({ path, bytes }) => readTailNow(path, bytes));
  } catch {
    return [];
  }
}

function sizeOf({ size, mtimeMs }: { size: number; mtimeMs: number }) {
  return { bytes: size, changedAtMs: mtimeMs };
}

function readTailNow(path: string, bytes: number): string[] {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(bytes, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, bytes - buffer.length);
    return wholeLines(buffer, buffer.length === bytes);
  } finally {
    closeSync(file);
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
