-- The API key that has sent the invitation; null for one that its creator has sent without a key. The key may be deleted since.
ALTER TABLE invitations ADD COLUMN invited_by_key uuid;
