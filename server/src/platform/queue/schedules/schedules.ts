import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Worker } from '../../background/background.ts';
import type { Db } from '../../database/database.ts';
import { noteFailure } from '../failures.service.ts';
import { startPool } from '../pool.ts';
import {
  type ClaimedSchedule,
  claimSchedules,
  makeSchedulesDue,
  recordFailedRun,
  recordRun,
  SCHEDULE_JOBS,
} from './schedules.worker.queries.ts';

/** Work that begins at fixed times. It may run twice, or in two processes at once, so it must check what is left to do. */
export type Schedule = {
  /** Unique; without commas. */
  name: string;
  /** It begins at the multiples of this interval, counted from midnight UTC if a day is one of them. */
  everySeconds: number;
  /** Must end as soon as it can once the signal is aborted. */
  work: (signal: AbortSignal) => Promise<void>;
};

const IDLE_MS = 2_000;
/** The delay after the first failure, doubled each time, up to the interval. */
const FIRST_RETRY_SECONDS = 30;

/**
 * Runs the scheduled work, each in any one process: once at the start, which makes up for a standstill, and then at its times. Work that
 * fails is repeated with growing delays.
 */
export function startSchedules(db: Db, schedules: readonly Schedule[], log: FastifyBaseLogger): Worker {
  const stopping = new AbortController();
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  const intervals = Object.fromEntries(schedules.map(({ name, everySeconds }) => [name, everySeconds]));
  let isAdded = false;
  const claim = async (limit: number) => {
    if (!isAdded) await makeSchedulesDue(db, [...byName.keys()]);
    isAdded = true;
    return claimSchedules(db, { lease: uuidv7(), intervals, limit });
  };
  const perform = async (claimed: ClaimedSchedule) => {
    const schedule = byName.get(claimed.name);
    if (schedule !== undefined) await runSchedule(db, schedule, claimed, { signal: stopping.signal, log });
  };
  const pool = startPool({ claim, perform, atOnce: () => byName.size, idleMs: IDLE_MS }, (error) =>
    log.warn({ err: error }, 'the schedules could not be read; Paydesk tries again'),
  );
  return {
    stop: async () => {
      stopping.abort();
      await pool.stop();
    },
  };
}

/** Never rejects: what is not recorded is repeated when the lease has expired. */
async function runSchedule(
  db: Db,
  { name, everySeconds, work }: Schedule,
  claimed: ClaimedSchedule,
  { signal, log }: { signal: AbortSignal; log: FastifyBaseLogger },
): Promise<void> {
  try {
    await work(signal);
    await recordRun(db, claimed, everySeconds);
  } catch (error) {
    log.warn({ err: error, schedule: name }, 'scheduled work has failed; Paydesk tries again');
    const delaySeconds = Math.min(everySeconds, FIRST_RETRY_SECONDS * 2 ** Math.min(claimed.attempts, 10));
    await noteFailure(db, null, { kind: SCHEDULE_JOBS.kind, record: name }, error);
    await recordFailedRun(db, claimed, delaySeconds).catch(() => undefined);
  }
}
