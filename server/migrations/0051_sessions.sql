-- A session is extended by refresh tokens. The database keeps their hashes; sessions from before have none.
ALTER TABLE sessions
  -- Of the random part that all refresh tokens of the session share.
  ADD COLUMN family_hash bytea,
  ADD COLUMN refresh_hash bytea,
  -- The token before, which gets the same successor once more: derived from that token and the salt.
  ADD COLUMN previous_hash bytea,
  ADD COLUMN successor_salt bytea,
  ADD COLUMN refreshed_at timestamptz(3),
  -- When the session ends at the latest; expires_at is when it ends unless it is refreshed.
  ADD COLUMN ends_at timestamptz(3),
  -- Where it was last refreshed from.
  ADD COLUMN ip text NOT NULL DEFAULT '',
  ADD COLUMN user_agent text NOT NULL DEFAULT '',
  ADD CHECK (num_nulls(family_hash, refresh_hash, ends_at) IN (0, 3)),
  ADD CHECK (num_nulls(previous_hash, successor_salt, refreshed_at) IN (0, 3));
