import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { MailDependencies } from '../../mail/mail.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';
import { findCompany } from '../companies/companies.service.ts';
import {
  type InvitationRow,
  type NewSender,
  selectInvitation,
  selectInvitations,
} from '../invitations/invitations.queries.ts';
import { invite, readInvitation, resendInvitation, senderIdOf } from '../invitations/invitations.service.ts';
import { requireRoleNamed } from '../roles/roles.service.ts';
import { roleOf } from '../roles/stored-role.ts';
import type {
  OperatorInvitation,
  OperatorInvitationBody,
  OperatorInvitationList,
  OperatorInvitationQuery,
} from './operator-invitations.schema.ts';

/**
 * Invites an address into a company, which may have no members.
 * @throws ApiError 400, not_found, already_member, already_invited, limit_reached, rate_limited
 */
export async function createOperatorInvitation(
  tx: Tx,
  companyId: string,
  { email, role: name = SYSTEM_ROLES.Admin.name }: OperatorInvitationBody,
  caller: OperatorCaller,
  mail: MailDependencies,
): Promise<OperatorInvitation> {
  await lockCompany(tx, companyId);
  const role = await requireRoleNamed(tx, companyId, name);
  const id = await invite(tx, companyId, { email, role, roleField: 'role', sender: senderOf(caller) }, mail);
  return toOperatorInvitation(companyId, await readInvitation(tx, companyId, id));
}

function senderOf(caller: OperatorCaller): NewSender {
  return caller.kind === 'operator'
    ? { operatorKeyId: caller.keyId, staffId: null, operatorName: caller.keyName }
    : { operatorKeyId: null, staffId: caller.userId, operatorName: caller.name };
}

/** A page of the open invitations of a company, newest first. @throws ApiError not_found */
export async function listOperatorInvitations(
  db: Queryable,
  companyId: string,
  { page, perPage }: OperatorInvitationQuery,
): Promise<OperatorInvitationList> {
  if ((await findCompany(db, companyId)) === null) throw notFound('company');
  const { total, invitations } = await selectInvitations(db, companyId, {
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return { total, page, perPage, data: invitations.map((row) => toOperatorInvitation(companyId, row)) };
}

/** An open invitation; null when the company has none with this id. */
export async function findOperatorInvitation(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<OperatorInvitation | null> {
  const row = await selectInvitation(db, companyId, id);
  return row && toOperatorInvitation(companyId, row);
}

/** Sends an invitation again, whoever has sent it first. @throws ApiError not_found, permission_not_held, rate_limited */
export async function resendOperatorInvitation(
  tx: Tx,
  companyId: string,
  id: string,
  mail: MailDependencies,
): Promise<OperatorInvitation> {
  return toOperatorInvitation(companyId, await resendInvitation(tx, companyId, id, null, mail));
}

function toOperatorInvitation(companyId: string, row: InvitationRow): OperatorInvitation {
  const { id, email, createdAt, expiresAt, senderName } = row;
  const { id: roleId, name: roleName } = roleOf(row);
  const role = { id: roleId, name: roleName };
  return { id, companyId, email, role, invitedBy: { id: senderIdOf(row), name: senderName }, createdAt, expiresAt };
}
