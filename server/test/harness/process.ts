/** Starts Paydesk as a process of its own: `node server/src/main.ts`, as a user does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/database/database.ts';
import { connectAsOwner } from '../../src/platform/database/pool.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { type Answer, createCaller } from './request.ts';
import type { TestService } from './service.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** Longer than a busy machine takes. */
const TIMEOUT_MS = 120_000;

export type Ending = { code: number | null; signal: NodeJS.Signals | null };

export type PaydeskProcess = {
  child: ChildProcess;
  pid: number;
  dataDirectory: string;
  /** Its address; empty until it is ready. */
  url: string;
  ended: Promise<Ending>;
  /** Whether the process still runs. */
  isRunning: () => boolean;
  /** Everything that it has written to both of its outputs. */
  output: () => string;
  /** The log so far: every line of the standard output. */
  logged: () => LogLine[];
  /** Sends a signal and waits until the process has ended. */
  end: (signal: NodeJS.Signals) => Promise<Ending>;
  /** Calls the service; the helpers of `actors.ts` need nothing else of it. */
  service: TestService;
};

/** A line of pino's log: `level`, `time`, `msg`, and the fields of the entry. */
export type LogLine = { [field: string]: unknown };

const started: PaydeskProcess[] = [];
const temporaryDirectories: string[] = [];

/**
 * Makes a data directory, which `endProcesses` deletes. Every user may enter it, so that PostgreSQL can use it when the tests run as
 * root.
 */
export function makeDataDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'paydesk-process-')));
  chmodSync(directory, 0o755);
  temporaryDirectories.push(directory);
  return join(directory, 'data');
}

/** Starts Paydesk on a free port and does not wait. `environment` overrides the defaults. */
export function launch(environment: Record<string, string> = {}): PaydeskProcess {
  const operatorKey = environment.OPERATOR_KEY ?? `opk_${randomBytes(32).toString('base64url')}`;
  const { PATH = '', HOME = '' } = process.env;
  const dataDirectory = environment.DATA_DIR ?? makeDataDirectory();
  const defaults = {
    ...COMPILE_CACHE,
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: dataDirectory,
    OPERATOR_KEY: operatorKey,
    LOG_LEVEL: 'trace',
    DATABASE_POOL_SIZE: '5',
  };
  const env = { ...defaults, ...sharedKeys(environment), ...environment };
  const child = spawn(process.execPath, [MAIN], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  const outputs = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (outputs.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (outputs.stderr += text));
  const paydesk: PaydeskProcess = {
    child,
    pid: child.pid ?? 0,
    dataDirectory,
    url: '',
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => outputs.stdout + outputs.stderr,
    logged: () => linesOf(outputs.stdout),
    end: (signal) => {
      child.kill(signal);
      return paydesk.ended;
    },
    service: { operatorKey } as TestService,
  };
  started.push(paydesk);
  return paydesk;
}

/** Processes on one database share their keys, whatever their data directories, unless the environment has keys. */
export function sharedKeys({ DATABASE_URL, DATA_DIR }: Record<string, string>): Record<string, string> {
  if (DATABASE_URL === undefined || existsSync(join(DATA_DIR ?? '/nowhere', 'keys.json'))) return {};
  const database = new URL(DATABASE_URL).pathname.slice(1);
  return { KEYS_FILE: join(tmpdir(), `keys-${database}.json`) };
}

export function linesOf(text: string): LogLine[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** Starts Paydesk and waits until it is ready. */
export async function startPaydesk(environment: Record<string, string> = {}): Promise<PaydeskProcess> {
  const paydesk = launch(environment);
  const find = () => /Paydesk is ready at (http:\S+)/.exec(paydesk.output())?.[1] ?? (!paydesk.isRunning() && '');
  const printed = await eventually(find, () => `the start: ${paydesk.output()}`);
  // It is printed for browsers. Some tests need the address itself.
  paydesk.url = printed.replace('//localhost:', '//127.0.0.1:');
  if (paydesk.url === '') throw new Error(`Paydesk did not start: ${paydesk.output()}`);
  Object.assign(paydesk.service, { url: paydesk.url, call: createCaller(paydesk.url, []) });
  return paydesk;
}

/** Ends every process that was started here and any PostgreSQL that one has left, and deletes their data. */
export async function endProcesses(): Promise<void> {
  for (const paydesk of started.splice(0)) {
    await paydesk.end('SIGKILL');
    const postmaster = findPostmaster(paydesk.dataDirectory);
    if (postmaster === null) continue;
    process.kill(postmaster, 'SIGQUIT');
    await eventually(() => !isAlive(postmaster));
  }
  for (const directory of temporaryDirectories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/**
 * Returns the process id of a data directory's embedded server. Fails when there is none, since a signal to process 0 would hit the test.
 */
export function postmasterOf(dataDirectory: string): number {
  const pid = findPostmaster(dataDirectory);
  if (pid === null) throw new Error(`There is no PostgreSQL on ${dataDirectory}.`);
  return pid;
}

function findPostmaster(dataDirectory: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Whether a process runs; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until `check` returns something. */
export async function eventually<T>(
  check: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  what = () => 'it',
): Promise<T> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    const found = await check();
    if (found !== null && found !== undefined && found !== false) return found;
    await sleep(50);
  }
  throw new Error(`Waited in vain for ${what()}`);
}

/**
 * Waits until the service answers that it is ready, which it does not do while the database takes more than a second.
 * @returns that answer
 */
export async function becomesReady({ call }: Pick<TestService, 'call'>): Promise<Answer> {
  return eventually(async () => {
    const answer = await call('GET', '/readyz');
    return answer.status === 200 && answer;
  });
}

/** Connects as the owner of the embedded database of a data directory. */
export function connectToEmbedded(dataDirectory: string): Db {
  const password = readFileSync(join(dataDirectory, 'postgres-password'), 'utf8').trim();
  const host = join(dataDirectory, 'postgres');
  return connectAsOwner({ host, port: 5432, username: 'paydesk_owner', password, database: 'paydesk' });
}
