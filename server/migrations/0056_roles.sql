-- The roles that companies define. The system's roles are code: a user has one of those, by its name, or one of the company's, by its id.
CREATE TABLE roles (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  name text NOT NULL,
  -- How names are compared: without case.
  name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_case(name)) STORED,
  description text NOT NULL,
  permission jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT roles_name_of_system CHECK (name_key NOT IN ('admin', 'billing manager', 'support agent', 'viewer', 'customer'))
);
CREATE UNIQUE INDEX roles_name_taken ON roles (company_id, name_key);
GRANT SELECT, INSERT, UPDATE, DELETE ON roles TO paydesk_application;

ALTER TABLE users
  DROP CONSTRAINT users_check,
  DROP CONSTRAINT users_role_check,
  ALTER COLUMN role DROP NOT NULL,
  ADD COLUMN role_id uuid,
  ADD CONSTRAINT users_role_known CHECK (role IN ('Admin', 'Billing manager', 'Support agent', 'Viewer', 'Customer')),
  ADD CONSTRAINT users_one_role CHECK (num_nonnulls(role, role_id) = 1),
  ADD CONSTRAINT users_role_of_company CHECK ((company_id IS NULL) = (role IS NOT DISTINCT FROM 'Customer')),
  ADD CONSTRAINT users_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles (company_id, id);
CREATE INDEX users_by_role ON users (company_id, role_id) WHERE role_id IS NOT NULL;
