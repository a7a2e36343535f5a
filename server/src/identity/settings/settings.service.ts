import { lockCompany } from '../../customers/companies/companies.service.ts';
import { afterCommit, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, missingRow } from '../../platform/errors.ts';
import { hasProvider, type ProviderSettings } from '../providers/setup/providers.service.ts';
import type { Recheck } from '../roles/roles.service.ts';
import { findSecondFactorOfMember, selectSettings, updateSettings } from './settings.queries.ts';
import type { CompanySettings, CompanySettingsBody } from './settings.schema.ts';

/** How the members of a company sign in. */
export async function readSettings(db: Queryable, companyId: string): Promise<CompanySettings> {
  const settings = await selectSettings(db, companyId);
  if (settings === null) throw missingRow('company');
  return settings;
}

/** Writes the given settings. @throws ApiError 400, no_sign_in_provider, second_factor_required */
export async function changeSettings(
  tx: Tx,
  companyId: string,
  { userId, recheck, providers }: { userId: string; recheck: Recheck; providers: ProviderSettings },
  body: CompanySettingsBody,
): Promise<CompanySettings> {
  const { break_glass_member_id: memberId } = body;
  await lockCompany(tx, companyId);
  const isMember = memberId == null || (await findSecondFactorOfMember(tx, companyId, memberId)) !== null;
  if (!isMember) throw invalidField('break_glass_member_id', 'must be a member of the company');
  if (body.sign_in === 'sso' && !(await hasProvider(tx, companyId, providers))) {
    throw new ApiError('no_sign_in_provider', 'The company has no provider for single sign-on.');
  }
  const before = await readSettings(tx, companyId);
  const settings = withBreakGlass({ ...before, ...pick(body) }, userId);
  const isNewlyDemanded = settings.require_second_factor && !before.require_second_factor;
  if (isNewlyDemanded && !(await findSecondFactorOfMember(tx, companyId, userId))) {
    throw new ApiError(
      'second_factor_required',
      'Set up a second factor of your own before you require one of all members.',
    );
  }
  await updateSettings(tx, companyId, settings);
  afterCommit(tx, async () => recheck(companyId));
  return settings;
}

/** Where the provider is demanded, somebody can still log in without it: whoever demands it, if nobody is named. */
function withBreakGlass(settings: CompanySettings, userId: string): CompanySettings {
  const { sign_in, break_glass_member_id: memberId } = settings;
  return { ...settings, break_glass_member_id: sign_in === 'sso' ? (memberId ?? userId) : memberId };
}

/** The settings that are given, without what else the client has sent. */
function pick({
  require_second_factor,
  sign_in,
  break_glass_member_id,
}: CompanySettingsBody): Partial<CompanySettings> {
  return {
    ...(require_second_factor === undefined ? {} : { require_second_factor }),
    ...(sign_in === undefined ? {} : { sign_in }),
    ...(break_glass_member_id === undefined ? {} : { break_glass_member_id }),
  };
}
