import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from '../cluster/binaries.ts';
import { EmbeddedPostgresError, messageOf } from '../system/errors.ts';
import type { Log } from '../system/log.ts';
import type { ServerAccount } from '../system/server-account.ts';
import { clearLeftovers } from './leftovers.ts';
import { launchPostmaster, type Postmaster, shutDownPostmaster, waitUntilReady } from './postmaster.ts';
import type { ServerLogFile } from './server-log-file.ts';
import { type ServerPlan, serverArguments } from './settings.ts';

const firstStartTimeoutMs = 30_000;
const shortestBackoffMs = 50;
const longestBackoffMs = 2_000;
/** A server that ran this long has started well, so the next restart needs no pause. */
const stableAfterMs = 5_000;

/** Messages about what the kernel still holds for the backends of a killed server. The condition passes. */
const passingTrouble = /pre-existing shared memory block|lock file ".*" already exists/;

export type SupervisedServer = { pid(): number | null; stop(): Promise<void> };
export type Supervision = {
  binaries: Binaries;
  account: ServerAccount;
  plan: ServerPlan;
  logFile: ServerLogFile;
  log: Log;
  onLaunch: (() => void) | undefined;
};

type State = Supervision & { postmaster: Postmaster | null; stopping: AbortController };

/**
 * Starts the server and resolves when it accepts connections. From then on, restarts it whenever it ends, until `stop`.
 * @throws EmbeddedPostgresError `start_failed`, with the end of the server's log
 */
export async function superviseServer(supervision: Supervision): Promise<SupervisedServer> {
  const state: State = { ...supervision, postmaster: null, stopping: new AbortController() };
  await retryFirstStart(state);
  const supervising = keepRunning(state);
  return {
    pid: () => (state.postmaster?.isRunning() ? (state.postmaster.pid ?? null) : null),
    async stop() {
      state.stopping.abort();
      if (state.postmaster) await shutDownPostmaster(state.postmaster);
      await supervising;
    },
  };
}

async function retryFirstStart(state: State): Promise<void> {
  const deadline = performance.now() + firstStartTimeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await startServer(state);
    } catch (error) {
      if (!passingTrouble.test(messageOf(error)) || performance.now() > deadline) throw error;
      await sleep(backoffMs(attempt));
    }
  }
}

async function keepRunning(state: State): Promise<void> {
  const { log, stopping } = state;
  let failures = 0;
  while (!stopping.signal.aborted) {
    const begin = performance.now();
    const reason = await state.postmaster?.ended;
    if (stopping.signal.aborted) return;
    log.error({ reason }, 'PostgreSQL ended unexpectedly; restarting it');

    failures = performance.now() - begin > stableAfterMs ? 0 : failures + 1;
    if (failures > 1) await pause(state, failures);
    while (!stopping.signal.aborted && !(await restarted(state))) {
      failures++;
      await pause(state, failures);
    }
  }
}

async function restarted(state: State): Promise<boolean> {
  try {
    await startServer(state);
    state.log.info({ pid: state.postmaster?.pid }, 'PostgreSQL accepts connections again');
    return true;
  } catch (error) {
    if (!state.stopping.signal.aborted)
      state.log.error({ reason: messageOf(error) }, 'PostgreSQL did not start; trying again');
    return false;
  }
}

async function startServer(state: State): Promise<void> {
  const { plan, logFile, account, log } = state;
  await clearLeftovers(plan.clusterDirectory, plan.clusterName, log);
  const logBeginBytes = await logFile.sizeBytes();
  if (state.stopping.signal.aborted) throw new Error('PostgreSQL is being stopped');

  const postmaster = launchPostmaster(state.binaries.postgres, serverArguments(plan), account, logFile);
  state.postmaster = postmaster;
  state.onLaunch?.();
  if (await waitUntilReady(postmaster, plan.clusterDirectory)) return;
  const message = `PostgreSQL did not start (${await postmaster.ended}): ${await logFile.readSince(logBeginBytes)}`;
  throw new EmbeddedPostgresError('start_failed', message);
}

async function pause(state: State, failures: number): Promise<void> {
  await sleep(backoffMs(failures), undefined, { signal: state.stopping.signal, ref: false }).catch(() => {});
}

function backoffMs(failures: number): number {
  return Math.min(shortestBackoffMs * 2 ** failures, longestBackoffMs);
}
