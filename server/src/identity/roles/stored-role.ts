import {
  type PermissionSet,
  type Role,
  STAFF_ROLE,
  SYSTEM_ROLES,
  type SystemRoleName,
} from '../../platform/permissions.ts';

/** A role of a company, as the database has it. */
export type CustomRole = { id: string; name: string; description: string; permission: PermissionSet };

/** A user's role as the database has it: one of the system's, or else one of the company's. */
export type StoredRole = { systemRole: SystemRoleName | 'Staff' | null; customRole: CustomRole | null };

/** A role as the database has it with a user. */
export function toStored({ category, ...role }: Role): StoredRole {
  return category === 'SYSTEM ROLE'
    ? { systemRole: role.name as SystemRoleName, customRole: null }
    : { systemRole: null, customRole: role };
}

/** The role of a user. */
export function roleOf({ systemRole, customRole }: StoredRole): Role {
  if (systemRole === 'Staff') return STAFF_ROLE;
  if (systemRole !== null) return SYSTEM_ROLES[systemRole];
  if (customRole === null) throw new Error('A user without a role.');
  return { ...customRole, category: 'CUSTOM ROLE' };
}
