/**
 * Starts the API as a separate process, as a user would run it, with a client that reports a broken connection as a
 * status.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyFailpoint } from '../../src/platform/failpoints.ts';
import { COMPILE_CACHE } from '../harness/compile-cache.ts';
import type { Answer } from '../harness/request.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** All requests come from one address, and many of them fail. */
const NO_LIMITS = Object.fromEntries(
  [
    'SIGN_UPS_PER_HOUR',
    'LOGINS_PER_HOUR',
    ...['INVOICE', 'COMPANY', 'ADDRESS', 'CARD'].map((of) => `REFUSED_CHARGES_PER_${of}`),
  ].map((name) => [name, '1000000']),
);
const START_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** What the client received. Status 0 means that the connection broke before there was an answer. */
export type Seen = { status: number; retryAfter: string | null; body: Answer['body'] };

/** `mediaType` is that of the body, JSON by default. */
export type SendOptions = { token?: string; body?: unknown; mediaType?: string; headers?: Record<string, string> };

export type ApiProcess = {
  pid: number;
  url: string;
  send: (method: string, path: string, options?: SendOptions) => Promise<Seen>;
  signal: (signal: NodeJS.Signals) => void;
  isAlive: () => boolean;
  /** Resolves when the process has ended, for whatever reason. With a failpoint, it rejects if that is not reached within a minute. */
  readonly ended: Promise<unknown>;
  /** The log entries with this message. */
  logged: (message: string) => Record<string, unknown>[];
  /** The log entries of requests that were answered with 500. */
  failures: () => Record<string, unknown>[];
  /** Stops the process gracefully, or kills it if that takes too long. */
  stop: () => Promise<void>;
};

export type ApiOptions = {
  environment: Record<string, string>;
  failpoint?: AnyFailpoint;
  /** The difference between its clock and the machine's. The database's clock stays as it is. */
  clockOffsetMs?: number;
  /** A file with that difference in milliseconds instead. It may be changed at any time. */
  clockFile?: string;
};

/** For a process that waits for the gateway until a test goes on. */
export const PATIENT = { environment: { GATEWAY_TIMEOUT_MS: '30000' } };

/** Starts `node server/src/main.ts` on a free port of the loopback interface. Resolves when it is ready. */
export async function startApi(options: ApiOptions): Promise<ApiProcess> {
  const { environment, failpoint, clockOffsetMs = 0, clockFile } = options;
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const clock =
    clockOffsetMs === 0 && clockFile === undefined ? [] : ['--import', shiftedClock(clockOffsetMs, clockFile)];
  const child = spawn(process.execPath, [...clock, MAIN], {
    env: {
      ...{ ...COMPILE_CACHE, PATH, HOME, TMPDIR, PORT: '0', LOG_LEVEL: 'info', GATEWAY_TIMEOUT_MS: '1500' },
      ...NO_LIMITS,
      ...environment,
      // The request must reach the failpoint, not time out before it.
      ...(failpoint === undefined ? {} : { FAILPOINTS: failpoint, GATEWAY_TIMEOUT_MS: '30000' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'exit');
  const entries: Record<string, unknown>[] = [];
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = parse(line);
      entries.push(entry);
      if (entry.msg === 'ready') resolve(String(entry.url));
    });
  });
  const url = await Promise.race([ready, ended.then(() => null), after(START_TIMEOUT_MS)]);
  if (url === null) {
    child.kill('SIGKILL');
    throw new Error(`The API did not start: ${errors}${entries.map((entry) => JSON.stringify(entry)).join('\n')}`);
  }
  return {
    pid: child.pid ?? 0,
    url,
    send: (method, path, options) => send(`${url}${path}`, method, options),
    signal: (signal) => void child.kill(signal),
    isAlive: () => isAlive(child),
    get ended() {
      return failpoint === undefined ? ended : Promise.race([ended, expectReached(failpoint)]);
    },
    logged: (message) => entries.filter((entry) => entry.msg === message),
    failures: () => entries.filter((entry) => entry.msg === 'request failed' && entry.code === 'internal_error'),
    stop: () => stop(child, ended),
  };
}

/** Rejects after a minute: on a busy machine, a request may take another way that does not pass the failpoint. */
async function expectReached(failpoint: AnyFailpoint): Promise<never> {
  await sleep(REQUEST_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`${failpoint} was not reached`);
}

/** Finds the embedded server of an API process. @returns how its owner connects */
export async function findEmbedded(of: ApiProcess, dataDirectory: string) {
  const directory = String(of.logged('PostgreSQL accepts connections')[0]?.directory);
  const [, , , , host = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  const password = (await readFile(join(dataDirectory, 'postgres-password'), 'utf8')).trim();
  return { host, port: 5432, username: 'paydesk_owner', password, database: 'paydesk' };
}

async function send(
  url: string,
  method: string,
  { token, body, mediaType = 'application/json', headers = {} }: SendOptions = {},
): Promise<Seen> {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        ...headers,
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parse(text) };
  } catch {
    return { status: 0, retryAfter: null, body: {} };
  }
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (!isAlive(child)) return;
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await Promise.race([ended, after(30_000)]);
  if (isAlive(child)) child.kill('SIGKILL');
  await ended;
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function after(delayMs: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), delayMs).unref();
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Creates a module that moves a process's wall clock but not its monotonic clock. */
function shiftedClock(offsetMs: number, file: string | undefined): string {
  const source = `
    import { readFileSync } from 'node:fs';
    const Real = Date;
    const file = ${JSON.stringify(file ?? null)};
    let known = ${offsetMs};
    let readAtMs = -Infinity;
    const offset = () => {
      if (file !== null && performance.now() - readAtMs > 5) {
        known = Number(readFileSync(file, 'utf8'));
        readAtMs = performance.now();
      }
      return known;
    };
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + offset()) : super(...given); }
      static now() { return Real.now() + offset(); }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
