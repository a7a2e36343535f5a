import type { FastifyBaseLogger } from 'fastify';
import { v4 as randomUuid } from 'uuid';
import { catchUpJournal } from '../../../continuity/journal/journal.service.ts';
import type { Worker } from '../../../platform/background/background.ts';
import { untilDue } from '../../../platform/queue/due/due.ts';
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
  type ClaimedDelivery,
  claimDeliveries,
  claimDeliveriesOfHold,
  releaseDeliveries,
  rescheduleAfterClockChange,
  WAITING_DELIVERIES,
} from './delivery.worker.queries.ts';
import { createTurns } from './turns.ts';

/** How many deliveries one process sends at a time, and how many of them to one endpoint. */
const MAX_AT_ONCE = 64;
const MAX_PER_ENDPOINT = 4;
/** How many a process has claimed: the next ones are at hand, and more are claimed and recorded by one statement. */
const MAX_CLAIMED = 256;
/**
 * How many of them of one endpoint: 16, or 64 while 128 places stay free, so that slow endpoints do not keep those of others waiting.
 */
const [FEW_OF_ENDPOINT, MORE_OF_ENDPOINT] = [16, 64];
const ROOM_FOR_OTHERS = 128;
/** What has waited longer for its turn is claimed anew, because its endpoint may be another by now. Far shorter than a lease. */
const LONGEST_WAIT_MS = 1_000;
/** How often to check whether the database's clock was set back. */
const CLOCK_CHECK_MS = 30_000;

type Claimed = { delivery: DeliveryToSend; lease: string; claimedAtMs: number };

/**
 * Sends events to endpoints in the background. Any number of workers may run on one database: each delivery is leased
 * to one of them at a time. What a process was sending when it died is sent again by another, with the same id.
 * @param longestWaitMs - another one than usual
 */
export function startWebhookWorker(
  dependencies: WebhookDependencies,
  log: FastifyBaseLogger,
  { longestWaitMs = LONGEST_WAIT_MS }: { longestWaitMs?: number } = {},
): Worker {
  const { db, chargesHold } = dependencies;
  const [turns, turnsOfEndpoints] = [createTurns(MAX_AT_ONCE), createTurns(MAX_PER_ENDPOINT)];
  let ended: AttemptRecord[] = [];
  let unsent: (ClaimedDelivery & { lease: string })[] = [];
  let isStopping = false;
  let clockCheckAtMs = 0;
  // Outcomes that arrive during a write are recorded together in the next.
  const recordEnded = async () => {
    const [attempts, released] = [ended, unsent];
    [ended, unsent] = [[], []];
    await recordAttempts(db, attempts, log);
    if (released.length > 0) await releaseDeliveries(db, released);
  };
  const claim = async (limit: number): Promise<readonly Claimed[]> => {
    await recordEnded();
    if (performance.now() >= clockCheckAtMs) {
      clockCheckAtMs = performance.now() + CLOCK_CHECK_MS;
      await rescheduleAfterClockChange(db, LONGEST_DELAYS_SECONDS);
    }
    const [lease, claimedAtMs] = [randomUuid(), performance.now()];
    const room = limit - ROOM_FOR_OTHERS;
    const most =
      room >= MORE_OF_ENDPOINT
        ? { limit: room, perEndpoint: MORE_OF_ENDPOINT }
        : { limit, perEndpoint: FEW_OF_ENDPOINT };
    const claimed = await claimDue(dependencies, { lease, ...most });
    return claimed.map((delivery) => ({ delivery, lease, claimedAtMs }));
  };
  const perform = async ({ delivery, lease, claimedAtMs }: Claimed): Promise<void> => {
    const { endpointId } = delivery.delivery;
    const wasSuspect = chargesHold.isDatabaseSuspect();
    const hasWaited = [await turnsOfEndpoints.begin(endpointId), await turns.begin('')].includes(true);
    const isStale = performance.now() - claimedAtMs > longestWaitMs || chargesHold.isDatabaseSuspect() !== wasSuspect;
    if (hasWaited && (isStopping || isStale)) unsent.push({ ...delivery.delivery, lease });
    else {
      const attempt = await deliver(dependencies, delivery, lease, log);
      if (attempt !== null) ended.push(attempt);
    }
    turns.end('');
    turnsOfEndpoints.end(endpointId);
  };
  const pool = startPool(
    {
      ...{ claim, perform, atOnce: () => MAX_CLAIMED, idleMs: CLOCK_CHECK_MS },
      untilDue: (signal) => untilDue(db, WAITING_DELIVERIES, signal),
    },
    (error) => log.error({ err: error }, 'the webhook worker could not read its deliveries'),
  );
  return {
    stop: async () => {
      isStopping = true;
      await pool.stop();
      await recordEnded();
    },
  };
}

/** While charges are held because the database may lack something, only the news of the hold goes out. */
async function claimDue(
  { db, chargesHold, writeBodies }: WebhookDependencies,
  { lease, limit, perEndpoint }: { lease: string; limit: number; perEndpoint: number },
): Promise<DeliveryToSend[]> {
  const isSuspect = chargesHold.isDatabaseSuspect();
  const claimed = isSuspect
    ? await claimDeliveriesOfHold(db, { lease, limit })
    : await claimDeliveries(db, { lease, limit, perEndpoint });
  // What they tell about is in a journal before anybody hears of it.
  if (claimed.length > 0 && !isSuspect) await catchUpJournal(db);
  const bodies = await writeBodies(claimed);
  return claimed.map((delivery, index) => ({ delivery, body: bodies[index] ?? null }));
}

/** Sends what is due once, and waits for it. @returns how many deliveries were due */
export async function deliverDue(dependencies: WebhookDependencies, log: FastifyBaseLogger): Promise<number> {
  await rescheduleAfterClockChange(dependencies.db, LONGEST_DELAYS_SECONDS);
  const lease = randomUuid();
  const claimed = await claimDue(dependencies, {
    lease,
    limit: MAX_AT_ONCE,
    perEndpoint: MAX_PER_ENDPOINT,
  });
  const attempts = await Promise.all(claimed.map((delivery) => deliver(dependencies, delivery, lease, log)));
  await recordAttempts(
    dependencies.db,
    attempts.filter((attempt) => attempt !== null),
    log,
  );
  return claimed.length;
}
