-- A label that a customer session makes has the session's id in place of a user's.
ALTER TABLE labels DROP CONSTRAINT labels_user_id_fkey;
