import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { StaffRole } from '../../platform/operator-roles.ts';
import type { StoredRole } from '../roles/stored-role.ts';
import { isInviterAdmin } from './staff.parts.queries.ts';

/** An invitation to the staff, which is no company. */
export type OpenStaffInvitation = StoredRole & {
  email: string;
  companyName: string;
  inviterName: string;
  expiresAt: Date;
};

/** The open invitation to the staff with this token; null when there is none. */
export async function findStaffInvitation(db: Queryable, tokenHash: Uint8Array): Promise<OpenStaffInvitation | null> {
  const [row] = await db<OpenStaffInvitation[]>`
    SELECT email, 'Staff' AS "systemRole", NULL AS "customRole", '' AS "companyName", invited_by AS "inviterName",
           expires_at AS "expiresAt"
    FROM staff_invitations WHERE token_hash = ${tokenHash} AND expires_at > now()`;
  return row ?? null;
}

export type StaffInvitation = {
  id: string;
  email: string;
  role: StaffRole;
  /** Whether the operator key or the account that has sent it is still an admin's. */
  isInviterAdmin: boolean;
};

/** Uses an open invitation to the staff up, so that of many only one does. @returns null when it is not open any more */
export async function takeStaffInvitation(tx: Tx, tokenHash: Uint8Array): Promise<StaffInvitation | null> {
  const [row] = await tx<StaffInvitation[]>`
    DELETE FROM staff_invitations WHERE token_hash = ${tokenHash} AND expires_at > now()
    RETURNING id, email, role, ${isInviterAdmin(tx)} AS "isInviterAdmin"`;
  return row ?? null;
}

/** Everybody of the staff who has the role `admin`. */
export async function selectAdmins(db: Queryable): Promise<{ email: string; language: string }[]> {
  return db<{ email: string; language: string }[]>`
    SELECT email, language FROM users WHERE staff_role = 'admin' AND disabled_at IS NULL ORDER BY id`;
}
