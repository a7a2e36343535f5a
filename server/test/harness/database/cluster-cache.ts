import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../../..');
const CACHE = join(ROOT, 'node_modules/.cache/paydesk-test-cluster');
/** The files that determine the content of the cluster with its migrated template. */
const SOURCES = [
  'package-lock.json',
  'packages/embedded-postgres/src',
  'server/migrations',
  'server/src/platform/data-directory.ts',
  'server/src/platform/database',
  'server/test/harness/database',
];

const run = promisify(execFile);

/** Copies the cluster that an earlier run kept, if it was made from the same files. @returns false if there is none */
export async function restoreCluster(directory: string): Promise<boolean> {
  try {
    await run('cp', ['-a', join(CACHE, await findKey()), directory]);
    return true;
  } catch {
    // Another run may be replacing it.
    await rm(directory, { recursive: true, force: true });
    return false;
  }
}

/** Keeps a stopped cluster for later runs, and replaces those made from other files. If that fails, later runs only start more slowly. */
export async function keepCluster(directory: string): Promise<void> {
  const key = await findKey();
  const copy = join(CACHE, `${key}.${process.pid}`);
  try {
    await mkdir(CACHE, { recursive: true });
    const others = await readdir(CACHE);
    await Promise.all(others.map((name) => rm(join(CACHE, name), { recursive: true, force: true })));
    await run('cp', ['-a', directory, copy]);
    await rename(copy, join(CACHE, key));
  } catch {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The user is part of the key, because the files belong to the user who runs the server. */
async function findKey(): Promise<string> {
  const hash = createHash('sha256').update(String(process.getuid?.()));
  for (const source of SOURCES) {
    for (const path of await filesIn(source)) hash.update(path).update(await readFile(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesIn(source: string): Promise<string[]> {
  if (extname(source) !== '') return [source];
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name))).sort();
}
