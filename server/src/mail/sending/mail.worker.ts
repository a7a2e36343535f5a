import type { FastifyBaseLogger } from 'fastify';
import { v4 as randomUuid } from 'uuid';
import type { Worker } from '../../platform/background/background.ts';
import { startPool } from '../../platform/queue/pool.ts';
import { deliverMail, type SendingDependencies } from './deliver.ts';
import { type ClaimedMail, claimMails, rescheduleMailsAfterClockChange } from './mail.worker.queries.ts';

/** How many mails one process sends at a time, and how many all processes together send for one company. */
const MAX_AT_ONCE = 8;
const MAX_PER_COMPANY = 4;
const IDLE_MS = 300;
/** While the mail server can't be reached, so that a long queue does not keep the database busy. */
const UNREACHABLE_PAUSE_MS = 2_000;
/** How often to check whether the database's clock was set back. */
const CLOCK_CHECK_MS = 30_000;
/** How long a process that stops lets the mail server finish. */
const STOP_AFTER_MS = 15_000;

type Claimed = { mail: ClaimedMail; lease: string };

/**
 * Sends mails in the background. Any number of workers may run on one database: each mail is leased to one of them at a
 * time. What a process was sending when it died is sent again by another, with the same Message-ID.
 */
export function startMailWorker(dependencies: SendingDependencies, log: FastifyBaseLogger): Worker {
  const { db, chargesHold } = dependencies;
  const giveUp = new AbortController();
  let resumeAtMs = 0;
  let clockCheckAtMs = 0;
  const claim = async (limit: number): Promise<readonly Claimed[]> => {
    if (performance.now() >= clockCheckAtMs) {
      clockCheckAtMs = performance.now() + CLOCK_CHECK_MS;
      await rescheduleMailsAfterClockChange(db);
    }
    if (performance.now() < resumeAtMs) return [];
    const lease = randomUuid();
    const isHeld = chargesHold.isDatabaseSuspect();
    const mails = await claimMails(db, { lease, limit, perCompany: MAX_PER_COMPANY, isHeld });
    return mails.map((mail) => ({ mail, lease }));
  };
  const perform = async ({ mail, lease }: Claimed): Promise<void> => {
    const server = await deliverMail(dependencies, mail, { lease, stopping: giveUp.signal }, log);
    resumeAtMs = server === 'unreachable' ? performance.now() + UNREACHABLE_PAUSE_MS : 0;
  };
  const pool = startPool({ claim, perform, atOnce: () => MAX_AT_ONCE, idleMs: IDLE_MS }, (error) =>
    log.error({ err: error }, 'the mail worker could not read its mails'),
  );
  return {
    stop: async () => {
      const timer = setTimeout(() => giveUp.abort(), STOP_AFTER_MS);
      await pool.stop();
      clearTimeout(timer);
    },
  };
}
