import type { Queryable } from '../../../platform/database/database.ts';
import { grants, isPartOf } from '../../../platform/permissions.ts';
import { roleOf, type StoredRole } from '../../roles/stored-role.ts';
import { findRoleOfInviter } from './acceptance.public.queries.ts';

/**
 * Whether whoever has sent an invitation could still send it: they may invite, and hold every permission of its role. What counts is what
 * they hold now, as it does for the creator of an API key.
 */
export async function isInviterEntitled(
  db: Queryable,
  companyId: string,
  { inviterId, ...invited }: StoredRole & { inviterId: string },
): Promise<boolean> {
  const inviter = await findRoleOfInviter(db, companyId, inviterId);
  if (inviter === null) return false;
  const { permission: held } = roleOf(inviter);
  return grants(held, 'platform.admins.all') && isPartOf(roleOf(invited).permission, held);
}
