import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import type { ProviderSettings } from '../providers/setup/providers.service.ts';
import type { Recheck } from '../roles/roles.service.ts';
import { CompanySettings, CompanySettingsBody } from './settings.schema.ts';
import { changeSettings, readSettings } from './settings.service.ts';

const tag = 'Team';

/** How the members of a company sign in. */
export function registerSettingRoutes(
  app: FastifyInstance,
  { recheck, providers }: { recheck: Recheck; providers: ProviderSettings },
): void {
  route(app, {
    method: 'GET',
    url: '/company/settings',
    operationId: 'getCompanySettings',
    tag,
    summary: 'Read how members sign in',
    access: 'platform.admins.view',
    response: { 200: CompanySettings },
    errors: [],
    handler: ({ companyId }, db) => readSettings(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/company/settings',
    operationId: 'updateCompanySettings',
    tag,
    summary: 'Change how members sign in',
    description: 'Fields that are absent keep their values.',
    access: 'platform.admins.all',
    body: CompanySettingsBody,
    response: { 200: CompanySettings },
    errors: ['no_sign_in_provider', 'second_factor_required'],
    audit: {
      audience: 'company',
      action: 'company_settings.updated',
      before: ({ companyId }, tx) => readSettings(tx, companyId),
    },
    transaction: ({ companyId, userId, body }, tx) =>
      changeSettings(tx, companyId, { userId, recheck, providers }, body),
  });
}
