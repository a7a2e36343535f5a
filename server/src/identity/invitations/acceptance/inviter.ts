import type { Queryable } from '../../../platform/database/database.ts';
import { commonPermissions, grants, isPartOf } from '../../../platform/permissions.ts';
import { roleOf, type StoredRole } from '../../roles/stored-role.ts';
import { findInviter, mayOperatorInvite } from './acceptance.public.queries.ts';
import type { Sender } from './sender.parts.queries.ts';

/**
 * Whether whoever has sent an invitation could still send it: they may invite, and hold every permission of its role. What counts is what
 * they hold now, as it does for the creator of an API key. One that a key has sent is as good as the key. The operator gives every role.
 */
export async function isInviterEntitled(
  db: Queryable,
  companyId: string,
  { id, userId, keyId, ...invited }: StoredRole & Pick<Sender, 'userId' | 'keyId'> & { id: string },
): Promise<boolean> {
  if (userId === null) return mayOperatorInvite(db, companyId, id);
  const inviter = await findInviter(db, companyId, { userId, keyId });
  if (inviter === null) return false;
  const { permission } = roleOf(inviter);
  const held = inviter.ofKey === null ? permission : commonPermissions(inviter.ofKey, permission);
  return grants(held, 'platform.admins.all') && isPartOf(roleOf(invited).permission, held);
}
