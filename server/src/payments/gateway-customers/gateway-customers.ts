/**
 * A gateway that keeps customers shows who each of them is. The database queues the company's customers when its name or e-mail changes
 * (the triggers of the migration), so that no request waits for a gateway.
 */
import type { FastifyBaseLogger } from 'fastify';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { DescribeCustomer } from '../../methods/saved/saved.service.ts';
import { pause, repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { timeoutFactorOf } from '../../platform/database/pool.ts';
import {
  type CustomerToDescribe,
  claimCustomersToDescribe,
  recordDescribed,
  selectGatewaysToDescribeAt,
} from './gateway-customers.worker.queries.ts';

const BATCH_SIZE = 10;
const IDLE_MS = 2_000;
/** How long the answer to a company's first card waits for the gateway. */
const ANSWER_WAITS_MS = 1_000;

type Dependencies = { db: Db; gateways: Gateways };

/** Makes the function that describes a new customer before the answer. The worker describes what is left. */
export function prepareDescribing({
  db,
  gateways,
  logger,
}: Dependencies & { logger: FastifyBaseLogger }): DescribeCustomer {
  const waitMs = ANSWER_WAITS_MS * timeoutFactorOf(db);
  return async (companyId, gateway) => {
    const over = new AbortController();
    const attempt = describeOne({ db, gateways }, gateway, companyId)
      .catch((error: unknown) => logger.warn({ err: error }, 'a new customer at a gateway is left to the worker'))
      .finally(() => over.abort());
    await Promise.race([attempt, pause(waitMs, over.signal)]);
  };
}

async function describeOne({ db, gateways }: Dependencies, gateway: string, companyId: string): Promise<void> {
  if (gateways.of(gateway).describeCustomer === undefined) return;
  const [customer] = await claimCustomersToDescribe(db, { gateway, limit: 1, companyId });
  if (customer !== undefined) await describe({ db, gateways }, gateway, customer);
}

/** Describes customers in the background. A gateway that gives no answer is asked again. */
export function startDescribing(dependencies: Dependencies, log: FastifyBaseLogger): Worker {
  return repeatRounds({
    find: () => selectGatewaysToDescribeAt(dependencies.db),
    work: async (gateway, signal) => {
      while (!signal.aborted && (await describeDue(dependencies, gateway)));
    },
    logFailure: (error) => log.error({ err: error }, 'customers at gateways could not be read'),
    everyMs: IDLE_MS,
  });
}

/** Describes a batch of customers at a gateway. @returns whether it answered and there may be more */
export async function describeDue({ db, gateways }: Dependencies, gateway: string): Promise<boolean> {
  const customers = await claimCustomersToDescribe(db, { gateway, limit: BATCH_SIZE });
  const done = await Promise.all(customers.map((customer) => describe({ db, gateways }, gateway, customer)));
  return done.length > 0 && done.every((isDone) => isDone);
}

/** What a gateway refuses, such as the description of a customer that was deleted there, is not tried again before the next change. */
async function describe(
  { db, gateways }: Dependencies,
  gateway: string,
  { describeAt, ...customer }: CustomerToDescribe,
): Promise<boolean> {
  try {
    await gateways.of(gateway).describeCustomer?.(customer);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind !== 'rejected') return false;
  }
  await recordDescribed(db, customer.companyId, { gateway, describeAt });
  return true;
}
