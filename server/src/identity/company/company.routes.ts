import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { OwnCompany, OwnCompanyBody } from './company.schema.ts';
import { changeCompany, readCompany } from './company.service.ts';

const tag = 'Team';

/** The profile of the caller's company. */
export function registerCompanyProfileRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/company',
    operationId: 'getCompany',
    tag,
    summary: 'Read your company',
    access: 'member',
    response: { 200: OwnCompany },
    errors: [],
    handler: ({ companyId }, db) => readCompany(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/company',
    operationId: 'updateCompany',
    tag,
    summary: 'Change your company',
    description: 'Fields that are absent keep their values. An empty text unsets a field.',
    access: 'platform.admins.all',
    body: OwnCompanyBody,
    response: { 200: OwnCompany },
    errors: [],
    audit: {
      audience: 'company',
      action: 'company.updated',
      before: ({ companyId }, tx) => readCompany(tx, companyId),
    },
    transaction: ({ companyId, body }, tx) => changeCompany(tx, companyId, body),
  });
}
