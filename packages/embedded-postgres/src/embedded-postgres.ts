import { stat } from 'node:fs/promises';
import { findBinaries } from './cluster/binaries.ts';
import { initializeCluster, readPassword } from './cluster/initialize.ts';
import { confirmClusterLocation, findClusterLocation } from './cluster/location.ts';
import { acquireProcessLock, lockDataDirectory } from './files/data-directory.ts';
import { chooseSocketDirectory, removeSocketDirectory, socketPort } from './files/socket-directory.ts';
import { openServerLogFile } from './process/server-log-file.ts';
import { superviseServer } from './process/supervisor.ts';
import { type Log, SILENT } from './system/log.ts';
import { namesOf } from './system/names.ts';

export { makeDirectory } from './files/data-directory.ts';
export { whileLocked } from './files/file-lock.ts';
export { createPrivateFile, writePrivateFile } from './files/private-files.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './system/errors.ts';
export { findServerAccount } from './system/server-account.ts';

/** The connection options of a client, named as in postgres.js. `host` is the directory of the server's Unix socket. */
export type EmbeddedConnection = { host: string; port: number; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  /** Connects as the bootstrap superuser. It stays the same when the server is restarted. */
  connection: EmbeddedConnection;
  /** The folder of the cluster: in the data directory or, if the server account can't get there, outside. */
  clusterDirectory: string;
  /** Returns the id of the server's process, which may still be recovering from a crash; null if there is none. */
  pid(): number | null;
  /**
   * Shuts the server down, closes its connections, and waits until it has ended. Later calls wait for the same
   * shutdown.
   */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /**
   * The application's name, in lower-case letters, digits and underscores. It names the database, its superuser (followed by `_owner`) and,
   * for root, the directory in `/var/lib`. A data directory keeps the name with which it was created.
   */
  application: string;
  /** Created at the first start. It contains the cluster, its password and its log, and is locked while the server runs. */
  dataDirectory: string;
  /**
   * Names of files that the application itself keeps in the data directory. Other files belong to somebody else, so that the directory is
   * refused.
   */
  applicationFiles?: readonly string[];
  /** For example a pino logger. By default nothing is logged. */
  log?: Log;
  /** Called whenever the server was launched and is not ready yet. */
  onLaunch?: () => void;
  /** Settings of the server that add to the package's or replace them, by PostgreSQL's names. */
  settings?: Record<string, string>;
};

/**
 * Starts PostgreSQL on the cluster of a data directory, which is created at the first start, and keeps it running until `stop`. @throws
 * EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { application, applicationFiles = [], log = SILENT, onLaunch, settings = {} } = options;
  const names = namesOf(application);
  await using undo = new AsyncDisposableStack();
  const { directory: dataDirectory, release } = await lockDataDirectory(options.dataDirectory, applicationFiles);
  undo.defer(release);

  const location = await findClusterLocation(dataDirectory, names.sharedDirectory);
  // Copies of a data directory name the same cluster, so the cluster has its own lock.
  undo.defer(await acquireProcessLock(`${location.directory}.lock`, `the database in ${location.directory}`));
  const binaries = await findBinaries(location.account, names.sharedDirectory);
  const password = await readPassword(dataDirectory, location.exists);
  if (!location.exists) {
    log.info({ directory: location.directory }, 'creating the database');
    await initializeCluster(binaries, location, { ...names, password });
    await confirmClusterLocation(dataDirectory, location);
  }

  const socketDirectory = await chooseSocketDirectory(location.directory, location.account);
  undo.defer(() => removeSocketDirectory(socketDirectory));
  const logFile = await openServerLogFile(dataDirectory);
  undo.defer(logFile.close);
  const clusterName = await nameOf(location.directory, names.clusterPrefix);
  const plan = { clusterDirectory: location.directory, clusterName, socketDirectory, settings };
  const server = await superviseServer({ binaries, account: location.account, plan, logFile, log, onLaunch });
  undo.defer(server.stop);
  log.info({ pid: server.pid(), directory: location.directory }, 'PostgreSQL accepts connections');

  const started = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    connection: {
      host: socketDirectory,
      port: Number(settings.port ?? socketPort),
      user: names.user,
      password,
      database: names.database,
    },
    clusterDirectory: location.directory,
    pid: server.pid,
    stop() {
      stopped ??= started.disposeAsync();
      return stopped;
    },
  };
}

/** Clusters of a machine never have the same name at the same time, wherever they are mounted. */
async function nameOf(clusterDirectory: string, prefix: string): Promise<string> {
  const { dev, ino } = await stat(clusterDirectory, { bigint: true });
  return `${prefix}${dev}-${ino}`;
}
