CREATE TABLE operator_sessions (
  id uuid PRIMARY KEY,
  -- The company that is viewed; null: the session of an operator key in the console.
  viewed_company_id uuid REFERENCES companies,
  -- Who opened it: an operator key as it was then, since the first key may be replaced, or one of the staff.
  operator_key_id uuid,
  operator_key_hash bytea,
  staff_id uuid,
  opener_name text NOT NULL,
  -- The session in which a view was opened, of staff or of the console; null if it was opened with the key itself.
  opened_in uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  -- As those of `sessions`.
  family_hash bytea NOT NULL,
  refresh_hash bytea NOT NULL,
  previous_hash bytea,
  successor_salt bytea,
  refreshed_at timestamptz(3),
  CHECK (num_nonnulls(operator_key_id, staff_id) = 1 AND num_nulls(operator_key_id, operator_key_hash) IN (0, 2)),
  CHECK (viewed_company_id IS NOT NULL OR num_nonnulls(staff_id, opened_in) = 0),
  CHECK (num_nulls(previous_hash, successor_salt, refreshed_at) IN (0, 3))
);
CREATE INDEX operator_sessions_by_age ON operator_sessions (expires_at);
CREATE INDEX operator_sessions_by_viewed_company ON operator_sessions (viewed_company_id) WHERE viewed_company_id IS NOT NULL;
COMMENT ON TABLE operator_sessions IS
  'Sessions of operator keys in the console, and views of companies by keys and staff; kept for a day after they expire.';
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_sessions TO paydesk_application;
