-- A reset that was asked for is kept until its mail is written, so that a process that dies in between loses none. The e-mail is looked up
-- after the answer, so it need not be one of an account.
CREATE TABLE forgotten_passwords (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX forgotten_passwords_asked ON forgotten_passwords (asked_at);
GRANT SELECT, INSERT, DELETE ON forgotten_passwords TO paydesk_application;
COMMENT ON TABLE forgotten_passwords IS 'Resets of passwords that were asked for, until their mails are written.';
