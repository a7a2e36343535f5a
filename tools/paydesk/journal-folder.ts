import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalError } from './access.ts';

/** A journal in a folder: what names it, and its lines, the oldest file first. */
export type JournalFolder = { id: string; lines: () => AsyncGenerator<string> };

/**
 * Finds the journal in a folder, or in its only subfolder that has one: the folder that JOURNAL_DIR named has one for each database.
 * @throws TerminalError
 */
export async function findJournalFolder(folder: string): Promise<JournalFolder> {
  const own = await readJournalId(folder);
  if (own !== null) return { id: own, lines: () => readLines(folder) };
  const names = await readdir(folder).catch(() => {
    throw new TerminalError(`There is no folder ${folder}.`);
  });
  const inside = [];
  for (const name of names.sort()) {
    const id = await readJournalId(join(folder, name));
    if (id !== null) inside.push({ id, lines: () => readLines(join(folder, name)), name });
  }
  const [only, ...others] = inside;
  if (only === undefined) throw new TerminalError(`${folder} has no journal: there is no journal.json.`);
  if (others.length === 0) return only;
  throw new TerminalError(
    `${folder} has several journals: name one of ${inside.map(({ name }) => join(folder, name)).join(', ')}.`,
  );
}

async function readJournalId(folder: string): Promise<string | null> {
  try {
    const { id } = JSON.parse(await readFile(join(folder, 'journal.json'), 'utf8')) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** A last line that a crash cut off is left out. */
async function* readLines(folder: string): AsyncGenerator<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of files.sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1))) {
    let rest = '';
    for await (const chunk of createReadStream(join(folder, name), 'utf8')) {
      // Only a line feed ends a line: other separators may stand in the texts of documents.
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.endsWith('}')) yield line;
    }
  }
}
