-- The operator key or the account that has given an invitation to the staff its role: it works as long as that is an admin. For invitations
-- from before, any admin of that name.
ALTER TABLE staff_invitations ADD COLUMN inviter_id uuid;
UPDATE staff_invitations SET inviter_id = coalesce(
  (SELECT id FROM operator_keys WHERE name = invited_by AND role = 'admin' ORDER BY is_first DESC, id LIMIT 1),
  (SELECT id FROM users WHERE first_name || ' ' || last_name = invited_by AND staff_role = 'admin' AND disabled_at IS NULL
   ORDER BY id LIMIT 1));
