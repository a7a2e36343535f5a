-- When an address got mails of a type within the last hour. Accounts can be deleted and made again, and mails go with them, so the mails
-- themselves do not tell. The subject is a keyed hash of the type and the address.
CREATE TABLE mail_counts (
  subject bytea PRIMARY KEY,
  written_at timestamptz(3)[] NOT NULL,
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 hour'
);
CREATE INDEX mail_counts_by_age ON mail_counts (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_counts TO paydesk_application;
