-- What a user shows beside the password, or in its place.

-- The secret of an authenticator app (RFC 6238), encrypted with a key that is not in the database. It counts from its first code on.
CREATE TABLE totp_secrets (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  secret bytea NOT NULL,
  confirmed_at timestamptz(3),
  -- The time step of the last code that was accepted: that code and older ones are refused.
  used_step bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_secrets TO paydesk_application;

-- The recovery codes that are left, as hashes: a used one is deleted.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id),
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
GRANT SELECT, INSERT, DELETE ON recovery_codes TO paydesk_application;

-- The public keys of WebAuthn credentials.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  credential_id bytea NOT NULL,
  -- COSE_Key.
  public_key bytea NOT NULL,
  -- Of the signatures that the authenticator has made; 0 from one that does not count.
  counter bigint NOT NULL,
  -- How browsers reach the authenticator.
  transports json NOT NULL,
  -- Whether it can be copied to other devices, and whether it was.
  backup_eligible boolean NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id)
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, id);
GRANT SELECT, INSERT, DELETE ON passkeys TO paydesk_application;
GRANT UPDATE (name, counter, backed_up, last_used_at) ON passkeys TO paydesk_application;

-- Challenges that an authenticator has to sign, as hashes that include their purpose: a used one is deleted.
CREATE TABLE passkey_challenges (
  hash bytea PRIMARY KEY,
  -- Who registers a passkey; null for a login, before which nobody is known.
  user_id uuid REFERENCES users (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_at);
GRANT SELECT, INSERT, DELETE ON passkey_challenges TO paydesk_application;

-- Logins whose password was right and whose second factor is missing, by the hash of their token.
CREATE TABLE second_factor_tokens (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  tries integer NOT NULL DEFAULT 0,
  -- Of the challenge for a passkey, until it is used.
  challenge_hash bytea,
  expires_at timestamptz NOT NULL
);
CREATE INDEX second_factor_tokens_by_age ON second_factor_tokens (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factor_tokens TO paydesk_application;

-- Whether the company demands a second factor of its members.
ALTER TABLE companies ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
