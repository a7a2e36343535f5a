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
  summary: 'Check whether the process is alive',
  access: 'public',
  response: { 200: namedObject('Health', { status: Type.String({ examples: ['ok'] }) }) },
  errors: [],
} as const satisfies Operation;

const READYZ = {
  ...HEALTHZ,
  url: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check whether the service can take requests',
  description:
    'The answer is 503 while the database cannot be reached or the process is shutting down. Then send the ' +
    'process no requests, but do not restart it. While charges are held, the answer is 200, `charges` is `held`, ' +
    'and `reason` and `since` say why and since when.',
  response: {
    200: namedObject('Readiness', {
      status: Type.String({ examples: ['ok'] }),
      charges: Type.Enum(['on', 'held'], { examples: ['on'] }),
      reason: Type.Optional(Type.String({ description: 'Why charges are held. Absent while they are not.' })),
      since: Type.Optional(Type.String({ description: 'Since when charges are held. Absent while they are not.' })),
    }),
  },
  errors: ['service_unavailable'],
} as const satisfies Operation;

const METRICS = {
  ...HEALTHZ,
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'Read the Prometheus metrics',
  description:
    'Returns the metrics in the text format of Prometheus. Send the operator key, or the token in ' +
    '`METRICS_TOKEN`. With `METRICS_PORT`, the metrics also have an address of their own. The metrics name no ' +
    'company. Paydesk computes them at most once a second: a client that asks more often gets the same answer ' +
    'again.',
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
    throw new ApiError('service_unavailable', 'The service cannot take requests now.', { retryAfterSeconds: 2 });
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
