import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type MailDependencies, mayInvite, queueMail } from '../../mail/mail.service.ts';
import { type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { PermissionSet, Role } from '../../platform/permissions.ts';
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
  type NewSender,
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
  { userId, keyId, permissions }: Inviter,
  { email, role_id: roleId }: InvitationBody,
  mail: MailDependencies,
): Promise<Invitation> {
  const role = await requireRole(tx, companyId, roleId);
  refuseBeyond(permissions, role.permission);
  // Serializes parallel creates, so that each counts the other's invitation.
  await lockCompany(tx, companyId);
  if (!(await lockInviter(tx, companyId, userId))) {
    throw new ApiError('forbidden', 'You are no longer a member of the company.');
  }
  const id = await invite(tx, companyId, { email, role, roleField: 'role_id', sender: { userId, keyId } }, mail);
  return toInvitation(await readInvitation(tx, companyId, id));
}

/**
 * Invites an address into a company that is locked. @returns the id of the invitation
 * @throws ApiError 400 where the role was just deleted, already_member, already_invited, limit_reached, rate_limited
 */
export async function invite(
  tx: Tx,
  companyId: string,
  { email, role, roleField, sender }: { email: string; role: Role; roleField: 'role' | 'role_id'; sender: NewSender },
  mail: MailDependencies,
): Promise<string> {
  if (await hasMember(tx, companyId, email)) {
    throw new ApiError('already_member', 'A member of the company already has this e-mail address.');
  }
  if ((await countInvitations(tx, companyId)) >= MAX_OPEN_INVITATIONS) {
    throw new ApiError('limit_reached', `A company can have at most ${MAX_OPEN_INVITATIONS} open invitations.`);
  }
  const id = uuidv7();
  const { token, hash: tokenHash } = createLinkToken('invitation');
  const invitation = { id, email, role: toStored(role), sender, tokenHash, validSeconds: VALID_SECONDS };
  if (!(await insertInvitation(tx, companyId, invitation).catch(refuseDeletedRole(roleField)))) {
    throw new ApiError(
      'already_invited',
      'There is an open invitation to this e-mail address. Send that invitation again instead.',
    );
  }
  await sendInvitation(tx, companyId, { id, email, roleName: role.name, token }, mail);
  return id;
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
 * @param permissions - of the member who asks for it; null for the operator, who has all
 * @throws ApiError not_found, permission_not_held, rate_limited
 */
export async function resendInvitation(
  tx: Tx,
  companyId: string,
  id: string,
  permissions: PermissionSet | null,
  mail: MailDependencies,
): Promise<InvitationRow> {
  const row = await readInvitation(tx, companyId, id);
  const { name: roleName, permission } = roleOf(row);
  if (permissions !== null) refuseBeyond(permissions, permission);
  if (!(await isInviterEntitled(tx, companyId, row))) throw inviterNotEntitled();
  const { token, hash: tokenHash } = createLinkToken('invitation');
  if (!(await renewInvitation(tx, companyId, id, { tokenHash, validSeconds: VALID_SECONDS }))) {
    throw notFound('invitation');
  }
  await sendInvitation(tx, companyId, { id, email: row.email, roleName, token }, mail);
  return readInvitation(tx, companyId, id);
}

/** Deletes an invitation: its link does not work any more. @throws ApiError not_found */
export async function removeInvitation(tx: Tx, companyId: string, id: string): Promise<void> {
  if (!(await deleteInvitation(tx, companyId, id))) throw notFound('invitation');
}

async function sendInvitation(
  tx: Tx,
  companyId: string,
  { id, email: to, roleName, token }: { id: string; email: string; roleName: string; token: string },
  mail: MailDependencies,
): Promise<void> {
  if (!(await mayInvite(tx, companyId, to, mail))) {
    const message =
      'The company has sent too many invitations, or this address has received too many. Try again later.';
    throw new ApiError('rate_limited', message, { retryAfterSeconds: 60 * 60 });
  }
  const facts = await selectMailFacts(tx, companyId, id);
  const link = { token, validSeconds: VALID_SECONDS };
  await queueMail(tx, companyId, { type: 'invitation', to, roleName, ...facts, ...link }, mail);
}

/** An open invitation. @throws ApiError not_found */
export async function readInvitation(db: Queryable, companyId: string, id: string): Promise<InvitationRow> {
  const invitation = await selectInvitation(db, companyId, id);
  if (invitation === null) throw notFound('invitation');
  return invitation;
}

/** An invitation as its company sees it. */
export function toInvitation(row: InvitationRow): Invitation {
  const { id: roleId, name: roleName } = roleOf(row);
  return {
    id: row.id,
    email: row.email,
    role: { id: roleId, name: roleName },
    invited_by: { id: senderIdOf(row), name: row.shownName },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}

/** The id of the member, the operator key or the one of the staff that has sent an invitation. */
export function senderIdOf({ userId, operatorKeyId, staffId }: InvitationRow): string {
  const id = userId ?? operatorKeyId ?? staffId;
  if (id === null) throw new Error('An invitation of nobody.');
  return id;
}

/** For a role that was deleted since it was read. */
function refuseDeletedRole(field: string): (error: unknown) => never {
  return (error) => {
    if (violatedConstraint(error) !== 'invitations_role_in_use') throw error;
    throw invalidField(field, 'must be a role that members can have');
  };
}
