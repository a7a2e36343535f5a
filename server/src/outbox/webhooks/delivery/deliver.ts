import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { delayAfter, longestDelays } from '../../../platform/queue/backoff.ts';
import { abandonDeliveries } from '../endpoints/endpoints.queries.ts';
import { signatureHeaders } from '../sending/secrets.ts';
import type { Outcome, Send } from '../sending/send.ts';
import type { WriteBodies } from './body.ts';
import { type AttemptRecord, type ClaimedDelivery, endDelivery, insertAttempts } from './delivery.worker.queries.ts';

export type WebhookDependencies = {
  db: Db;
  keyring: Keyring;
  send: Send;
  chargesHold: { isDatabaseSuspect: () => boolean };
  writeBodies: WriteBodies;
};

const [MINUTE, HOUR] = [60, 3_600];

/** The delay after each attempt: ten attempts over about 75 hours, as Standard Webhooks 1.0 proposes. */
const RETRY_DELAYS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** The longest delay of a delivery, by the number of its attempts. */
export const LONGEST_DELAYS_SECONDS = longestDelays(RETRY_DELAYS_SECONDS);

const GONE = 410;

/** A delivery with its body; null when the event no longer exists. */
export type DeliveryToSend = { delivery: ClaimedDelivery; body: string | null };

/**
 * Makes one attempt. It never rejects.
 * @returns the outcome, to be recorded; null when there is nothing to record. An attempt that is not recorded is
 *   repeated when its lease has expired.
 */
export async function deliver(
  dependencies: WebhookDependencies,
  { delivery, body }: DeliveryToSend,
  lease: string,
  log: FastifyBaseLogger,
): Promise<AttemptRecord | null> {
  const { db, send } = dependencies;
  const { companyId, endpointId, eventId, url, status } = delivery;
  try {
    if (body === null || status === 'disabled') {
      await endDelivery(db, companyId, { endpointId, eventId, lease });
      return null;
    }
    const headers = headersOf(dependencies, delivery, body, log);
    const outcome = headers === null ? UNREADABLE : await send({ companyId, url }, headers, body);
    failpoint('after_webhook_sent');
    return { ...toAttempt(delivery, outcome), companyId, id: uuidv7(), endpointId, eventId, lease };
  } catch (error) {
    log.error({ err: error, companyId, endpointId, eventId }, 'an event could not be delivered');
    return null;
  }
}

/**
 * Records outcomes: in one statement or, if the database refuses that (because an endpoint has just been deleted, for
 * example), each by itself. It never rejects: what can't be recorded is attempted again when its lease has expired.
 */
export async function recordAttempts(
  db: Db,
  attempts: readonly AttemptRecord[],
  log: FastifyBaseLogger,
): Promise<void> {
  if (attempts.length === 0) return;
  try {
    await insertAttempts(db, attempts);
    for (const { companyId, endpointId, endpointStatus } of attempts) {
      if (endpointStatus !== 'disabled') continue;
      await abandonDeliveries(db, companyId, endpointId);
      log.warn({ companyId, endpointId }, 'a webhook endpoint answered 410 and is disabled');
    }
  } catch (error) {
    const [{ companyId, endpointId, eventId } = {}, ...others] = attempts;
    if (others.length > 0) await Promise.all(attempts.map((attempt) => recordAttempts(db, [attempt], log)));
    else log.error({ err: error, companyId, endpointId, eventId }, 'the outcome of a delivery could not be recorded');
  }
}

/** Nothing is sent without a signature. */
const UNREADABLE: Outcome = { status: null, failure: 'secret_unreadable', response: '', durationMs: 0 };

/** Null when the secret can't be decrypted, because the key file is not the one that it was encrypted with. */
function headersOf(
  { keyring }: WebhookDependencies,
  delivery: ClaimedDelivery,
  body: string,
  log: FastifyBaseLogger,
): Record<string, string> | null {
  const { eventId: id, endpointId, secret, previousSecret } = delivery;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  try {
    return {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Paydesk-Webhooks/1',
      ...signatureHeaders(keyring, delivery, secrets, { id, sentAt: new Date(), body }),
    };
  } catch (error) {
    log.error({ err: error, endpointId }, 'the secret of a webhook endpoint cannot be decrypted');
    return null;
  }
}

type AttemptResult = Omit<AttemptRecord, 'companyId' | 'id' | 'endpointId' | 'eventId' | 'lease'>;

function toAttempt({ tries }: ClaimedDelivery, outcome: Outcome): AttemptResult {
  if (outcome.failure === null) {
    return { ...outcome, state: 'delivered', nextAttemptSeconds: null, endpointStatus: 'enabled' };
  }
  if (outcome.status === GONE) {
    return { ...outcome, state: 'failed', nextAttemptSeconds: null, endpointStatus: 'disabled' };
  }
  const nextAttemptSeconds = delayAfter(RETRY_DELAYS_SECONDS, tries);
  if (nextAttemptSeconds === undefined)
    return { ...outcome, state: 'failed', nextAttemptSeconds: null, endpointStatus: 'failing' };
  return { ...outcome, state: 'pending', nextAttemptSeconds, endpointStatus: null };
}
