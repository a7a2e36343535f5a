import type { FastifyInstance } from 'fastify';
import { route } from '../http/route.ts';
import { selectCompanies } from './companies.queries.ts';
import { CompanyList, CompanyQuery } from './companies.schema.ts';

/** The operator's way to find a company. */
export function registerCompanyRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies',
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
}
