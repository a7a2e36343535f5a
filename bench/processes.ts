import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type Package from '../package.json';
import type { Db } from '../server/src/platform/database/database.ts';

/** The folder of this version. */
export const CHECKOUT = join(import.meta.dirname, '..');

/** What a process of the bench runs with. `root`: the folder of the version that the file is of. */
export type ProcessOptions = {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  root?: string;
  arguments?: readonly string[];
  flags?: readonly string[];
};

/**
 * Starts a file of a version as `npm start` of that version does, and waits until it says its address. Logging is on, into a file: reading
 * it here would take from the load that this process makes. With flags, the process can be spoken to.
 */
export async function startProcess(
  file: string,
  { environment, logFile, root = CHECKOUT, arguments: options = [], flags = [] }: ProcessOptions,
): Promise<{ process: ChildProcess; url: string }> {
  const start = await readStart(root);
  const log = await open(logFile, 'w');
  const child = spawn(
    join(root, 'node_modules', '.bin', 'node'),
    [...start.flags, ...flags, join(root, file), ...options],
    {
      env: { ...environment, ...start.environment },
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

/** How `npm start` of a version runs Node: its flags, and what it is told of memory outside V8's heap. */
async function readStart(root: string): Promise<{ flags: string[]; environment: Record<string, string> }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as typeof Package;
  const words = scripts.start.split(' ');
  const settings = words.filter((word) => word.startsWith('MALLOC_')).map((word) => word.split('='));
  return { flags: words.filter((word) => word.startsWith('--')), environment: Object.fromEntries(settings) };
}

/** Starts the sandbox gateway of a version. The environment of the service is told where it is. */
export async function startSandbox(
  directory: string,
  environment: NodeJS.ProcessEnv,
  root = CHECKOUT,
): Promise<{ process: ChildProcess }> {
  const [secret, secretFile] = [randomBytes(32).toString('base64url'), join(directory, 'sandbox.secret')];
  await writeFile(secretFile, secret);
  const folder = 'server/src/gateways/sandbox';
  const files = await readdir(join(root, folder), { recursive: true });
  const gateway = await startProcess(join(folder, files.find((file) => file.endsWith('main.ts')) ?? 'main.ts'), {
    environment,
    root,
    logFile: join(directory, 'sandbox.log'),
    arguments: ['--ledger', join(directory, 'sandbox.db'), '--secret-file', secretFile],
  });
  Object.assign(environment, { SANDBOX_GATEWAY_URL: gateway.url, SANDBOX_GATEWAY_SECRET: secret });
  return gateway;
}

/** Ends a process as the terminal would, and waits for its end. */
export async function stopProcess({ process: child }: { process: ChildProcess }): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

/** What a process has used of user and system time, in seconds; the kernel counts in hundredths. */
export async function processorSeconds(processId: number): Promise<number> {
  return (await readProcess(String(processId))).seconds;
}

/** What PostgreSQL has used, in all of its processes that run. */
export async function postgresSeconds({ owner }: { owner: Db }): Promise<number> {
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
