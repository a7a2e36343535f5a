import type { FastifyBaseLogger } from 'fastify';
import { v4 as randomUuid } from 'uuid';
import { catchUpJournal } from '../../../continuity/journal/journal.service.ts';
import type { Worker } from '../../../platform/background/background.ts';
import { startPool } from '../../../platform/queue/pool.ts';
import {
  type DeliveryToSend,
  deliver,
  LONGEST_DELAYS_SECONDS,
  recordAttempts,
  type WebhookDependencies,
} from './deliver.ts';
import {
  type AttemptRecord,
  claimDeliveries,
  claimDeliveriesOfHold,
  rescheduleAfterClockChange,
} from './delivery.worker.queries.ts';

/** How many deliveries one process sends at a time, and how many all processes together send to one endpoint. */
const MAX_AT_ONCE = 64;
const MAX_PER_ENDPOINT = 4;
const IDLE_MS = 500;
/** How often to check whether the database's clock was set back. */
const CLOCK_CHECK_MS = 30_000;

type Claimed = { delivery: DeliveryToSend; lease: string };

/**
 * Sends events to endpoints in the background. Any number of workers may run on one database: each delivery is leased
 * to one of them at a time. What a process was sending when it died is sent again by another, with the same id.
 */
export function startWebhookWorker(dependencies: WebhookDependencies, log: FastifyBaseLogger): Worker {
  const { db } = dependencies;
  let ended: AttemptRecord[] = [];
  let clockCheckAtMs = 0;
  // Outcomes that arrive during a write are recorded together in the next.
  const recordEnded = async () => {
    const attempts = ended;
    ended = [];
    await recordAttempts(db, attempts, log);
  };
  const claim = async (limit: number): Promise<readonly Claimed[]> => {
    await recordEnded();
    if (performance.now() >= clockCheckAtMs) {
      clockCheckAtMs = performance.now() + CLOCK_CHECK_MS;
      await rescheduleAfterClockChange(db, LONGEST_DELAYS_SECONDS);
    }
    const lease = randomUuid();
    return (await claimDue(dependencies, { lease, limit })).map((delivery) => ({ delivery, lease }));
  };
  const perform = async ({ delivery, lease }: Claimed): Promise<void> => {
    const attempt = await deliver(dependencies, delivery, lease, log);
    if (attempt !== null) ended.push(attempt);
  };
  const pool = startPool({ claim, perform, atOnce: () => MAX_AT_ONCE, idleMs: IDLE_MS }, (error) =>
    log.error({ err: error }, 'the webhook worker could not read its deliveries'),
  );
  return {
    stop: async () => {
      await pool.stop();
      await recordEnded();
    },
  };
}

/** While charges are held because the database may lack something, only the news of the hold goes out. */
async function claimDue(
  { db, chargesHold, writeBodies }: WebhookDependencies,
  { lease, limit }: { lease: string; limit: number },
): Promise<DeliveryToSend[]> {
  const isSuspect = chargesHold.isDatabaseSuspect();
  const claimed = isSuspect
    ? await claimDeliveriesOfHold(db, { lease, limit })
    : await claimDeliveries(db, { lease, limit, perEndpoint: MAX_PER_ENDPOINT });
  // What they tell about is in a journal before anybody hears of it.
  if (claimed.length > 0 && !isSuspect) await catchUpJournal(db);
  const bodies = await writeBodies(claimed);
  return claimed.map((delivery, index) => ({ delivery, body: bodies[index] ?? null }));
}

/** Sends what is due once, and waits for it. @returns how many deliveries were due */
export async function deliverDue(dependencies: WebhookDependencies, log: FastifyBaseLogger): Promise<number> {
  await rescheduleAfterClockChange(dependencies.db, LONGEST_DELAYS_SECONDS);
  const lease = randomUuid();
  const claimed = await claimDue(dependencies, { lease, limit: MAX_AT_ONCE });
  const attempts = await Promise.all(claimed.map((delivery) => deliver(dependencies, delivery, lease, log)));
  await recordAttempts(
    dependencies.db,
    attempts.filter((attempt) => attempt !== null),
    log,
  );
  return claimed.length;
}
