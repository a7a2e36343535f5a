import { CHECKSUMS_PATH, checksumOf, readChecksums } from '../schema/checksums.ts';
import { baseName } from './folders.ts';
import type { Finding, Project } from './project.ts';
import { isMigration } from './structure.ts';

/** Each migration is listed in SHA256SUMS as it is; none that is listed was edited or removed. */
export function frozenMigrations({ files }: Project): Finding[] {
  const list = files.find(({ path }) => path === CHECKSUMS_PATH);
  const listed = readChecksums(list?.text ?? '');
  const checksums = new Map(listed.map(({ name, checksum }) => [name, checksum]));
  const present = files.filter(isMigration);
  const names = new Set(present.map(({ path }) => baseName(path)));
  return [
    ...present.flatMap(({ path, text }) => {
      const checksum = checksums.get(baseName(path));
      if (checksum === checksumOf(text)) return [];
      const message =
        checksum === undefined
          ? `not in ${CHECKSUMS_PATH}: npm run schema adds it`
          : 'changed after it was listed: databases have it as it was; write a new migration';
      return [{ path, line: 1, message }];
    }),
    ...listed.flatMap(({ name }, index) =>
      names.has(name)
        ? []
        : [{ path: CHECKSUMS_PATH, line: index + 1, message: `${name} is listed, and was removed or renamed` }],
    ),
  ];
}
