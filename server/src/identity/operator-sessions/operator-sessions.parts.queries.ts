import { constantPart } from '../../platform/database/database.ts';

/**
 * SQL for whether the row of `operator_sessions` may still be used: until it expires or ends, as long as whoever opened it could open it,
 * and a view as long as the session in which it was opened. The first key may be replaced by another one with the same id.
 */
export const isOpen = constantPart(
  (db) => db`(
    operator_sessions.ended_at IS NULL AND operator_sessions.expires_at > now()
    AND CASE WHEN staff_id IS NULL
      THEN EXISTS (
        SELECT 1 FROM operator_keys
        WHERE operator_keys.id = operator_key_id AND key_hash = operator_key_hash
          AND (operator_keys.expires_at IS NULL OR operator_keys.expires_at > now()))
      ELSE EXISTS (
        SELECT 1 FROM users WHERE users.id = staff_id AND staff_role IN ('finance', 'admin') AND disabled_at IS NULL)
    END
    AND (
      opened_in IS NULL
      OR EXISTS (
        SELECT 1 FROM sessions WHERE sessions.id = opened_in AND revoked_at IS NULL AND sessions.expires_at > now())
      OR EXISTS (
        SELECT 1 FROM operator_sessions AS opener
        WHERE opener.id = operator_sessions.opened_in AND opener.ended_at IS NULL AND opener.expires_at > now())))`,
);
