import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { startEmbeddedPostgres } from '../server/src/platform/data-directory.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { connectAsOwner } from '../server/src/platform/database/pool.ts';

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
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(dataDirectory, 'service'),
    PORT: '0',
    OPERATOR_KEY: operatorKey,
    // All of the load comes from one address.
    SIGN_UPS_PER_HOUR: '1000000',
    LOGINS_PER_HOUR: '1000000',
  };
  const floors = await startProcess('./floors.ts', environment, join(dataDirectory, 'floors.log'));
  // The receiver of webhooks, which is on loopback, has to be allowed by name.
  environment.WEBHOOK_ALLOWED_HOSTS = new URL(floors.url).host;
  const gateways = sandbox === 'inside' ? [] : [await startSandbox(dataDirectory, environment)];
  const serviceLog = join(dataDirectory, 'service.log');
  const service = await startProcess('../server/src/main.ts', environment, serviceLog, [], importing(imports));

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
      for (const { process: child } of [service, floors, ...gateways]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Another process of the service, on the same database and of the same keys, with modules that are imported first. It can be spoken to. */
export async function startService(
  { environment, directory }: Setting,
  imports: readonly string[],
): Promise<StartedProcess> {
  const log = join(directory, `${imports.length}.log`);
  const started = await startProcess('../server/src/main.ts', environment, log, [], importing(imports));
  return started as StartedProcess;
}

function importing(files: readonly string[]): string[] {
  return files.map((file) => `--import=${new URL(file, import.meta.url).pathname}`);
}

/** `send` is there. */
export type StartedProcess = { process: ChildProcess & Required<Pick<ChildProcess, 'send'>>; url: string };

/** The environment of the service is told where it is. */
async function startSandbox(directory: string, environment: NodeJS.ProcessEnv): Promise<{ process: ChildProcess }> {
  const [secret, secretFile] = [randomBytes(32).toString('base64url'), join(directory, 'sandbox.secret')];
  await writeFile(secretFile, secret);
  const options = ['--ledger', join(directory, 'sandbox.db'), '--secret-file', secretFile];
  const path = '../server/src/gateways/sandbox/server/main.ts';
  const gateway = await startProcess(path, environment, join(directory, 'sandbox.log'), options);
  Object.assign(environment, { SANDBOX_GATEWAY_URL: gateway.url, SANDBOX_GATEWAY_SECRET: secret });
  return gateway;
}

/** What a process has used of user and system time, in seconds; the kernel counts in hundredths. */
export async function processorSeconds(processId: number): Promise<number> {
  return (await readProcess(String(processId))).seconds;
}

/** What PostgreSQL has used, in all of its processes that run. */
export async function postgresSeconds({ owner }: Setting): Promise<number> {
  const [{ pid }] = await owner<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
  const { parentId } = await readProcess(String(pid));
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(numbers.map((number) => readProcess(number).catch(() => null)));
  return processes.reduce((sum, found) => sum + (found?.parentId === parentId ? found.seconds : 0), 0);
}

async function readProcess(processId: string): Promise<{ parentId: number; seconds: number }> {
  const fields = (await readFile(`/proc/${processId}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
  return { parentId: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

/** How `npm start` runs Node: its flags, and what it is told of memory outside V8's heap. */
const START_WORDS = packageJson.scripts.start.split(' ');
const START_FLAGS = START_WORDS.filter((word) => word.startsWith('--'));
const START_ENVIRONMENT = Object.fromEntries(
  START_WORDS.filter((word) => word.startsWith('MALLOC_')).map((word) => word.split('=')),
);

/** Logging is on, into a file: reading it here would take from the load that this process makes. */
async function startProcess(
  file: string,
  environment: NodeJS.ProcessEnv,
  logFile: string,
  options: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<{ process: ChildProcess; url: string }> {
  const log = await open(logFile, 'w');
  const child = spawn(
    process.execPath,
    [...START_FLAGS, ...flags, new URL(file, import.meta.url).pathname, ...options],
    {
      env: { ...environment, ...START_ENVIRONMENT },
      stdio: [
        'ignore',
        log.fd,
        options.length === 0 ? 'inherit' : 'ignore',
        ...(flags.length > 0 ? ['ipc' as const] : []),
      ],
    },
  );
  await log.close();
  child.once('error', (error) => console.error(error));
  for (;;) {
    const url = /"url":"(http:[^"]+)"/.exec(await readFile(logFile, 'utf8'))?.[1];
    if (url !== undefined) return { process: child, url };
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}
