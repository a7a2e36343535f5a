import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { route } from '../../platform/http/route/route.ts';
import { IngestionResult } from './ingest/ingest.schema.ts';
import { ensurePartitions, ingestUsage, ingestUsageEvent, readUsage } from './ingest/ingest.ts';
import {
  OperatorUsageQuery,
  UsageBatchBody,
  UsageCloudEventBody,
  UsageEventBody,
  UsageList,
  UsageQuery,
} from './usage.schema.ts';
import { type FindPeriodsSince, listUsage } from './usage.service.ts';

const tag = 'Usage';

type UsageContext = { db: Db; clock: Clock; externalIds: ExternalIds; findPeriodsSince: FindPeriodsSince };

/** Usage of companies: the operator's systems report it, the operator and the company read it. */
export function registerUsageRoutes(
  app: FastifyInstance,
  { db: pool, clock, externalIds, findPeriodsSince }: UsageContext,
): void {
  route(app, {
    method: 'POST',
    url: '/operator/usage',
    operationId: 'reportUsage',
    tag,
    summary: 'Report usage',
    description:
      'CloudEvents 1.0: one (`application/json` or `application/cloudevents+json`), or a batch of up to 1,000 ' +
      '(`application/cloudevents-batch+json`), in the structured mode with JSON in `data`: neither the binary mode (`ce-` headers) nor ' +
      '`data_base64`. Extension attributes are passed over, of the media types of CloudEvents alone.\n\n' +
      'In a batch each event has a result of its own, and one that breaks a rule does not keep the others out; alone ' +
      'it is 400. What is accepted is stored for good, and counts once however often it is sent: an ' +
      'event of the same company, source and id is a duplicate, whatever else it says, for as long as events are kept (ten years, ' +
      'unless the operator sets another time); afterwards what happened then is `too_late`. So repeat a request without an ' +
      'answer as it is; that needs no `Idempotency-Key`. A company may refuse late usage ' +
      '(see its billing settings): what happened in a month that ended more days ago than that is `too_late`, unless it was taken ' +
      'before.',
    access: 'operator',
    body: UsageEventBody,
    mediaTypes: {
      'application/cloudevents+json': UsageCloudEventBody,
      'application/cloudevents-batch+json': UsageBatchBody,
    },
    response: { 200: IngestionResult },
    errors: [],
    idempotency: 'create',
    audit: { unrecorded: 'The events themselves are the record.' },
    prepare: async ({ body }) => {
      const [read] = await Promise.all([readUsage(externalIds, [body].flat()), ensurePartitions(pool)]);
      return read;
    },
    transaction({ body }, tx, read) {
      const context = { now: clock(), findPeriodsSince };
      return Array.isArray(body) ? ingestUsage(tx, read, context) : ingestUsageEvent(tx, read, context);
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/usage',
    operationId: 'listCompanyUsage',
    tag,
    summary: 'List the usage of a company',
    description: 'As the company sees it.',
    access: 'operator',
    query: OperatorUsageQuery,
    response: { 200: UsageList },
    errors: [],
    handler: ({ query: { companyId, ...query } }, db) => listUsage(db, companyId, query, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/payments/usage',
    operationId: 'listUsage',
    tag,
    summary: 'List usage',
    description:
      'What the company used of each path in each interval, the oldest first; without those of nothing. An event counts as soon as it ' +
      'is acknowledged. The first and the last interval end with the period.',
    access: 'platform.billing.view',
    query: UsageQuery,
    response: { 200: UsageList },
    errors: [],
    handler: ({ companyId, query }, db) => listUsage(db, companyId, query, clock()),
  });
}
