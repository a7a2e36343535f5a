import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

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
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'],
    maxAge: 600,
  });
}
