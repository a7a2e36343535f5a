import type { FastifyBaseLogger } from 'fastify';
import { repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { GatewayError } from '../gateway/gateway.ts';
import type { Gateways } from '../gateways.ts';
import {
  claimSourcesToDetach,
  type DeletedSource,
  recordDetached,
  selectGatewaysToDetachAt,
} from './detach.worker.queries.ts';

const BATCH_SIZE = 10;
const IDLE_MS = 5_000;

type DetachDependencies = { db: Db; gateways: Gateways };

/**
 * Detaches deleted cards and accounts at their gateways in the background, so that deleting one never waits for a
 * gateway. A gateway that is unavailable is asked again.
 */
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
async function detach({ db, gateways }: DetachDependencies, name: string, source: DeletedSource): Promise<boolean> {
  try {
    await gateways.of(name).detachSource?.(source.gatewayToken);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind !== 'rejected') return false;
  }
  await recordDetached(db, source.companyId, source);
  return true;
}
