import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { selectOneOfStaff } from './staff.operator.queries.ts';
import { Staff, StaffBody, StaffList, StaffQuery, StaffRoleBody } from './staff.schema.ts';
import {
  changeStaff,
  deleteStaff,
  inviteStaff,
  listStaff,
  resendInvitation,
  type StaffDependencies,
} from './staff.service.ts';

const tag = 'Operator';
const resource = 'staff';
/** Who it is, in the audit log. */
const nameOf = ({ email }: { email?: unknown }) => email;

/** The operator's people. */
export function registerStaffRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  route(app, {
    method: 'GET',
    url: '/operator/staff',
    operationId: 'listStaff',
    tag,
    summary: 'List the staff',
    description: 'The staff and the open invitations, newest first.',
    access: 'operator',
    query: StaffQuery,
    response: { 200: StaffList },
    errors: [],
    handler: ({ query }, db) => listStaff(db, query),
  });
  registerInvitationRoutes(app, dependencies);
  route(app, {
    method: 'PUT',
    url: '/operator/staff/:staff_id',
    operationId: 'updateStaff',
    tag,
    summary: 'Change the role of a member of the staff',
    description: 'If the invitation is still open, the caller counts as its inviter from now on.',
    access: 'operator',
    resource,
    body: StaffRoleBody,
    response: { 200: Staff },
    errors: [],
    audit: {
      audience: 'operator',
      action: 'staff.updated',
      name: nameOf,
      before: ({ ids }, tx) => selectOneOfStaff(tx, ids.staff_id),
    },
    transaction: ({ ids, body, operator }, tx) => changeStaff(tx, ids.staff_id, body.role, operator, dependencies),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/staff/:staff_id',
    operationId: 'deleteStaff',
    tag,
    summary: 'Remove a member of the staff',
    description: 'Deletes the invitation, or closes the account and ends its sessions.',
    access: 'operator',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'operator',
      action: 'staff.deleted',
      name: nameOf,
      fields: ['email', 'role'],
      before: ({ ids }, tx) => selectOneOfStaff(tx, ids.staff_id),
    },
    transaction: async ({ ids }, tx) => {
      await deleteStaff(tx, ids.staff_id, dependencies);
      return null;
    },
  });
}

function registerInvitationRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  route(app, {
    method: 'POST',
    url: '/operator/staff',
    operationId: 'inviteStaff',
    tag,
    summary: 'Invite somebody to the staff',
    description:
      'Sends a mail with a link that works once and expires after seven days. The recipient gets an account that belongs to no company ' +
      'and always needs a second factor. Under `/operator`, the account can do what its role includes.',
    access: 'operator',
    body: StaffBody,
    response: { 201: Staff },
    errors: ['email_taken', 'already_invited', 'limit_reached'],
    idempotency: 'create',
    audit: { audience: 'operator', action: 'staff.created', name: nameOf, fields: ['email', 'role'] },
    transaction: ({ body, operator }, tx) => inviteStaff(tx, body, operator, dependencies),
  });
  route(app, {
    method: 'POST',
    url: '/operator/staff/:staff_id/resend',
    operationId: 'resendStaffInvitation',
    tag,
    summary: 'Send an invitation to the staff again',
    description:
      'Sends a mail with a new link, which works for seven days. The previous link stops working. The answer is 404 if the ' +
      'invitation was accepted. The inviter must still be an admin.',
    access: 'operator',
    resource,
    response: { 200: Staff },
    errors: ['permission_not_held'],
    idempotency: 'create',
    audit: {
      audience: 'operator',
      action: 'staff.reinvited',
      name: nameOf,
      before: ({ ids }, tx) => selectOneOfStaff(tx, ids.staff_id),
    },
    transaction: ({ ids }, tx) => resendInvitation(tx, ids.staff_id, dependencies),
  });
}
