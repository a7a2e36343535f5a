import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { Member, MemberBody, MemberList, MemberQuery } from './members.schema.ts';
import { changeMember, endSessionsOfMember, findMember, listMembers, removeMember } from './members.service.ts';

const tag = 'Team';
const resource = 'member';
const nameOf = ({ email }: { email?: unknown }) => email;

/** The members of a company. */
export function registerMemberRoutes(app: FastifyInstance, tokens: TokenAuthentication): void {
  route(app, {
    method: 'GET',
    url: '/company/members',
    operationId: 'listMembers',
    tag,
    summary: 'List members',
    description: 'The member with the newest account comes first.',
    access: 'platform.admins.view',
    query: MemberQuery,
    response: { 200: MemberList },
    errors: [],
    handler: ({ companyId, query }, db) => listMembers(db, companyId, query),
  });
  registerChanges(app, tokens);
}

function registerChanges(app: FastifyInstance, tokens: TokenAuthentication): void {
  route(app, {
    method: 'PUT',
    url: '/company/members/:member_id',
    operationId: 'updateMember',
    tag,
    summary: 'Give a member another role',
    description:
      'The new permissions apply at once in the process that answers, and within a second in others. To give or take a role, ' +
      'the caller must have all of its permissions.',
    access: 'platform.admins.all',
    resource,
    body: MemberBody,
    response: { 200: Member },
    errors: ['permission_not_held', 'last_admin'],
    audit: {
      audience: 'company',
      action: 'member.updated',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findMember(tx, companyId, ids.member_id),
    },
    transaction: ({ companyId, permissions: caller, ids, body }, tx) =>
      changeMember(tx, companyId, { userId: ids.member_id, roleId: body.role_id, caller, tokens }),
  });
  route(app, {
    method: 'DELETE',
    url: '/company/members/:member_id',
    operationId: 'deleteMember',
    tag,
    summary: 'Remove a member',
    description:
      "The removed member keeps the account as a customer, and all of the member's sessions end. Members can remove " +
      'themselves without any permission.',
    access: 'platform.admins.all',
    isOpenToOneself: true,
    resource,
    response: { 204: null },
    errors: ['permission_not_held', 'last_admin'],
    audit: {
      audience: 'company',
      action: 'member.deleted',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findMember(tx, companyId, ids.member_id),
    },
    transaction: async ({ companyId, permissions: caller, ids }, tx) => {
      await removeMember(tx, companyId, { userId: ids.member_id, caller, tokens });
      return null;
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/company/members/:member_id/sessions',
    operationId: 'revokeMemberSessions',
    tag,
    summary: "End a member's sessions",
    description:
      'Ends all sessions of the member, at once in the process that answers and within a second in others. The member can ' +
      'log in again.',
    access: 'platform.admins.all',
    resource,
    response: { 204: null },
    errors: ['permission_not_held'],
    audit: {
      audience: 'company',
      action: 'member.sessions_ended',
      name: nameOf,
      fields: [],
      before: ({ companyId, ids }, tx) => findMember(tx, companyId, ids.member_id),
    },
    transaction: async ({ companyId, permissions: caller, ids }, tx) => {
      await endSessionsOfMember(tx, companyId, { userId: ids.member_id, caller, tokens });
      return null;
    },
  });
}
