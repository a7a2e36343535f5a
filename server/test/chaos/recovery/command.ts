/** `npm run paydesk -- reconcile --adopt`, as a person runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPILE_CACHE } from '../../harness/compile-cache.ts';
import { api, raise, type World } from '../world.ts';

const RETRY_MS = 200;
const MOST_TRIES = 60;
const COMMAND = join(import.meta.dirname, '../../../../tools/paydesk.ts');

/** `code` is null when it was killed. */
export type Told = { code: number | null; stdout: string; stderr: string };

/** Starts the command on the first process of the world. */
export function startCommand(world: World, words: readonly string[]): { ended: Promise<Told>; kill: () => void } {
  const env = {
    ...{ ...COMPILE_CACHE, PATH: process.env.PATH },
    ...{ PAYDESK_URL: api(world).url, OPERATOR_KEY: world.operatorKey },
  };
  const child = spawn(process.execPath, [COMMAND, 'reconcile', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = async (): Promise<Told> => {
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, stdout, stderr };
  };
  return { ended: run(), kill: () => void child.kill('SIGKILL') };
}

/** Runs it to its end. */
export function reconcile(world: World, ...words: string[]): Promise<Told> {
  return startCommand(world, words).ended;
}

/** Runs the command until it is carried out: what it lacks may be an answer of a gateway, or of a process that has died. */
export async function adoptAll(world: World, words: readonly string[]): Promise<Told> {
  for (let tries = 0; ; tries += 1) {
    const told = await reconcile(world, ...words);
    if (told.code === 0 || told.code === 1) return told;
    if (tries === MOST_TRIES) raise(`it never ends: ${describe(told)}`);
    await sleep(RETRY_MS);
  }
}

/** What a command printed, for a failure. */
export function describe({ code, stdout, stderr }: Told): string {
  return `${code}: ${stdout}${stderr}`;
}
