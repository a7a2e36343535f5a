import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { selectCompanies, selectCompany } from './companies.operator.queries.ts';
import { Company, CompanyBody, CompanyList, CompanyQuery } from './companies.schema.ts';
import { changeBillingSettings, changeCompany, type RecheckCompany, readBillingSettings } from './companies.service.ts';
import {
  BillingSettings,
  BillingSettingsBody,
  OwnBillingSettings,
  OwnBillingSettingsBody,
} from './companies.settings.schema.ts';

/**
 * The operator's list of companies and their billing settings, and the settings that a company may see and choose
 * itself.
 */
export function registerCompanyRoutes(app: FastifyInstance, recheck: RecheckCompany): void {
  registerOwnSettings(app);
  registerCompanies(app, recheck);
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/billing-settings',
    operationId: 'getCompanyBillingSettings',
    tag: 'Operator',
    summary: "Read a company's billing settings",
    access: 'operator',
    resource: 'company',
    response: { 200: BillingSettings },
    errors: [],
    handler: ({ ids }, db) => readBillingSettings(db, ids.company_id),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/companies/:company_id/billing-settings',
    operationId: 'updateCompanyBillingSettings',
    tag: 'Operator',
    summary: "Change a company's billing settings",
    description:
      'Fields that are absent keep their values. What was issued stays as it is. The currency stays while the company has credit, ' +
      'or a payment that is not settled holds some of it.',
    access: 'operator',
    resource: 'company',
    body: BillingSettingsBody,
    response: { 200: BillingSettings },
    errors: ['currency_in_use', 'number_prefix_taken'],
    audit: {
      audience: 'company',
      action: 'billing_settings.updated',
      before: ({ ids }, tx) => readBillingSettings(tx, ids.company_id),
    },
    transaction: ({ ids, body }, tx) => changeBillingSettings(tx, ids.company_id, body),
  });
}

function registerCompanies(app: FastifyInstance, recheck: RecheckCompany): void {
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
      'The members of a disabled company can log in and read. Everything else is 403 `company_disabled` to them and to its API keys, ' +
      'within a second everywhere. Billing runs go on, and what they issue is not collected until the company is enabled.',
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

function registerOwnSettings(app: FastifyInstance): void {
  const tag = 'Billing information';
  route(app, {
    method: 'GET',
    url: '/payments/billing-settings',
    operationId: 'getBillingSettings',
    tag,
    summary: 'Read the billing settings',
    description: 'How the company is billed. What the operator keeps to itself is left out.',
    access: 'platform.billing.view',
    response: { 200: OwnBillingSettings },
    errors: [],
    handler: ({ companyId }, db) => readBillingSettings(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/billing-settings',
    operationId: 'updateBillingSettings',
    tag,
    summary: 'Choose how invoices are paid',
    description: 'All else of how the company is billed is the operator’s to change, and ignored here.',
    access: 'platform.billing.all',
    body: OwnBillingSettingsBody,
    response: { 200: OwnBillingSettings },
    errors: [],
    audit: {
      audience: 'company',
      action: 'billing_settings.updated',
      before: ({ companyId }, tx) => readBillingSettings(tx, companyId),
    },
    transaction: ({ companyId, body: { paymentMethod } }, tx) =>
      changeBillingSettings(tx, companyId, paymentMethod === undefined ? {} : { paymentMethod }),
  });
}
