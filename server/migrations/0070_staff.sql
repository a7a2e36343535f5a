-- The operator's people log in with accounts of their own. They belong to no company, and have a role of the operator's.
ALTER TABLE users
  DROP CONSTRAINT users_role_known,
  DROP CONSTRAINT users_role_of_company,
  ADD COLUMN staff_role text CHECK (staff_role IN ('viewer', 'finance', 'admin')),
  ADD CONSTRAINT users_role_known CHECK (role IN ('Admin', 'Billing manager', 'Support agent', 'Viewer', 'Customer', 'Staff')),
  ADD CONSTRAINT users_role_of_company CHECK ((company_id IS NULL) = (coalesce(role, '') IN ('Customer', 'Staff'))),
  ADD CONSTRAINT users_role_of_staff CHECK ((coalesce(role, '') = 'Staff') = (staff_role IS NOT NULL));
CREATE INDEX users_staff ON users (id) WHERE staff_role IS NOT NULL;

-- Who is invited. The account that accepts gets the invitation's id.
CREATE TABLE staff_invitations (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL CONSTRAINT staff_invitations_email_key UNIQUE,
  role text NOT NULL CHECK (role IN ('viewer', 'finance', 'admin')),
  token_hash bytea NOT NULL UNIQUE,
  invited_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_invitations TO paydesk_application;
