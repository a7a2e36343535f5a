import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { MailSettings, MailSettingsBody, OwnMailSettingsBody } from './mail-settings.schema.ts';
import { changeMailSettings, readMailSettings } from './mail-settings.service.ts';

const description =
  'Fields that are absent keep their values. What is set holds for the mails that are written from then on.';

/** The mail settings of a company, for itself and for the operator. */
export function registerMailSettingsRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/payments/mail-settings',
    operationId: 'getMailSettings',
    tag: 'Billing information',
    summary: 'Read who gets the mails about money',
    access: 'platform.billing.view',
    response: { 200: MailSettings },
    errors: [],
    handler: ({ companyId }, db) => readMailSettings(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/mail-settings',
    operationId: 'updateMailSettings',
    tag: 'Billing information',
    summary: 'Choose who gets the mails about money, and which',
    description,
    access: 'platform.billing.all',
    body: OwnMailSettingsBody,
    response: { 200: MailSettings },
    errors: [],
    audit: {
      audience: 'company',
      action: 'mail_settings.updated',
      before: ({ companyId }, tx) => readMailSettings(tx, companyId),
    },
    transaction: ({ companyId, body }, tx) => changeMailSettings(tx, companyId, body),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/mail-settings',
    operationId: 'getCompanyMailSettings',
    tag: 'Operator',
    summary: "Read who gets a company's mails about money",
    access: 'operator',
    resource: 'company',
    response: { 200: MailSettings },
    errors: [],
    handler: ({ ids }, db) => readMailSettings(db, ids.company_id),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/companies/:company_id/mail-settings',
    operationId: 'updateCompanyMailSettings',
    tag: 'Operator',
    summary: "Choose who gets a company's mails about money, and which",
    description,
    access: 'operator',
    resource: 'company',
    body: MailSettingsBody,
    response: { 200: MailSettings },
    errors: [],
    audit: {
      audience: 'company',
      action: 'mail_settings.updated',
      before: ({ ids }, tx) => readMailSettings(tx, ids.company_id),
    },
    transaction: ({ ids, body }, tx) => changeMailSettings(tx, ids.company_id, body),
  });
}
