import type { Db } from '../../platform/database/database.ts';

/** Removes up to `limit` invitations that have expired. @returns how many were removed */
export async function deleteExpiredInvitations(db: Db, limit: number): Promise<number> {
  const invitations = await db`
    DELETE FROM invitations WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM invitations WHERE expires_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return invitations.count;
}
