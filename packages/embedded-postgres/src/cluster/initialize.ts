import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode, syncDirectory, writePrivateFile } from '../files/private-files.ts';
import { runProgram, type ServerAccount } from '../system/server-account.ts';
import type { Binaries } from './binaries.ts';
import { newClusterStatements } from './cluster.queries.ts';

/** Where the cluster stands or shall stand, and who runs it. */
export type ClusterPlace = { directory: string; account: ServerAccount; exists: boolean };

/** The bootstrap superuser, owner of everything in the cluster. */
export const ownerName = 'paydesk_owner';

/**
 * Creates the cluster with the database `paydesk`. It is made beside its place and moved there when it is complete and on disk, so
 * that whatever ends this process halfway leaves nothing that could be taken for a cluster.
 */
export async function initializeCluster(binaries: Binaries, place: ClusterPlace, password: string): Promise<void> {
  const { account, directory } = place;
  await removeUnfinished(directory);
  const workDirectory = await mkdtemp(`${directory}.initializing-`);
  try {
    if (account) await chown(workDirectory, account.uid, account.gid);
    const passwordPath = join(workDirectory, 'password');
    await writePrivateFile(passwordPath, `${password}\n`, account ?? undefined);

    const cluster = join(workDirectory, 'cluster');
    await runStep(binaries.initdb, initdbArguments(cluster, passwordPath), account);
    await rm(passwordPath);
    const single = ['--single', '-F', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres'];
    await runStep(binaries.postgres, single, account, newClusterStatements);
    await runStep(binaries.initdb, ['--sync-only', '-D', cluster], account);

    await rename(cluster, directory);
    await syncDirectory(dirname(directory));
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}

/** Removes what a killed `initializeCluster` left. Its initdb may still write for a moment, hence the retries. */
export async function removeUnfinished(clusterDirectory: string): Promise<void> {
  const parent = dirname(clusterDirectory);
  const prefix = `${basename(clusterDirectory)}.initializing-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Reads the owner's password. Only a data directory without a cluster gets a new one. */
export async function readPassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const path = join(dataDirectory, 'postgres-password');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    if (clusterExists) throw new Error(`${path} is missing, and without it nobody can open the database. Restore it.`);
  }
  const password = randomBytes(32).toString('base64url');
  await writePrivateFile(path, `${password}\n`);
  return password;
}

function initdbArguments(cluster: string, passwordPath: string): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${ownerName}`,
    `--pwfile=${passwordPath}`,
    '--auth-local=scram-sha-256',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    '--no-sync', // everything is synced at once, at the end
  ];
}

async function runStep(program: string, programArguments: string[], account: ServerAccount, input = ''): Promise<void> {
  const { exitCode, output } = await runProgram(program, programArguments, { account, input });
  if (exitCode === 0) return;
  throw new Error(
    `The database could not be created, "${basename(program)}" failed: ${output}\n` +
      'If PostgreSQL from the packages does not run on this machine, set DATABASE_URL to one of your own.',
  );
}
