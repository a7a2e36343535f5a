import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Lets pages of these origins call from a browser. Any other origin gets no CORS header and no preflight; without a list, all do. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: (origin, decide) => decide(null, origin !== undefined && origins.includes(origin) ? origin : false),
    // An OPTIONS that is no preflight is answered like one, instead of in a shape of the plugin's own.
    strictPreflight: false,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'],
    maxAge: 600,
  });
}
