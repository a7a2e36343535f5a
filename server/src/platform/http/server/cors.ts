import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

export const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'];
export const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'];
/** How long a browser may remember a preflight. */
export const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages of these origins to call from a browser. Any other origin gets no CORS header and no preflight; so does
 * every origin without a list.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: (origin, decide) => decide(null, origin !== undefined && origins.includes(origin) ? origin : false),
    // An OPTIONS that is not a preflight is answered like one, instead of in the plugin's own shape.
    strictPreflight: false,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
