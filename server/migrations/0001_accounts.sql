-- Companies, their users, and what logging in needs.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The service works as this role. It owns nothing, so that it can neither change the schema nor remove a trigger. The name stands
-- for that of the role that belongs to the database's owner; whoever runs the migrations puts it in here and in those that follow.
DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO ', current_schema()) || $role$paydesk_application$role$;
END
$$;
GRANT SELECT ON schema_migrations TO paydesk_application;

-- ISO 8601 in UTC with milliseconds, as every answer shows an instant. STABLE as to_char is: a function that promises more than
-- what it calls can't be inlined, and takes twice as long.
CREATE FUNCTION iso_instant(instant timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

CREATE TABLE companies (
  id uuid PRIMARY KEY,
  name text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  describe text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  -- Null for a customer, who belongs to no company.
  company_id uuid REFERENCES companies (id),
  role text NOT NULL CHECK (role IN ('Admin', 'Customer')),
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  -- How e-mails are compared: without case.
  email_key text NOT NULL CONSTRAINT users_email_key UNIQUE,
  password_hash text NOT NULL,
  phone text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  city text NOT NULL DEFAULT '',
  avatar text NOT NULL DEFAULT '',
  language text NOT NULL DEFAULT '',
  timezone text NOT NULL DEFAULT '',
  default_app text NOT NULL DEFAULT '',
  disabled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((role = 'Customer') = (company_id IS NULL))
);
CREATE INDEX users_by_company ON users (company_id, created_at);

-- The session behind an access token: ending it ends the token at once.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The e-mail is kept as a hash: people type passwords into the wrong field.
CREATE TABLE login_failures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email_hash bytea NOT NULL,
  address text NOT NULL,
  failed_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX login_failures_by_email ON login_failures (email_hash, failed_at);
CREATE INDEX login_failures_by_address ON login_failures (address, failed_at);
CREATE INDEX login_failures_by_time ON login_failures (failed_at);

-- One row: the SHA-256 of the operator's key.
CREATE TABLE operator_keys (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  key_hash bytea NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE ON companies, users, sessions, operator_keys TO paydesk_application;
GRANT DELETE ON sessions TO paydesk_application;
GRANT SELECT, INSERT, DELETE ON login_failures TO paydesk_application;
