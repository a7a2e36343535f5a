import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../files/private-files.ts';
import { removeSocketDirectory, socketName } from '../files/socket-directory.ts';
import { hasCode } from '../system/errors.ts';
import type { Log } from '../system/log.ts';
import { type EndingStep, endProcesses, listServerProcesses } from './process-table.ts';

/** Line numbers in PostgreSQL's `postmaster.pid`. */
const socketDirectoryLine = 4;
const statusLine = 7;

const postmasterSteps: EndingStep[] = [
  { signal: 'SIGINT', timeoutMs: 5_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];

/** Without their postmaster, backends can't finish anything. */
const strayBackendSteps: EndingStep[] = postmasterSteps.slice(1).map((step) => ({ ...step, timeoutMs: 2_000 }));

/**
 * Prepares a cluster, whose only user is the caller, for a new server: ends a server that a killed process left behind, ends backends whose
 * postmaster was killed, and removes locks of processes that no longer exist.
 */
export async function clearLeftovers(clusterDirectory: string, clusterName: string, log: Log): Promise<void> {
  const lines = await readPostmasterFile(clusterDirectory);
  if (lines === null) return;

  await endServer(clusterName, log);
  await disarmPostmasterFile(clusterDirectory, lines);
  const socketDirectory = lines[socketDirectoryLine];
  if (socketDirectory) await removeSocketDirectory(socketDirectory);
  await rm(join(clusterDirectory, `${socketName}.lock`), { force: true });
}

/** Whether the server with this process id accepts connections. */
export async function isReady(clusterDirectory: string, pid: number): Promise<boolean> {
  const lines = await readPostmasterFile(clusterDirectory);
  return lines !== null && Number(lines[0]) === pid && lines[statusLine]?.trim() === 'ready';
}

async function endServer(clusterName: string, log: Log): Promise<void> {
  const found = await listServerProcesses(clusterName);
  const postmasters = found.filter((server) => server.isPostmaster).map((server) => server.pid);
  if (postmasters.length > 0) {
    log.warn({ pids: postmasters }, 'stopping a PostgreSQL that an earlier process left running');
    const isRunning = async () => (await listServerProcesses(clusterName)).some((server) => server.isPostmaster);
    await endProcesses(postmasters, isRunning, postmasterSteps);
  }

  const strays = (await listServerProcesses(clusterName)).map((server) => server.pid);
  if (strays.length === 0) return;
  log.warn({ pids: strays }, 'stopping PostgreSQL backends that have no server');
  const isRunning = async () => (await listServerProcesses(clusterName)).length > 0;
  await endProcesses(strays, isRunning, strayBackendSteps);
}

/**
 * PostgreSQL refuses to start if any program has the process id in its file again (in a container, the same few ids are reused). Removing
 * the file would also disable the check for memory that old backends still hold. So only the id is changed, to that of PostgreSQL's parent,
 * which it does not count as a conflict.
 */
async function disarmPostmasterFile(clusterDirectory: string, lines: string[]): Promise<void> {
  const path = join(clusterDirectory, 'postmaster.pid');
  if (Number(lines[0]) > 0) {
    const owner = await stat(clusterDirectory);
    writePrivateFile(path, [process.pid, ...lines.slice(1)].join('\n'), owner);
  } else {
    await rm(path, { force: true }); // truncated by a power failure
  }
}

async function readPostmasterFile(clusterDirectory: string): Promise<string[] | null> {
  try {
    return (await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
