import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { v4 as randomUuid } from 'uuid';
import { isDatabaseSuspect } from '../../continuity/hold/charges-hold.service.ts';
import type { Worker } from '../../platform/background/background.ts';
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

/**
 * Sends mails in the background. Any number of workers may run on one database: each mail is leased to one of them at a
 * time. What a process was sending when it died is sent again by another, with the same Message-ID.
 */
export function startMailWorker(dependencies: SendingDependencies, log: FastifyBaseLogger): Worker {
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const sending = new Set<Promise<void>>();
  let isReachable = true;
  let clockCheckAtMs = 0;
  const begin = (mail: ClaimedMail, lease: string) => {
    const work = deliverMail(dependencies, mail, { lease, stopping: giveUp.signal }, log).then((wasReachable) => {
      sending.delete(work);
      isReachable = wasReachable;
    });
    sending.add(work);
  };
  const claim = async (): Promise<void> => {
    const { db, chargesHold } = dependencies;
    if (performance.now() >= clockCheckAtMs) {
      clockCheckAtMs = performance.now() + CLOCK_CHECK_MS;
      await rescheduleMailsAfterClockChange(db);
    }
    const limit = MAX_AT_ONCE - sending.size;
    if (limit === 0) return;
    const lease = randomUuid();
    const isHeld = isDatabaseSuspect(chargesHold.current());
    for (const mail of await claimMails(db, { lease, limit, perCompany: MAX_PER_COMPANY, isHeld })) begin(mail, lease);
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await claim().catch((error) => log.error({ err: error }, 'the mail worker could not read its mails'));
      const pauseMs = isReachable ? IDLE_MS : UNREACHABLE_PAUSE_MS;
      const pause = sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      // When one mail has been sent, more may be due.
      await (isReachable ? Promise.race([pause, ...sending]) : pause);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      const timer = setTimeout(() => giveUp.abort(), STOP_AFTER_MS);
      await running;
      await Promise.all(sending);
      clearTimeout(timer);
    },
  };
}
