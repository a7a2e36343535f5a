import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { named } from '../../platform/http/schema/named.ts';
import { UsageThreshold, UsageThresholdBody, UsageThresholdList } from './thresholds.schema.ts';
import {
  createThreshold,
  findAnyThreshold,
  findThreshold,
  listThresholds,
  removeAnyThreshold,
  removeThreshold,
} from './thresholds.service.ts';

const tag = 'Usage';
const resource = 'usage threshold';
const nameOf = ({ path }: { path?: unknown }) => path;
const order = 'Lists at most 20 thresholds, the newest first.';
const creation =
  "When the company's usage of the path in a billing period (a month in its time zone) reaches the quantity, one event " +
  '`usage.threshold_reached` is sent within seconds. The threshold applies from the current period on, even if it is reached ' +
  'already. There is no second event in the same period. Usage that arrives after the month counts for that month until the ' +
  'month is billed. A company can have at most 20 thresholds.';

type Dependencies = { clock: Clock };

/** Registers the routes for usage thresholds, which the company manages, or the operator for it. */
export function registerUsageThresholdRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  registerOwnRoutes(app, dependencies);
  registerOperatorRoutes(app, dependencies);
}

function registerOwnRoutes(app: FastifyInstance, { clock }: Dependencies): void {
  route(app, {
    method: 'GET',
    url: '/payments/usage-thresholds',
    operationId: 'listUsageThresholds',
    tag,
    summary: 'List usage thresholds',
    description: order,
    access: 'platform.billing.view',
    response: { 200: UsageThresholdList },
    errors: [],
    handler: ({ companyId }, db) => listThresholds(db, companyId),
  });
  route(app, {
    method: 'POST',
    url: '/payments/usage-thresholds',
    operationId: 'createUsageThreshold',
    tag,
    summary: 'Add a usage threshold',
    description: creation,
    access: 'platform.billing.all',
    body: UsageThresholdBody,
    exactNumbers: ['quantity'],
    response: { 201: UsageThreshold },
    examples: { 201: { lastReached: null } },
    errors: ['limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'usage_threshold.created', name: nameOf },
    transaction: ({ companyId, body }, tx) => createThreshold(tx, companyId, body, clock()),
  });
  route(app, {
    method: 'DELETE',
    url: '/payments/usage-thresholds/:threshold_id',
    operationId: 'deleteUsageThreshold',
    tag,
    summary: 'Delete a usage threshold',
    access: 'platform.billing.all',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'usage_threshold.deleted',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findThreshold(tx, companyId, ids.threshold_id),
    },
    handler: async ({ companyId, ids }, db) => {
      await removeThreshold(db, companyId, ids.threshold_id);
      return null;
    },
  });
}

function registerOperatorRoutes(app: FastifyInstance, { clock }: Dependencies): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/usage-thresholds',
    operationId: 'listCompanyUsageThresholds',
    tag,
    summary: "List a company's usage thresholds",
    description: order,
    access: 'operator',
    resource: 'company',
    response: { 200: UsageThresholdList },
    errors: [],
    handler: ({ ids }, db) => listThresholds(db, ids.company_id),
  });
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/usage-thresholds',
    operationId: 'createCompanyUsageThreshold',
    tag,
    summary: 'Add a usage threshold for a company',
    description: `${creation} The company sees the threshold among its own, and may delete it.`,
    access: 'operator',
    resource: 'company',
    body: named('OperatorUsageThresholdBody', UsageThresholdBody),
    exactNumbers: ['quantity'],
    response: { 201: UsageThreshold },
    examples: { 201: { lastReached: null } },
    errors: ['limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'usage_threshold.created', name: nameOf },
    transaction: ({ ids, body }, tx) => createThreshold(tx, ids.company_id, body, clock()),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/usage-thresholds/:threshold_id',
    operationId: 'deleteCompanyUsageThreshold',
    tag,
    summary: 'Delete a usage threshold of any company',
    access: 'operator',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'usage_threshold.deleted',
      name: nameOf,
      before: ({ ids }, tx) => findAnyThreshold(tx, ids.threshold_id),
    },
    handler: async ({ ids }, db) => {
      await removeAnyThreshold(db, ids.threshold_id);
      return null;
    },
  });
}
