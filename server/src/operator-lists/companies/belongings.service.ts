import { listApiKeys } from '../../identity/api-keys/api-keys.service.ts';
import { findCompany } from '../../identity/companies/companies.service.ts';
import { listMembers } from '../../identity/members/members.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { BelongingsQuery, OperatorApiKeyList, OperatorMemberList } from './belongings.schema.ts';

/** @throws ApiError not_found when there is no such company */
export async function requireCompany(db: Queryable, companyId: string): Promise<void> {
  if ((await findCompany(db, companyId)) === null) throw notFound('company');
}

/** A page of a company's members, as the company lists them. @throws ApiError not_found */
export async function listMembersOf(
  db: Queryable,
  companyId: string,
  { page, perPage }: BelongingsQuery,
): Promise<OperatorMemberList> {
  await requireCompany(db, companyId);
  const { total, data } = await listMembers(db, companyId, { page, per_page: perPage });
  const members = data.map(({ id, email, role, ...member }) => ({
    ...{ id, email, role, firstName: member.first_name, lastName: member.last_name },
    ...{ emailVerified: member.email_verified, twoFactor: member.two_factor, createdAt: member.created_at },
  }));
  return { total, page, perPage, data: members };
}

/** A page of a company's API keys, as the company lists them. @throws ApiError not_found */
export async function listApiKeysOf(
  db: Queryable,
  companyId: string,
  { page, perPage }: BelongingsQuery,
): Promise<OperatorApiKeyList> {
  await requireCompany(db, companyId);
  const { total, data } = await listApiKeys(db, companyId, { page, per_page: perPage });
  const keys = data.map(({ id, name, prefix, permission, ...key }) => ({
    ...{ id, name, prefix, permission, createdBy: key.created_by, createdAt: key.created_at },
    ...{ lastUsedAt: key.last_used_at, expiresAt: key.expires_at, allowedIps: key.allowed_ips },
  }));
  return { total, page, perPage, data: keys };
}
