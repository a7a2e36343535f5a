-- What the operator corrected of a company's billing information: the fields that changed, before and after.
CREATE TABLE billing_information_changes (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  changed_by text NOT NULL,
  before json NOT NULL,
  after json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- Nothing in it is ever changed or removed.
GRANT SELECT, INSERT ON billing_information_changes TO paydesk_application;
