import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import { storedRoleOfInvitation } from '../roles/roles.parts.queries.ts';
import type { StoredRole } from '../roles/stored-role.ts';
import { emailKey } from '../users/users.public.queries.ts';
import { type Sender, senderOfInvitation } from './acceptance/sender.parts.queries.ts';

export type InvitationRow = StoredRole & Sender & { id: string; email: string; createdAt: Date; expiresAt: Date };

const columns = constantPart(
  (db) => db`
    invitations.id, invitations.email, ${storedRoleOfInvitation(db)}, ${senderOfInvitation(db)},
    invitations.created_at AS "createdAt", invitations.expires_at AS "expiresAt"`,
);

export type NewInvitation = {
  id: string;
  email: string;
  role: StoredRole;
  sender: NewSender;
  tokenHash: Uint8Array;
  validSeconds: number;
};

/** Who sends an invitation: a member, with an API key or without, or the operator under the name that the key or the person has now. */
export type NewSender =
  | { userId: string; keyId: string | null }
  | { operatorKeyId: string | null; staffId: string | null; operatorName: string };

/** Whether a user is a member of the company, who cannot leave it until the transaction ends. */
export async function lockInviter(tx: Tx, companyId: string, userId: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM users WHERE company_id = ${companyId} AND id = ${userId} FOR SHARE`;
  return rows.length === 1;
}

/**
 * Inserts an invitation, in place of an expired one. @returns whether it did: false when there is an open one
 * @throws PostgresError on the constraint `invitations_role_in_use` when the role was deleted meanwhile
 */
export async function insertInvitation(
  tx: Tx,
  companyId: string,
  { id, email, role, sender, tokenHash, validSeconds }: NewInvitation,
): Promise<boolean> {
  const { userId, keyId, operatorKeyId, staffId, operatorName } = { ...NOBODY, ...sender };
  const rows = await tx`
    INSERT INTO invitations AS existing
      (company_id, id, email, email_key, role, role_id, invited_by, invited_by_key, operator_key_id, staff_id, operator_name, token_hash,
       expires_at)
    VALUES (${companyId}, ${id}, ${email}, ${emailKey(email)}, ${role.systemRole}, ${role.customRole?.id ?? null}, ${userId},
            ${keyId}, ${operatorKeyId}, ${staffId}, ${operatorName}, ${tokenHash}, now() + make_interval(secs => ${validSeconds}))
    ON CONFLICT (company_id, email_key) DO UPDATE
    SET id = excluded.id, email = excluded.email, role = excluded.role, role_id = excluded.role_id,
        invited_by = excluded.invited_by, invited_by_key = excluded.invited_by_key, operator_key_id = excluded.operator_key_id,
        staff_id = excluded.staff_id, operator_name = excluded.operator_name,
        token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at
    WHERE existing.expires_at <= now()
    RETURNING 1`;
  return rows.length === 1;
}

const NOBODY = { userId: null, keyId: null, operatorKeyId: null, staffId: null, operatorName: null };

/** How many invitations are open. */
export async function countInvitations(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM invitations WHERE company_id = ${companyId} AND expires_at > now()`;
  return row.total;
}

/** A page of the open invitations, newest first, with how many there are. */
export async function selectInvitations(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; invitations: InvitationRow[] }> {
  const total = await countInvitations(db, companyId);
  const invitations = await db<InvitationRow[]>`
    SELECT ${columns(db)} FROM invitations WHERE company_id = ${companyId} AND expires_at > now()
    ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`;
  return { total, invitations };
}

/** An open invitation; null when the company has none with this id. */
export async function selectInvitation(db: Queryable, companyId: string, id: string): Promise<InvitationRow | null> {
  const [row] = await db<InvitationRow[]>`
    SELECT ${columns(db)} FROM invitations WHERE company_id = ${companyId} AND id = ${id} AND expires_at > now()`;
  return row ?? null;
}

/** Gives an open invitation another token and a new term. @returns whether there is one */
export async function renewInvitation(
  tx: Tx,
  companyId: string,
  id: string,
  { tokenHash, validSeconds }: { tokenHash: Uint8Array; validSeconds: number },
): Promise<boolean> {
  const rows = await tx`
    UPDATE invitations SET token_hash = ${tokenHash}, expires_at = now() + make_interval(secs => ${validSeconds})
    WHERE company_id = ${companyId} AND id = ${id} AND expires_at > now() RETURNING 1`;
  return rows.length === 1;
}

/** Deletes an open invitation. @returns whether there was one */
export async function deleteInvitation(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    DELETE FROM invitations WHERE company_id = ${companyId} AND id = ${id} AND expires_at > now() RETURNING 1`;
  return rows.length === 1;
}

/** Whether a member of the company has this address. */
export async function hasMember(db: Queryable, companyId: string, email: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM users WHERE company_id = ${companyId} AND email_key = ${emailKey(email)}`;
  return rows.length === 1;
}

/**
 * What the mail of an invitation tells: who invites, which is nobody where an operator key does; to which company; and in which language,
 * if that is known.
 */
export async function selectMailFacts(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<{ inviterName: string; companyName: string; language: string }> {
  const [row] = await db<[{ inviterName: string; companyName: string; language: string }]>`
    SELECT CASE WHEN invitations.operator_key_id IS NOT NULL THEN ''
                ELSE coalesce(invitations.operator_name, inviter.first_name || ' ' || inviter.last_name) END AS "inviterName",
           companies.name AS "companyName", coalesce(nullif(invited.language, ''), inviter.language, '') AS language
    FROM invitations JOIN companies ON companies.id = invitations.company_id
      LEFT JOIN users AS inviter ON inviter.id = invitations.invited_by
      LEFT JOIN users AS invited ON invited.email_key = invitations.email_key
    WHERE invitations.company_id = ${companyId} AND invitations.id = ${id}`;
  return row;
}
