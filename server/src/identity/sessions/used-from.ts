import type { FastifyRequest } from 'fastify';
import { hideCardNumbers } from '../../platform/logging/card-numbers.ts';

/** Where a session was last used from, as its user sees it. */
export type UsedFrom = { ip: string; userAgent: string };

const MAX_LENGTH = 255;

/** Reads where a request comes from. An IPv4 address is written as such, whatever the socket is. */
export function readUsedFrom({ ip, headers }: FastifyRequest): UsedFrom {
  return {
    ip: ip.replace(/^::ffff:(?=\d+\.)/, '').slice(0, MAX_LENGTH),
    userAgent: hideCardNumbers(headers['user-agent'] ?? '').slice(0, MAX_LENGTH),
  };
}
