import type { FastifyBaseLogger } from 'fastify';
import type { Gateways } from '../../gateways/gateways.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { whenDue } from '../../platform/queue/due/due.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { processGatewayEvent } from './gateway-events.ts';
import { claimKeptEvents, KEPT_EVENT_JOBS, KEPT_EVENTS, leaveKeptEvent } from './gateway-events.worker.queries.ts';

const EVERY_MS = 1_000;
const BATCH_SIZE = 20;

type Dependencies = { db: Db; gateways: Gateways };

/** Acts on the gateway events that were kept during a hold. An event whose gateway gives no answer is tried again a minute later. */
export function startKeptGatewayEvents(dependencies: Dependencies, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: async (signal) => {
      while (!signal.aborted && (await processKeptEvents(dependencies, log)) === BATCH_SIZE);
    },
    logFailure: (error) => log.error({ err: error }, 'the gateway events that were kept could not be read'),
    ...whenDue(dependencies.db, KEPT_EVENTS, EVERY_MS),
  });
}

/** Acts on a batch of them. @returns how many there were */
export async function processKeptEvents({ db, gateways }: Dependencies, log: FastifyBaseLogger): Promise<number> {
  const events = await claimKeptEvents(db, BATCH_SIZE);
  for (const { gateway, ...gatewayEvent } of events) {
    await processGatewayEvent(db, gateways.of(gateway), gatewayEvent, log).catch(async (error) => {
      const { id } = gatewayEvent;
      log.warn({ err: error, gatewayEventId: id }, 'a gateway event could not be acted on; it will be retried');
      await noteFailure(db, null, { kind: KEPT_EVENT_JOBS.kind, record: `${gateway}/${id}` }, error);
      await leaveKeptEvent(db, gateway, id);
    });
  }
  return events.length;
}
