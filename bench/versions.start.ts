import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../server/src/platform/data-directory.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { connectAsOwner } from '../server/src/platform/database/pool.ts';
import { CHECKOUT, startProcess, startSandbox, stopProcess } from './processes.ts';
import { environmentOf, type Setting } from './setting.ts';

/** A version of the service that runs on a database of its own. `seeds`: the version's own, since they write into its tables. */
export type Version = Setting & { name: 'old' | 'new'; database: string; seeds: typeof import('./seed.ts') };

export type Versions = { old: Version; new: Version; administrator: Db; stop: () => Promise<void> };

/** Statements are counted, and nothing but the services works in the databases. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '20000',
  autovacuum: 'off',
};
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts the version of a git revision and that of the checkout on one PostgreSQL. @throws Error when there is no such revision */
export async function startVersions(revision: string): Promise<Versions> {
  await using undo = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'paydesk-versions-'));
  undo.defer(() => rm(directory, { recursive: true, force: true }));
  const oldRoot = await checkOut(revision, join(directory, 'version'));
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'postgres'),
    log: SILENT,
    settings: SETTINGS,
  });
  undo.defer(postgres.stop);
  const { user: username, ...address } = postgres.connection;
  const administrator = connectAsOwner({ ...address, username });
  undo.defer(() => administrator.end());
  await administrator`CREATE EXTENSION pg_stat_statements`;

  const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
  const login = `${username}:${encodeURIComponent(address.password)}@${encodeURIComponent(address.host)}:${address.port}`;
  const floors = await startProcess('bench/floors.ts', {
    environment: { ...process.env, DATABASE_URL: `postgres://${login}/${address.database}` },
    logFile: join(directory, 'floors.log'),
  });
  undo.defer(() => stopProcess(floors));
  const start = async (name: 'old' | 'new', root: string): Promise<Version> => {
    const [database, folder] = [`paydesk_${name}`, join(directory, name)];
    await administrator.unsafe(`CREATE DATABASE ${database}`);
    await mkdir(folder);
    const databaseUrl = `postgres://${login}/${database}`;
    const environment = environmentOf({ databaseUrl, directory: join(folder, 'service'), operatorKey });
    environment.WEBHOOK_ALLOWED_HOSTS = new URL(floors.url).host;
    const sandbox = await startSandbox(folder, environment, root);
    undo.defer(() => stopProcess(sandbox));
    const logFile = join(folder, 'service.log');
    const { process: serviceProcess, url } = await startProcess('server/src/main.ts', { environment, logFile, root });
    undo.defer(() => stopProcess({ process: serviceProcess }));
    const owner = connectAsOwner({ ...address, username, database });
    undo.defer(() => owner.end());
    const seeds = (await import(join(root, 'bench/seed.ts'))) as Version['seeds'];
    return {
      ...{ name, database, seeds, owner, databaseUrl, operatorKey, environment, serviceProcess, directory: folder },
      ...{ serviceUrl: url, serviceProcessId: serviceProcess.pid ?? 0, floorUrl: floors.url, sandbox: 'apart' },
      ...{ rounds: 1, seconds: 1, peakMemoryMb: () => Number.NaN, stop: async () => undefined },
    };
  };
  const [old, checkout] = [await start('old', oldRoot), await start('new', CHECKOUT)];
  const started = undo.move();
  return { old, new: checkout, administrator, stop: () => started.disposeAsync() };
}

/** The files of a revision, with the packages of the checkout if they are the same. @returns their folder */
async function checkOut(revision: string, root: string): Promise<string> {
  const archive = execFileSync('git', ['archive', '--format=tar', revision], { cwd: CHECKOUT, maxBuffer: 2 ** 30 });
  await mkdir(root);
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  const [ofOld, ofCheckout] = await Promise.all(
    [root, CHECKOUT].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
  );
  if (ofOld === ofCheckout) await symlink(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  return root;
}
