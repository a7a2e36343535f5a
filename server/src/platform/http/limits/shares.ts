import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError } from '../../errors.ts';
import type { JsonParts } from '../schema/json.ts';
import { createFairTurns, type FairTurns } from './fair-turns.ts';

/** From this page size, or this offset, a list is slow. */
const MANY_ITEMS = 100;
const FAR_ITEMS = 10_000;
const MAX_WAITING = 1_000;
const MAX_WAITING_MS = 10_000;
/** Limits of the bytes being sent to one owner's clients, and to all clients; short answers are not counted. */
const MAX_BYTES_UNDER_WAY = 64 * 1024 * 1024;
const MAX_BYTES_IN_ALL = 256 * 1024 * 1024;
const COUNTED_BYTES = 64 * 1024;
/** A streamed answer counts as this much, which is more than is ever in memory of it. */
const STREAMED_BYTES = 4 * 1024 * 1024;
/** When the limit for all is exceeded, an answer that has been sent for this long is cut off. */
const MIN_TIME_TO_READ_MS = 5_000;

/** JSON text in parts, for an answer that is too long to be held. */
export type Streamed = JsonParts<TSchema>;

/** Limits on what one company may use of shared resources. */
export type Shares = {
  /** Slow reads: at most half of the pool in all, and companies take turns. @throws ApiError service_unavailable */
  takeTurns: FairTurns;
  /**
   * Counts an answer until it is sent. When there are too many in all, the longest-running one is cut off.
   * @throws ApiError service_unavailable when its owner has too much in progress, or all have and none for long
   */
  count: (owner: string, bytes: number, reply: FastifyReply) => void;
};

export type SharesOptions = {
  poolSize: number;
  /** Of all answers that are in progress. */
  maxBytesInAll?: number;
  minTimeToReadMs?: number;
};

/** Leaves at least half of the pool to light requests, and half of the rest to other companies. */
export function createShares({
  poolSize,
  maxBytesInAll = MAX_BYTES_IN_ALL,
  minTimeToReadMs = MIN_TIME_TO_READ_MS,
}: SharesOptions): Shares {
  const atOnce = Math.max(1, Math.floor(poolSize / 2));
  const underWay = new Map<string, number>();
  /** In the order in which they began. */
  const answers = new Set<{ bytes: number; startedAtMs: number; reply: FastifyReply }>();
  let bytesInAll = 0;
  const makeRoom = (bytes: number) => {
    for (const slowest of answers) {
      if (bytesInAll + bytes <= maxBytesInAll) return;
      if (performance.now() - slowest.startedAtMs < minTimeToReadMs) break;
      answers.delete(slowest);
      bytesInAll -= slowest.bytes;
      slowest.reply.raw.destroy();
    }
    if (bytesInAll + bytes > maxBytesInAll && bytesInAll > 0) {
      throw overloaded('Too much data is still being sent to other clients.');
    }
  };
  return {
    takeTurns: createFairTurns({
      atOnce,
      atOncePerOwner: Math.ceil(atOnce / 2),
      waiting: MAX_WAITING,
      waitMs: MAX_WAITING_MS,
      refusal: () => overloaded('This company already has too many long reads that wait.'),
    }),
    count: (owner, bytes, reply) => {
      // The client has disconnected, so no event would release this answer any more.
      if (bytes < COUNTED_BYTES || reply.raw.destroyed) return;
      const before = underWay.get(owner) ?? 0;
      if (before + bytes > MAX_BYTES_UNDER_WAY && before > 0) {
        throw overloaded('Too much data is still being sent to this company.');
      }
      makeRoom(bytes);
      underWay.set(owner, before + bytes);
      const answer = { bytes, startedAtMs: performance.now(), reply };
      answers.add(answer);
      bytesInAll += bytes;
      reply.raw.once('close', () => {
        if (answers.delete(answer)) bytesInAll -= bytes;
        const left = (underWay.get(owner) ?? bytes) - bytes;
        if (left > 0) underWay.set(owner, left);
        else underWay.delete(owner);
      });
    },
  };
}

function overloaded(message: string): ApiError {
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 2 });
}

/** Whether a list's query is slow. */
export function isLongRead(query: unknown): boolean {
  const {
    page = 1,
    perPage,
    current_page: currentPage = page,
    per_page: items = perPage ?? 0,
  } = (query ?? {}) as PageQuery;
  return items > MANY_ITEMS || currentPage * items > FAR_ITEMS;
}

type PageQuery = { page?: number; perPage?: number; current_page?: number; per_page?: number };

/**
 * Sends the parts as their reader takes them. Each is read in its own turn, so that a slow reader holds none. The first one is read before
 * anything is sent, so that its failure is an error as of any other answer.
 */
export async function streamInTurns(
  { takeTurns, count }: Shares,
  owner: string,
  parts: Streamed,
  reply: FastifyReply,
): Promise<Readable> {
  count(owner, STREAMED_BYTES, reply);
  const next = () => takeTurns(owner, () => parts.next());
  const logCutOff = (error: unknown): never => {
    reply.log.error({ reqId: reply.request.id, err: error }, 'the rest of an answer could not be read; it was cut off');
    throw error;
  };
  const first = await next();
  const inTurns = async function* () {
    for (let part = first; !part.done; part = await next().catch(logCutOff)) yield part.value;
  };
  return Readable.from(inTurns(), { highWaterMark: 1 });
}

/** Whether a handler's result is an answer in parts. */
export function isStreamed(result: unknown): result is Streamed {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
