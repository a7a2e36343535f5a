import type { FastifyBaseLogger } from 'fastify';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { DeletedRow, DetachDeleted } from '../../methods/saved/saved.service.ts';
import { pause, repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { timeoutFactorOf } from '../../platform/database/pool.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import {
  claimDeletedSource,
  claimSourcesToDetach,
  type DeletedSource,
  leaveSource,
  recordDetached,
  selectGatewaysToDetachAt,
} from './detach.worker.queries.ts';

const BATCH_SIZE = 10;
const IDLE_MS = 5_000;
/** How long the answer to a deletion waits for the gateway. */
const ANSWER_WAITS_MS = 1_000;
/** How many deletions wait for a gateway at once: a small part of the connections to it. */
const MAX_WAITING = 50;

type DetachDependencies = { db: Db; gateways: Gateways };

/**
 * Makes the function that detaches what a request has just deleted, before its answer: the database may be restored from a backup at any
 * time, and whatever is not detached then can be charged again. It resolves within about a second and never rejects. The worker detaches
 * what is left: the gateway did not answer in time, or too many deletions wait for it already.
 */
export function prepareDetaching({
  db,
  gateways,
  chargesHold,
  logger,
}: DetachDependencies & {
  chargesHold: { isDatabaseSuspect: () => boolean };
  logger: FastifyBaseLogger;
}): DetachDeleted {
  let waiting = 0;
  const waitMs = ANSWER_WAITS_MS * timeoutFactorOf(db);
  return async (companyId, row) => {
    if (waiting >= MAX_WAITING || chargesHold.isDatabaseSuspect()) return;
    waiting += 1;
    const over = new AbortController();
    const attempt = detachDeleted({ db, gateways }, companyId, row, waitMs)
      .catch((error: unknown) => logger.warn({ err: error }, 'a deleted card or account is left to the worker'))
      .finally(() => {
        waiting -= 1;
        over.abort();
      });
    await Promise.race([attempt, pause(waitMs, over.signal)]);
  };
}

async function detachDeleted(
  dependencies: DetachDependencies,
  companyId: string,
  row: DeletedRow,
  timeoutMs: number,
): Promise<void> {
  const source = await claimDeletedSource(dependencies.db, companyId, row);
  if (source !== null) await detach(dependencies, source.gateway, source, timeoutMs);
}

/** Detaches in the background what is still attached. A gateway that is unavailable is asked again. */
export function startDetaching(dependencies: DetachDependencies, log: FastifyBaseLogger): Worker {
  return repeatRounds({
    find: () => selectGatewaysToDetachAt(dependencies.db),
    work: async (gateway, signal) => {
      while (!signal.aborted && (await detachDue(dependencies, gateway)));
    },
    logFailure: (error) => log.error({ err: error }, 'deleted cards and accounts could not be read'),
    everyMs: IDLE_MS,
  });
}

/** Processes one batch at a gateway. @returns whether it answered and there may be more */
export async function detachDue({ db, gateways }: DetachDependencies, gateway: string): Promise<boolean> {
  const sources = await claimSourcesToDetach(db, { gateway, limit: BATCH_SIZE });
  const done = await Promise.all(sources.map((source) => detach({ db, gateways }, gateway, source)));
  return done.length > 0 && done.every((isDone) => isDone);
}

/** A gateway that saves nothing, or does not know the token, has nothing to detach. */
async function detach(
  { db, gateways }: DetachDependencies,
  name: string,
  source: DeletedSource,
  timeoutMs?: number,
): Promise<boolean> {
  try {
    await gateways.of(name).detachSource?.(source.gatewayToken, timeoutMs);
  } catch (error) {
    const isFromGateway = error instanceof GatewayError;
    if (!isFromGateway || error.kind !== 'rejected') {
      await noteFailure(db, source.companyId, { kind: 'source_detachment', record: source.id }, error);
      await leaveSource(db, source.companyId, source);
      if (!isFromGateway) throw error;
      return false;
    }
  }
  await recordDetached(db, source.companyId, source);
  return true;
}
