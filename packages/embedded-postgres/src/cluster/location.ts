import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writePrivateFile } from '../files/private-files.ts';
import { EmbeddedPostgresError, hasCode } from '../system/errors.ts';
import { findServerAccount, runProgram, type ServerAccount } from '../system/server-account.ts';
import { type ClusterLocation, removeUnfinished } from './initialize.ts';
import { createSharedDirectory } from './shared-binaries.ts';

/**
 * Finds the cluster of a data directory, or the folder for a new one. It is in the data directory or, if the server account can't get there
 * (as in root's home), in a directory below `sharedDirectory`, which the file `postgres-location` names. @throws EmbeddedPostgresError
 * `data_missing` if an existing cluster is gone
 */
export async function findClusterLocation(dataDirectory: string, sharedDirectory: string): Promise<ClusterLocation> {
  const moved = await readLine(join(dataDirectory, 'postgres-location'));
  if (moved !== null) {
    if (!(await isCluster(moved))) {
      throw new EmbeddedPostgresError('data_missing', lostClusterMessage(dataDirectory, moved));
    }
    return { directory: moved, account: await findAccountOf(moved), exists: true };
  }

  const directory = join(dataDirectory, 'postgres');
  const exists = await isCluster(directory);
  const account = exists ? await findAccountOf(directory) : await findServerAccount();
  await allowPassage(dataDirectory, account);
  if (exists || account === null || (await canWriteBelow(directory, account))) return { directory, account, exists };

  await allowPassage(dataDirectory, null);
  return { directory: await chooseSharedDirectory(dataDirectory, sharedDirectory), account, exists };
}

/** Assigns a new cluster to this data directory in one step. Until then, the next start begins again. */
export async function confirmClusterLocation(dataDirectory: string, location: ClusterLocation): Promise<void> {
  if (dirname(location.directory) === dataDirectory) return;
  await rename(pendingPath(dataDirectory), join(dataDirectory, 'postgres-location'));
  syncDirectory(dataDirectory);
}

/** This file is the last thing that initdb and the move into place leave behind. */
async function isCluster(directory: string): Promise<boolean> {
  try {
    return (await stat(join(directory, 'PG_VERSION'))).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** The owner of a cluster keeps running it, even if the machine has an account `postgres` by now. */
async function findAccountOf(clusterDirectory: string): Promise<ServerAccount> {
  const account = await findServerAccount();
  const owner = await stat(clusterDirectory);
  if (account === null || owner.uid === account.uid) return account;
  if (owner.uid !== 0) return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };

  // Root restored it from a copy.
  const given = await runProgram('chown', ['-Rh', `${account.uid}:${account.gid}`, clusterDirectory], {
    account: null,
  });
  if (given.exitCode !== 0) {
    const message = `${clusterDirectory} can't be given to "${account.name}": ${given.output}`;
    throw new EmbeddedPostgresError('directory_unusable', message);
  }
  return account;
}

/** Lets the account pass through the data directory to its cluster. It can neither list the directory nor read anything else in it. */
async function allowPassage(dataDirectory: string, account: ServerAccount): Promise<void> {
  const found = await stat(dataDirectory);
  const isForeign = account !== null && account.uid !== found.uid;
  try {
    if (isForeign && found.gid !== account.gid) await chown(dataDirectory, found.uid, account.gid);
    const mode = isForeign ? 0o710 : 0o700;
    if ((found.mode & 0o7777) !== mode) await chmod(dataDirectory, mode);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EROFS')) throw error;
  }
}

/** Writes a file to find out, since a parent folder, an access list or a mount option may forbid it. */
async function canWriteBelow(directory: string, account: NonNullable<ServerAccount>): Promise<boolean> {
  const probe = await mkdtemp(`${directory}.initializing-`);
  try {
    await chown(probe, account.uid, account.gid);
    const script = 'cd "$1" && : > probe && rm probe';
    return (await runProgram('/bin/sh', ['-c', script, 'sh', probe], { account })).exitCode === 0;
  } catch (error) {
    if (hasCode(error, 'EPERM')) return false;
    throw error;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

async function chooseSharedDirectory(dataDirectory: string, sharedDirectory: string): Promise<string> {
  const parent = await createSharedDirectory(sharedDirectory, 'clusters');
  const unfinished = await readLine(pendingPath(dataDirectory));
  if (unfinished !== null && dirname(unfinished) === parent) {
    await removeUnfinished(unfinished);
    for (const path of [unfinished, `${unfinished}.lock`, `${unfinished}.lock.pid`])
      await rm(path, { recursive: true, force: true });
  }
  const directory = join(parent, randomBytes(8).toString('hex'));
  writePrivateFile(pendingPath(dataDirectory), `${directory}\n`);
  return directory;
}

function pendingPath(dataDirectory: string): string {
  return join(dataDirectory, 'postgres-location.pending');
}

async function readLine(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function lostClusterMessage(dataDirectory: string, directory: string): string {
  return (
    `The database of ${dataDirectory} stood in ${directory}, and it is gone. ` +
    `Restore it, or delete ${dataDirectory} to begin with an empty one.`
  );
}
