import type { Static } from 'typebox';
import { ApiKey } from '../../identity/api-keys/api-keys.schema.ts';
import { Member } from '../../identity/members/members.schema.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const BelongingsQuery = Type.Object(pageQuery);
export type BelongingsQuery = Static<typeof BelongingsQuery>;

const { id, email, role, first_name, last_name, email_verified, two_factor, created_at } = Member.properties;

export const OperatorMemberList = pageOf(
  'OperatorMemberList',
  namedObject('OperatorMember', {
    ...{ id, firstName: first_name, lastName: last_name, email, role },
    ...{ emailVerified: email_verified, twoFactor: two_factor, createdAt: created_at },
  }),
);
export type OperatorMemberList = Static<typeof OperatorMemberList>;

const { name, prefix, permission, created_by, last_used_at, expires_at, allowed_ips } = ApiKey.properties;

export const OperatorApiKeyList = pageOf(
  'OperatorApiKeyList',
  namedObject('OperatorApiKey', {
    ...{ id: ApiKey.properties.id, name, prefix, permission, createdBy: created_by },
    ...{ createdAt: ApiKey.properties.created_at, lastUsedAt: last_used_at, expiresAt: expires_at },
    allowedIps: allowed_ips,
  }),
);
export type OperatorApiKeyList = Static<typeof OperatorApiKeyList>;
