import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { selectCompanies, selectCompany } from './companies.operator.queries.ts';
import { Company, CompanyBody, CompanyList, CompanyQuery } from './companies.schema.ts';
import { changeCompany, type RecheckCompany } from './companies.service.ts';

/** The operator lists companies, and disables them. */
export function registerCompanyRoutes(app: FastifyInstance, recheck: RecheckCompany): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies',
    operationId: 'listCompanies',
    tag: 'Operator',
    summary: 'List companies',
    description: 'Newest first.',
    access: 'operator',
    query: CompanyQuery,
    response: { 200: CompanyList },
    errors: [],
    handler: async ({ query: { page, perPage, email } }, db) => {
      const { total, data } = await selectCompanies(db, { page, perPage, email: email ?? null });
      return { total, page, perPage, data };
    },
  });
  route(app, {
    method: 'PUT',
    url: '/operator/companies/:company_id',
    operationId: 'updateOperatorCompany',
    tag: 'Operator',
    summary: 'Disable or enable a company',
    description:
      'The members of a disabled company can log in, and its members and API keys can read. Their other requests are ' +
      'answered with 403 `company_disabled`, in all processes within a second. Billing runs continue. Paydesk collects no ' +
      'invoice of the company until it is enabled.',
    access: 'operator',
    resource: 'company',
    body: CompanyBody,
    response: { 200: Company },
    errors: [],
    audit: {
      audience: 'company',
      action: 'company.updated',
      before: ({ ids }, tx) => selectCompany(tx, ids.company_id),
      fields: ['disabled'],
    },
    transaction: ({ ids, body }, tx) => changeCompany(tx, ids.company_id, body, recheck),
  });
}
