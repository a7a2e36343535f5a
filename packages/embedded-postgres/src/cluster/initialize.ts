import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory, writePrivateFile } from '../files/private-files.ts';
import { EmbeddedPostgresError, hasCode } from '../system/errors.ts';
import type { Names } from '../system/names.ts';
import { runProgram, type ServerAccount } from '../system/server-account.ts';
import type { Binaries } from './binaries.ts';
import { statementsOfNewCluster } from './cluster.queries.ts';

/** The folder of the cluster, whether it exists already, and the account that runs it. */
export type ClusterLocation = { directory: string; account: ServerAccount; exists: boolean };

/**
 * Creates the cluster with its user and its database. It is created beside its final folder and moved there once it is complete and on
 * disk. So an interrupted process leaves nothing that could be mistaken for a cluster. @throws EmbeddedPostgresError `cannot_run` if the
 * programs fail
 */
export async function initializeCluster(
  binaries: Binaries,
  location: ClusterLocation,
  { user, database, password }: Pick<Names, 'user' | 'database'> & { password: string },
): Promise<void> {
  const { account, directory } = location;
  await removeUnfinished(directory);
  const workDirectory = await mkdtemp(`${directory}.initializing-`);
  try {
    if (account) await chown(workDirectory, account.uid, account.gid);
    const passwordPath = join(workDirectory, 'password');
    writePrivateFile(passwordPath, `${password}\n`, account ?? undefined);

    const cluster = join(workDirectory, 'cluster');
    await runStep(binaries.initdb, initdbArguments(cluster, user, passwordPath), account);
    await rm(passwordPath);
    const single = ['--single', '-F', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres'];
    await runStep(binaries.postgres, single, account, statementsOfNewCluster(database));
    await runStep(binaries.initdb, ['--sync-only', '-D', cluster], account);

    await rename(cluster, directory);
    syncDirectory(dirname(directory));
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}

/** Removes what a killed `initializeCluster` left. It retries, because initdb may still write for a moment. */
export async function removeUnfinished(clusterDirectory: string): Promise<void> {
  const parent = dirname(clusterDirectory);
  const prefix = `${basename(clusterDirectory)}.initializing-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Reads the owner's password. Only a data directory without a cluster gets a new one. @throws EmbeddedPostgresError `data_missing` */
export async function readPassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const path = join(dataDirectory, 'postgres-password');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    if (clusterExists) {
      const message = `${path} is missing, and without it nobody can open the database. Restore it.`;
      throw new EmbeddedPostgresError('data_missing', message);
    }
  }
  const password = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${password}\n`);
  return password;
}

function initdbArguments(cluster: string, user: string, passwordPath: string): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${user}`,
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
  const message = `The database could not be created, "${basename(program)}" failed: ${output}`;
  throw new EmbeddedPostgresError('cannot_run', message);
}
