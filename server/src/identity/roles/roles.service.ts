import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { afterCommit, type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import {
  ENTRIES,
  flagsOf,
  isPartOf,
  type PermissionSet,
  pickPermissions,
  type Role,
  SYSTEM_ROLES,
} from '../../platform/permissions.ts';
import { keepAdmin } from './last-admin.ts';
import {
  countRoles,
  deleteRole,
  insertRole,
  selectRole,
  selectRoleNamed,
  selectRoles,
  updateRole,
} from './roles.queries.ts';
import type { CreateRoleBody, RoleList, RoleQuery, UpdateRoleBody } from './roles.schema.ts';
import { type CustomRole, roleOf } from './stored-role.ts';

const MAX_ROLES = 1_000;

/** What reads the permissions of a company's members anew, in this process. */
export type Recheck = (companyId: string) => void;

/** In the order of a list: newest first. */
const LISTED_SYSTEM_ROLES: readonly Role[] = Object.values(SYSTEM_ROLES).toSorted((one, other) =>
  one.id < other.id ? 1 : -1,
);

/** A page of the roles that a company has: its own, newest first, then those of the system. */
export async function listRoles(
  db: Queryable,
  companyId: string,
  { page, per_page: perPage }: RoleQuery,
): Promise<RoleList> {
  const offset = (page - 1) * perPage;
  const { total, roles } = await selectRoles(db, companyId, { limit: perPage, offset });
  const first = Math.max(0, offset - total);
  const rest = LISTED_SYSTEM_ROLES.slice(first, first + perPage - roles.length);
  return {
    total: total + LISTED_SYSTEM_ROLES.length,
    page,
    per_page: perPage,
    data: [...roles.map((role) => toRole(role)), ...rest],
  };
}

/** A role of the system or of the company; null when there is none with this id. */
export async function findRole(db: Queryable, companyId: string, roleId: string): Promise<Role | null> {
  const ofSystem = LISTED_SYSTEM_ROLES.find(({ id }) => id === roleId.toLowerCase());
  if (ofSystem !== undefined) return ofSystem;
  const role = await selectRole(db, companyId, roleId);
  return role && toRole(role);
}

/** The same. @throws ApiError not_found */
export async function readRole(db: Queryable, companyId: string, roleId: string): Promise<Role> {
  const role = await findRole(db, companyId, roleId);
  if (role === null) throw notFound('role');
  return role;
}

/** The role that `role_id` names, if a member may have it. @throws ApiError 400 */
export async function requireRole(db: Queryable, companyId: string, roleId: string): Promise<Role> {
  const role = await findRole(db, companyId, roleId);
  if (role === null || role.id === SYSTEM_ROLES.Customer.id) {
    throw invalidField('role_id', 'must be the id of a role that members can have');
  }
  return role;
}

/** The role with a name, without case, if a member may have it. @throws ApiError 400 on `role` */
export async function requireRoleNamed(db: Queryable, companyId: string, name: string): Promise<Role> {
  const ofSystem = LISTED_SYSTEM_ROLES.find((role) => role.name.toLowerCase() === name.toLowerCase());
  const ofCompany = ofSystem === undefined ? await selectRoleNamed(db, companyId, name) : null;
  const role = ofSystem ?? (ofCompany && toRole(ofCompany));
  if (role === null || role.id === SYSTEM_ROLES.Customer.id) {
    throw invalidField('role', 'must be the name of a role that members can have');
  }
  return role;
}

/** Creates a role. @throws ApiError 400, permission_not_held, role_name_taken, limit_reached */
export async function createRole(
  tx: Tx,
  companyId: string,
  caller: PermissionSet,
  body: CreateRoleBody,
): Promise<Role> {
  const permission = readPermission(body.permission);
  refuseBeyond(caller, permission);
  // Serializes parallel creates, so that each counts the other's role.
  await lockCompany(tx, companyId);
  if ((await countRoles(tx, companyId)) >= MAX_ROLES) {
    throw new ApiError('limit_reached', `A company can have at most ${MAX_ROLES} roles of its own.`);
  }
  const role = { id: uuidv7(), name: body.name, description: body.description ?? '', permission };
  return toRole(await insertRole(tx, companyId, role).catch(refuseTakenName));
}

/** Writes the given fields. @throws ApiError as `createRole`; not_found, system_role, last_admin */
export async function changeRole(
  tx: Tx,
  companyId: string,
  { roleId, caller, recheck }: { roleId: string; caller: PermissionSet; recheck: Recheck },
  body: UpdateRoleBody,
): Promise<Role> {
  const permission = body.permission && readPermission(body.permission);
  const changed = await keepAdmin(tx, companyId, async () => {
    await refuseUnchangeable(tx, companyId, roleId, caller);
    if (permission !== undefined) refuseBeyond(caller, permission);
    return updateRole(tx, companyId, roleId, { ...body, permission }).catch(refuseTakenName);
  });
  if (changed === null) throw notFound('role');
  afterCommit(tx, async () => recheck(companyId));
  return toRole(changed);
}

/** Deletes a role. @throws ApiError not_found, system_role, permission_not_held, role_in_use */
export async function removeRole(
  tx: Tx,
  companyId: string,
  { roleId, caller }: { roleId: string; caller: PermissionSet },
): Promise<void> {
  await refuseUnchangeable(tx, companyId, roleId, caller);
  await deleteRole(tx, companyId, roleId).catch((error: unknown) => {
    if (violatedConstraint(error)?.endsWith('_role_in_use') !== true) throw error;
    throw new ApiError(
      'role_in_use',
      'Members or open invitations have this role, or a sign-in provider gives it to new members.',
    );
  });
}

/** @throws ApiError permission_not_held unless the caller holds every permission of the set */
export function refuseBeyond(caller: PermissionSet, wanted: PermissionSet): void {
  if (isPartOf(wanted, caller)) return;
  throw new ApiError('permission_not_held', 'The role has permissions that you do not have yourself.');
}

/** The refusal where whoever has sent an invitation could not send it now. It stays open until somebody deletes it. */
export function inviterNotEntitled(): ApiError {
  const message =
    'The person who sent the invitation no longer has all permissions of its role. Somebody who has them must delete the ' +
    'invitation and invite again.';
  return new ApiError('permission_not_held', message);
}

async function refuseUnchangeable(tx: Tx, companyId: string, roleId: string, caller: PermissionSet): Promise<void> {
  const { category, permission } = await readRole(tx, companyId, roleId);
  if (category === 'SYSTEM ROLE') throw new ApiError('system_role', 'System roles are the same in every company.');
  refuseBeyond(caller, permission);
}

/** The entries that there are, without what else the client has sent. @throws ApiError 400 */
export function readPermission(given: PermissionSet): PermissionSet {
  for (const entry of ENTRIES) {
    const { all, view } = flagsOf(given, entry);
    if (all && !view) throw invalidField(`permission.${entry}.view`, 'must be true where all is');
  }
  return pickPermissions(given);
}

function toRole(customRole: CustomRole): Role {
  return roleOf({ systemRole: null, customRole });
}

function refuseTakenName(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint !== 'roles_name_taken' && constraint !== 'roles_name_of_system') throw error;
  throw new ApiError('role_name_taken', 'The company already has a role with this name.', {
    details: [{ field: 'name', message: 'is taken' }],
  });
}
