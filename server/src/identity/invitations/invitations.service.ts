import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type MailDependencies, mayInvite, queueMail } from '../../mail/mail.service.ts';
import { type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { inviterNotEntitled, refuseBeyond, requireRole } from '../roles/roles.service.ts';
import { roleOf, toStored } from '../roles/stored-role.ts';
import { createLinkToken } from '../secrets/link-tokens.ts';
import { isInviterEntitled } from './acceptance/inviter.ts';
import {
  countInvitations,
  deleteInvitation,
  hasMember,
  type InvitationRow,
  insertInvitation,
  lockInviter,
  renewInvitation,
  selectInvitation,
  selectInvitations,
  selectMailFacts,
} from './invitations.queries.ts';
import type { Invitation, InvitationBody, InvitationList, InvitationQuery } from './invitations.schema.ts';

/** How long an invitation is open. */
const VALID_SECONDS = 7 * 24 * 60 * 60;

const MAX_OPEN_INVITATIONS = 1_000;

/** Who invites, and with which API key, if with one. */
type Inviter = { userId: string; keyId: string | null; permissions: PermissionSet };

/**
 * Invites an address into the company, by a mail with a link.
 * @throws ApiError 400, permission_not_held, forbidden, already_member, already_invited, limit_reached, rate_limited
 */
export async function createInvitation(
  tx: Tx,
  companyId: string,
  { userId: invitedBy, keyId, permissions }: Inviter,
  { email, role_id: roleId }: InvitationBody,
  mail: MailDependencies,
): Promise<Invitation> {
  const role = await requireRole(tx, companyId, roleId);
  refuseBeyond(permissions, role.permission);
  // Serializes parallel creates, so that each counts the other's invitation.
  await lockCompany(tx, companyId);
  if (!(await lockInviter(tx, companyId, invitedBy))) {
    throw new ApiError('forbidden', 'You are no longer a member of the company.');
  }
  if (await hasMember(tx, companyId, email)) {
    throw new ApiError('already_member', 'A member of the company already has this e-mail address.');
  }
  if ((await countInvitations(tx, companyId)) >= MAX_OPEN_INVITATIONS) {
    throw new ApiError('limit_reached', `A company can have at most ${MAX_OPEN_INVITATIONS} open invitations.`);
  }
  const { token, hash: tokenHash } = createLinkToken('invitation');
  const sender = { invitedBy, keyId };
  const invitation = { id: uuidv7(), email, role: toStored(role), ...sender, tokenHash, validSeconds: VALID_SECONDS };
  if (!(await insertInvitation(tx, companyId, invitation).catch(refuseDeletedRole))) {
    throw new ApiError(
      'already_invited',
      'There is an open invitation to this e-mail address. Send that invitation again instead.',
    );
  }
  await sendInvitation(tx, companyId, { email, invitedBy, roleName: role.name, token }, mail);
  return readInvitation(tx, companyId, invitation.id);
}

/** A page of the open invitations, newest first. */
export async function listInvitations(
  db: Queryable,
  companyId: string,
  { page, per_page: perPage }: InvitationQuery,
): Promise<InvitationList> {
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const { total, invitations } = await selectInvitations(db, companyId, range);
  return { total, page, per_page: perPage, data: invitations.map(toInvitation) };
}

/** An open invitation; null when the company has none with this id. */
export async function findInvitation(db: Queryable, companyId: string, id: string): Promise<Invitation | null> {
  const row = await selectInvitation(db, companyId, id);
  return row && toInvitation(row);
}

/**
 * Sends an invitation again, with a new link and a new term. Whoever has sent it first must still be able to.
 * @throws ApiError not_found, permission_not_held, rate_limited
 */
export async function resendInvitation(
  tx: Tx,
  companyId: string,
  id: string,
  permissions: PermissionSet,
  mail: MailDependencies,
): Promise<Invitation> {
  const row = await selectInvitation(tx, companyId, id);
  if (row === null) throw notFound('invitation');
  const { name: roleName, permission } = roleOf(row);
  refuseBeyond(permissions, permission);
  if (!(await isInviterEntitled(tx, companyId, { ...row, inviterId: row.invited_by.id }))) throw inviterNotEntitled();
  const { token, hash: tokenHash } = createLinkToken('invitation');
  if (!(await renewInvitation(tx, companyId, id, { tokenHash, validSeconds: VALID_SECONDS }))) {
    throw notFound('invitation');
  }
  await sendInvitation(tx, companyId, { email: row.email, invitedBy: row.invited_by.id, roleName, token }, mail);
  return readInvitation(tx, companyId, id);
}

/** Deletes an invitation: its link does not work any more. @throws ApiError not_found */
export async function removeInvitation(tx: Tx, companyId: string, id: string): Promise<void> {
  if (!(await deleteInvitation(tx, companyId, id))) throw notFound('invitation');
}

async function sendInvitation(
  tx: Tx,
  companyId: string,
  invitation: { email: string; invitedBy: string; roleName: string; token: string },
  mail: MailDependencies,
): Promise<void> {
  const { email: to, roleName, token } = invitation;
  if (!(await mayInvite(tx, companyId, to, mail))) {
    const message =
      'The company has sent too many invitations, or this address has received too many. Try again later.';
    throw new ApiError('rate_limited', message, { retryAfterSeconds: 60 * 60 });
  }
  const facts = await selectMailFacts(tx, companyId, invitation);
  const link = { token, validSeconds: VALID_SECONDS };
  await queueMail(tx, companyId, { type: 'invitation', to, roleName, ...facts, ...link }, mail);
}

async function readInvitation(tx: Tx, companyId: string, id: string): Promise<Invitation> {
  const invitation = await findInvitation(tx, companyId, id);
  if (invitation === null) throw notFound('invitation');
  return invitation;
}

function toInvitation({ systemRole, customRole, keyId: _keyId, ...invitation }: InvitationRow): Invitation {
  const { id, name } = roleOf({ systemRole, customRole });
  return { ...invitation, role: { id, name } };
}

/** The role was deleted since it was read. */
function refuseDeletedRole(error: unknown): never {
  if (violatedConstraint(error) !== 'invitations_role_in_use') throw error;
  throw invalidField('role_id', 'must be the id of a role that members can have');
}
