import type { FastifyInstance } from 'fastify';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { route } from '../../platform/http/route/route.ts';
import type { Principal } from '../../platform/http/route/types.ts';
import { Invitation, InvitationBody, InvitationList, InvitationQuery } from './invitations.schema.ts';
import {
  createInvitation,
  findInvitation,
  listInvitations,
  removeInvitation,
  resendInvitation,
  toInvitation,
} from './invitations.service.ts';

const tag = 'Team';
const resource = 'invitation';
const nameOf = ({ email }: { email?: unknown }) => email;
const keyOf = (principal: Principal | null) => (principal?.kind === 'api_key' ? principal.keyId : null);

/** The invitations of a company. */
export function registerInvitationRoutes(app: FastifyInstance, mail: MailDependencies): void {
  route(app, {
    method: 'GET',
    url: '/company/invitations',
    operationId: 'listInvitations',
    tag,
    summary: 'List invitations',
    description: 'The open invitations, newest first.',
    access: 'platform.admins.view',
    query: InvitationQuery,
    response: { 200: InvitationList },
    errors: [],
    handler: ({ companyId, query }, db) => listInvitations(db, companyId, query),
  });
  route(app, {
    method: 'POST',
    url: '/company/invitations',
    operationId: 'createInvitation',
    tag,
    summary: 'Invite somebody',
    description:
      'Sends a mail with a link to the address. The recipient signs up or, with an account that belongs to no company, joins with ' +
      'that account. The link works once, for seven days, and only while the inviter is a member of the company.',
    access: 'platform.admins.all',
    body: InvitationBody,
    response: { 201: Invitation },
    errors: ['permission_not_held', 'already_member', 'already_invited', 'limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'invitation.created', name: nameOf, fields: ['email', 'role'] },
    transaction: ({ companyId, userId, permissions, body, request }, tx) =>
      createInvitation(tx, companyId, { userId, keyId: keyOf(request.principal), permissions }, body, mail),
  });
  route(app, {
    method: 'POST',
    url: '/company/invitations/:invitation_id/resend',
    operationId: 'resendInvitation',
    tag,
    summary: 'Send an invitation again',
    description:
      'Sends a mail with a new link, which works for seven days. The previous link stops working. An address gets five mails an hour.',
    access: 'platform.admins.all',
    resource,
    response: { 200: Invitation },
    errors: ['permission_not_held'],
    idempotency: 'create',
    audit: {
      audience: 'company',
      action: 'invitation.resent',
      name: nameOf,
      fields: ['expires_at'],
      before: ({ companyId, ids }, tx) => findInvitation(tx, companyId, ids.invitation_id),
    },
    transaction: async ({ companyId, permissions, ids }, tx) =>
      toInvitation(await resendInvitation(tx, companyId, ids.invitation_id, permissions, mail)),
  });
  route(app, {
    method: 'DELETE',
    url: '/company/invitations/:invitation_id',
    operationId: 'deleteInvitation',
    tag,
    summary: 'Delete an invitation',
    description: 'The link of the invitation stops working.',
    access: 'platform.admins.all',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'invitation.deleted',
      name: nameOf,
      fields: ['email', 'role'],
      before: ({ companyId, ids }, tx) => findInvitation(tx, companyId, ids.invitation_id),
    },
    transaction: async ({ companyId, ids }, tx) => {
      await removeInvitation(tx, companyId, ids.invitation_id);
      return null;
    },
  });
}
