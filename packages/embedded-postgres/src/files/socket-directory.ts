import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, messageOf } from '../system/errors.ts';
import { runProgram, type ServerAccount } from '../system/server-account.ts';

/** The server does not listen on a port; the number only names its socket. */
export const socketPort = 5432;

/** The lowest limit of the supported systems (macOS); Linux allows 107 bytes. */
const maximumSocketPathBytes = 103;
const prefix = 'postgres-socket-';

/** The name of the server's socket in its directory. */
export const socketName = `.s.PGSQL.${socketPort}`;

/**
 * Chooses a directory for the socket that only the server's owner (and root) can enter: the cluster itself, or a new one among the
 * temporary files if the cluster's path is too long for a socket. @throws EmbeddedPostgresError `directory_unusable` if there is none
 */
export async function chooseSocketDirectory(clusterDirectory: string, account: ServerAccount): Promise<string> {
  if (isShortEnough(clusterDirectory)) return clusterDirectory;
  const problems: string[] = [];
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    try {
      return await createTemporary(parent, account);
    } catch (error) {
      problems.push(`${parent}: ${messageOf(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    'directory_unusable',
    `PostgreSQL has no place for its socket: the path ${clusterDirectory} is too long; ${problems.join('; ')}.`,
  );
}

/** Removes a directory that `chooseSocketDirectory` created, and leaves any other alone. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  const isOurs = basename(directory).startsWith(prefix) && [tmpdir(), '/tmp'].includes(dirname(directory));
  if (isOurs) await rm(directory, { recursive: true, force: true });
}

async function createTemporary(parent: string, account: ServerAccount): Promise<string> {
  const directory = await mkdtemp(join(parent, prefix));
  try {
    if (!isShortEnough(directory)) throw new Error('the path is too long');
    if (account === null) return directory;
    await chown(directory, account.uid, account.gid);
    const check = await runProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { account });
    if (check.exitCode !== 0) throw new Error(`the account "${account.name}" can't get there`);
    return directory;
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, socketName)) <= maximumSocketPathBytes;
}
