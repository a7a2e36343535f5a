-- A mail on its way to a user, written with the change that it tells about, or kept where there is no mail server. The nil UUID stands for
-- a user of no company.
CREATE TABLE mails (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  language text NOT NULL,
  recipients json NOT NULL,
  subject text NOT NULL,
  -- Encrypted with a key that is not in the database; null once a mail with a link has ended.
  content bytea,
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'kept')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  attempted_at timestamptz NOT NULL DEFAULT now(),
  give_up_at timestamptz NOT NULL,
  lease uuid,
  leased_until timestamptz,
  process_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  CHECK ((status = 'queued') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX mails_waiting ON mails (company_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mails_leased ON mails (process_id) WHERE lease IS NOT NULL;
CREATE INDEX mails_failed ON mails (company_id) WHERE status = 'failed';
CREATE INDEX mails_by_id ON mails (id);
CREATE INDEX mails_by_recipient ON mails (company_id, (recipients ->> 0), created_at);
CREATE INDEX mails_by_age ON mails (created_at);
GRANT SELECT, INSERT, DELETE ON mails TO paydesk_application;
GRANT UPDATE (status, content, attempts, next_attempt_at, attempted_at, lease, leased_until, process_id, sent_at) ON mails
  TO paydesk_application;

ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3);

-- What the links of mails stand for, by the SHA-256 of their tokens. A user has one of each purpose: a newer one replaces it.
CREATE TABLE email_tokens (
  user_id uuid NOT NULL REFERENCES users (id),
  purpose text NOT NULL CHECK (purpose IN ('verify_email')),
  hash bytea NOT NULL UNIQUE,
  -- The address that whoever has the token can read.
  email_key text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, purpose)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON email_tokens TO paydesk_application;
