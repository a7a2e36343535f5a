import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/* Reading the files of a journal. A line that a crash cut off, at the end of a file, is left out. */

/** A line of a journal, and where it is: `number` counts from one. */
export type JournalLine = { path: string; number: number; text: string };

/** Of so many files the last lines are read: those of processes that ran at the same time, and some before. */
const LAST_FILES = 32;
/** Of each of them so many lines: what several transactions commit at once may be appended in another order. */
const LAST_LINES = 16;
const TAIL_BYTES = 64 * 1024;
/** Of a file that is read whole so much at a time. */
const CHUNK_BYTES = 1024 * 1024;
/** Longer than any entry: a fault of the disk may leave a file without line ends. Such a line is read as an empty one. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;
/** A file of a process that had nothing to append has one line, which checked that the disk can be written. */
const CHECK_BYTES = 64;
const FILE_NAME = /^[0-9a-f-]{36}-\d{6}\.ndjson$/;

type FileFacts = { name: string; path: string; bytes: number; changedAtMs: number };

/** Lists the files of a journal, the one that was written last at the end. */
export async function listFiles(directory: string): Promise<FileFacts[]> {
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

/** Reads all lines, oldest file first, of files that were written since an instant. */
export async function* readLines(directory: string, since: Date): AsyncGenerator<JournalLine> {
  for (const { path, changedAtMs } of await listFiles(directory)) {
    if (changedAtMs < since.getTime()) continue;
    yield* readFileLines(path, MAX_LINE_CHARACTERS);
  }
}

/**
 * Reads the lines of a file. Only a line feed ends one: other separators may stand in the texts of documents.
 * @param maxCharacters - a longer line is read as an empty one
 */
export async function* readFileLines(path: string, maxCharacters: number): AsyncGenerator<JournalLine> {
  let rest = '';
  let isTooLong = false;
  let number = 0;
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
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

/** Whether some line is about this mark. */
export async function hasMark(directory: string, mark: string): Promise<boolean> {
  for (const { path } of (await listFiles(directory)).reverse()) {
    if ((await readFile(path)).includes(`{"mark":"${mark}"`)) return true;
  }
  return false;
}

/**
 * Reads the last lines, the oldest first, of each of the newest files that have entries: of those that were written last, and of those
 * whose process began last, as their names say, since a copy may give all files the time of the copy.
 */
export async function readLastLines(directory: string): Promise<string[]> {
  const written = (await listFiles(directory)).filter(({ bytes }) => bytes > CHECK_BYTES);
  const begun = written.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const newest = new Set([...begun.slice(-LAST_FILES), ...written.slice(-LAST_FILES)]);
  const lines: string[] = [];
  // One after the other: a line may have megabytes.
  for (const { path, bytes } of newest) lines.push(...(await readTail(path, bytes)));
  return lines;
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

/**
 * The same as it is at this moment, without waiting: of few files, and without lines that are very long. Nothing where the folder can't be
 * read.
 */
export function readNewestLines(directory: string): string[] {
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
