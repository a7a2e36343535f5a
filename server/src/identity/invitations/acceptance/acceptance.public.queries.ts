import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { PermissionSet } from '../../../platform/permissions.ts';
import { storedRole, storedRoleOfInvitation } from '../../roles/roles.parts.queries.ts';
import type { StoredRole } from '../../roles/stored-role.ts';
import type { CompanyOfUser } from '../../users/users.public.queries.ts';
import { emailKey } from '../../users/users.public.queries.ts';
import { type Sender, senderOfInvitation } from './sender.parts.queries.ts';

export type OpenInvitationRow = StoredRole &
  Sender & {
    id: string;
    companyId: string;
    email: string;
    companyName: string;
    expiresAt: Date;
  };

/** The open invitation with this token; null when there is none. */
export async function findOpenInvitation(db: Queryable, tokenHash: Uint8Array): Promise<OpenInvitationRow | null> {
  const [row] = await db<OpenInvitationRow[]>`
    SELECT invitations.id, invitations.company_id AS "companyId", invitations.email, ${storedRoleOfInvitation(db)},
           companies.name AS "companyName", ${senderOfInvitation(db)}, invitations.expires_at AS "expiresAt"
    FROM invitations JOIN companies ON companies.id = invitations.company_id
    WHERE token_hash = ${tokenHash} AND expires_at > now()`;
  return row ?? null;
}

export type UsedInvitation = StoredRole & { id: string; email: string; company: CompanyOfUser; hasCards: boolean };

/** Uses an open invitation up, so that of many only one does. @returns null when it is not open any more */
export async function takeInvitation(tx: Tx, tokenHash: Uint8Array): Promise<UsedInvitation | null> {
  const [row] = await tx<UsedInvitation[]>`
    DELETE FROM invitations USING companies
    WHERE token_hash = ${tokenHash} AND expires_at > now() AND companies.id = invitations.company_id
    RETURNING invitations.id, invitations.email, ${storedRoleOfInvitation(tx)},
      json_build_object('id', companies.id, 'name', companies.name, 'phone', companies.phone, 'address', companies.address,
        'describe', companies.describe, 'email', companies.email, 'externalId', companies.external_id) AS company,
      EXISTS (SELECT 1 FROM cards WHERE cards.company_id = companies.id AND deleted_at IS NULL) AS "hasCards"`;
  return row ?? null;
}

export type InvitationTo = Pick<UsedInvitation, 'id' | 'email' | 'systemRole' | 'customRole'>;

/** The open invitation of an e-mail into a company; null when there is none. */
export async function findInvitationTo(
  db: Queryable,
  companyId: string,
  email: string,
): Promise<(StoredRole & Sender & { id: string }) | null> {
  const [row] = await db<(StoredRole & Sender & { id: string })[]>`
    SELECT id, ${senderOfInvitation(db)}, ${storedRoleOfInvitation(db)} FROM invitations
    WHERE company_id = ${companyId} AND email_key = ${emailKey(email)} AND expires_at > now()`;
  return row ?? null;
}

/** Uses an open invitation into a company up. @returns null when it is not open any more */
export async function takeInvitationTo(tx: Tx, companyId: string, id: string): Promise<InvitationTo | null> {
  const [row] = await tx<InvitationTo[]>`
    DELETE FROM invitations WHERE company_id = ${companyId} AND id = ${id} AND expires_at > now()
    RETURNING id, email, ${storedRoleOfInvitation(tx)}`;
  return row ?? null;
}

/**
 * The role that a member of the company has now, and what the API key grants with which they have invited. Null for somebody who has left
 * the company, or whose key was deleted or has expired.
 */
export async function findInviter(
  db: Queryable,
  companyId: string,
  { userId, keyId }: { userId: string; keyId: string | null },
): Promise<(StoredRole & { ofKey: PermissionSet | null }) | null> {
  const [row] = await db<(StoredRole & { ofKey: PermissionSet | null })[]>`
    SELECT ${storedRole(db)}, api_keys.permission AS "ofKey"
    FROM users LEFT JOIN api_keys ON api_keys.company_id = users.company_id AND api_keys.id = ${keyId}::uuid
    WHERE users.company_id = ${companyId} AND users.id = ${userId} AND disabled_at IS NULL
      AND (${keyId}::uuid IS NULL OR api_keys.expires_at > now() OR (api_keys.id IS NOT NULL AND api_keys.expires_at IS NULL))`;
  return row ?? null;
}

/**
 * Whether the operator key that has sent an invitation, or the one of the staff, may still invite. A first key that was replaced since is
 * another one.
 */
export async function mayOperatorInvite(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM invitations WHERE company_id = ${companyId} AND id = ${id} AND (
      EXISTS (
        SELECT 1 FROM operator_keys
        WHERE operator_keys.id = operator_key_id AND operator_keys.role IN ('admin', 'integration')
          AND (operator_keys.expires_at IS NULL OR operator_keys.expires_at > now())
          AND operator_keys.created_at <= invitations.created_at)
      OR EXISTS (
        SELECT 1 FROM users WHERE users.id = staff_id AND users.staff_role = 'admin' AND users.disabled_at IS NULL))`;
  return rows.length === 1;
}

export type JoiningUser = {
  id: string;
  companyId: string | null;
  emailKey: string;
  firstName: string;
  lastName: string;
  email: string;
};

/** Reads a user, whose row is locked until the commit; null when the account was closed. */
export async function lockJoiningUser(tx: Tx, userId: string): Promise<JoiningUser | null> {
  const [row] = await tx<JoiningUser[]>`
    SELECT id, company_id AS "companyId", email_key AS "emailKey", first_name AS "firstName", last_name AS "lastName", email
    FROM users WHERE id = ${userId} AND disabled_at IS NULL FOR UPDATE`;
  return row ?? null;
}

/** Makes a customer a member of the company, whose e-mail is verified by the link. */
export async function joinCompany(
  tx: Tx,
  userId: string,
  { companyId, systemRole, customRole }: StoredRole & { companyId: string },
): Promise<void> {
  await tx`
    UPDATE users
    SET company_id = ${companyId}, role = ${systemRole}, role_id = ${customRole?.id ?? null},
        email_verified_at = coalesce(email_verified_at, now()), email_vouched_for = false, updated_at = now()
    WHERE id = ${userId}`;
}
