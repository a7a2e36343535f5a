import { spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './errors.ts';

/** The account of the machine that runs PostgreSQL; null for the user of this process. */
export type ServerAccount = { name: string; uid: number; gid: number } | null;

export type ProgramResult = { exitCode: number | null; output: string };

/** The environment of every program started here. It contains neither secrets nor PG* variables of the caller. */
export const programEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const maximumOutputLength = 1_000_000;

/** The options of `spawn` that run a program under an account. */
export function runAs(account: ServerAccount): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs a program to its end and collects its output. A program that can't be started has the exit code null. */
export function runProgram(
  file: string,
  programArguments: string[],
  options: { account: ServerAccount; input?: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, programArguments, { ...runAs(options.account), cwd: '/', env: programEnvironment });
    let output = '';
    const gather = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-maximumOutputLength);
    };
    child.stdout.on('data', gather);
    child.stderr.on('data', gather);
    child.stdin.on('error', () => {}); // a program that ends early gives the reason in its output
    child.on('error', (error) => resolve({ exitCode: null, output: error.message }));
    child.on('close', (exitCode) => resolve({ exitCode, output: output.trim() }));
    child.stdin.end(options.input ?? '');
  });
}

/**
 * Chooses the account for PostgreSQL, which refuses to run as root. For root: the account `postgres` if the machine has one, otherwise
 * `nobody`. For other users: null. @throws EmbeddedPostgresError `cannot_run` if the machine has neither account
 */
export async function findServerAccount(): Promise<ServerAccount> {
  if (process.geteuid?.() !== 0) return null;
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const account = await findAccount(name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    'cannot_run',
    'PostgreSQL refuses to run as root, and this machine has neither an account "postgres" nor "nobody". ' +
      'Start as an ordinary user.',
  );
}

async function findAccount(name: string): Promise<ServerAccount> {
  const [user, group] = await Promise.all([
    runProgram('id', ['-u', name], { account: null }),
    runProgram('id', ['-g', name], { account: null }),
  ]);
  if (user.exitCode !== 0 || group.exitCode !== 0) return null;
  const uid = Number(user.output);
  return uid > 0 ? { name, uid, gid: Number(group.output) } : null;
}
