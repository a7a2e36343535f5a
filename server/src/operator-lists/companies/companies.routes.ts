import type { FastifyInstance } from 'fastify';
import type { IsCurrencyInUse } from '../../customers/companies/companies.service.ts';
import { Company } from '../../identity/companies/companies.schema.ts';
import type { RecheckCompany } from '../../identity/companies/companies.service.ts';
import { type FindPeriodsSince, handOverUsage } from '../../metering/usage/usage.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import { fileContent } from '../../platform/http/schema/fields.ts';
import { registerBelongingRoutes } from './belongings.routes.ts';
import { listCompanies, readCompanyDetails, writeCompanies } from './companies.read.ts';
import {
  CompanyCreateBody,
  CompanyDetails,
  CompanyFileQuery,
  CompanyList,
  CompanyQuery,
  CompanyUpdateBody,
} from './companies.schema.ts';
import { createCompany, putCompany } from './companies.service.ts';

export type CompaniesContext = {
  db: Db;
  clock: Clock;
  externalIds: ExternalIds;
  recheckCompany: RecheckCompany;
  isCurrencyInUse: IsCurrencyInUse;
  findPeriodsSince: FindPeriodsSince;
};

const tag = 'Operator';
const resource = 'company';
const PARTS_REFUSE = ['external_id_taken', 'number_prefix_taken', 'currency_in_use'] as const;

/** The companies of the service, for the operator. */
export function registerCompanyRoutes(app: FastifyInstance, context: CompaniesContext): void {
  registerReads(app, context);
  registerBelongingRoutes(app);
  const { externalIds, recheckCompany: recheck, isCurrencyInUse } = context;
  const given = { externalIds, recheck, isCurrencyInUse, handover: handOverUsage(context) };
  route(app, {
    method: 'POST',
    url: '/operator/companies',
    operationId: 'createOperatorCompany',
    tag,
    summary: 'Create a company',
    description:
      'Creates the company with its billing information, billing settings and addresses in one transaction. The ' +
      'company needs no member: Paydesk bills it, and sends mails to its e-mail address. `PUT ' +
      '/operator/companies/external:…` does the same and can be repeated.',
    access: 'operator',
    body: CompanyCreateBody,
    response: { 201: Company },
    errors: PARTS_REFUSE,
    idempotency: 'create',
    audit: { recordedBy: 'service' },
    transaction: ({ request, body }, tx) => createCompany(tx, body, { actor: actorOf(request), ...given }),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/companies/:company_id',
    operationId: 'updateOperatorCompany',
    tag,
    summary: 'Create or change a company',
    description:
      'If no company has the external id in the path, the request creates the company: 201. Otherwise the request ' +
      'changes it: 200. If several requests name a new external id at once, one creates the company. Absent fields ' +
      'keep their values, also those of `billingInformation` and `billingSettings`, but `metadata` is ' +
      'replaced.\n\nThe members of a disabled company can log in, and its members and API keys can read. Their other ' +
      'requests are answered with 403 `company_disabled`, in all processes within a second. Billing runs continue. ' +
      'Paydesk does not collect invoices of the company until it is enabled. A key with the role `integration` cannot ' +
      'send `disabled`: 403 `forbidden`.',
    access: 'operator',
    resource,
    keepsCompanyId: true,
    body: CompanyUpdateBody,
    response: { 200: Company, 201: Company },
    errors: [...PARTS_REFUSE, 'usage_waiting'],
    audit: { recordedBy: 'service' },
    transaction: async ({ request, reply, ids, body, operator }, tx) => {
      if (body.disabled !== undefined) refuseIntegration(operator);
      const change = { actor: actorOf(request), ...given };
      const { company, isNew } = await putCompany(tx, ids.company_id, body, change);
      reply.code(isNew ? 201 : 200);
      return company;
    },
  });
}

/** @throws ApiError forbidden */
function refuseIntegration(operator: OperatorCaller): void {
  if (operator.kind !== 'operator' || operator.role !== 'integration') return;
  throw new ApiError('forbidden', 'A key with the role integration cannot disable or enable a company.');
}

function registerReads(app: FastifyInstance, { db: pool, clock }: CompaniesContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies',
    operationId: 'listCompanies',
    tag,
    summary: 'List companies',
    description: 'Filters combine with AND.',
    access: 'operator',
    query: CompanyQuery,
    response: { 200: CompanyList },
    errors: [],
    handler: ({ query }) => listCompanies(pool, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id',
    operationId: 'getOperatorCompany',
    tag,
    summary: 'Read a company',
    description: 'Returns the company with the number of its members, cards and open invoices, and with what it owes.',
    access: 'operator',
    resource,
    response: { 200: CompanyDetails },
    errors: [],
    handler: ({ ids }, db) => readCompanyDetails(db, ids.company_id, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies.csv',
    operationId: 'getCompaniesCsv',
    tag,
    summary: 'Read the companies as a file',
    description: 'CSV (RFC 4180) of all companies that match, the newest first.',
    access: 'operator',
    query: CompanyFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }) => {
      const file = writeCompanies(pool, query);
      reply.header('content-disposition', 'attachment; filename="companies.csv"');
      return file;
    },
  });
}
