import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { named } from '../../platform/http/schema/named.ts';
import {
  BillingInformation,
  BillingInformationBody,
  BillingInformationChangeList,
  BillingInformationChangeQuery,
} from './billing-information.schema.ts';
import {
  changeBillingInformation,
  correctBillingInformation,
  listBillingInformationChanges,
  readBillingInformation,
} from './billing-information.service.ts';

const tag = 'Billing information';

/** The company's one billing-information record. */
export function registerBillingInformationRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/payments/billing-information',
    operationId: 'getBillingInformation',
    tag,
    summary: 'Read the billing information',
    description: 'Every company has exactly one billing information record, from its creation on.',
    access: 'platform.billing.view',
    response: { 200: BillingInformation },
    errors: [],
    handler: ({ companyId }, db) => readBillingInformation(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/billing-information',
    operationId: 'updateBillingInformation',
    tag,
    summary: 'Change the billing information',
    description: 'Fields that are absent keep their values.',
    access: 'platform.billing.all',
    body: BillingInformationBody,
    response: { 200: BillingInformation },
    errors: [],
    audit: {
      audience: 'company',
      action: 'billing_information.updated',
      before: ({ companyId }, tx) => readBillingInformation(tx, companyId),
    },
    transaction: ({ companyId, body }, tx) => changeBillingInformation(tx, companyId, body),
  });
  registerOperatorRoutes(app);
}

/** The operator's routes, which correct it. */
function registerOperatorRoutes(app: FastifyInstance): void {
  const url = '/operator/companies/:company_id/billing-information';
  route(app, {
    method: 'GET',
    url,
    operationId: 'getCompanyBillingInformation',
    tag: 'Operator',
    summary: "Read a company's billing information",
    access: 'operator',
    resource: 'company',
    response: { 200: BillingInformation },
    errors: [],
    handler: ({ ids }, db) => readBillingInformation(db, ids.company_id),
  });
  route(app, {
    method: 'PUT',
    url,
    operationId: 'updateCompanyBillingInformation',
    tag: 'Operator',
    summary: "Correct a company's billing information",
    description:
      'Fields that are absent keep their values. Issued invoices do not change. The correction is kept with the values before ' +
      'and after it.',
    access: 'operator',
    resource: 'company',
    body: named('OperatorBillingInformationBody', BillingInformationBody),
    response: { 200: BillingInformation },
    errors: [],
    audit: {
      audience: 'company',
      action: 'billing_information.updated',
      before: ({ ids }, tx) => readBillingInformation(tx, ids.company_id),
    },
    transaction: ({ ids, body }, tx) => correctBillingInformation(tx, ids.company_id, body),
  });
  route(app, {
    method: 'GET',
    url: `${url}/changes`,
    operationId: 'listCompanyBillingInformationChanges',
    tag: 'Operator',
    summary: "List the corrections of a company's billing information",
    description:
      'Lists the corrections that the operator made, the newest first, each with the fields that it changed.',
    access: 'operator',
    resource: 'company',
    query: BillingInformationChangeQuery,
    response: { 200: BillingInformationChangeList },
    errors: [],
    handler: ({ ids, query }, db) => listBillingInformationChanges(db, ids.company_id, query),
  });
}
