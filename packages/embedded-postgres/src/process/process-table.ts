import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../system/errors.ts';
import { runProgram } from '../system/server-account.ts';

export type ServerProcess = { pid: number; isPostmaster: boolean };

/** A signal that asks a process to end, and how long to wait before the next one. */
export type EndingStep = { signal: NodeJS.Signals; timeoutMs: number };

const pollIntervalMs = 10;

/**
 * Lists the PostgreSQL processes of a cluster by the name that the server was started with, which the titles of its processes repeat. So
 * neither a reused process id nor the server of another cluster is included.
 */
export async function listServerProcesses(clusterName: string): Promise<ServerProcess[]> {
  const commands = process.platform === 'linux' ? await readProcDirectory() : await askPs();
  const found: ServerProcess[] = [];
  for (const { pid, words } of commands) {
    if (isPostmaster(words, clusterName)) found.push({ pid, isPostmaster: true });
    else if (words.join(' ').startsWith(`postgres: ${clusterName}: `)) found.push({ pid, isPostmaster: false });
  }
  return found;
}

/** Ends processes and waits until `isRunning` returns false. @returns whether they have ended */
export async function endProcesses(
  pids: number[],
  isRunning: () => Promise<boolean>,
  steps: EndingStep[],
): Promise<boolean> {
  for (const { signal, timeoutMs } of steps) {
    for (const pid of pids) sendSignal(pid, signal);
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (!(await isRunning())) return true;
      await sleep(pollIntervalMs);
    }
  }
  return !(await isRunning());
}

/** Sends a signal to a process that may have ended already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function isPostmaster(words: string[], clusterName: string): boolean {
  return basename(words[0] ?? '') === 'postgres' && words.includes(`cluster_name=${clusterName}`);
}

type Command = { pid: number; words: string[] };

async function readProcDirectory(): Promise<Command[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = names.map(async (name) => {
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''); // it may have ended meanwhile
    return { pid: Number(name), words: line.split('\0') };
  });
  return Promise.all(commands);
}

async function askPs(): Promise<Command[]> {
  const { output } = await runProgram('ps', ['-axww', '-o', 'pid=,command='], { account: null });
  return output.split('\n').map((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), words };
  });
}
