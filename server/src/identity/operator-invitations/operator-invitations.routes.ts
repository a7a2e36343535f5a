import type { FastifyInstance } from 'fastify';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { route } from '../../platform/http/route/route.ts';
import { removeInvitation } from '../invitations/invitations.service.ts';
import {
  OperatorInvitation,
  OperatorInvitationBody,
  OperatorInvitationList,
  OperatorInvitationQuery,
} from './operator-invitations.schema.ts';
import {
  createOperatorInvitation,
  findOperatorInvitation,
  listOperatorInvitations,
  resendOperatorInvitation,
} from './operator-invitations.service.ts';

const tag = 'Operator';
const resource = 'invitation';
const nameOf = ({ email }: { email?: unknown }) => email;

/** The invitations of a company, which the operator sends too: the first member of a company comes by one. */
export function registerOperatorInvitationRoutes(app: FastifyInstance, mail: MailDependencies): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/invitations',
    operationId: 'listOperatorInvitations',
    tag,
    summary: 'List the invitations of a company',
    description: 'The open invitations, newest first: those of the operator and of the company.',
    access: 'operator',
    resource: 'company',
    query: OperatorInvitationQuery,
    response: { 200: OperatorInvitationList },
    errors: [],
    handler: ({ ids, query }, db) => listOperatorInvitations(db, ids.company_id, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/invitations',
    operationId: 'createOperatorInvitation',
    tag,
    summary: 'Invite somebody to a company',
    description:
      'Sends a mail with a link to the address. The recipient signs up or, with an account that belongs to no company, joins with ' +
      'that account. The link works once, for seven days, and only while the operator key or the person who invites may still invite.',
    access: 'operator',
    resource: 'company',
    body: OperatorInvitationBody,
    response: { 201: OperatorInvitation },
    errors: ['already_member', 'already_invited', 'limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'invitation.created', name: nameOf, fields: ['email', 'role'] },
    transaction: ({ ids, body, operator }, tx) => createOperatorInvitation(tx, ids.company_id, body, operator, mail),
  });
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/invitations/:invitation_id/resend',
    operationId: 'resendOperatorInvitation',
    tag,
    summary: 'Send an invitation to a company again',
    description:
      'Sends a mail with a new link, which works for seven days. The previous link stops working. An address gets five mails an hour.',
    access: 'operator',
    resource,
    response: { 200: OperatorInvitation },
    errors: ['permission_not_held'],
    idempotency: 'create',
    audit: {
      audience: 'company',
      action: 'invitation.resent',
      name: nameOf,
      fields: ['expiresAt'],
      before: ({ ids }, tx) => findOperatorInvitation(tx, ids.company_id, ids.invitation_id),
    },
    transaction: ({ ids }, tx) => resendOperatorInvitation(tx, ids.company_id, ids.invitation_id, mail),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/companies/:company_id/invitations/:invitation_id',
    operationId: 'deleteOperatorInvitation',
    tag,
    summary: 'Delete an invitation to a company',
    description: 'The link of the invitation stops working.',
    access: 'operator',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'invitation.deleted',
      name: nameOf,
      fields: ['email', 'role'],
      before: ({ ids }, tx) => findOperatorInvitation(tx, ids.company_id, ids.invitation_id),
    },
    transaction: async ({ ids }, tx) => {
      await removeInvitation(tx, ids.company_id, ids.invitation_id);
      return null;
    },
  });
}
