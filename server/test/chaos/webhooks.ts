/** Checks I9 in the fault matrix: a webhook consumer receives events from every process of a world, and sometimes fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/database/database.ts';
import { checkDeliveries, type Delivered, readDeliverableEvents } from '../invariants/invariants.webhooks.ts';
import { startConsumer, verify } from '../outbox/webhooks.ts';
import type { ApiProcess } from './processes.ts';

const PLACE = '/told';
const TYPES = ['invoice.*', 'payment.*', 'refund.*'];
/** Of this many deliveries, one is received but answered with an error. */
const FAILS_ONE_OF = 11;
const TIMEOUT_MS = 120_000;
const PULL_MS = 2_000;

export type Ear = {
  /** `host:port`, for the list of allowed hosts. */
  host: string;
  /** Adds an endpoint of the operator, which receives events from then on. */
  subscribe: (api: ApiProcess, operatorKey: string) => Promise<void>;
  /** The deliveries with a valid signature. */
  heard: Delivered[];
  stop: () => Promise<void>;
};

/** Starts the consumer. A delivery that the `standardwebhooks` package refuses is answered with 400 and does not count as received. */
export async function listen(): Promise<Ear> {
  const consumer = await startConsumer();
  const heard: Delivered[] = [];
  let secret = '';
  consumer.answer(PLACE, (response, what) => {
    try {
      const { id, type } = verify(secret, what);
      heard.push({ webhookId: what.headers['webhook-id'] ?? '', eventId: id, type, body: what.body });
    } catch {
      // This includes signatures of a process whose clock is a day off. Another process delivers again.
      return void response.writeHead(400).end();
    }
    response.writeHead(heard.length % FAILS_ONE_OF === 0 ? 500 : 200).end();
  });
  return {
    host: consumer.host,
    heard,
    async subscribe(api, operatorKey) {
      const body = { url: consumer.url(PLACE), types: TYPES };
      const added = await api.send('POST', '/operator/webhook-endpoints', { token: operatorKey, body });
      if (added.status !== 201) throw new Error(`the endpoint was answered with ${JSON.stringify(added)}`);
      secret = added.body.secret;
    },
    stop: consumer.stop,
  };
}

/**
 * Waits until no delivery is pending, making them due early, and compares what was received with the committed events. @throws Error naming
 * I9
 */
export async function expectDelivered(owner: Db, { heard }: Ear): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const waiting = await owner`
      UPDATE webhook_deliveries SET next_attempt_at = now(), leased_until = CASE WHEN lease IS NOT NULL THEN now() END
      WHERE state = 'pending' RETURNING 1`;
    if (waiting.length === 0) break;
    if (performance.now() > deadlineMs)
      throw new Error(`I9 ${waiting.length} deliveries are not made after two minutes`);
    await sleep(PULL_MS);
  }
  const violations = checkDeliveries(await readDeliverableEvents(owner, ['invoice.', 'payment.', 'refund.']), heard);
  if (violations.length > 0) throw new Error(violations.join('\n'));
}
