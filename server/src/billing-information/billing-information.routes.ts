import type { FastifyInstance } from 'fastify';
import { route } from '../http/route.ts';
import { BillingInformation, BillingInformationBody } from './billing-information.schema.ts';
import { changeBillingInformation, readBillingInformation } from './billing-information.service.ts';

const tag = 'Billing information';

/** The company's one billing-information record (specification 4.2). */
export function registerBillingInformationRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/payments/billing-information',
    tag,
    summary: 'Read the billing information',
    description: 'There is one record a company, from its sign-up on.',
    access: 'platform.billing.view',
    response: { 200: BillingInformation },
    errors: [],
    handler: ({ companyId }, db) => readBillingInformation(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/billing-information',
    tag,
    summary: 'Change the billing information',
    description: 'Fields that are absent keep their values.',
    access: 'platform.billing.all',
    body: BillingInformationBody,
    response: { 200: BillingInformation },
    errors: [],
    transaction: ({ companyId, body }, tx) => changeBillingInformation(tx, companyId, body),
  });
}
