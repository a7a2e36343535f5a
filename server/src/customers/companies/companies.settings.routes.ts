import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { changeBillingSettings, type IsCurrencyInUse, readBillingSettings } from './companies.service.ts';
import {
  BillingSettings,
  BillingSettingsBody,
  OwnBillingSettings,
  OwnBillingSettingsBody,
} from './companies.settings.schema.ts';

/** The billing settings of a company for the operator, and those that the company may see and choose itself. */
export function registerBillingSettingsRoutes(app: FastifyInstance, isCurrencyInUse: IsCurrencyInUse): void {
  registerOwnSettings(app, isCurrencyInUse);
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
      'Fields that are absent keep their values. Issued documents do not change. The currency cannot change while the ' +
      'company has credit, while an unsettled payment holds some of its credit, or while items wait for an invoice.',
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
    transaction: ({ ids, body }, tx) => changeBillingSettings(tx, ids.company_id, body, isCurrencyInUse),
  });
}

function registerOwnSettings(app: FastifyInstance, isCurrencyInUse: IsCurrencyInUse): void {
  const tag = 'Billing information';
  route(app, {
    method: 'GET',
    url: '/payments/billing-settings',
    operationId: 'getBillingSettings',
    tag,
    summary: 'Read the billing settings',
    description: 'How the company is billed, without what only the operator may see.',
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
    description: 'A company can change only how its invoices are paid. Other fields are ignored.',
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
      changeBillingSettings(tx, companyId, paymentMethod === undefined ? {} : { paymentMethod }, isCurrencyInUse),
  });
}
