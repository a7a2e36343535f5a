import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { endProcesses, eventually, linesOf, makeDataDirectory } from '../harness/process.ts';

const ROOT = join(import.meta.dirname, '../../..');

let database: TestDatabase;
/** Uses the keys that belong to the database. */
let dataDirectory: string;
let started: ChildProcess | undefined;
beforeAll(async () => {
  database = await cloneDatabase();
  dataDirectory = makeDataDirectory();
});
// Kills the whole process group, so that a service that outlives npm does not outlive the test.
afterEach(() => {
  if (started?.pid !== undefined && isGroupAlive(started.pid)) process.kill(-started.pid, 'SIGKILL');
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
});

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/**
 * Runs `npm start` in its own process group and waits until the service is ready. The packages are already installed.
 */
async function startWithNpm() {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDirectory, DATABASE_URL: database.url };
  const npm = spawn('npm', ['start', '--ignore-scripts'], { cwd: ROOT, env, detached: true });
  started = npm;
  let output = '';
  // Only the log: npm's own output may appear in the middle of a line.
  let log = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let hasEnded = false;
  // The outputs close when every process that it started has ended, not before.
  npm.once('close', () => (hasEnded = true));
  await eventually(
    () => output.includes('Paydesk is ready at'),
    () => output,
  );
  const logged = () => linesOf(log.replaceAll(/^(?!\{).*$/gm, ''));
  return { pid: npm.pid ?? 0, logged, hasEnded: () => hasEnded };
}

// Security (A database that is away, or slow): SIGTERM to `npm start`, as from `docker stop` and systemd, answers the received requests
// and ends the process
describe('SIGTERM during npm start', () => {
  it.each([
    ['to npm alone, as `docker stop` sends it', (pid: number) => process.kill(pid, 'SIGTERM')],
    ['to npm and all below it, as systemd sends it', (pid: number) => process.kill(-pid, 'SIGTERM')],
  ])('%s, stops the service gracefully and leaves no process behind', async (_who, signal) => {
    const { pid, logged, hasEnded } = await startWithNpm();
    signal(pid);
    await eventually(hasEnded, () => 'the end of the service, which npm left behind');
    expect(logged().at(-1)?.msg).toBe('stopped');
    expect(isGroupAlive(pid)).toBe(false);
  });
});
