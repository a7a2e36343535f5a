import { constantPart } from '../../platform/database/database.ts';

/**
 * SQL for whether the row of `customer_sessions` may still be used: until it expires or ends, as long as whoever opened it may open
 * sessions. The first key may be replaced by another one with the same id.
 */
export const isOpen = constantPart(
  (db) => db`(
    customer_sessions.ended_at IS NULL AND customer_sessions.expires_at > now()
    AND EXISTS (SELECT 1 FROM companies WHERE companies.id = customer_sessions.company_id AND disabled_since IS NULL)
    AND CASE WHEN staff_id IS NULL
      THEN EXISTS (SELECT 1 FROM operator_keys WHERE operator_keys.id = operator_key_id AND key_hash = operator_key_hash)
      ELSE EXISTS (SELECT 1 FROM users WHERE users.id = staff_id AND staff_role = 'admin' AND disabled_at IS NULL)
    END)`,
);
