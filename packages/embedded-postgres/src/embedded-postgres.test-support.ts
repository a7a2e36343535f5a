import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type Postgres from 'postgres';
import { type EmbeddedConnection, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { namesOf } from './system/names.ts';

/** Different in each process. For root, the folder with this name in `/var/lib` is removed at the end. */
export const APPLICATION = `embedded_test_${process.pid}`;
export const NAMES = namesOf(APPLICATION);

/** The build for `require`, because another user of this process may modify the one for `import` and must be the first to load it. */
const postgres = createRequire(import.meta.url)('postgres') as typeof Postgres;

const timeoutMs = 120_000;
const endings: (() => Promise<void>)[] = [];
const temporaryDirectories: string[] = [];

/** Ends every server and process that the helpers below started, the newest first. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

export async function removeTemporaryDirectories(): Promise<void> {
  const directories = [NAMES.sharedDirectory, ...temporaryDirectories.splice(0)];
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
}

export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-')));
  temporaryDirectories.push(directory);
  return directory;
}

/** Copies a data directory on which no server runs. The owners of its files are kept. */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-pR', from, to]);
}

export type LogLine = { level: string; details: object; message: string };

/** Starts the server in this process. `endAll` stops it at the latest. */
export async function start(dataDirectory: string): Promise<EmbeddedPostgres & { lines: LogLine[] }> {
  const lines: LogLine[] = [];
  const write = (level: string) => (details: object, message: string) => void lines.push({ level, details, message });
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const settings = { shared_buffers: '8MB' };
  const server = await startEmbeddedPostgres({ application: APPLICATION, dataDirectory, log, settings });
  endings.push(() => server.stop());
  return { ...server, lines };
}

/** Opens a connection, passes it on, and closes it. */
export async function withConnection<T>(
  connection: EmbeddedConnection,
  work: (sql: Postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export type Holder = {
  child: ChildProcess;
  pid: number;
  said(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<number | null>;
};

/** Prints "connection {…}" and "server <pid>;" when it is ready, and runs until it is killed. */
export const servingProgram = `
  const server = await start();
  console.log('connection ' + JSON.stringify(server.connection));
  console.log('server ' + server.pid() + ';');`;

/** Runs a program, which can use the embedded server's functions, in a separate process and process group. */
export function runProcess(program: string, dataDirectory: string): Holder {
  const source = `
    import { startEmbeddedPostgres } from ${moduleAt('./embedded-postgres.ts')};
    import { lockDataDirectory } from ${moduleAt('./files/data-directory.ts')};
    import { whileLocked } from ${moduleAt('./files/file-lock.ts')};
    const dataDirectory = ${JSON.stringify(dataDirectory)};
    const options = { application: ${JSON.stringify(APPLICATION)}, dataDirectory, settings: { shared_buffers: '8MB' } };
    const start = () => startEmbeddedPostgres(options);
    setTimeout(() => process.exit(99), 120_000);
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'pipe', detached: true });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  endings.push(async () => {
    child.kill('SIGKILL');
    await ended;
    const server = Number(output.match(/server (\d+);/)?.[1] ?? 0);
    if (server === 0 || !isAlive(server)) return;
    process.kill(server, 'SIGQUIT');
    await eventually(() => !isAlive(server));
  });
  return {
    child,
    pid: child.pid ?? 0,
    said: (pattern) =>
      eventually(
        () => output.match(pattern),
        () => `${pattern} in: ${output}`,
      ),
    ended,
  };
}

function moduleAt(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

/** Waits until `check` returns something. */
export async function eventually<T>(
  check: () => T | null | false | Promise<T | null | false>,
  what = () => 'it',
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const found = await check();
    if (found !== null && found !== false) return found;
    await sleep(20);
  }
  throw new Error(`Waited in vain for ${what()}`);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the permissions of a file in octal digits. */
export async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o7777).toString(8);
}
