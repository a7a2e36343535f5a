import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors.ts';

const WINDOW_SECONDS = 60;
const MAX_TRACKED_CALLERS = 100_000;

/** Counts one request of a caller. @throws ApiError rate_limited when the caller sent too many */
export type RateLimiter = (reply: FastifyReply, caller: string) => void;

/**
 * Counts requests by caller in windows of a minute, in memory: the limit stops a runaway client, so each process counts
 * by itself. Answers carry `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). A caller is a
 * valid credential, else the client's network (see `clientNetwork`).
 */
export function createRateLimiter(limitPerMinute: number): RateLimiter {
  const policy = `"requests";q=${limitPerMinute};w=${WINDOW_SECONDS}`;
  let counts = new Map<string, number>();
  let windowEndsAtMs = 0;

  return (reply, caller) => {
    const nowMs = performance.now();
    if (nowMs >= windowEndsAtMs || counts.size >= MAX_TRACKED_CALLERS) {
      counts = new Map();
      windowEndsAtMs = nowMs + WINDOW_SECONDS * 1000;
    }
    const used = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, used);
    const secondsLeft = Math.ceil((windowEndsAtMs - nowMs) / 1000);
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"requests";r=${Math.max(0, limitPerMinute - used)};t=${secondsLeft}`);
    if (used > limitPerMinute) {
      throw new ApiError('rate_limited', 'Too many requests.', { retryAfterSeconds: secondsLeft });
    }
  };
}
