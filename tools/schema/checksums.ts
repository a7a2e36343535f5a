import { createHash } from 'node:crypto';

/** The listed checksums are in the format of `sha256sum`, so that `sha256sum -c SHA256SUMS` checks them too. */
export const CHECKSUMS_PATH = 'server/migrations/SHA256SUMS';

export type ListedMigration = { name: string; checksum: string };

/** Computes the checksum as `migrate` writes it into `schema_migrations`. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Reads the lines of SHA256SUMS: a checksum, two spaces, a name. */
export function readChecksums(text: string): ListedMigration[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ checksum: line.slice(0, 64), name: line.slice(66) }));
}

/**
 * Returns SHA256SUMS with a line for each migration that it lacks. The line of a migration that was renumbered before it was pushed is
 * removed. @param migrations - the text of each, by its name @throws Error if a listed migration was edited or removed
 */
export function appendChecksums(listed: ListedMigration[], migrations: Map<string, string>): string {
  const present = new Map([...migrations].map(([name, text]) => [name, checksumOf(text)]));
  const renamed = new Set(present.values());
  for (const { name, checksum } of listed) {
    const now = present.get(name);
    if (now === checksum || (now === undefined && renamed.has(checksum))) continue;
    throw new Error(
      `${name} was ${now === undefined ? 'removed' : 'changed'} after it was listed in ${CHECKSUMS_PATH}. ` +
        'Write a new migration instead; if this one was never pushed, remove its line there.',
    );
  }
  return [...present]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, checksum]) => `${checksum}  ${name}\n`)
    .join('');
}
