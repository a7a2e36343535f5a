import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { endProcesses, eventually, linesOf, makeDataDirectory } from '../harness/process.ts';

const ROOT = join(import.meta.dirname, '../../..');

let database: TestDatabase;
/** With the keys that the database is used with. */
let dataDirectory: string;
let started: ChildProcess | undefined;
beforeAll(async () => {
  database = await cloneDatabase();
  dataDirectory = makeDataDirectory();
});
// All of its group, so that a service which outlives npm does not outlive the test.
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

/** `npm start` in a process group of its own, until the service is ready; the packages are there. */
async function startWithNpm() {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDirectory, DATABASE_URL: database.url };
  const npm = spawn('npm', ['start', '--ignore-scripts'], { cwd: ROOT, env, detached: true });
  started = npm;
  let output = '';
  // The log by itself: what npm says at the same time may come in the middle of a line.
  let log = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let hasEnded = false;
  // Its outputs are closed when all that it started has ended, not before.
  npm.once('close', () => (hasEnded = true));
  await eventually(
    () => output.includes('Paydesk is ready at'),
    () => output,
  );
  const logged = () => linesOf(log.replaceAll(/^(?!\{).*$/gm, ''));
  return { pid: npm.pid ?? 0, logged, hasEnded: () => hasEnded };
}

describe('SIGTERM during npm start', () => {
  it.each([
    ['to npm alone, as `docker stop` sends it', (pid: number) => process.kill(pid, 'SIGTERM')],
    ['to npm and all below it, as systemd sends it', (pid: number) => process.kill(-pid, 'SIGTERM')],
  ])('%s, ends the service in order, and nothing is left', async (_who, signal) => {
    const { pid, logged, hasEnded } = await startWithNpm();
    signal(pid);
    await eventually(hasEnded, () => 'the end of the service, which npm left behind');
    expect(logged().at(-1)?.msg).toBe('stopped');
    expect(isGroupAlive(pid)).toBe(false);
  });
});
