import type { Static } from 'typebox';
import { uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageNumber, pageSize, snakeCasePageOf } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { type PermissionSet, permissionsOf } from '../../platform/permissions.ts';

/** What clients send has other names in the API reference than what they get. */
function describePermissions(suffix: '' | 'Body' | 'OfSessionBody', example?: PermissionSet) {
  const Flags = namedObject(`PermissionFlags${suffix}`, { all: Type.Boolean(), view: Type.Boolean() });
  const options = example === undefined ? {} : { examples: [example] };
  const groups = {
    platform: Type.Object({ applications: Flags, admins: Flags, roles: Flags, billing: Flags }),
    application: Type.Object({
      applications: Type.Null(),
      tickets: Flags,
      agents: Flags,
      customers: Flags,
      live_map: Flags,
      labels: Flags,
      settings: Flags,
    }),
  };
  return namedObject(`Permissions${suffix}`, groups, options);
}

export const PermissionsBody = describePermissions('Body');

/** The same on the operator's routes, where unknown fields are refused. */
export const SessionPermissionsBody = describePermissions('OfSessionBody', permissionsOf('platform.billing'));

/** What a role, an API key or a customer session grants. */
export const Permissions = describePermissions('');

const role = {
  id: uuid(),
  name: Type.String({ examples: ['Admin'] }),
  description: Type.String({ examples: ['Manages everything in the company.'] }),
  category: Type.Enum(['SYSTEM ROLE', 'CUSTOM ROLE'] as const, {
    description: 'Whether the role is a system role. Every company has the system roles, and nobody can change them.',
    examples: ['SYSTEM ROLE'],
  }),
  permission: Permissions,
};

/** The role in a profile. */
export const UserRole = namedObject('UserRole', role);

export const CompanyRole = namedObject('Role', role);

const name = {
  required: true,
  description:
    'The name is unique in the company, and must not be that of a system role. Upper and lower case count as the same, and ' +
    'ß counts as ss.',
  examples: ['Accountant'],
};
const description = { examples: ['Reads the invoices and pays them.'] };

export const CreateRoleBody = namedObject('CreateRoleBody', {
  name: text(name),
  description: Type.Optional(text(description)),
  permission: PermissionsBody,
});
export type CreateRoleBody = Static<typeof CreateRoleBody>;

export const UpdateRoleBody = namedObject('UpdateRoleBody', {
  name: Type.Optional(text(name)),
  description: Type.Optional(text(description)),
  permission: Type.Optional(PermissionsBody),
});
export type UpdateRoleBody = Static<typeof UpdateRoleBody>;

export const RoleQuery = Type.Object({ page: pageNumber(), per_page: pageSize() });
export type RoleQuery = Static<typeof RoleQuery>;

export const RoleList = snakeCasePageOf('RoleList', CompanyRole);
export type RoleList = Static<typeof RoleList>;
