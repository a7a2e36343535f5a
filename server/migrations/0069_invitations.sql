-- Who may join a company, until the invitation expires. Who accepts it deletes it.
CREATE TABLE invitations (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  email text NOT NULL,
  -- How e-mails are compared: without case.
  email_key text NOT NULL,
  -- One of the system's roles, or one of the company's.
  role text,
  role_id uuid,
  invited_by uuid NOT NULL REFERENCES users (id),
  -- SHA-256 of the token in the link of the mail.
  token_hash bytea NOT NULL CONSTRAINT invitations_token_taken UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invitations_email_taken UNIQUE (company_id, email_key),
  CONSTRAINT invitations_one_role CHECK (num_nonnulls(role, role_id) = 1),
  CONSTRAINT invitations_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles (company_id, id)
);
CREATE INDEX invitations_by_role ON invitations (company_id, role_id) WHERE role_id IS NOT NULL;
CREATE INDEX invitations_by_age ON invitations (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO paydesk_application;
