import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { isStreamed, type Shares, type Streamed, streamInTurns } from '../limits/shares.ts';
import { mediaTypeOf } from '../schema/fields.ts';

/** What a handler may return, with its types erased. */
export type Result = object | string | Uint8Array | Streamed | null;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends what a handler returned. Long answers count towards what their owner may have in progress. */
export async function sendResult(
  shares: Shares,
  owner: string,
  { result, schema }: { result: Result; schema: TSchema | null | undefined },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const mediaType = mediaTypeOf(schema);
  if (result instanceof Uint8Array) {
    reply.type(mediaType);
    shares.count(owner, result.byteLength, reply);
  }
  if (isStreamed(result)) {
    const parts = await streamInTurns(shares, owner, result, reply);
    return reply.type(mediaType === 'application/json' ? JSON_TYPE : mediaType).send(parts);
  }
  if (typeof result === 'string') shares.count(owner, result.length, reply);
  return send(reply, result);
}

/** The JSON text of what a handler returned, for an idempotency key to keep. */
export function serialize(reply: FastifyReply, result: Result): string {
  if (typeof result === 'string') return result;
  if (result instanceof Uint8Array) throw new TypeError('A file is no answer that an idempotency key keeps.');
  return result === null
    ? ''
    : String(reply.serializeInput(result as Record<string, unknown>, String(reply.statusCode)));
}

/** Sends an object, JSON text, the bytes of a file, or nothing. */
export function send(reply: FastifyReply, result: Result): FastifyReply {
  if (result === null) return reply.send();
  if (result instanceof Uint8Array) return reply.send(result);
  return reply.type(JSON_TYPE).send(result);
}
