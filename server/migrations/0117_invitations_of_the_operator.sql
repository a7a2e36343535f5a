-- The operator invites members too: with one of its keys, or as one of the staff, whose name at that time is kept.
ALTER TABLE invitations
  ALTER COLUMN invited_by DROP NOT NULL,
  ADD COLUMN operator_key_id uuid,
  ADD COLUMN staff_id uuid,
  ADD COLUMN operator_name text,
  ADD CONSTRAINT invitations_one_inviter CHECK (num_nonnulls(invited_by, operator_key_id, staff_id) = 1),
  ADD CONSTRAINT invitations_named_operator CHECK ((operator_name IS NULL) = (invited_by IS NOT NULL)),
  ADD CONSTRAINT invitations_keys_of_members CHECK (invited_by_key IS NULL OR invited_by IS NOT NULL);
