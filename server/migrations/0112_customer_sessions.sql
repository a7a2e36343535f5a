CREATE TABLE customer_sessions (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The person, as the operator's product named them: no user of this service.
  user_id text,
  user_name text,
  user_email text,
  permission jsonb NOT NULL,
  return_url text,
  -- Who made it: an operator key as it was then, since the first key may be replaced, or one of the staff.
  operator_key_id uuid,
  operator_key_hash bytea,
  staff_id uuid,
  key_name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- A whole second, as the expiry of its tokens.
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  -- Of the link to the dashboard, until it is used.
  code_hash bytea,
  code_expires_at timestamptz(3) NOT NULL,
  -- As those of `sessions`, once the link is used.
  family_hash bytea,
  refresh_hash bytea,
  previous_hash bytea,
  successor_salt bytea,
  refreshed_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  CHECK (num_nonnulls(operator_key_id, staff_id) = 1 AND num_nulls(operator_key_id, operator_key_hash) IN (0, 2)),
  CHECK (user_id IS NOT NULL OR num_nonnulls(user_name, user_email) = 0),
  CHECK (num_nulls(family_hash, refresh_hash) IN (0, 2)),
  CHECK (num_nulls(previous_hash, successor_salt, refreshed_at) IN (0, 3))
);
CREATE UNIQUE INDEX customer_sessions_by_id ON customer_sessions (id);
CREATE UNIQUE INDEX customer_sessions_by_code ON customer_sessions (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX customer_sessions_by_age ON customer_sessions (expires_at);
COMMENT ON TABLE customer_sessions IS
  'Sessions that the operator’s product opens for a customer of its own, who has no account here; kept for a day after they expire.';
GRANT SELECT, INSERT, UPDATE, DELETE ON customer_sessions TO paydesk_application;

CREATE TABLE integration (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Of the pages of the operator's product, as browsers write them.
  allowed_origins text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE integration IS 'What the operator’s product may do from its pages: one row.';
INSERT INTO integration DEFAULT VALUES;
GRANT SELECT, UPDATE ON integration TO paydesk_application;
