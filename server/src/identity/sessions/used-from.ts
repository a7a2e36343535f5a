import type { FastifyRequest } from 'fastify';
import { originOf } from '../../platform/http/route/actor.ts';

/** Where a session was last used from, as its user sees it. */
export type UsedFrom = { ip: string; userAgent: string };

/** Reads where a request comes from. */
export function readUsedFrom(request: FastifyRequest): UsedFrom {
  const { ip, userAgent } = originOf(request);
  return { ip, userAgent: userAgent ?? '' };
}
