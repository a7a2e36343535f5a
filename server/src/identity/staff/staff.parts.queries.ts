import { constantPart } from '../../platform/database/database.ts';

/**
 * SQL for whether the operator key or the account that has sent the invitation of the row of `staff_invitations` is still an admin's. A
 * first key that was replaced since is another one.
 */
export const isInviterAdmin = constantPart(
  (db) => db`(
    EXISTS (
      SELECT 1 FROM operator_keys
      WHERE operator_keys.id = staff_invitations.inviter_id AND operator_keys.role = 'admin'
        AND (operator_keys.expires_at IS NULL OR operator_keys.expires_at > now())
        AND operator_keys.created_at <= staff_invitations.created_at)
    OR EXISTS (
      SELECT 1 FROM users
      WHERE users.id = staff_invitations.inviter_id AND users.staff_role = 'admin' AND users.disabled_at IS NULL))`,
);
