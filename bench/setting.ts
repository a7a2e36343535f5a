import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectAsOwner, type Db } from '../server/src/database/database.ts';
import { startEmbeddedPostgres } from '../server/src/database/embedded/embedded.ts';

/** What every part of the bench runs on: one PostgreSQL, the service in a process of its own, the floors in another. */
export type Setting = {
  rounds: number;
  seconds: number;
  serviceUrl: string;
  floorUrl: string;
  owner: Db;
  operatorKey: string;
  /** The most memory that the service was seen to hold. */
  peakMemoryMb: () => number;
  stop: () => Promise<void>;
};

/** Starts everything on loopback, with the durable settings that a user gets. */
export async function startSetting({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Setting> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDirectory, log: silent });
  const { host, port, user, password, database } = postgres.connection;
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
  const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(dataDirectory, 'service'),
    PORT: '0',
    OPERATOR_KEY: operatorKey,
  };
  const service = await startProcess('../server/src/main.ts', environment);
  const floors = await startProcess('./floors.ts', environment);

  let peakKb = 0;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 250);

  const owner = connectAsOwner({ host, port, username: user, password, database });
  return {
    rounds,
    seconds,
    serviceUrl: service.url,
    floorUrl: floors.url,
    owner,
    operatorKey,
    peakMemoryMb: () => peakKb / 1024,
    stop: async () => {
      clearInterval(watch);
      await owner.end();
      for (const { process: child } of [service, floors]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function startProcess(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname], {
    env: environment,
    // Logging is on, and read: a pipe that nobody reads would be faster than what a user has.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('error', (error) => console.error(error));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /"url":"(http:[^"]+)"/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { process: child, url };
}
