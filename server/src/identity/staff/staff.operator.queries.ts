import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { StaffRole } from '../../platform/operator-roles.ts';
import { emailKey } from '../users/users.public.queries.ts';
import { isInviterAdmin } from './staff.parts.queries.ts';
import type { Staff } from './staff.schema.ts';

/** Everybody who is invited or active. */
const everybody = constantPart(
  (db) => db`(
    SELECT id, email, role, 'invited' AS status, created_at AS "createdAt" FROM staff_invitations WHERE expires_at > now()
    UNION ALL
    SELECT id, email, staff_role, 'active', created_at FROM users WHERE staff_role IS NOT NULL AND disabled_at IS NULL
  ) AS everybody`,
);

/** A page of the staff, newest first, and how many there are. */
export async function selectStaff(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: Staff[] }> {
  const [counted, data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM ${everybody(db)}`,
    db<Staff[]>`SELECT * FROM ${everybody(db)} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: counted[0].total, data: [...data] };
}

/** One of the staff; null when there is none. */
export async function selectOneOfStaff(db: Queryable, id: string): Promise<Staff | null> {
  const [row] = await db<Staff[]>`SELECT * FROM ${everybody(db)} WHERE id = ${id}`;
  return row ?? null;
}

/** Locks the list of the invitations until the commit, so that of two new ones one counts the other. */
export async function lockInvitations(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('staff invitations', 0))`;
}

/** How many invitations are open. */
export async function countInvitations(tx: Tx): Promise<number> {
  const [row] = await tx<[{ total: number }]>`
    SELECT count(*)::int AS total FROM staff_invitations WHERE expires_at > now()`;
  return row.total;
}

export type NewStaff = {
  id: string;
  email: string;
  role: StaffRole;
  tokenHash: Buffer;
  inviter: Inviter;
  validSeconds: number;
};

/** Who invites: an operator key or one of the staff. */
export type Inviter = { id: string; name: string };

/** Invites somebody, instead of an invitation that has expired. @returns whether there is no open one */
export async function insertInvitation(tx: Tx, { id, email, role, tokenHash, inviter, validSeconds }: NewStaff) {
  const rows = await tx`
    INSERT INTO staff_invitations AS existing (id, email, email_key, role, token_hash, invited_by, inviter_id, expires_at)
    VALUES (${id}, ${email}, ${emailKey(email)}, ${role}, ${tokenHash}, ${inviter.name}, ${inviter.id},
            now() + make_interval(secs => ${validSeconds}))
    ON CONFLICT ON CONSTRAINT staff_invitations_email_key DO UPDATE
    SET id = excluded.id, email = excluded.email, role = excluded.role, token_hash = excluded.token_hash,
        invited_by = excluded.invited_by, inviter_id = excluded.inviter_id, created_at = now(), expires_at = excluded.expires_at
    WHERE existing.expires_at <= now()
    RETURNING 1`;
  return rows.length === 1;
}

/** Gives an open invitation another token and a new term. @returns who has invited; null when there is none */
export async function renewInvitation(
  tx: Tx,
  id: string,
  { tokenHash, validSeconds }: Pick<NewStaff, 'tokenHash' | 'validSeconds'>,
): Promise<{ invitedBy: string; isInviterAdmin: boolean } | null> {
  const [row] = await tx<{ invitedBy: string; isInviterAdmin: boolean }[]>`
    UPDATE staff_invitations SET token_hash = ${tokenHash}, expires_at = now() + make_interval(secs => ${validSeconds})
    WHERE id = ${id} AND expires_at > now()
    RETURNING invited_by AS "invitedBy", ${isInviterAdmin(tx)} AS "isInviterAdmin"`;
  return row ?? null;
}

/** Gives one of the staff another role. Who is not there yet is invited by who does so. */
export async function updateRole(tx: Tx, id: string, role: StaffRole, inviter: Inviter): Promise<void> {
  await tx`
    UPDATE staff_invitations SET role = ${role}, invited_by = ${inviter.name}, inviter_id = ${inviter.id}
    WHERE id = ${id} AND role <> ${role}`;
  await tx`UPDATE users SET staff_role = ${role}, updated_at = now() WHERE id = ${id} AND staff_role IS NOT NULL`;
}

/**
 * Takes back an invitation, or closes an account, whose address is free from then on. The audit log still names who it was. Sessions have
 * to be ended before.
 */
export async function removeStaff(tx: Tx, id: string): Promise<void> {
  await tx`DELETE FROM staff_invitations WHERE id = ${id}`;
  await tx`
    UPDATE users
    SET disabled_at = now(), updated_at = now(), first_name = '', last_name = '', email = '', email_key = id::text, password_hash = NULL,
        phone = '', country = '', city = '', avatar = ''
    WHERE id = ${id} AND staff_role IS NOT NULL`;
  await tx`DELETE FROM email_reverts WHERE user_id = ${id}`;
  await tx`DELETE FROM email_tokens WHERE user_id = ${id}`;
  await tx`DELETE FROM totp_secrets WHERE user_id = ${id}`;
  await tx`DELETE FROM recovery_codes WHERE user_id = ${id}`;
  await tx`DELETE FROM passkeys WHERE user_id = ${id}`;
}
