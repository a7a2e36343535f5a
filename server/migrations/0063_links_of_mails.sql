-- Two more purposes. The new address is kept as its user wrote it; email_key is of the address that the mail went to.
ALTER TABLE email_tokens
  DROP CONSTRAINT email_tokens_purpose_check,
  ADD CONSTRAINT email_tokens_purpose_check CHECK (purpose IN ('verify_email', 'change_email', 'reset_password')),
  ADD COLUMN new_email text,
  ADD CONSTRAINT email_tokens_new_email CHECK ((purpose = 'change_email') = (new_email IS NOT NULL));

-- The ways back to the addresses that users had before a change. A user may have several, so that a second change does not close the way
-- back from the first. As long as one is open, nobody else gets its address.
CREATE TABLE email_reverts (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  email text NOT NULL,
  email_key text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_reverts_of_user ON email_reverts (user_id);
CREATE INDEX email_reverts_by_email ON email_reverts (email_key);
GRANT SELECT, INSERT, DELETE ON email_reverts TO paydesk_application;
