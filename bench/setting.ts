import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../server/src/platform/data-directory.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { connectAsOwner } from '../server/src/platform/database/pool.ts';
import { startProcess, startSandbox, stopProcess } from './processes.ts';

/** What every part of the bench runs on: one PostgreSQL, the service in a process of its own, the floors in another. */
export type Setting = {
  rounds: number;
  seconds: number;
  sandbox: SettingOptions['sandbox'];
  serviceUrl: string;
  serviceProcessId: number;
  serviceProcess: ChildProcess;
  floorUrl: string;
  databaseUrl: string;
  owner: Db;
  operatorKey: string;
  /** What the service was started with. */
  environment: NodeJS.ProcessEnv;
  /** Where logs are written. */
  directory: string;
  /** The most memory that the service was seen to hold. */
  peakMemoryMb: () => number;
  stop: () => Promise<void>;
};

/**
 * `sandbox`: whether the sandbox gateway is a process of its own, as other gateways are, or inside the service, as by default. `imports`:
 * modules that the service imports first.
 */
export type SettingOptions = {
  rounds: number;
  seconds: number;
  sandbox: 'apart' | 'inside';
  imports?: readonly string[];
};

/** Starts everything on loopback, with the durable settings that a user gets. */
export async function startSetting(options: SettingOptions): Promise<Setting> {
  const { rounds, seconds, sandbox, imports = [] } = options;
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDirectory, log: silent });
  const { host, port, user, password, database } = postgres.connection;
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
  const operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
  const environment = environmentOf({ databaseUrl, directory: join(dataDirectory, 'service'), operatorKey });
  const floors = await startProcess('bench/floors.ts', { environment, logFile: join(dataDirectory, 'floors.log') });
  // The receiver of webhooks, which is on loopback, has to be allowed by name.
  environment.WEBHOOK_ALLOWED_HOSTS = new URL(floors.url).host;
  const gateways = sandbox === 'inside' ? [] : [await startSandbox(dataDirectory, environment)];
  const logFile = join(dataDirectory, 'service.log');
  const service = await startProcess('server/src/main.ts', { environment, logFile, flags: importing(imports) });

  let peakKb = 0;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 250);

  const owner = connectAsOwner({ host, port, username: user, password, database });
  return {
    rounds,
    seconds,
    sandbox,
    serviceUrl: service.url,
    serviceProcessId: service.process.pid ?? 0,
    serviceProcess: service.process,
    floorUrl: floors.url,
    databaseUrl,
    owner,
    operatorKey,
    environment,
    directory: dataDirectory,
    peakMemoryMb: () => peakKb / 1024,
    stop: async () => {
      clearInterval(watch);
      await owner.end();
      for (const started of [service, floors, ...gateways]) await stopProcess(started);
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** What a service of the bench is configured with. */
export function environmentOf(given: {
  databaseUrl: string;
  directory: string;
  operatorKey: string;
}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: given.databaseUrl,
    DATA_DIR: given.directory,
    PORT: '0',
    OPERATOR_KEY: given.operatorKey,
    // All of the load comes from one address.
    SIGN_UPS_PER_HOUR: '1000000',
    LOGINS_PER_HOUR: '1000000',
  };
}

/** Another process of the service, on the same database and of the same keys, with modules that are imported first. It can be spoken to. */
export async function startService(
  { environment, directory }: Setting,
  imports: readonly string[],
): Promise<StartedProcess> {
  const logFile = join(directory, `${imports.length}.log`);
  const started = await startProcess('server/src/main.ts', { environment, logFile, flags: importing(imports) });
  return started as StartedProcess;
}

function importing(files: readonly string[]): string[] {
  return files.map((file) => `--import=${new URL(file, import.meta.url).pathname}`);
}

/** `send` is there. */
export type StartedProcess = { process: ChildProcess & Required<Pick<ChildProcess, 'send'>>; url: string };
