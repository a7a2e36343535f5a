import { realpath, stat } from 'node:fs/promises';
import { findBinaries } from './cluster/binaries.ts';
import { initializeCluster, ownerName, readPassword } from './cluster/initialize.ts';
import { confirmClusterPlace, findClusterPlace } from './cluster/place.ts';
import { takeLock } from './files/data-directory.ts';
import { preparePrivateDirectory } from './files/private-files.ts';
import { chooseSocketDirectory, removeSocketDirectory } from './files/socket-directory.ts';
import { openServerLogFile } from './process/server-log-file.ts';
import { socketPort } from './process/settings.ts';
import { type SupervisedServer, superviseServer } from './process/supervisor.ts';
import type { Log } from './system/log.ts';

export { lockDataDirectory } from './files/data-directory.ts';

/** What `postgres()` of postgres.js needs; `host` is the directory of the server's Unix socket. */
export type EmbeddedConnection = { host: string; port: number; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  /** Connects as the bootstrap superuser. It stays the same when the server is started anew. */
  connection: EmbeddedConnection;
  /** Where the cluster stands: in the data directory, or, for a server account that can't get there, outside. */
  clusterDirectory: string;
  /** The server's process, which may still be recovering from a crash; null while there is none. */
  pid(): number | null;
  /** Shuts the server down, with what is open on it, and waits until it is gone. Later calls wait for the same. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  dataDirectory: string;
  log: Log;
  /** Called whenever the server has been launched and will take a moment to get ready. */
  onLaunch?: () => void;
  /** Settings of the server that add to ours or change them, by PostgreSQL's names; for tests. */
  settings?: Record<string, string>;
};

/**
 * Starts PostgreSQL on the cluster of a data directory, which is created at the first start, and keeps it running until `stop`.
 * The caller should hold `lockDataDirectory`. Rejects with an `AlreadyRunningError` when the cluster is in use by another Paydesk,
 * and with what to do about it when the server is not installed for this platform or doesn't start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const undo: (() => Promise<void>)[] = [];
  try {
    return await start(options, undo);
  } catch (error) {
    await unwind(undo);
    throw error;
  }
}

/** Everything that has to be taken back, in reverse order, goes into `undo`. */
async function start(options: EmbeddedPostgresOptions, undo: (() => Promise<void>)[]): Promise<EmbeddedPostgres> {
  const { log, onLaunch, settings = {} } = options;
  await preparePrivateDirectory(options.dataDirectory);
  const dataDirectory = await realpath(options.dataDirectory);

  const place = await findClusterPlace(dataDirectory);
  // Data directories that are copies of each other name the same cluster, so that it needs a lock of its own.
  undo.push(await takeLock(`${place.directory}.lock`, `the database in ${place.directory}`));
  const binaries = await findBinaries(place.account);
  const password = await readPassword(dataDirectory, place.exists);
  if (!place.exists) {
    log.info({ directory: place.directory }, 'creating the database');
    await initializeCluster(binaries, place, password);
    await confirmClusterPlace(dataDirectory, place);
  }

  const socketDirectory = await chooseSocketDirectory(place.directory, place.account);
  undo.push(() => removeSocketDirectory(socketDirectory));
  const logFile = await openServerLogFile(dataDirectory);
  undo.push(async () => logFile.close());
  const clusterName = await nameOf(place.directory);
  const plan = { clusterDirectory: place.directory, clusterName, socketDirectory, settings };
  const server: SupervisedServer = await superviseServer({
    binaries,
    account: place.account,
    plan,
    logFile,
    log,
    onLaunch,
  });
  undo.push(() => server.stop());
  log.info({ pid: server.pid(), directory: place.directory }, 'PostgreSQL takes connections');

  let stopped: Promise<void> | undefined;
  return {
    connection: {
      host: socketDirectory,
      port: Number(settings.port ?? socketPort),
      user: ownerName,
      password,
      database: 'paydesk',
    },
    clusterDirectory: place.directory,
    pid: server.pid,
    stop() {
      stopped ??= unwind(undo);
      return stopped;
    },
  };
}

async function unwind(undo: (() => Promise<void>)[]): Promise<void> {
  for (const step of undo.reverse()) await step();
}

/** No two clusters of a machine have the same name at the same time, wherever they are mounted. */
async function nameOf(clusterDirectory: string): Promise<string> {
  const { dev, ino } = await stat(clusterDirectory, { bigint: true });
  return `paydesk-${dev}-${ino}`;
}
