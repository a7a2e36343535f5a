import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment, runAs, type ServerAccount } from '../system/server-account.ts';
import { isReady } from './leftovers.ts';
import { type EndingStep, endProcesses, sendSignal } from './process-table.ts';
import type { ServerLogFile } from './server-log-file.ts';

const readinessPollMs = 10;

/** A fast shutdown, then one without a checkpoint, then a kill. None of them loses anything that was committed. */
const shutdownSteps: EndingStep[] = [
  { signal: 'SIGINT', timeoutMs: 10_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];

/** A running server. `ended` resolves to a description of how it ended and never rejects. */
export type Postmaster = {
  pid: number | undefined;
  ended: Promise<string>;
  isRunning(): boolean;
  /** Keeps the event loop alive until it ends. */
  hold(): void;
};

/**
 * Starts the server in a separate session: Ctrl-C in the terminal reaches every process of the foreground group, but the application has to
 * finish its work before the database stops. If this process exits without stopping the server, the server is asked to shut down.
 */
export function launchPostmaster(
  program: string,
  programArguments: string[],
  account: ServerAccount,
  logFile: ServerLogFile,
): Postmaster {
  const child = spawn(program, programArguments, {
    ...runAs(account),
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', logFile.descriptor, logFile.descriptor],
  });
  child.unref();
  const endWithProcess = () => {
    if (child.pid !== undefined) sendSignal(child.pid, 'SIGINT');
  };
  process.on('exit', endWithProcess);

  let running = true;
  const ended = awaitEnd(child).then((reason) => {
    running = false;
    process.off('exit', endWithProcess);
    return reason;
  });
  return { pid: child.pid, ended, isRunning: () => running, hold: () => child.ref() };
}

/**
 * Waits until the server accepts connections, however long its crash recovery takes. @returns false if it ended instead
 */
export async function waitUntilReady(postmaster: Postmaster, clusterDirectory: string): Promise<boolean> {
  while (postmaster.isRunning() && postmaster.pid !== undefined) {
    if (await isReady(clusterDirectory, postmaster.pid)) return true;
    await sleep(readinessPollMs);
  }
  return false;
}

/** Shuts the server down and waits until it has ended. */
export async function shutDownPostmaster(postmaster: Postmaster): Promise<void> {
  if (postmaster.pid === undefined || !postmaster.isRunning()) return;
  postmaster.hold();
  await endProcesses([postmaster.pid], async () => postmaster.isRunning(), shutdownSteps);
}

function awaitEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}
