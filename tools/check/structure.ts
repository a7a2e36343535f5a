import { posix } from 'node:path';
import { CHECKSUMS_PATH, checksumOf, readChecksums } from '../schema/checksums.ts';
import type { SourceFile } from './files.ts';
import { isTest } from './folders.ts';
import type { Finding, Project } from './project.ts';

/** Tests are beside what they test, and are not counted. */
const ROOM_SIZE = 12;

/** A folder of the server, of its tests or of a package has few files. */
export function rooms({ files }: Project): Finding[] {
  const sources = files.filter(({ path }) => /^(server\/(src|test)|packages)\//.test(path) && !isTest(path));
  return [...Map.groupBy(sources, ({ path }) => posix.dirname(path))].flatMap(([folder, { length }]) => {
    if (length <= ROOM_SIZE) return [];
    const message = `has ${length} files besides tests, more than ${ROOM_SIZE}: divide it by what the files are about`;
    return [{ path: folder, line: 1, message }];
  });
}

/**
 * Migrations are numbered from 0001 without a gap or a repetition, and SHA256SUMS lists each with its text: Paydesk refuses a database that
 * another text made.
 */
export function migrations({ files }: Project): Finding[] {
  const list = files.find(({ path }) => path === CHECKSUMS_PATH);
  const checksums = new Map(readChecksums(list?.text ?? '').map(({ name, checksum }) => [name, checksum]));
  const present = files.filter(({ path }) => path.startsWith('server/migrations/') && path !== CHECKSUMS_PATH);
  const names = new Set(present.map(({ path }) => posix.basename(path)));
  const removed = [...checksums.keys()].filter((name) => !names.has(name));
  return [
    ...present
      .sort((left, right) => (left.path < right.path ? -1 : 1))
      .flatMap((file, index) => {
        const message = objectionTo(file, index + 1, checksums);
        return message === undefined ? [] : [{ path: file.path, line: 1, message }];
      }),
    ...removed.map((name) => {
      const message = `lists ${name}, which was removed or renamed: restore it; if it was never pushed, run npm run schema`;
      return { path: CHECKSUMS_PATH, line: 1, message };
    }),
  ];
}

function objectionTo({ path, text }: SourceFile, number: number, checksums: Map<string, string>): string | undefined {
  const name = posix.basename(path);
  const digits = String(number).padStart(4, '0');
  if (!new RegExp(`^${digits}_[a-z0-9_]+\\.sql$`).test(name)) return `is out of order: name it ${digits}_<subject>.sql`;
  const checksum = checksums.get(name);
  if (checksum === undefined) return `is not in ${CHECKSUMS_PATH}: run npm run schema`;
  return checksum === checksumOf(text)
    ? undefined
    : 'changed after it was listed: restore it and write a new migration';
}
