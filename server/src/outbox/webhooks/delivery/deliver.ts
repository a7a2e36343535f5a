import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { giveUpDeliveries } from '../endpoints/endpoints.queries.ts';
import { signatureHeaders } from '../sending/secrets.ts';
import type { Outcome, Send } from '../sending/send.ts';
import { type ClaimedDelivery, endDelivery, type NotedAttempt, noteAttempts } from './delivery.worker.queries.ts';

export type WebhookDependencies = { db: Db; keyring: Keyring; send: Send };

const [MINUTE, HOUR] = [60, 3_600];

/** How long after each try the next one comes: ten tries over about 75 hours, as Standard Webhooks 1.0 proposes. */
const NEXT_TRY_SECONDS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** By up to this part longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1;

/** How long a delivery waits at most, by how often it was tried. */
export const LONGEST_WAITS_SECONDS = [0, ...NEXT_TRY_SECONDS.map((seconds) => seconds * (1 + JITTER))];

const GONE = 410;

/**
 * One try. It never rejects.
 * @returns what came of it, to be noted; null when there is nothing to note. What is not noted is tried again when its lease has run out.
 */
export async function deliver(
  dependencies: WebhookDependencies,
  delivery: ClaimedDelivery,
  lease: string,
  log: FastifyBaseLogger,
): Promise<NotedAttempt | null> {
  const { db, send } = dependencies;
  const { companyId, endpointId, eventId, url, status } = delivery;
  try {
    const body = writeBody(delivery);
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
 * Writes down what came of tries: in one statement or, when the database refuses that (an endpoint was deleted just then, say), each
 * by itself. It never rejects: what can't be noted is tried again when its lease has run out.
 */
export async function note(db: Db, attempts: readonly NotedAttempt[], log: FastifyBaseLogger): Promise<void> {
  if (attempts.length === 0) return;
  try {
    await noteAttempts(db, attempts);
    for (const { companyId, endpointId, endpointStatus } of attempts) {
      if (endpointStatus !== 'disabled') continue;
      await giveUpDeliveries(db, companyId, endpointId);
      log.warn({ companyId, endpointId }, 'a webhook endpoint answered 410 and is disabled');
    }
  } catch (error) {
    const [{ companyId, endpointId, eventId } = {}, ...others] = attempts;
    if (others.length > 0) await Promise.all(attempts.map((attempt) => note(db, [attempt], log)));
    else log.error({ err: error, companyId, endpointId, eventId }, 'the delivery of an event could not be noted');
  }
}

/** The same text on every try; null when the event is not there any more. */
function writeBody({ eventId, type, happenedAt, about, data }: ClaimedDelivery): string | null {
  if (type === null || happenedAt === null) return null;
  const head = JSON.stringify({ id: eventId, type, timestamp: happenedAt, companyId: about });
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** Nothing is sent without a signature. */
const UNREADABLE: Outcome = { status: null, failure: 'secret_unreadable', response: '', durationMs: 0 };

/** Null when the secret can't be decrypted: the key file is another one than it was encrypted with. */
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
    log.error({ err: error, endpointId }, 'the secret of a webhook endpoint can not be decrypted');
    return null;
  }
}

type WhatCameOfIt = Omit<NotedAttempt, 'companyId' | 'id' | 'endpointId' | 'eventId' | 'lease'>;

function toAttempt({ tries }: ClaimedDelivery, outcome: Outcome): WhatCameOfIt {
  if (outcome.failure === null) {
    return { ...outcome, state: 'delivered', nextAttemptSeconds: null, endpointStatus: 'enabled' };
  }
  if (outcome.status === GONE) {
    return { ...outcome, state: 'failed', nextAttemptSeconds: null, endpointStatus: 'disabled' };
  }
  const nextTry = NEXT_TRY_SECONDS[tries];
  if (nextTry === undefined)
    return { ...outcome, state: 'failed', nextAttemptSeconds: null, endpointStatus: 'failing' };
  const nextAttemptSeconds = nextTry * (1 + JITTER * (2 * Math.random() - 1));
  return { ...outcome, state: 'pending', nextAttemptSeconds, endpointStatus: null };
}
