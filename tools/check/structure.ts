import { posix } from 'node:path';
import { baseName, isTest } from './folders.ts';
import type { Finding, Project, SourceFile } from './project.ts';

/** Tests stand beside what they test and are not counted. */
const ROOM_SIZE = 12;

/** A folder of the server, of its tests or of a package holds few files. */
export function rooms({ files }: Project): Finding[] {
  const sources = files.filter(({ path }) => /^(server\/(src|test)|packages)\//.test(path) && !isTest(path));
  const folders = Map.groupBy(sources, ({ path }) => posix.dirname(path));
  return [...folders].flatMap(([folder, [first, ...others]]) => {
    if (first === undefined || others.length < ROOM_SIZE) return [];
    const message = `${folder} holds ${others.length + 1} files; a folder holds ${ROOM_SIZE} beside tests`;
    return [{ path: first.path, line: 1, message }];
  });
}

/** Migrations are named NNNN_name.sql and numbered from 0001 without a gap or a repetition. */
export function migrations({ files }: Project): Finding[] {
  const folder = 'server/migrations/';
  const inFolder = files.filter(
    (file) => file.path.startsWith(folder) && !/\/(schema\.sql|README\.md|SHA256SUMS)$/.test(file.path),
  );
  const misnamed = inFolder.filter((file) => !isMigration(file));
  const numbered = inFolder.filter(isMigration).sort((left, right) => (left.path < right.path ? -1 : 1));
  return [
    ...misnamed.map(({ path }) => ({ path, line: 1, message: 'expected a name like 0001_accounts.sql' })),
    ...numbered.flatMap(({ path }, index) => {
      const expected = String(index + 1).padStart(4, '0');
      if (baseName(path).startsWith(`${expected}_`)) return [];
      return [{ path, line: 1, message: `expected the number ${expected} here` }];
    }),
  ];
}

/** Whether the name is one that `migrate` runs. */
export function isMigration(file: SourceFile): boolean {
  return /^server\/migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(file.path);
}
