import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TerminalError } from '../../paydesk/access.ts';

/*
 * The service of a trial. It has a database of its own, because invoices and the ledger can't be deleted: the whole folder is, in one
 * step. It has the sandbox as its only gateway, whatever the environment configures.
 */

const ROOT = join(import.meta.dirname, '../../..');
const READY = /Paydesk is ready at (http:\S+)/;

export type TrialService = { url: string; operatorKeyFile: string; stop: () => Promise<void>; ended: Promise<void> };

/** The folder of the trial, beside the data directory. */
export function trialFolder({ DATA_DIR = 'data' }: NodeJS.ProcessEnv): string {
  return `${resolve(ROOT, DATA_DIR)}-demo`;
}

/** Whether the trial has all its data. */
export const isFilled = (folder: string) => existsSync(join(folder, 'filled'));

export const noteFilled = (folder: string) => writeFileSync(join(folder, 'filled'), '');

/** Deletes the trial. @returns whether there was one @throws TerminalError while its service runs */
export function removeTrial(folder: string): boolean {
  if (!existsSync(folder)) return false;
  if (isRunning(folder)) throw new TerminalError('The demo still runs. Stop it with Ctrl-C first.');
  rmSync(folder, { recursive: true });
  return true;
}

/** PostgreSQL leaves its process id in the first line of that file until it stops. */
function isRunning(folder: string): boolean {
  const file = join(folder, 'data/postgres/postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Builds the dashboard where that is needed, and starts the service. @throws TerminalError with what the service says */
export async function startTrial(folder: string, port: string): Promise<TrialService> {
  mkdirSync(folder, { recursive: true });
  // The account that PostgreSQL runs under, when root starts it, passes through.
  chmodSync(folder, 0o711);
  spawnSync(process.execPath, [join(ROOT, 'tools/dashboard.mjs')], { stdio: 'inherit' });
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { HOST: '127.0.0.1', PORT: port, DATA_DIR: join(folder, 'data'), JOURNAL_DIR: join(folder, 'journal') };
  const child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts')], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...own },
    stdio: ['ignore', openSync(join(folder, 'service.log'), 'a', 0o600), 'pipe'],
  });
  const ended = once(child, 'close').then(() => undefined);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const url = await untilReady(child, ended);
  return { url, operatorKeyFile: join(own.DATA_DIR, 'operator-key'), stop, ended };
}

async function untilReady({ stderr }: ChildProcess, ended: Promise<void>): Promise<string> {
  let said = '';
  const ready = new Promise<string>((found) => {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = READY.exec(said)?.[1];
      if (url !== undefined) found(url);
    });
  });
  const url = await Promise.race([ready, ended]);
  if (url === undefined) throw new TerminalError(said.trim() || 'The service has ended before it was ready.');
  return url;
}
