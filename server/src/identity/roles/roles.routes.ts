import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { CompanyRole, CreateRoleBody, RoleList, RoleQuery, UpdateRoleBody } from './roles.schema.ts';
import { changeRole, createRole, findRole, listRoles, type Recheck, readRole, removeRole } from './roles.service.ts';

const tag = 'Team';
const resource = 'role';

/** The roles of a company. */
export function registerRoleRoutes(app: FastifyInstance, recheck: Recheck): void {
  route(app, {
    method: 'GET',
    url: '/company/roles',
    operationId: 'listRoles',
    tag,
    summary: 'List roles',
    description: 'The roles of the company, newest first, followed by the roles of the system.',
    access: 'platform.roles.view',
    query: RoleQuery,
    response: { 200: RoleList },
    errors: [],
    handler: ({ companyId, query }, db) => listRoles(db, companyId, query),
  });
  route(app, {
    method: 'GET',
    url: '/company/roles/:role_id',
    operationId: 'getRole',
    tag,
    summary: 'Read a role',
    access: 'platform.roles.view',
    resource,
    response: { 200: CompanyRole },
    errors: [],
    handler: ({ companyId, ids }, db) => readRole(db, companyId, ids.role_id),
  });
  registerChanges(app, recheck);
}

function registerChanges(app: FastifyInstance, recheck: Recheck): void {
  route(app, {
    method: 'POST',
    url: '/company/roles',
    operationId: 'createRole',
    tag,
    summary: 'Create a role',
    description: 'The role gets only permissions that the caller has.',
    access: 'platform.roles.all',
    body: CreateRoleBody,
    response: { 201: CompanyRole },
    examples: { 201: { category: 'CUSTOM ROLE' } },
    errors: ['permission_not_held', 'role_name_taken', 'limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'role.created' },
    transaction: ({ companyId, permissions, body }, tx) => createRole(tx, companyId, permissions, body),
  });
  route(app, {
    method: 'PUT',
    url: '/company/roles/:role_id',
    operationId: 'updateRole',
    tag,
    summary: 'Change a role',
    description:
      'Fields that are absent keep their values. Everybody who has the role gets its new permissions, at once in the process ' +
      'that answers and within a second in others. To change a role, the caller must have all permissions that it holds.',
    access: 'platform.roles.all',
    resource,
    body: UpdateRoleBody,
    response: { 200: CompanyRole },
    examples: { 200: { category: 'CUSTOM ROLE' } },
    errors: ['permission_not_held', 'role_name_taken', 'system_role', 'last_admin'],
    audit: {
      audience: 'company',
      action: 'role.updated',
      before: ({ companyId, ids }, tx) => findRole(tx, companyId, ids.role_id),
    },
    transaction: ({ companyId, permissions: caller, ids, body }, tx) =>
      changeRole(tx, companyId, { roleId: ids.role_id, caller, recheck }, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/company/roles/:role_id',
    operationId: 'deleteRole',
    tag,
    summary: 'Delete a role',
    description: 'A role can be deleted when no member, no open invitation and no provider has it.',
    access: 'platform.roles.all',
    resource,
    response: { 204: null },
    errors: ['permission_not_held', 'system_role', 'role_in_use'],
    audit: {
      audience: 'company',
      action: 'role.deleted',
      before: ({ companyId, ids }, tx) => findRole(tx, companyId, ids.role_id),
    },
    transaction: async ({ companyId, permissions: caller, ids }, tx) => {
      await removeRole(tx, companyId, { roleId: ids.role_id, caller });
      return null;
    },
  });
}
