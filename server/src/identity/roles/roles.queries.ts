import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { managesMembersAndRoles } from './roles.parts.queries.ts';
import type { CustomRole } from './stored-role.ts';

const columns = constantPart((db) => db`id, name, description, permission`);

/** Inserts a role. @throws PostgresError on `roles_name_taken` and `roles_name_of_system` */
export async function insertRole(
  db: Queryable,
  companyId: string,
  { id, name, description, permission }: CustomRole,
): Promise<CustomRole> {
  const [row] = await db<[CustomRole]>`
    INSERT INTO roles (company_id, id, name, description, permission)
    VALUES (${companyId}, ${id}, ${name}, ${description}, ${JSON.stringify(permission)}::text::jsonb)
    RETURNING ${columns(db)}`;
  return row;
}

/** How many roles of its own the company has. */
export async function countRoles(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM roles WHERE company_id = ${companyId}`;
  return row.total;
}

/** A page of the company's own roles, newest first, with how many there are. */
export async function selectRoles(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; roles: CustomRole[] }> {
  const total = await countRoles(db, companyId);
  const roles = await db<CustomRole[]>`
    SELECT ${columns(db)} FROM roles WHERE company_id = ${companyId} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`;
  return { total, roles };
}

/** One of the company's own roles; null when it has none with this id. */
export async function selectRole(db: Queryable, companyId: string, roleId: string): Promise<CustomRole | null> {
  const [row] = await db<CustomRole[]>`
    SELECT ${columns(db)} FROM roles WHERE company_id = ${companyId} AND id = ${roleId}`;
  return row ?? null;
}

/** The one with a name, without case; null when it has none. */
export async function selectRoleNamed(db: Queryable, companyId: string, name: string): Promise<CustomRole | null> {
  const [row] = await db<CustomRole[]>`
    SELECT ${columns(db)} FROM roles WHERE company_id = ${companyId} AND name_key = fold_case(${name})`;
  return row ?? null;
}

/** Writes the given fields. @throws PostgresError as `insertRole` */
export async function updateRole(
  db: Queryable,
  companyId: string,
  roleId: string,
  changes: { name?: string | undefined; description?: string | undefined; permission?: PermissionSet | undefined },
): Promise<CustomRole | null> {
  const { name = null, description = null, permission } = changes;
  const [row] = await db<CustomRole[]>`
    UPDATE roles
    SET name = coalesce(${name}, name), description = coalesce(${description}, description),
        permission = coalesce(${permission === undefined ? null : JSON.stringify(permission)}::text::jsonb, permission),
        updated_at = now()
    WHERE company_id = ${companyId} AND id = ${roleId}
    RETURNING ${columns(db)}`;
  return row ?? null;
}

/** Deletes a role, with the expired invitations that have it. @throws PostgresError on a foreign key while it is in use */
export async function deleteRole(tx: Tx, companyId: string, roleId: string): Promise<void> {
  await tx`DELETE FROM invitations WHERE company_id = ${companyId} AND role_id = ${roleId} AND expires_at <= now()`;
  await tx`DELETE FROM roles WHERE company_id = ${companyId} AND id = ${roleId}`;
}

/** Whether somebody in the company may change both its members and its roles. */
export async function hasAdmin(tx: Tx, companyId: string): Promise<boolean> {
  const [row] = await tx<[{ found: boolean }]>`
    SELECT EXISTS (
      SELECT 1 FROM users LEFT JOIN roles ON roles.company_id = users.company_id AND roles.id = users.role_id
      WHERE users.company_id = ${companyId} AND users.disabled_at IS NULL AND ${managesMembersAndRoles(tx)}
    ) AS found`;
  return row.found;
}
