-- The providers of single sign-on (OpenID Connect) that the operator has set up over the API.
CREATE TABLE sign_in_providers (
  name text PRIMARY KEY,
  issuer text NOT NULL,
  client_id text NOT NULL,
  -- Encrypted with a key that is not in the database.
  client_secret bytea NOT NULL,
  -- Empty for all.
  email_domains jsonb NOT NULL,
  -- Whose members it signs in, and the role that new ones get: one of the system's, or one of the company's.
  company_id uuid REFERENCES companies (id),
  role text,
  role_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_providers_one_role CHECK (num_nonnulls(role, role_id) = num_nonnulls(company_id)),
  CONSTRAINT sign_in_providers_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles (company_id, id)
);
CREATE INDEX sign_in_providers_of_company ON sign_in_providers (company_id, role_id) WHERE company_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_providers TO paydesk_application;

-- Which accounts the users of providers have. A subject names a user at its issuer, for ever (OpenID Connect Core, 2).
CREATE TABLE sign_in_links (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  CONSTRAINT sign_in_links_one_subject UNIQUE (user_id, issuer)
);
GRANT SELECT, INSERT, DELETE ON sign_in_links TO paydesk_application;

-- The states of attempts to sign in that were used, as hashes: none is good twice.
CREATE TABLE used_sign_in_states (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_in_states_by_age ON used_sign_in_states (expires_at);
GRANT SELECT, INSERT, DELETE ON used_sign_in_states TO paydesk_application;

-- Whether a provider has signed the user in. Such a session needs no second factor here.
ALTER TABLE sessions ADD COLUMN by_provider boolean NOT NULL DEFAULT false;
