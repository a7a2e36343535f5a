import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { route } from '../../platform/http/route/route.ts';
import { fileContent } from '../../platform/http/schema/fields.ts';
import { IngestionResult } from './ingest/ingest.schema.ts';
import { ensurePartitions, ingestUsage, ingestUsageEvent, readUsage } from './ingest/ingest.ts';
import { ingestTogether } from './ingest/ingest-together.ts';
import {
  OperatorUsageFileQuery,
  OperatorUsageQuery,
  UsageBatchBody,
  UsageCloudEventBody,
  UsageEventBody,
  UsageFileQuery,
  UsageList,
  UsageQuery,
} from './usage.schema.ts';
import { type FindPeriodsSince, listUsage, writeUsage } from './usage.service.ts';

const tag = 'Usage';

type UsageContext = {
  config: Pick<Config, 'unattributedUsage'>;
  db: Db;
  clock: Clock;
  externalIds: ExternalIds;
  findPeriodsSince: FindPeriodsSince;
};

/** Usage of companies: the operator's systems report it, the operator and the company read it. */
export function registerUsageRoutes(
  app: FastifyInstance,
  { config: { unattributedUsage: unattributed }, db: pool, clock, externalIds, findPeriodsSince }: UsageContext,
): void {
  const ingestContext = () => ({ now: clock(), findPeriodsSince, unattributed });
  const ingestWithOthers = ingestTogether(pool, ingestContext);
  route(app, {
    method: 'POST',
    url: '/operator/usage',
    operationId: 'reportUsage',
    tag,
    summary: 'Report usage',
    description:
      'Accepts CloudEvents 1.0 in structured mode, with JSON in `data`: one event (`application/json` or ' +
      '`application/cloudevents+json`), or a batch of up to 1,000 events (`application/cloudevents-batch+json`). Binary mode ' +
      '(`ce-` headers) and `data_base64` are not supported. ' +
      'Extension attributes are ignored, but only with the media types of CloudEvents.\n\n' +
      'Each event of a batch has its own ' +
      'result: an event that breaks a rule does not affect the others. A single event that breaks a rule is answered with 400. ' +
      'An accepted event is stored permanently and counts once, however often it is sent. An event with the same company, source ' +
      'and id as a stored one is a duplicate, even if its other fields differ. This holds for as long as events are kept (ten ' +
      'years, unless the operator sets another time); older events are rejected as `too_late`. If a request gets no response, ' +
      'repeat it unchanged; an `Idempotency-Key` is not needed. A company can limit late usage in its billing settings: usage of ' +
      'a month that ended more days ago than the limit is rejected as `too_late`, unless it was accepted before.\n\n' +
      'An event of an external id that no company has is accepted as `unattributed`, and becomes usage of the company that gets the ' +
      'id, as if it had been its usage when it came. At most 1,000 external ids and 1,000,000 events wait, and an external id takes no ' +
      'more 30 days after its first event: beyond that events are rejected as `unknown_company`, as all are with ' +
      '`UNATTRIBUTED_USAGE=reject`.',
    access: 'operator',
    body: UsageEventBody,
    mediaTypes: {
      'application/cloudevents+json': UsageCloudEventBody,
      'application/cloudevents-batch+json': UsageBatchBody,
    },
    response: { 200: IngestionResult },
    errors: [],
    idempotency: 'create',
    audit: { unrecorded: 'The stored events are the record.' },
    prepare: async ({ body }) => {
      // A batch is emptied: until the answer, each garbage collection would copy a thousand events that nobody reads any more.
      const items = Array.isArray(body) ? body.splice(0) : [body];
      const [read] = await Promise.all([readUsage(externalIds, items), ensurePartitions(pool)]);
      return read;
    },
    transaction({ body }, tx, read) {
      return Array.isArray(body) ? ingestUsage(tx, read, ingestContext()) : ingestUsageEvent(tx, read, ingestContext());
    },
    unkeyed: ({ body }, read) =>
      Array.isArray(body) ? transaction(pool, (tx) => ingestUsage(tx, read, ingestContext())) : ingestWithOthers(read),
  });
  registerUsageLists(app, clock);
}

function registerUsageLists(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/operator/usage',
    operationId: 'listCompanyUsage',
    tag,
    summary: 'List the usage of a company',
    description: 'Returns the usage as the company sees it.',
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
      "Returns the company's usage of each path in each interval, the oldest interval first. Intervals without usage are left " +
      'out. An event counts as soon as it is acknowledged. The first interval begins, and the last interval ends, with the ' +
      'requested period.',
    access: 'platform.billing.view',
    query: UsageQuery,
    response: { 200: UsageList },
    errors: [],
    handler: ({ companyId, query }, db) => listUsage(db, companyId, query, clock()),
  });
  registerUsageFiles(app, clock);
}

function registerUsageFiles(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/operator/usage.csv',
    operationId: 'getCompanyUsageCsv',
    tag,
    summary: 'Read the usage of a company as a file',
    description: 'CSV (RFC 4180) of all rows that `GET /operator/usage` lists, in the same order.',
    access: 'operator',
    query: OperatorUsageFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query: { companyId, ...query }, reply }, db) => {
      const file = await writeUsage(db, companyId, query, clock());
      reply.header('content-disposition', 'attachment; filename="usage.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/payments/usage.csv',
    operationId: 'getUsageCsv',
    tag,
    summary: 'Read the usage as a file',
    description: 'CSV (RFC 4180) of all rows that `GET /payments/usage` lists, in the same order.',
    access: 'platform.billing.view',
    query: UsageFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ companyId, query, reply }, db) => {
      const file = await writeUsage(db, companyId, query, clock());
      reply.header('content-disposition', 'attachment; filename="usage.csv"');
      return file;
    },
  });
}
