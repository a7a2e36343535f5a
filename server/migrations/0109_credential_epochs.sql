-- Moves whenever something changes that the user logs in with: browsers that were known before are not any more.
ALTER TABLE users ADD COLUMN credential_epoch integer NOT NULL DEFAULT 0;
