import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../errors.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { readBearer } from '../route/credentials.ts';
import type { Operation } from '../route/operation.ts';
import { namedObject } from '../schema/named.ts';
import { Type } from '../schema/type.ts';
import type { Metrics } from './metrics.ts';
import type { AdmitScrape } from './metrics-access.ts';

const HEALTHZ = {
  method: 'GET',
  url: '/healthz',
  operationId: 'getHealth',
  tag: 'Operations',
  summary: 'Is the process alive?',
  access: 'public',
  response: { 200: namedObject('Health', { status: Type.String({ examples: ['ok'] }) }) },
  errors: [],
} as const satisfies Operation;

const READYZ = {
  ...HEALTHZ,
  url: '/readyz',
  operationId: 'getReadiness',
  summary: 'Can it serve?',
  description:
    '503 while the database is away or the process is draining: take it out of the rotation, do not restart it. 200 while charges ' +
    'are held, which `charges` says, with the `reason` and since when.',
  response: {
    200: namedObject('Readiness', {
      status: Type.String({ examples: ['ok'] }),
      charges: Type.Enum(['on', 'held'], { examples: ['on'] }),
      reason: Type.Optional(Type.String({ description: 'While they are held: why.' })),
      since: Type.Optional(Type.String({ description: 'While they are held: since when.' })),
    }),
  },
  errors: ['service_unavailable'],
} as const satisfies Operation;

const METRICS = {
  ...HEALTHZ,
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'Prometheus metrics',
  description:
    'Text format. Takes the operator key, or the token in `METRICS_TOKEN`. With `METRICS_PORT` the same stands at an address of its own. ' +
    'Nothing in it names a company. Read once a second at most; who asks more often gets the same again.',
  access: 'operator',
  response: { 200: Type.String({ 'x-media-type': 'text/plain' }) },
  errors: ['unauthenticated', 'rate_limited', 'service_unavailable'],
} as const satisfies Operation;

type Hold = { reason: string; since: Date };

type HealthDependencies = {
  isReady: () => Promise<boolean>;
  /** Why and since when charges are held; null while they are not. */
  currentHold: () => Hold | null;
  metrics: Metrics;
  admitScrape: AdmitScrape;
};

/** Health endpoints for the platform. They answer even when the database is unavailable. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { isReady, currentHold, metrics, admitScrape }: HealthDependencies,
): void {
  app.http.operations.push(HEALTHZ, READYZ, METRICS);
  app.get(HEALTHZ.url, { logLevel: 'warn' }, async () => ({ status: 'ok' }));
  app.get(READYZ.url, { logLevel: 'warn' }, async () => {
    if (await isReady()) return { status: 'ok', ...describeCharges(currentHold()) };
    throw new ApiError('service_unavailable', 'Not ready to serve.', { retryAfterSeconds: 2 });
  });
  const { limitRate } = app.http;
  app.get(METRICS.url, { logLevel: 'warn' }, async (request, reply) => {
    await admitScrape(readBearer(request.headers.authorization)).catch((refusal) => {
      limitRate(reply, clientNetwork(request.ip));
      throw refusal;
    });
    reply.type(metrics.contentType);
    return metrics.scrape();
  });
}

function describeCharges(hold: Hold | null) {
  return hold === null ? { charges: 'on' } : { charges: 'held', reason: hold.reason, since: hold.since.toISOString() };
}
