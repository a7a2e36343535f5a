/** A second database of the same installation: the backup is served while the original still is. */
import { rm } from 'node:fs/promises';
import { connectAsOwner } from '../../../../src/platform/database/pool.ts';
import type { ApiProcess } from '../../processes.ts';
import { takeBackup } from '../../restore/restore.ts';
import { raise, until, type World } from '../../world.ts';

export type Copy = World & { undo: AsyncDisposableStack };

/**
 * Takes the backup of a world. The function that it returns serves it, on the same gateway, with a journal of its own or with the same.
 * `settings` are more variables of its environment.
 */
export async function takeCopy(
  world: World,
): Promise<(journal: 'apart' | 'shared', settings?: Readonly<Record<string, string>>) => Promise<Copy>> {
  await takeBackup(world, 'copy');
  const url = world.restorable?.backupUrl ?? raise('A standby cannot be served.');
  return async (journal, settings = {}) => {
    const undo = new AsyncDisposableStack();
    const journalDirectory = journal === 'shared' ? world.journalDirectory : `${world.journalDirectory}.copy`;
    if (journal === 'apart') undo.defer(() => rm(journalDirectory, { recursive: true, force: true }));
    // A gateway that does not answer in time shows no copy what it lacks, and a busy machine may be slow.
    const environment = {
      ...{ DATABASE_URL: url, JOURNAL_DIR: journalDirectory, GATEWAY_TIMEOUT_MS: '20000' },
      ...settings,
    };
    const started: ApiProcess[] = [];
    undo.defer(async () => {
      await Promise.all(started.map(({ stop }) => stop()));
    });
    const startApi: World['startApi'] = async (options) => {
      const api = await world.startApi({ ...options, environment: { ...environment, ...options?.environment } });
      started.push(api);
      world.steps.isOfCopy(api.pid);
      return api;
    };
    const [owner, second] = [connectAsOwner(url), connectAsOwner(url)];
    for (const pool of [owner, second]) undo.defer(() => pool.end({ timeout: 1 }));
    const apis = [await startApi()];
    const memory = { seen: [], seenRefunds: [], created: [] };
    return { ...world, ...memory, owner, second, apis, startApi, journalDirectory, restorable: null, undo };
  };
}

/** Waits until the process says so. */
export async function untilCharges(process: ApiProcess, wanted: 'held' | 'on', what: string): Promise<void> {
  const answers: unknown[] = [];
  const isSo = async () => {
    const { status, body } = await process.send('GET', '/readyz');
    answers.push({ status, body });
    return body.charges === wanted;
  };
  const warned = () => process.logged('a gateway cannot be compared with the database').map((entry) => entry.err);
  await until(isSo, what).catch(({ message }: Error) =>
    raise(`${message}: ${answers.length} answers, the last ${JSON.stringify([answers.at(-1), ...warned()])}`),
  );
}
