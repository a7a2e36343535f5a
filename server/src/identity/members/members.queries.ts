import { constantPart, idList, type Queryable, type Tx } from '../../platform/database/database.ts';
import { storedRole } from '../roles/roles.parts.queries.ts';
import type { StoredRole } from '../roles/stored-role.ts';
import { hasSecondFactor } from '../users/users.parts.queries.ts';
import type { Member } from './members.schema.ts';

export type MemberRow = Omit<Member, 'role'> & StoredRole;

const columns = constantPart(
  (db) => db`
    users.id, first_name, last_name, email, email_verified_at IS NOT NULL AS email_verified,
    ${hasSecondFactor(db)} AS two_factor, users.created_at, ${storedRole(db)}`,
);

/** A page of the company's members, newest first, with how many there are. */
export async function selectMembers(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; members: MemberRow[] }> {
  const [counted] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM users WHERE company_id = ${companyId}`;
  const members = await db<MemberRow[]>`
    SELECT ${columns(db)} FROM users WHERE company_id = ${companyId}
    ORDER BY users.created_at DESC, users.id DESC LIMIT ${limit} OFFSET ${offset}`;
  return { total: counted.total, members };
}

/** One member; null when the company has none with this id. */
export async function selectMember(db: Queryable, companyId: string, userId: string): Promise<MemberRow | null> {
  const [row] = await db<MemberRow[]>`
    SELECT ${columns(db)} FROM users WHERE company_id = ${companyId} AND id = ${userId}`;
  return row ?? null;
}

/** Gives a member another role. */
export async function updateRoleOfMember(
  tx: Tx,
  companyId: string,
  userId: string,
  { systemRole, customRole }: StoredRole,
): Promise<void> {
  await tx`
    UPDATE users SET role = ${systemRole}, role_id = ${customRole?.id ?? null}, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${userId}`;
}

/** Deletes the invitations that a member has sent. */
export async function deleteInvitationsBy(tx: Tx, companyId: string, userId: string): Promise<void> {
  await tx`DELETE FROM invitations WHERE company_id = ${companyId} AND invited_by = ${userId}`;
}

/** Deletes the links by which the company's provider opens the account of a member. */
export async function deleteLinksOfCompany(tx: Tx, companyId: string, userId: string): Promise<void> {
  await tx`
    DELETE FROM sign_in_links USING users
    WHERE users.company_id = ${companyId} AND users.id = ${userId} AND sign_in_links.user_id = users.id AND is_of_company`;
}

/**
 * Makes a member a customer, who belongs to no company, and who is not the company's break-glass member any more. Where the company demands
 * its provider, the first of its other admins is, so that somebody can still log in without it. An e-mail that only the company's provider
 * vouches for is not verified then.
 */
export async function makeCustomer(tx: Tx, companyId: string, userId: string): Promise<void> {
  await tx`
    WITH companies AS (
      UPDATE companies SET break_glass_member_id = CASE WHEN sign_in = 'sso' THEN (
        SELECT id FROM users WHERE company_id = ${companyId} AND id <> ${userId} AND role = 'Admin' ORDER BY created_at, id LIMIT 1) END
      WHERE id = ${companyId} AND break_glass_member_id = ${userId}
    )
    UPDATE users SET company_id = NULL, role = 'Customer', role_id = NULL, updated_at = now(),
      email_verified_at = CASE WHEN NOT email_vouched_for THEN email_verified_at END, email_vouched_for = false
    WHERE company_id = ${companyId} AND id = ${userId}`;
}

/** Those of these users who are members of the company, and who cannot leave it until the transaction ends. */
export async function lockMembers(tx: Tx, companyId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM users WHERE company_id = ${companyId} AND id = ANY(${idList(tx, userIds)}) AND disabled_at IS NULL
    ORDER BY id FOR SHARE`;
  return rows.map(({ id }) => id);
}
