import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type JournalLine, readFileLines } from '../../server/src/continuity/journal/journal.files.ts';
import { TerminalError } from './access.ts';

/** A journal in a folder: what names it, whose it is if it says that, and its lines, the oldest file first. */
export type JournalFolder = { id: string; installation: string | null; lines: () => AsyncGenerator<JournalLine> };

/**
 * Finds the journal in a folder, or in its only subfolder that has one: the folder that JOURNAL_DIR named has one for each database.
 * @throws TerminalError
 */
export async function findJournalFolder(folder: string): Promise<JournalFolder> {
  const own = await readIdentity(folder);
  if (own !== null) return { ...own, lines: () => readLines(folder) };
  const names = await readdir(folder).catch(() => {
    throw new TerminalError(`There is no folder ${folder}.`);
  });
  const inside = [];
  for (const name of names.sort()) {
    const identity = await readIdentity(join(folder, name));
    if (identity !== null) inside.push({ ...identity, lines: () => readLines(join(folder, name)), name });
  }
  const [only, ...others] = inside;
  if (only === undefined) throw new TerminalError(`${folder} has no journal: there is no journal.json.`);
  if (others.length === 0) return only;
  throw new TerminalError(
    `${folder} has several journals: name one of ${inside.map(({ name }) => join(folder, name)).join(', ')}.`,
  );
}

async function readIdentity(folder: string): Promise<Pick<JournalFolder, 'id' | 'installation'> | null> {
  try {
    const text = await readFile(join(folder, 'journal.json'), 'utf8');
    const { id, installation } = JSON.parse(text) as { id?: unknown; installation?: unknown };
    return typeof id === 'string' ? { id, installation: typeof installation === 'string' ? installation : null } : null;
  } catch {
    return null;
  }
}

/** As many as a request may have. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;

/** A last line that a crash cut off is left out. One that is too long for any journal is read as an empty one, which is damaged. */
async function* readLines(folder: string): AsyncGenerator<JournalLine> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await stat(join(folder, name)) })));
  // Nobody may write to the other end of a pipe.
  const files = found.flatMap(({ name, stats }) => (stats.isFile() ? [{ name, at: stats.mtimeMs }] : []));
  for (const { name } of files.sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1)))
    yield* readFileLines(join(folder, name), MAX_LINE_CHARACTERS);
}
