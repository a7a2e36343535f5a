-- The API keys of companies. A key is kept as its hash alone.
CREATE TABLE api_keys (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  -- How the key begins, by which its holder recognizes it.
  prefix text NOT NULL,
  permission jsonb NOT NULL,
  -- Addresses and ranges; empty for all.
  allowed_ips jsonb NOT NULL,
  -- The key may do only what this user may do, and nothing once they have left the company.
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  PRIMARY KEY (company_id, id)
) WITH (fillfactor = 80);
CREATE INDEX api_keys_by_hash ON api_keys (key_hash);
GRANT SELECT, INSERT, UPDATE, DELETE ON api_keys TO paydesk_application;
